"""What ties the printed numbers of the CFMS paper together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from deadpan.core.relations import Cell, Relation, Sheet
from deadpan.metrics.arithmetic.claims import above, largest, quoted
from deadpan.metrics.arithmetic.formulas import DIFFERENCE, F1, LARGEST, MEAN, SUM, share
from deadpan.metrics.arithmetic.matrices import HasMatrix, Role
from deadpan.metrics.arithmetic.rules import Equals, Follows, Within
from deadpan.metrics.arithmetic.shares import Share

_SPLITS = ("train", "validation", "test")
_PGDS = ", PGDS"
_SCORES: tuple[Role, ...] = ("accuracy", "precision", "recall", "f1")
_BOTH = ("precision", "recall")
"""Which F1 sums up."""


def relations(sheet: Sheet) -> Iterator[Relation]:
    """Counts, scores of whole counts, gaps, and what the text says of them."""
    yield from _counts(sheet)
    yield from _main_results(sheet)
    yield from _metaphors(sheet)
    yield from _claims(sheet)


def _pairs(sheet: Sheet, group: str) -> Cell:
    return sheet.cell(table="2", model="gold", task="data", metric="pairs", group=group)


def _counts(sheet: Sheet) -> Iterator[Relation]:
    """Tables 2, 5 and 6, and the shares of targets in section 3.2."""
    for split in _SPLITS:
        both = tuple(_pairs(sheet, f"split={split},sarcastic={answer}") for answer in ("yes", "no"))
        yield Follows((_pairs(sheet, f"split={split}"),), both, SUM, kind="sum")
    for whole, part in (
        ("all", "split={}"),
        ("sarcastic=yes", "split={},sarcastic=yes"),
        ("sarcastic=no", "split={},sarcastic=no"),
    ):
        parts = tuple(_pairs(sheet, part.format(split)) for split in _SPLITS)
        yield Follows((_pairs(sheet, whole),), parts, SUM, kind="sum")
    for language in ("zh", "en"):
        for label in ("metaphor", "sarcastic"):
            both = tuple(_subset(sheet, language, label, answer) for answer in ("yes", "no"))
            said = sheet.cell(
                table="abstract",
                model="gold",
                task="data",
                metric="metaphor_pairs",
                group=f"language={language}",
            )
            yield Follows((said,), both, SUM, kind="sum", words=f"table 5, {label}: sum of both")
    yield from _generation(sheet)
    types = tuple(sheet.select(table="section 3.2", metric="target_share"))
    yield Equals(types, (), SUM, SUM, "sum", "shares of targets sum to 100", constant=100.0)


def _subset(sheet: Sheet, language: str, label: str, answer: str) -> Cell:
    group = f"language={language},{label}={answer}"
    return sheet.cell(table="5", model="gold", task="data", metric="metaphor_pairs", group=group)


def _generation(sheet: Sheet) -> Iterator[Relation]:
    met = {one.group: one for one in sheet.select(table="6", metric="met")}
    shares = {one.group: one for one in sheet.select(table="6", metric="met_share")}
    images = sheet.cell(table="section 3.4", model="gold", task="generation", metric="images")
    for group, count in met.items():
        yield Follows((shares[group],), (count, images), share(100), kind="share of count")
    for column in (met, shares):
        judges = (column["judge=A"], column["judge=B"])
        yield Follows((column["all"],), judges, MEAN, kind="average")


def _main_results(sheet: Sheet) -> Iterator[Relation]:
    """Tables 7 and 8: F1 from precision and recall, whole counts of the test split."""
    n = int(_pairs(sheet, "split=test").printed)
    positives = int(_pairs(sheet, "split=test,sarcastic=yes").printed)
    rows = [row for table in ("7", "8") for row in sheet.rows("model", table=table)]
    tables = [HasMatrix({role: row[role] for role in _SCORES}, n, positives, 100) for row in rows]
    found = [one.explanation[0] for one in tables if one.explanation]
    common = Counter(one.positives for one in found)
    for row, matrix in zip(rows, tables, strict=True):
        yield Follows((row["f1"],), (row["precision"], row["recall"]), F1, kind="f1")
        yield matrix
        fit = matrix.explanation[0] if matrix.explanation else None
        own = (
            {fit.positives: "positives, as the row does", fit.tp: "hits of the row"} if fit else {}
        )
        others = {size: "positives, as other rows do" for size, rows in common.items() if rows > 1}
        yield Share(
            row["target_accuracy"], positives, 100, other_n=own | others, of="sarcastic pairs"
        )


def _metaphors(sheet: Sheet) -> Iterator[Relation]:
    """Table 9: the gap, and whole counts of table 5's pairs."""
    kinds: Mapping[str, str] = {"metaphor_sarcasm": "sarcastic", "metaphor": "metaphor"}
    for model in sheet.values("model", table="9"):
        for language in ("zh", "en"):
            key = {"table": "9", "model": model, "group": f"language={language}"}
            f1 = {task: sheet.cell(**key, task=task, metric="f1") for task in kinds}
            gap = sheet.cell(**key, task="metaphor", metric="gap")
            parts = (f1["metaphor"], f1["metaphor_sarcasm"])
            words = f"F1 of metaphors less F1 of sarcasm: {parts[0].printed} - {parts[1].printed}"
            yield Follows((gap,), parts, DIFFERENCE, kind="difference", words=words)
            for task, label in kinds.items():
                sizes = [int(_subset(sheet, language, label, one).printed) for one in ("yes", "no")]
                accuracy = sheet.cell(**key, task=task, metric="accuracy")
                twice = {2 * sum(sizes): "pairs, as of two runs"}
                yield Share(accuracy, sum(sizes), 100, other_n=twice, of="pairs")
                scores: dict[Role, Cell] = {"accuracy": accuracy, "f1": f1[task]}
                yield HasMatrix(scores, sum(sizes), sizes[0], per=100)


