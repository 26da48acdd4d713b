"""`deadpan agreement`, `ratings` and `irc`: annotators, raters, and a metric against rewording."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated

import polars as pl
import typer
from rich.markup import escape

from deadpan.base.counting import count_noun
from deadpan.base.errors import DeadpanError, InputError
from deadpan.base.printable import visible
from deadpan.benchmarks import find
from deadpan.cli.json_output import JsonOption, write_json
from deadpan.cli.output import print_line, say
from deadpan.cli.score_tables import print_scores
from deadpan.cli.study_files import benchmark_of, said_in
from deadpan.cli.tables import number, plain_table, print_table
from deadpan.core.capabilities import require
from deadpan.core.choices import read_choices
from deadpan.core.dataset import Comparison
from deadpan.core.metric import Metric
from deadpan.core.published import read_published
from deadpan.core.score import Score, ScoringOptions, unavailable
from deadpan.core.signature import combine_signatures
from deadpan.core.study_rows import skip_notes
from deadpan.metrics.choice_scores import choice_scores
from deadpan.metrics.chosen_scores import metric_of_ratings
from deadpan.metrics.rating_scores import PAIRED, RATED, RATING_METRICS
from deadpan.metrics.text_scores import ENCODER, ENCODERS
from deadpan.pipeline.agreement import find_agreement, named_kinds, ranked_labels
from deadpan.pipeline.kept_options import with_kept
from deadpan.pipeline.rating import (
    OWN,
    RatedStudy,
    rate_answers,
    rate_by_own_scales,
    tell_other_scales,
    who_rated,
)
from deadpan.pipeline.scoring_choices import chosen_lexicons, metric_models, scoring_options
from deadpan.pipeline.table import read_tables

_MOST_NAMED = 20
_RATED_BY_DEFAULT, _CHOSEN_BY_DEFAULT = "janusmm", "merbench"
_MOVES = ("{:.1f}", "{:.1f}", "{:+.1f}", "{:.1f}", "{:.0%}")
"""How the values of a rewording are printed."""


def agreement(
    benchmark: str,
    data: Path | None = None,
    annotations: list[Path] | None = None,
    free_text: list[str] | None = None,
    ranked: list[str] | None = None,
    kind: list[str] | None = None,
    metric_model: list[str] | None = None,
    gold: Path | None = None,
    json: JsonOption = None,
) -> None:
    """Agreement per question (exact, overlap, kappa, Krippendorff's alpha; BLEU-4 of words), with
    the paper's own beside it; and gold from the votes.

    Files of annotations (.csv, .jsonl, .parquet; several unite) have a row for what one annotator
    says to one question about one item: item, annotator, question, value, and language, note,
    batch, kind where there are some. Several labels are joined by ; or a JSON list. The kind of a
    question is label, labels, yes_no, number, text, order, boxes, or LOWEST < … < HIGHEST of ranked
    labels; --kind says it where files do not. Beside all annotators come each language, each batch,
    and of more than two annotators each against the others and each pair.

    Words also have alpha by the distance of their sentence vectors: --metric-model encoder=NAME, or
    encoder:zh=NAME for one language; by spelling where none is named (encoder=lexical).
    """
    found = find(benchmark)
    if annotations and (gold is not None or data is not None):
        raise DeadpanError("--annotations needs no --data, and gives no --gold")
    if not annotations and (free_text or ranked or kind or metric_model):
        what = "--free-text, --ranked, --kind and --metric-model"
        raise DeadpanError(f"{what} are about --annotations FILE")
    options = ScoringOptions(models=metric_models(metric_model or (), [(ENCODER, list(ENCODERS))]))
    told = (free_text or (), ranked_labels(ranked or ()))
    files = said_in(annotations or (), "annotations")
    agreed = find_agreement(found, files, data, *told, options, named_kinds(kind or ()))
    scores = agreed.scores
    write_json(json, {benchmark: scores})
    if gold is not None:
        write = found.votes.write_gold if found.votes else None
        _write_gold(require(write, f"{benchmark} has no gold by votes"), data, gold)
    print_scores(scores, groups=True, about=found.metric)
    for line in agreed.notes:
        say(line, "yellow")
    for line in _published_lines(found.folder, scores):
        say(line, "dim")


def _write_gold(
    write: Callable[[Path | None, Path], Comparison], data: Path | None, gold: Path
) -> None:
    compared = write(data, gold)
    say(f"wrote {gold}")
    if compared.cells:
        say(f"{compared.equal} of {compared.cells} cells equal the released gold")
    for place in compared.differing[:_MOST_NAMED]:
        say(f"differs: {place}", "yellow")


def _published_lines(folder: Path, scores: Sequence[Score]) -> Iterator[str]:
    """What the paper prints for scores of these tasks and metrics, beside ours over all."""
    published = read_published(folder)
    if published is None:
        return
    ours = {(one.model, one.task, one.metric, one.group): one.value for one in scores}
    for row in published.rows.iter_rows(named=True):
        key = (row["model"], row["task"], row["metric"], row["group"])
        if key in ours:
            named = f"{row['task']} {row['metric']}"
            yield f"published {named}: {row['value']:g} (here {number(ours[key], 3)})"


def ratings(
    files: list[Path],
    table: list[Path] | None = None,
    irc: Path | None = None,
    metric_model: list[str] | None = None,
    lexicon: list[str] | None = None,
    benchmark: str | None = None,
    model: str = "",
    rater: list[str] | None = None,
    data: Path | None = None,
    plots: Path | None = None,
    json: JsonOption = None,
) -> None:
    """Of each model mean, median and deviation of its ratings, and how far raters agree.

    Files (.csv, .jsonl, .parquet; several unite) have a row a rating: item, model, metric, rater,
    rating, and language, note, run, scale where there are some; or a row an answer and a column
    rater:NAME for each rater, or columns that --rater names. What a benchmark does not rate is read
    by its scale: integers 1 to 7, numbers 0 to 1, yes or no, or choice of the best answer. Exports
    of studies have it.
    """
    benchmark = benchmark or benchmark_of(files)
    name = benchmark or _RATED_BY_DEFAULT
    paths = said_in(files, "ratings")
    if benchmark is None and not table and tell_other_scales(find(name), paths):
        if plots or irc or data:
            raise DeadpanError("--plots, --irc and --data are a benchmark's: name it")
        own = rate_by_own_scales(paths, model, rater or ())
        write_json(json, {OWN: own.scores})
        print_ratings(own, metric_of_ratings)
        return
    options = scoring_options([name], models=metric_model, lexicons=lexicon)
    try:
        rows = read_tables(table).filter(pl.col("benchmark") == name) if table else None
        if table and rows is not None and rows.is_empty():
            where = " ".join(map(str, table))
            raise InputError(where, f"holds no result of {name}", "Give the rated results.")
        if rows is not None:
            options = with_kept(options, rows, say)
        named = (model, rater or ())
        found = rate_answers(find(name), paths, rows, options, irc, *named, data)
    except InputError as error:
        if benchmark:
            raise
        hint = f"Without --benchmark it is read as {name}'s: name the one that was rated."
        raise InputError(error.where, error.what, f"{error.fix} {hint}") from error
    write_plots(name, found, plots)
    write_json(json, {name: found.scores})
    print_ratings(found, find(name).metric)


def choices(files: list[Path], benchmark: str | None = None, json: JsonOption = None) -> None:
    """Of each option the share of its choices that it wins and that are ties, and how far raters
    agree. An option is whatever was set side by side: a model's output, a judge's assessment."""
    name = benchmark or benchmark_of(files) or _CHOSEN_BY_DEFAULT
    about = find(name).metric
    given = read_choices(said_in(files, "choices"))
    found = choice_scores(name, given)
    write_json(json, {name: found})
    print_scores(found, groups=True, about=about)
    raters = dict.fromkeys(one.rater for one in given)
    say(f"{count_noun(len(given), 'choice')} by {count_noun(len(raters), 'rater')}")
    chosen = {
        who: {(one.item, one.pair, one.question) for one in given if one.rater == who}
        for who in raters
    }
    for line in skip_notes("choices", chosen):
        say(line, "yellow")


def irc(
    file: Annotated[Path | None, typer.Argument()] = None,
    metric_model: list[str] | None = None,
    lexicon: list[str] | None = None,
    json: JsonOption = None,
) -> None:
    """How IRC and its parts move under paraphrases, and under contradictions, of one side.

    C_R is measured by a sentence encoder: --metric-model encoder=NAME, or encoder:zh=NAME for one
    language; encoder=lexical compares spelling, where no encoder can be had. C_E is measured by
    NRC and NTUSD; --lexicon zh=dutir compares classes of emotions in Chinese.
    """
    from deadpan.benchmarks.janusmm import JANUSMM
    from deadpan.benchmarks.janusmm.irc import irc_parts
    from deadpan.benchmarks.janusmm.robustness import (
        EMBEDDED,
        read_pairs,
        robustness_scores,
        word_keeping_notes,
    )

    models = metric_models(metric_model or (), [(ENCODER, JANUSMM.languages)])
    pairs = read_pairs(file or EMBEDDED)
    options = ScoringOptions(
        models=models, lexicons=chosen_lexicons(lexicon or (), [JANUSMM.lexicons])
    )
    parts = irc_parts(options, [pair.language for pair in pairs])
    scores = robustness_scores(pairs, parts)
    write_json(json, {"janusmm": scores})
    _print_moves(scores)
    for line in word_keeping_notes(scores):
        say(line, "yellow")
    for line in unavailable(scores):
        say(line, "yellow")
    say(f"signature: {combine_signatures(score.signature for score in scores)}", "dim")


def print_ratings(found: RatedStudy, about: Callable[[str], Metric]) -> None:
    """A line for each scale, group and model: how many answers were rated and how; how many of
    them twice, and how far apart. Then what the benchmark adds, and the signature."""
    titles = {scale.group: scale.title.get("en", "") for scale in found.study.scales}
    measured = [metric.name for metric in RATING_METRICS]
    headings = ("n", "mean", "median", "std", "pairs", "alpha", "exact", "|diff|", "median", "std")
    table = plain_table("task", "group", "model", numbers=headings)
    rows: dict[tuple[str, str, str], dict[str, Score]] = {}
    # What is said of all is not said again of the one language there is.
    alone = [group for group in found.study.groups if group != "all"]
    again = alone[0] if len(alone) == 1 else None
    for score in found.general:
        if again not in score.group.split(","):
            rows.setdefault((score.task, score.group, score.model), {})[score.metric] = score
    for (task, group, model), scores in rows.items():
        title = titles.get(group, "") if group != "all" else ""
        named = (task, f"{group} ({title})" if title else group, model)
        values = [
            number(scores[name].value, about(name).decimals) if name in scores else ""
            for name in measured
        ]
        # Alpha may be undefined where there are pairs: of ratings that are all the same.
        counted = (RATED, PAIRED)
        rated, paired = (str(scores[one].n) if one in scores else "" for one in counted)
        cells = (rated, *values[:3], paired, *values[3:])
        table.add_row(*(escape(visible(name)) for name in named), *cells)
    if rows:
        print_table(table)
    for line, raters in who_rated(found.study):
        say(f"{line} ({', '.join(raters)})")
    for line in found.study.skipped:
        say(line, "yellow")
    if own := [score for score in found.own if again not in score.group.split(",")]:
        print_scores(own, groups=True, about=about)
    else:
        print_line(f"signature: {found.study.signature}", "dim")
    for note in found.notes:
        say(note, "yellow")


def write_plots(benchmark: str, found: RatedStudy, folder: Path | None) -> None:
    """Writes the plots that ratings fill where `--plots` says, if it does."""
    if folder is None:
        return
    from deadpan.pipeline.rating_plots import write_rating_plots

    written = write_rating_plots(find(benchmark), found, folder)
    for path in written:
        say(f"wrote {path}, {path.with_suffix('.svg').name}")
    if not written:
        say(f"--plots: {benchmark} has no plot that these ratings fill", "yellow")


def _print_moves(scores: Sequence[Score]) -> None:
    """A line for each language, kind of rewording and metric; dashes where it is unavailable."""
    from deadpan.benchmarks.janusmm.robustness import CLOSE, KINDS, LANGUAGE

    numbers = ("before", "after", "move", "|move|", f"within {CLOSE:g}", "n")
    table = plain_table("language", "kind", "metric", numbers=numbers)
    rows: dict[tuple[str, str, str], list[Score]] = {}
    for score in scores:
        if score.group.startswith(LANGUAGE):
            key = (score.group, score.model, score.metric.partition("_")[0])
            rows.setdefault(key, []).append(score)
    order: list[str] = list(KINDS)
    for row in sorted(rows, key=lambda row: (row[0], order.index(row[1]))):
        group, kind, metric = row
        values = zip(_MOVES, rows[row], strict=True)
        table.add_row(
            *(group.removeprefix(LANGUAGE), kind, metric),
            *("–" if one.value is None else form.format(one.value) for form, one in values),
            str(rows[row][0].n),
        )
    print_table(table)
