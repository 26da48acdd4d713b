"""`deadpan data`: get media, verify, describe and anonymise data."""

from __future__ import annotations

import io
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deadpan.base.counting import count_noun
from deadpan.base.errors import DeadpanError, InputError
from deadpan.base.files import write_bytes, write_text
from deadpan.benchmarks import find
from deadpan.cli import flags, output
from deadpan.cli.data_printing import print_data
from deadpan.cli.flags import CallFlags, grouped
from deadpan.cli.json_output import JsonOption, write_json
from deadpan.cli.output import say
from deadpan.collecting.fetch import FetchSettings
from deadpan.core.capabilities import require
from deadpan.core.score import Score
from deadpan.pipeline.loading import LoadedBenchmark, anomaly_scores, load

if TYPE_CHECKING:
    from deadpan.collecting.anonymise.report import Report

_PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".svg", ".pdf")
_MOST_NAMED = 20
_ONE_BY_ONE = ("out", "limit", "interval", "contact")
app = typer.Typer(no_args_is_help=True, add_completion=False)


@app.command()
@grouped
def anonymise(
    source: Path,
    out: Annotated[Path, typer.Option()],
    calls: CallFlags,
    report: Path | None = None,
    review: Path | None = None,
    model: str | None = None,
    look: Annotated[bool, typer.Option("--look/--no-look")] = True,
) -> None:
    """Copy chats without metadata and without what leads to people, under random names.

    Records, and exports of WeChat, QQ, WhatsApp, Telegram and Discord. What the rules cannot judge
    goes to the --review sheet (.csv or .jsonl): fill in accept, keep, replace or replace with TEXT,
    and run the same command again. A --model reads the texts once more. Ends with status 1 where
    something was left out, or the model gave no usable reply; the report says what and why.
    """
    from deadpan.collecting.anonymise import Options, anonymise

    written = report or out.with_name(f"{out.name}-report.json")
    if _lies_in(written, out):
        raise InputError(
            written, "the report would lie in the output", "It tells of the input: keep it apart."
        )
    options = Options(review=review, looks=look, earlier=written)
    if model is not None:
        from deadpan.engine.run import open_asker

        if _lies_in(calls.store, out):
            raise InputError(calls.store, "the store would lie in the output", "Keep it apart.")
        options = replace(options, asker=open_asker(model, calls.settings()))
    with output.counting_bar("anonymising", at_once=True) as progress:
        found = anonymise(source, out, progress=progress, options=options)
    write_text(written, found.model_dump_json(indent=2) + "\n")
    _say_anonymised(found)
    if found.records_written or found.media_written:
        say(f"wrote {out}")
    if review is not None:
        say(f"wrote {review}: {count_noun(found.undecided, 'place')} to decide about")
        if found.undecided:
            say("until then what is suggested there was done; run the same command again after")
    say(f"wrote {written}; keep it with the input, it is not for sharing")
    if found.problems or (found.model and found.model.unanswered):
        raise typer.Exit(1)


def _say_anonymised(found: Report) -> None:
    for what, counts in (
        ("replaced in texts", found.replaced_by_kind),
        ("metadata left behind", found.removed_by_kind),
    ):
        listed = ", ".join(f"{count} {kind}" for kind, count in counts.items())
        say(f"{what}: {listed or 'nothing'}")
    if found.model is not None:
        read = found.model.asked - found.model.unanswered
        say(
            f"the model read {read} of {count_noun(found.model.asked, 'text')}; "
            f"{count_noun(found.model.dropped, 'span')} that stand nowhere were dropped"
        )
        if found.model.unanswered:
            counted = f"{count_noun(found.model.unanswered, 'text')} got no usable reply"
            output.warn(f"{counted}, for example: {found.model.reason}")
            say("Run the same command again to ask for them again.", "yellow")
    for note in found.notes[:_MOST_NAMED]:
        say(f"{note.where}: {note.what}", "yellow")
    output.say_first(
        [f"look at {one.where}: {one.may_be}: {one.what}" for one in found.flags], "the report"
    )
    if found.media_read:
        for missing in found.not_looked_for:
            say(f"not looked for: {missing}", "yellow")
    output.say_first([f"left out: {problem}" for problem in found.problems], "the report")
    say(
        f"{found.records_written} of {found.records_read} records, "
        f"{found.media_written} of {found.media_read} pictures and films"
    )


