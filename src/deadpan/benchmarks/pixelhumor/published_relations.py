"""What ties the printed numbers of PixelHumor's paper together."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from deadpan.benchmarks.pixelhumor.published_claims import claims
from deadpan.core.relations import DATA, Cell, Interval, Relation, Sheet
from deadpan.metrics.arithmetic.formulas import (
    MEAN,
    RATIO,
    SAME,
    SUM,
    Formula,
    pooled_deviation,
)
from deadpan.metrics.arithmetic.rules import AtMost, Equals, Follows, Within
from deadpan.metrics.arithmetic.shares import Attainable, Share

COMICS = 2800
STYLES = (
    *("Comparison", "Personification", "Exaggeration", "Pun", "Sarcasm", "Silliness"),
    *("Surprise", "Dark", "NA"),
)
_RATINGS = (1, 7)
_RATERS = 2
_COUNTS = ("tp", "fp", "fn")
Average = Callable[..., float]
_ONE_STYLE = "table 12 gives each comic one style, the gold several"


def relations(sheet: Sheet) -> Iterator[Relation]:
    """Scores of counts, counts of counts, ratings of whole numbers, and claims of the text."""
    models = sheet.values("model", table="13")
    for model in models:
        yield from _style_counts(sheet, model)
        yield from _style_scores(sheet, model)
        yield from _presence(sheet, model)
        yield from _styles_per_comic(sheet, model)
        yield from _group_scores(sheet, model)
    yield from _gold_counts(sheet)
    yield from _ratings(sheet)
    for table in ("10", "11"):
        for row in sheet.rows("group", table=table):
            low, high, mean = (
                next(one for name, one in row.items() if name.endswith(end))
                for end in ("_min", "_max", "_mean")
            )
            yield Within(mean, low, high, words="between smallest and largest")
    yield from claims(sheet)


def counts(sheet: Sheet, model: str, style: str) -> dict[str, Cell]:
    """Table 13's counts of a model and style."""
    found = sheet.select(table="13", model=model, group=f"style={style}")
    return {one.metric: one for one in found}


def _style_counts(sheet: Sheet, model: str) -> Iterator[Relation]:
    """Four counts make all comics; hits and misses make the gold, the same for all models."""
    for style in STYLES:
        row = counts(sheet, model, style)
        words = f"TP, FP, TN and FN make {COMICS} comics"
        yield Equals(tuple(row.values()), (), SUM, SUM, "sum", words, constant=COMICS)
        positives, own = _support(sheet, style), (row["tp"], row["fn"])
        words = f"gold comics of the style: {positives} for most models"
        yield Equals(own, (), SUM, SUM, "support", words, constant=positives)


def _support(sheet: Sheet, style: str) -> int:
    """How many comics have a style, as most models' counts say."""
    sums = Counter(
        int(row["tp"].printed) + int(row["fn"].printed)
        for row in (counts(sheet, model, style) for model in sheet.values("model", table="13"))
    )
    return sums.most_common(1)[0][0]


def _weighted(score: Callable[[float, float, float], float]) -> Average:
    """A label's score averaged by support, of TP, FP, FN of one label after the other."""

    def average(*values: float) -> float:
        labels = [values[at : at + 3] for at in range(0, len(values), 3)]
        whole = sum(tp + fn for tp, _, fn in labels)
        return sum((tp + fn) * score(tp, fp, fn) for tp, fp, fn in labels) / whole

    return average


def _unweighted(score: Callable[[float, float, float], float]) -> Average:
    """The same with each label counting as much."""

    def average(*values: float) -> float:
        labels = [values[at : at + 3] for at in range(0, len(values), 3)]
        return sum(score(*label) for label in labels) / len(labels)

    return average


def _precision(tp: float, fp: float, fn: float) -> float:
    return tp / (tp + fp) if tp + fp else 0.0


def _recall(tp: float, fp: float, fn: float) -> float:
    return tp / (tp + fn) if tp + fn else 0.0


def _f1(tp: float, fp: float, fn: float) -> float:
    return 2 * tp / (2 * tp + fp + fn) if tp + fp + fn else 0.0


