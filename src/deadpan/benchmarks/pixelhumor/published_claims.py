"""What the text of PixelHumor's paper says of its tables, and what they say of each other."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from deadpan.core.relations import DATA, Cell, Relation, Sheet
from deadpan.metrics.arithmetic.claims import largest, quoted, smallest
from deadpan.metrics.arithmetic.formulas import LARGEST, SMALLEST, SUM, Formula
from deadpan.metrics.arithmetic.rules import AtMost, Follows
from deadpan.metrics.arithmetic.shares import Attainable, Share, few_f1

_PARTITIONED = ("presence", "sound_effect", "panel", "modality")
"""The tasks with one gold label a comic."""
_SMALL = 3


def claims(sheet: Sheet) -> Iterator[Relation]:
    """Numbers of the text, the best and the worst that it names, and tables 2 and 15."""
    yield from quoted(sheet)
    yield from _presence(sheet)
    yield from _styles(sheet)
    yield from _sequences(sheet)
    yield from _sources(sheet)
    yield from _panels(sheet)
    yield from _against_groups(sheet)


def _presence(sheet: Sheet) -> Iterator[Relation]:
    """Section 5.1."""
    f1 = sheet.select(table="2", task="presence", metric="f1")
    bound = sheet.cell(table="section 5.1", model="every model", task="presence", metric="f1")
    words = "F1 of every model is above it, says section 5.1"
    yield AtMost(bound, tuple(f1), SMALLEST, words=words)
    for claim in sheet.select(table="section 5.1", metric="errors"):
        row = {
            one.metric: one for one in sheet.select(table="13", model=claim.model, group="style=NA")
        }
        wrong = (row["fp"], row["fn"])
        words = f"FP and FN of table 13's N/A row: {row['fp'].printed} + {row['fn'].printed}"
        yield Follows((claim,), wrong, SUM, kind="errors", words=words)
    none = sheet.cell(
        table="section 5.1", model="gold", task="data", metric="comics", group="style=NA"
    )
    not_funny = tuple(one for one in sheet.select(table="12") if one.group.endswith("style=NA"))
    yield Follows((none,), not_funny, SUM, kind="sum", words="N/A of table 12")
    rare = sheet.cell(
        table="figure 3", model="gold", task="interpretation", metric="rated_comics_over_8_panels"
    )
    yield Share(rare, 350, of="rated comics")


def _styles(sheet: Sheet) -> Iterator[Relation]:
    """Section 5.2 on table 3, appendix F on table 14."""
    for model in sheet.values("model", table="3"):
        recalls = [
            one
            for one in sheet.select(table="3", model=model, metric="recall")
            if one.group not in ("all", "style=NA")
        ]
        own = next(one for one in recalls if one.group == "style=Personification")
        yield largest(own, recalls, "section 5.2")
        panels = sheet.select(table="14", model=model, task="panel")
        own = next(one for one in panels if one.group == "style=Personification")
        yield largest(own, panels, "appendix F")
    for table, task, model in (
        ("2", "panel", "GPT-4o"),
        ("2", "modality", "GPT-4o"),
        ("2", "sound_effect", "GPT-4o"),
        ("3", "style", "GPT-4o"),
    ):
        column = sheet.select(table=table, task=task, metric="f1")
        yield largest(next(one for one in column if one.model == model), column, "section 5")
    means = sheet.select(table="5", metric="rating_mean")
    yield largest(next(one for one in means if one.model == "GPT-4o"), means, "section 5.3")


def _sequences(sheet: Sheet) -> Iterator[Relation]:
    """The abstract and section 5.5 on table 8."""
    best = sheet.cell(table="abstract", model="the best", task="panel_order", metric="accuracy")
    column = tuple(sheet.select(table="8", task="panel_order", metric="accuracy"))
    words = f"the best panel accuracy of table 8, {_largest(column).label}"
    yield Follows((best,), column, LARGEST, kind="largest", words=words)
    yield largest(_of(column, "Gemini-1.5-Pro"), column, "section 5.5")
    for metric, pick in (("accuracy", smallest), ("wer", largest), ("cer", largest)):
        texts = sheet.select(table="8", task="panel_text", metric=metric)
        yield pick(_of(texts, "Qwen2-VL-7B"), texts, "section 5.5 (worst on panel text)")


def _largest(cells: tuple[Cell, ...]) -> Cell:
    return max(cells, key=lambda one: one.value)


def _of(cells: list[Cell] | tuple[Cell, ...], model: str) -> Cell:
    return next(one for one in cells if one.model == model)


def _sources(sheet: Sheet) -> Iterator[Relation]:
    """Appendix D on tables 10 and 11."""
    for table, name, many in (
        ("10", "panels", ("source=peanuts", "source=explosm")),
        ("11", "words", ("source=phdcomics", "source=smbc")),
    ):
        most = sheet.cell(table="appendix D", model="gold", task="data", metric=f"{name}_max")
        column = tuple(sheet.select(table=table, metric=f"{name}_max"))
        words = f"largest of table {table}"
        yield Follows((most,), column, LARGEST, kind="largest", words=words)
        means = sheet.select(table=table, metric=f"{name}_mean")
        rest = [one for one in means if one.group not in many]
        for one in means:
            if one.group in many:
                yield largest(one, rest, "appendix D (with another)")


def _panels(sheet: Sheet) -> Iterator[Relation]:
    """The share of sound effects that contribute, where the data is there."""
    claim = sheet.cell(
        table="section 3.3", model="gold", task="data", metric="sound_effect_contributes"
    )
    given = [
        sheet.find(
            table=DATA,
            model="gold",
            task="data",
            metric="share",
            group=f"sound_effect=Present, {what}",
        )
        for what in ("contribute", "do not contribute")
    ]
    if given[0] is not None and given[1] is not None:
        part = Formula("", lambda does, does_not: does / (does + does_not))
        words = "the released data: shares that contribute and do not"
        yield Follows((claim,), (given[0], given[1]), part, kind="gold", words=words)


def _against_groups(sheet: Sheet) -> Iterator[Relation]:
    """Table 2's recall against table 15, where the data says how many comics have so many panels.

    A label's F1 is at most 2 R / (1 + R) of its recall R, which is concave, so that a group's
    weighted F1 bounds its recall from below by F1 / (2 - F1); the recall of all comics is the mean
    of the groups' recalls by their sizes.
    """
    sizes = {
        one.group: float(one.printed)
        for one in sheet.select(table=DATA, metric="comics")
        if one.group.startswith("panels=")
    }
    if not sizes:
        return
    for model in sheet.values("model", table="15"):
        for task in _PARTITIONED:
            groups = sheet.select(table="15", model=model, task=task, metric="f1")
            weights = [sizes.get(one.group, 0.0) for one in groups]

            def least(*values: float, weights: list[float] = weights) -> float:
                sums = (w * v / (2 - v) for w, v in zip(weights, values, strict=True))
                return sum(sums) / sum(weights)

            for one, size in zip(groups, weights, strict=True):
                if 0 < size <= _SMALL:
                    words = f"weighted F1 of {size:g} comics with one label each"
                    yield Attainable(one, partial(few_f1, int(size)), words)
            recall = sheet.cell(table="2", model=model, task=task, metric="recall")
            words = "the recall that the F1 of comics by number of panels in table 15 needs"
            formula = Formula("", least, rises=True)
            yield AtMost(recall, tuple(groups), formula, at_least=True, kind="groups", words=words)