def _lies_in(path: Path, folder: Path) -> bool:
    try:
        real, root = path.resolve(), folder.resolve()
        # From Python 3.13 on circles are left as they are instead of raising.
        runs_in_circles = any(map(os.path.islink, (real, root)))
    except RuntimeError:
        runs_in_circles = True
    if runs_in_circles:
        what = "is a link that leads in circles"
        raise InputError(folder, what, "Name a new folder.")
    return real.is_relative_to(root)


@app.command()
def verify(benchmark: str, data: Path | None = None, json: JsonOption = None) -> None:
    """Report everything odd in the data; nothing of it is fatal."""
    from deadpan.collecting.releases import changes_since

    with output.console.status("reading files and pictures"):
        anomalies = [*find(benchmark).verify(data), *(changes_since(data) if data else ())]
    for anomaly in anomalies:
        say(f"{anomaly.where}: {anomaly.kind}: {anomaly.what}")
    dataset = find(benchmark).read(data)
    noun = "anomaly" if len(anomalies) == 1 else "anomalies"
    say(f"{count_noun(len(dataset.records), 'record')}, {len(anomalies):,} {noun}")
    write_json(json, {benchmark: anomaly_scores(benchmark, dataset, anomalies)})


@app.command()
def stats(
    benchmark: str,
    data: Path | None = None,
    json: JsonOption = None,
    word_cloud: Path | None = None,
    out: Path | None = None,
) -> None:
    """Describe the data: sizes, labels, shares; with --out in plots."""
    if out is not None:
        from deadpan.reports.data_plots import require_picture

        require_picture(out)
    if word_cloud is not None and word_cloud.suffix.lower() in _PICTURES:
        what = "is named like a picture, and a picture for each language is drawn"
        raise InputError(f"--word-cloud {word_cloud}", what, "Name a folder for them.")
    found = load(benchmark, data)
    analyses = found.benchmark.analyses
    scores = require(analyses.stats, f"{benchmark} has no data statistics")(found.dataset)
    if out is not None:
        _draw_plots(found, scores, out)
    if word_cloud is not None:
        _draw_words(found, word_cloud)
    write_json(json, {benchmark: scores})
    print_data(scores, found.benchmark.metric)


def _draw_plots(found: LoadedBenchmark, scores: Sequence[Score], path: Path) -> None:
    """Writes the plots of the data; annotators' agreement is among them where votes are there."""
    from deadpan.reports.data_plots import write_data_plots

    wanted, votes = found.benchmark.analyses.data_plots, found.benchmark.votes
    if not wanted:
        raise DeadpanError(f"{found.name} has no plots of its data; leave --out out")
    agreed: Sequence[Score] = []
    if votes is not None and votes.agreement is not None:
        try:
            agreed = votes.agreement(found.data)
        except InputError as error:
            say(f"no agreement is drawn: {error}", "yellow")
    title = f"{found.title} · {count_noun(len(found.dataset.records), 'item')}"
    write_data_plots(path, title, [*scores, *agreed], wanted, found.benchmark.metric)
    say(f"wrote {path}")


def _draw_words(found: LoadedBenchmark, folder: Path) -> None:
    from deadpan.reports.word_cloud import word_cloud

    lack = f"{found.name} has no targets to draw the words of"
    words = require(found.benchmark.analyses.target_words, lack)
    for language, weights in words(found.dataset).items():
        if weights:
            cloud, stream = word_cloud(weights), io.BytesIO()
            cloud.image.save(stream, "PNG")
            path = folder / f"{found.name}_targets_{language}.png"
            write_bytes(path, stream.getvalue())
            say(f"wrote {path}")
            if cloud.unlettered:
                words_left = ", ".join(cloud.unlettered)
                say(f"not drawn, as no font here has all their characters: {words_left}", "yellow")
            if cloud.crowded_out:
                say(f"not drawn, for want of room: {', '.join(cloud.crowded_out)}", "yellow")