_SCORES = {"precision": _precision, "recall": _recall, "f1": _f1}


def _style_scores(sheet: Sheet, model: str) -> Iterator[Relation]:
    """Table 3 from table 13's counts."""
    rows = {style: counts(sheet, model, style) for style in STYLES}
    cells = tuple(row[name] for row in rows.values() for name in _COUNTS)
    key = {"table": "3", "model": model, "task": "style"}
    for metric, score in _SCORES.items():
        formula = Formula(f"weighted {metric} of table 13's counts", _weighted(score))
        macro = Formula(f"unweighted mean of {metric}", _unweighted(score))
        own = (sheet.cell(**key, metric=metric),)
        yield Follows(own, cells, formula, kind="weighted", instead=(macro,))
    for style, row in rows.items():
        cell = sheet.cell(**key, metric="recall", group=f"style={style}")
        parts = (row["tp"], row["fn"])
        recall = Formula("TP / (TP + FN) of table 13: {}", lambda tp, fn: _recall(tp, 0, fn))
        yield Follows((cell,), parts, recall, kind="recall")


def _presence(sheet: Sheet, model: str) -> Iterator[Relation]:
    """Table 2's presence from table 13's N/A row: no humour is the answer No to both."""
    row = counts(sheet, model, "NA")
    cells = tuple(row[name] for name in ("tp", "fp", "fn", "tn"))
    for metric, score in _SCORES.items():
        average = _weighted(score)
        cell = sheet.cell(table="2", model=model, task="presence", metric=metric)

        def two(tp: float, fp: float, fn: float, tn: float, average: Average = average) -> float:
            return average(tp, fp, fn, tn, fn, fp)

        words = f"weighted {metric} of Yes and No, table 13's N/A counts {_listed(cells)}"
        yield Follows((cell,), cells, Formula("", two), kind="weighted", words=words)


def _listed(cells: Sequence[Cell]) -> str:
    return ", ".join(one.printed for one in cells)


def _styles_per_comic(sheet: Sheet, model: str) -> Iterator[Relation]:
    """Table 4: its rows make all comics, its styles are table 13's predictions."""
    row = sheet.select(table="4", model=model)
    words = f"comics with 1 to 5 or more styles make {COMICS}"
    yield Equals(tuple(row), (), SUM, SUM, "sum", words, constant=COMICS)
    predicted = tuple(
        counts(sheet, model, style)[name] for style in STYLES for name in ("tp", "fp")
    )
    styles = Formula("", _labels, bounds=_label_range)
    words = f"predictions of table 13, TP + FP of {len(STYLES)} styles"
    yield Follows(tuple(row), predicted, SUM, styles, "sum", words)


def _labels(*comics: float, most: int = 5) -> float:
    """The styles of comics with 1, 2, 3, 4, and 5 or more of them."""
    return sum(number * count for number, count in zip((1, 2, 3, 4, most), comics, strict=True))


def _label_range(comics: Sequence[Interval]) -> Interval:
    least, most = (one.low for one in comics), (one.high for one in comics)
    return Interval(_labels(*least), _labels(*most, most=len(STYLES)))


def _group_scores(sheet: Sheet, model: str) -> Iterator[Relation]:
    """Table 14's presence: of comics that are all funny, or all not, only misses are wrong."""
    false_alarms = int(counts(sheet, model, "NA")["fp"].printed)
    for style in STYLES:
        row, size = counts(sheet, model, style), _support(sheet, style)
        key = {"table": "14", "model": model, "group": f"style={style}"}
        if style == "NA":
            f1 = Formula("", lambda tp, fn: _f1(tp, 0, fn))
            words = f"table 13's N/A row: TP {row['tp'].printed}, FN {row['fn'].printed}"
            for task in ("presence", "panel", "modality", "style"):
                cell = sheet.cell(**key, task=task, metric="f1")
                yield Follows((cell,), (row["tp"], row["fn"]), f1, kind="recall", words=words)
            continue
        cell = sheet.cell(**key, task="presence", metric="f1")
        missed = min(size, false_alarms)
        words = f"{size} comics, at most {missed} of which were not found funny (table 13)"
        yield Attainable(cell, partial(_with_misses, size, missed), words)