def _claims(sheet: Sheet) -> Iterator[Relation]:
    """What the text says of tables 7 to 9."""
    yield from quoted(sheet)
    for model in sheet.values("model", table="7"):
        if not model.endswith(_PGDS):
            continue
        name = model.removesuffix(_PGDS)
        for one in sheet.select(table="7", model=model):
            if one.metric in _BOTH:
                continue
            for method in ("random 1-shot", "RAG 1-shot"):
                key = {"table": "7", "task": one.task, "metric": one.metric, "group": one.group}
                yield above(one, sheet.cell(**key, model=f"{name}, {method}"), "section 5.2")
    best = sheet.cell(table="section 5.2", model="LoRA", task="joint", metric="target_accuracy")
    tuned = tuple(sheet.select(table="8", metric="target_accuracy"))
    yield Follows((best,), tuned, LARGEST, kind="largest", words="largest of table 8")
    yield from _gap_claims(sheet)


def _gap_claims(sheet: Sheet) -> Iterator[Relation]:
    where = "section 5.3"
    gap = {"table": "9", "task": "metaphor", "metric": "gap"}
    ends = [
        sheet.cell(
            table=where, model="mainstream", task="metaphor", metric=metric, group="language=zh"
        )
        for metric in ("gap_largest", "gap_smallest")
    ]
    for one in sheet.select(**gap, group="language=zh"):
        if not one.model.startswith("LLaVA"):
            yield Within(one, ends[0], ends[1])
    f1 = {"table": "9", "metric": "f1"}
    for model, task, language in (
        ("InternVL2.5-8B", "metaphor", "zh"),
        ("GPT-4o", "metaphor_sarcasm", "en"),
    ):
        column = sheet.select(**f1, task=task, group=f"language={language}")
        yield largest(next(one for one in column if one.model == model), column, where)
    falls = sheet.select(**gap, group="language=en")
    gemini = next(one for one in falls if one.model == "Gemini-2.5-Flash")
    yield largest(gemini, falls, f"{where} (a minimal gap)")