@app.command()
def get(
    context: typer.Context,
    benchmark: str,
    data: Path | None = None,
    only: Annotated[list[str] | None, typer.Option()] = None,
    models: str = "",
    revision: str | None = None,
    out: Path | None = None,
    limit: Annotated[int | None, typer.Option(min=1)] = None,
    interval: Annotated[float, typer.Option(min=0)] = 1.0,
    contact: str | None = None,
    allow_private: Annotated[bool, typer.Option("--allow-private")] = False,
) -> None:
    """Get annotations and media from where a benchmark releases them.

    The commit, the licence and each file's checksum are kept in deadpan-data.json beside the data;
    the same command again goes on where it stopped, with the same commit.
    """
    from deadpan.collecting.releases import MEDIA, Selection, Watcher, get_release

    found, folder = find(benchmark), data or Path("data") / benchmark
    names = tuple(name.strip() for name in models.split(",") if name.strip())
    wanted = Selection(tuple(only or ()), names, revision, allow_private)
    one_by_one = wanted.wants(MEDIA) and found.media is not None
    if not one_by_one:
        flags.refuse(context, "where no media are fetched one by one", _ONE_BY_ONE)
    if found.release is not None:
        with output.counting_bar("fetching") as progress:
            gotten = get_release(found, folder, wanted, Watcher(say, progress))
        folder = gotten.folder
        _say_gotten(benchmark, folder, gotten.lock is not None)
    elif found.media is None:
        raise DeadpanError(f"{benchmark} does not say where its data is released")
    if one_by_one:
        settings = FetchSettings(interval=interval, contact=contact, allow_private=allow_private)
        _fetch_media(benchmark, folder, out or folder, limit, settings)


@app.command()
def mini(benchmark: str, out: Path | None = None) -> None:
    """Copy the embedded mini-set into a folder, in the layout of the released data.

    Without --data every command works on the mini-set by itself. A copy shows the layout, and has
    pictures to try things on.
    """
    from deadpan.collecting.mini_sets import copy_mini_set

    folder = out or Path("mini") / benchmark
    count = copy_mini_set(find(benchmark), folder)
    say(f"{folder}: {count_noun(count, 'file')}")


def _say_gotten(benchmark: str, folder: Path, was_fetched: bool) -> None:
    """Reads what lies there now, and says what it is and what to do with it."""
    try:
        dataset = find(benchmark).read(folder)
    except InputError as error:  # a part of the files, or not what was published
        say(f"not read yet: {error}", "yellow")
        return
    known = find(benchmark).released
    is_known = {"": "", dataset.checksum: ", as released"}.get(known, f"; released: {known}")
    items = count_noun(len(dataset.records), "item")
    say(f"{items}, checksum {dataset.checksum}{is_known}")
    if was_fetched:
        say(f"deadpan run {benchmark} --data {folder} --model …")


def _fetch_media(
    benchmark: str, data: Path, out: Path, limit: int | None, settings: FetchSettings
) -> None:
    """Fetches media politely; the same again continues, and asks retryable ones again."""
    from deadpan.collecting.fetch import FetchItem, fetch, load_rules

    source = require(find(benchmark).media, f"{benchmark} has no media to fetch").source(data)
    items = [
        FetchItem(id=name, url=url, width=source.widths.get(name))
        for name, url in source.items[:limit]
    ]
    with output.advancing_bar("fetching", len(items)) as progress:
        summary = fetch(items, out, load_rules(source.rules), settings, progress)
    for record in summary.records:
        if record.error:
            say(f"{record.id}: {record.status}: {record.error}")
    for note in summary.notes:
        say(note)
    say(", ".join(f"{count} {status}" for status, count in summary.counts.items()))
    say(f"{count_noun(summary.resumed, 'item')} settled by an earlier run")
    if summary.retryable:
        say(f"{summary.retryable} can be tried again: run the same command", "yellow")


@app.command("fetch", hidden=True, context_settings={"ignore_unknown_options": True})
def gone_fetch(arguments: Annotated[list[str] | None, typer.Argument(hidden=True)] = None) -> None:
    """What `data get` was called."""
    raise DeadpanError("`deadpan data fetch` is `deadpan data get` now")