def _with_misses(size: int, most: int) -> list[float]:
    """F1 of one class alone, by how many of its items were missed."""
    return [_f1(size - missed, 0, missed) for missed in range(most + 1)]


def _gold_counts(sheet: Sheet) -> Iterator[Relation]:
    """Tables 4 and 12 against each other, against table 13, and against the data."""
    gold = sheet.select(table="4", model="gold")
    words = f"comics with 1 to 5 or more styles make {COMICS}"
    yield Equals(tuple(gold), (), SUM, SUM, "sum", words, constant=COMICS)
    labels = sum(_support(sheet, style) for style in STYLES)
    words = f"style labels of the gold in table 13: {labels}"
    styles = Formula("", _labels, bounds=_label_range)
    yield Equals(tuple(gold), (), SUM, styles, "sum", words, constant=labels)
    every = sheet.select(table="12")
    yield Equals(tuple(every), (), SUM, SUM, "sum", words, excuse=_ONE_STYLE, constant=labels)
    for source in dict.fromkeys(one.group.partition(",")[0] for one in every):
        row = tuple(one for one in every if one.group.startswith(f"{source},"))
        words = f"styles of {source} make 400 comics, one each"
        yield Equals(row, (), SUM, SUM, "sum", words, constant=400)
    for one in every:
        given = sheet.find(table=DATA, model="gold", task="data", metric="comics", group=one.group)
        if given is not None:
            words = f"the released data: {float(given.printed):g}"
            yield Follows((one,), (given,), SAME, kind="gold", words=words, excuse=_ONE_STYLE)


def _ratings(sheet: Sheet) -> Iterator[Relation]:
    """Tables 5 to 7: means and medians of whole ratings, all models pooled."""
    rated = int(
        sheet.cell(
            table="section 5.3", model="gold", task="interpretation", metric="rated_comics"
        ).printed
    )
    least, most = _RATINGS
    for row in sheet.rows("model", table="5"):
        mean = row["rating_mean"]
        yield Share(mean, rated * _RATERS, of="ratings")
        yield Share(row["rating_median"], 4, of="a rating: a median of half points")
        bound = Formula("", lambda value: math.sqrt((value - least) * (most - value)) * 1.002)
        words = f"mean {mean.printed} of ratings from {least} to {most}"
        yield AtMost(row["rating_std"], (mean,), bound, words=words)
    rows = {row["alpha"].model: row for row in sheet.rows("model", table="6")}
    pooled = rows.pop("overall")
    for row in rows.values():
        yield Share(row["exact_match"], rated, of="comics")
        yield Share(row["difference_mean"], rated, of="comics")
        yield Share(row["difference_median"], 2, of="a difference: a median of whole points")
    yield from _pooled(pooled, list(rows.values()), rated)
    chosen = tuple(sheet.select(table="7"))
    asked = sheet.cell(table="section 5.4", model="gold", task="preference", metric="comics")
    yield Follows((asked,), chosen, SUM, kind="sum", words="choices of table 7")
    human = sheet.cell(table="section 5.4", model="Human", task="preference", metric="share")
    first = next(one for one in chosen if one.model == "Human")
    yield Follows((human,), (first, asked), RATIO, kind="share of count")


def _pooled(
    pooled: Mapping[str, Cell], rows: Sequence[Mapping[str, Cell]], rated: int
) -> Iterator[Relation]:
    """Table 6's last row: of all models, each of as many comics."""
    for metric in ("exact_match", "difference_mean"):
        yield Follows((pooled[metric],), tuple(row[metric] for row in rows), MEAN, kind="average")
        yield Share(pooled[metric], rated * len(rows), of="comics of all models")
    means, deviations = (
        tuple(row[f"difference_{name}"] for row in rows) for name in ("mean", "std")
    )
    own = (pooled["difference_std"],)
    yield Follows(own, (*means, *deviations), pooled_deviation(), kind="deviation")
