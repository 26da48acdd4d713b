"""The audit of a model's labels by people, and the scores of an error analysis."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from deadpan.base.errors import InputError
from deadpan.base.rows import placed_rows
from deadpan.core.metric import Better, Metric, Statistics, mean
from deadpan.core.score import Score
from deadpan.core.signature import Signature
from deadpan.failures.cases import Key, draw_cases
from deadpan.failures.criteria import NEW, Criteria
from deadpan.failures.labels import Label, known_type, same_case
from deadpan.metrics.statistics.coincidences import interval_fields, item_interval
from deadpan.metrics.statistics.intervals import WILSON
from deadpan.metrics.statistics.quantiles import wilson

TASK = "failures"
CONFIRMED = "confirmed"
"""How many labels of a type people left as they are."""
_VERSION = "1"


class Audited(Label):
    """A label for people to check: they fill `correct_type`, the same one where it is right."""

    correct_type: str | None = None
    note: str = ""


def to_audit(labels: Sequence[Label], part: float, seed: int) -> list[Audited]:
    """About `part` of what the model labelled, per model and spread over languages."""
    by_model = [label for label in labels if label.by == "judge" and label.status == "labelled"]
    return [
        Audited.model_validate(label.model_dump()) for label in draw_cases(by_model, part, seed)
    ]


def merge_labels(labels: Sequence[Label], path: Path, criteria: Criteria) -> list[Label]:
    """The labels with people's corrections; a row unlike its label, unknown or empty, raises."""
    known = {label.key: label for label in labels}
    corrections: dict[Key, dict[str, object]] = {}
    for placed in placed_rows(path, Audited, lambda row: row.key):
        same_case(placed, known)
        label = known[placed.row.key]
        if label.by != "judge" or label.status != "labelled" or label.audited:
            what = f"{label.item} was not labelled by the model, or is audited already"
            raise InputError(placed.where, what, "Delete the line.")
        if placed.row.type != label.type:
            what = f"got {placed.row.type}; the label is {label.type}"
            fix = "Put it back, and give the right type as correct_type."
            raise InputError(f"{placed.where} type", what, fix)
        where = f"{placed.where} correct_type"
        kind = known_type(placed.row.correct_type, criteria, where)
        corrections[label.key] = {"type": kind, "was": label.type, "audited": True}
    return [label.model_copy(update=corrections.get(label.key)) for label in labels]


def accuracy(labels: Sequence[Label]) -> dict[str, tuple[int, int]]:
    """How many of the audited labels were right, of how many: `all`, then per type that the model
    gave."""
    audited = [label for label in labels if label.was is not None]
    kinds = sorted({str(label.was) for label in audited})
    groups = {kind: [label for label in audited if label.was == kind] for kind in kinds}
    groups = {"all": audited, **groups} if audited else {}
    right = {kind: sum(one.was == one.type for one in group) for kind, group in groups.items()}
    return {kind: (right[kind], len(group)) for kind, group in groups.items()}


def confusion(labels: Sequence[Label]) -> Counter[tuple[str, str]]:
    """How often the model said the first type where people said the second."""
    return Counter((one.was, one.type) for one in labels if one.was and one.type)


def failure_metric(name: str) -> Metric:
    """What is known of a metric of an error analysis: a share, or a number of failures."""
    if name.startswith(("failures", "corrected_to_", CONFIRMED)):
        return Metric(name, better="neither", unit="count", decimals=0)
    better: Better = "higher" if name.startswith("label_accuracy") else "neither"
    return Metric(name, better=better, range=(0, 1))


def distribution(labels: Sequence[Label], criteria: Criteria) -> list[Score]:
    """Per model the share of its failures of each type, over all and per language. Those that fit
    no known type are `type=new`; those the judge failed on are unscored. No labels raises."""
    if not labels:
        raise ValueError("no labels")
    rows: list[dict[str, Any]] = []
    for model in dict.fromkeys(label.model for label in labels):
        own = [label for label in labels if label.model == model]
        languages = sorted({label.language for label in own})
        parts = {f"_{code}": [one for one in own if one.language == code] for code in languages}
        for of, part in {"": own, **parts}.items():
            told = [label for label in part if label.status != "judge_failed"]
            about = {"model": model, "n": len(told), "unscored": len(part) - len(told)}
            rows.append({**about, "metric": f"failures{of}", "value": float(len(part))})
            for kind in (*criteria.names, NEW):
                row = {**about, "metric": f"share{of}", "group": f"type={kind}"}
                rows.append(row | _share(told, kind))
    return _scores(rows, labels, criteria)


def _share(labels: Sequence[Label], kind: str) -> dict[str, Any]:
    """The share of failures that are of a type, with its interval over items."""
    if not labels:
        return {"value": None}
    rows: list[tuple[str, Statistics]] = [
        (label.item, {"sum": float((label.type or NEW) == kind), "n": 1.0}) for label in labels
    ]
    share = sum(row["sum"] for _, row in rows) / len(rows)
    found = item_interval(rows, mean, share, failure_metric("share"))
    return {"value": share, **interval_fields(found)}


def audit_scores(labels: Sequence[Label], criteria: Criteria) -> list[Score]:
    """How often the audited labels were right, with Wilson intervals, over all and per type the
    model gave; how many of each type people confirmed, and how many they corrected to which. None
    without an audit."""
    # The models that labelled, without the identity of their wording.
    judges = ", ".join(dict.fromkeys(name.rpartition("@")[0] for name in _identities(labels)))
    audited = accuracy(labels)
    rows: list[dict[str, Any]] = []
    for kind, (right, n) in audited.items():
        about = {"model": judges, "group": "all" if kind == "all" else f"type={kind}", "n": n}
        low, high = wilson(right, n)
        ends = {"low": low, "high": high, "interval": WILSON}
        rows.append({**about, "metric": "label_accuracy", "value": right / n, **ends})
    for (was, kind), count in sorted(confusion(labels).items()):
        metric = CONFIRMED if was == kind else f"corrected_to_{kind}"
        about = {"model": judges, "group": f"type={was}", "n": audited[was][1]}
        rows.append({**about, "metric": metric, "value": float(count)})
    return _scores(rows, labels, criteria)


def _scores(
    rows: Iterable[Mapping[str, Any]], labels: Sequence[Label], criteria: Criteria
) -> list[Score]:
    """The rows as scores, signed with the cases, the criteria, and who labelled them."""
    signature = Signature(
        benchmark=labels[0].benchmark,
        task=TASK,
        version=_VERSION,
        n=len(labels),
        data=labels[0].table,
        prompts=criteria.checksum,
        judge=",".join(_identities(labels)) or "none",
        settings={"wrong": labels[0].wrong} if labels[0].wrong else {},
    )
    return [Score(task=TASK, signature=str(signature), **row) for row in rows]


def _identities(labels: Iterable[Label]) -> list[str]:
    return sorted({label.judge for label in labels if label.judge is not None})
