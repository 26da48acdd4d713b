"""PixelHumor's scores from the tidy results table: gates, weighted scores, groups, habits."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from deadpan.base.errors import DeadpanError, InputError
from deadpan.benchmarks.pixelhumor.reading import (
    TextScores,
    gold_items,
    in_reading_order,
    text_scores,
    unwanted_text,
)
from deadpan.benchmarks.pixelhumor.records import NA, STYLES
from deadpan.core.outcomes import LEFT_OUT, Coverage
from deadpan.core.score import Score
from deadpan.core.scoring_options import ScoringOptions
from deadpan.core.signature import parse_signature
from deadpan.metrics.classification import confusions, weighted_prf

GATES = ("na", "skip", "none")
LABELLED = ("presence", "sound_effect", "panel", "modality", "style")
GATED_BY_NA = ("panel", "modality", "style")
GROUP_KEYS = ("source", "panels", "harm", "language")
_ATTRIBUTES = ("attr.source", "attr.panels", "attr.harm", "attr.styles")
_MANY_STYLES = 5

Key = tuple[str, int]


@dataclass(frozen=True)
class Case:
    """One question's result: what was asked for, what came back, how it ended."""

    key: Key
    gold: Any
    parsed: Any
    answer: str
    outcome: str
    groups: tuple[str, ...]
    panels: int
    signature: str

    @property
    def scored(self) -> bool:
        return self.outcome not in LEFT_OUT

    @property
    def gold_set(self) -> frozenset[str]:
        return frozenset(self.gold)

    @property
    def answer_set(self) -> frozenset[str]:
        """The labels answered; none where the reply was invalid, truncated or refused."""
        return frozenset(self.parsed or ())


def pixelhumor_scores(table: pl.DataFrame, options: ScoringOptions) -> list[Score]:
    """Every score, model by model."""
    gate = options.gate or GATES[0]
    if gate not in GATES:
        raise DeadpanError(f"--gate {gate}: expected one of {', '.join(GATES)}")
    if missing := [name for name in _ATTRIBUTES if name not in table.columns]:
        fix = "Give a table or log that deadpan wrote."
        raise InputError("results table", f"no column {missing[0]}", fix)
    scores: list[Score] = []
    for (model,), rows in table.group_by("model", maintain_order=True):
        tasks = {
            str(task): [_case(row) for row in part.iter_rows(named=True)]
            for (task,), part in rows.group_by("task", maintain_order=True)
        }
        scores += _model_scores(str(model), tasks, gate)
    return scores


def _case(row: dict[str, Any]) -> Case:
    styles = str(row["attr.styles"]).split("+")
    groups = [f"style={style}" for style in styles]
    groups += [
        f"{key}={row['language' if key == 'language' else f'attr.{key}']}" for key in GROUP_KEYS
    ]
    return Case(
        key=(row["item"], row["epoch"]),
        gold=json.loads(row["gold"]),
        parsed=json.loads(row["parsed"]) if row["parsed"] is not None else None,
        answer=row["answer"] or "",
        outcome=row["outcome"],
        groups=tuple(groups),
        panels=int(row["attr.panels"]),
        signature=row["signature"],
    )


def _model_scores(model: str, tasks: dict[str, list[Case]], gate: str) -> list[Score]:
    scores: list[Score] = []
    presence = {case.key: case for case in tasks.get("presence", [])}
    for task, cases in tasks.items():
        emit = Emitter(model, task, cases[0].signature)
        if task in LABELLED:
            used = gate if presence else "none"
            gated = gated_cases(task, cases, presence, used)
            emit = emit.signed(gate=used)
            scores += emit.labelled(gated)
        if task == "style":
            scores += [*emit.per_style(gated), *emit.styles_per_comic(gated)]
        if task == "panel":
            scores += emit.share("out_of_range", cases, _out_of_range)
        if task == "panel_order":
            scores += emit.mean("accuracy", cases, lambda c: float(c.parsed == c.gold))
            scores += emit.share("out_of_range", cases, _out_of_range)
            several = [case for case in cases if case.panels > 1]
            scores += emit.share("default_order", several, _default_order)
        if task == "panel_text":
            orders = {case.key: case for case in tasks.get("panel_order", [])}
            emit = emit.signed(order="answered" if orders else "listed")
            scores += emit.texts(_with_known_order(cases, orders), orders)
        if task == "interpretation":
            scores += emit.mean("answered", cases, lambda c: float(c.outcome == "answered"))
    return scores


def gated_cases(
    task: str, cases: Sequence[Case], presence: dict[Key, Case], gate: str
) -> list[Case]:
    """The cases after the Q1 gate; where Q1 itself was not scored, neither is the comic.

    A comic that the gate answers NA keeps the outcome of its own reply, so that invalid, truncated
    and refused ones stay counted; one whose call failed needs no reply.
    """
    gated = []
    for case in cases:
        first = presence.get(case.key)
        if gate == "none" or (gate == "na" and task not in GATED_BY_NA):
            gated.append(case)
        elif first is None or not first.scored:
            gated.append(replace(case, parsed=None, outcome="failed"))
        elif gate == "na":
            says_yes = first.parsed == ["Yes"]
            outcome = case.outcome if case.scored else "answered"
            gated.append(case if says_yes else replace(case, parsed=[NA], outcome=outcome))
        elif first.parsed == ["Yes"] or (
            first.outcome != "truncated" and "yes" in first.answer.casefold()
        ):
            gated.append(case)
    return gated


def _with_known_order(cases: Sequence[Case], orders: dict[Key, Case]) -> list[Case]:
    """The cases; one whose reading order was asked for and not scored is not scored either."""
    unknown = {key for key, order in orders.items() if not order.scored}
    return [
        replace(case, parsed=None, outcome="failed") if case.key in unknown else case
        for case in cases
    ]


def _out_of_range(case: Case) -> bool:
    return any(not 1 <= int(number) <= case.panels for number in case.parsed)


def _default_order(case: Case) -> bool:
    return bool(case.parsed == list(range(1, case.panels + 1)))


@dataclass(frozen=True)
class Emitter:
    """Turns cases of one model and task into scores."""

    model: str
    task: str
    signature: str

    def signed(self, **settings: str) -> Emitter:
        """The same emitter with settings added to its signature."""
        signature = parse_signature(self.signature).with_settings(**settings)
        return replace(self, signature=str(signature))

    def score(self, metric: str, group: str, cases: Sequence[Case], value: float | None) -> Score:
        coverage = Coverage.of(case.outcome for case in cases)
        return Score.over(
            coverage,
            model=self.model,
            task=self.task,
            metric=metric,
            group=group,
            value=value,
            signature=self.signature,
        )

    def labelled(self, cases: Sequence[Case]) -> Iterator[Score]:
        """Weighted precision, recall and F1 over all, F1 by group."""
        for group, members in _grouped(cases):
            scored = [case for case in members if case.scored]
            metrics = ("f1", "precision", "recall") if group == "all" else ("f1",)
            prf = (
                weighted_prf([c.gold_set for c in scored], [c.answer_set for c in scored])
                if scored
                else None
            )
            for metric in metrics:
                yield self.score(metric, group, members, getattr(prf, metric) if prf else None)

    def per_style(self, cases: Sequence[Case]) -> Iterator[Score]:
        """Recall and the four counts of every style, NA included."""
        scored = [case for case in cases if case.scored]
        if not scored:
            return
        counts = confusions([c.gold_set for c in scored], [c.answer_set for c in scored])
        for style in (*STYLES, NA):
            group = f"style={style}"
            if (count := counts.get(style)) is None:
                continue
            recall = count.recall if count.support else None
            yield self.score("recall", group, cases, recall)
            for metric in ("tp", "fp", "tn", "fn"):
                yield self.score(metric, group, cases, float(getattr(count, metric)))

    def styles_per_comic(self, cases: Sequence[Case]) -> Iterator[Score]:
        """How many comics got 0, 1, 2, 3, 4 and 5 or more styles; NA counts as one label."""
        scored = [case for case in cases if case.scored]
        counts = Counter(min(len(case.answer_set), _MANY_STYLES) for case in scored)
        for number in range(_MANY_STYLES + 1):
            name = f"{number}+" if number == _MANY_STYLES else str(number)
            yield self.score("styles_predicted", f"styles={name}", cases, float(counts[number]))

    def mean(
        self, metric: str, cases: Sequence[Case], score: Callable[[Case], float]
    ) -> Iterator[Score]:
        """The mean score over all and by group; a case that does not count is left out."""
        for group, members in _grouped(cases):
            scores = [score(case) for case in members if case.scored]
            value = sum(scores) / len(scores) if scores else None
            yield self.score(metric, group, members, value)

    def share(
        self, metric: str, cases: Sequence[Case], holds: Callable[[Case], bool]
    ) -> Iterator[Score]:
        """The share of answered cases of which something holds."""
        answered = [case for case in cases if case.outcome == "answered"]
        value = sum(map(holds, answered)) / len(answered) if answered else None
        yield self.score(metric, "all", answered, value)

    def texts(self, cases: Sequence[Case], orders: dict[Key, Case]) -> Iterator[Score]:
        """Accuracy, WER and CER of the panel texts in the model's own reading order."""
        scores = {
            case.key: _text_scores(case, orders.get(case.key)) for case in cases if case.scored
        }
        for position, metric in enumerate(TextScores._fields):
            column = {key: values[position] for key, values in scores.items()}
            yield from self.mean(metric, cases, _lookup(column))


def _lookup(column: dict[Key, float]) -> Callable[[Case], float]:
    return lambda case: column[case.key]


def _text_scores(case: Case, order: Case | None) -> TextScores:
    """The scores of one comic; texts whose reading order was asked for and not answered have no
    positions, and are not accurate."""
    sequence = (order.parsed or []) if order is not None else []
    items = [(int(number), str(text)) for number, text in case.parsed or ()]
    gold = case.gold
    wanted = gold_items(gold["text"])
    silent = not in_reading_order(wanted, gold["sequence"])
    if case.outcome != "answered" and silent:
        return unwanted_text(" ".join(case.answer.split()))
    scores = text_scores(items, sequence, wanted, gold["sequence"])
    misplaced = order is not None and not sequence and not silent
    wrong = misplaced or case.outcome != "answered"
    return scores._replace(accuracy=0.0) if wrong else scores


def _grouped(cases: Sequence[Case]) -> Iterator[tuple[str, list[Case]]]:
    """`all` and then each group with its cases, in order of first appearance by key."""
    yield "all", list(cases)
    groups: dict[str, list[Case]] = {}
    for case in cases:
        for group in case.groups:
            groups.setdefault(group, []).append(case)
    yield from sorted(groups.items(), key=lambda entry: _group_order(entry[0]))


def _group_order(group: str) -> tuple[str, int, str]:
    key, _, value = group.partition("=")
    if key == "style":
        known = (*STYLES, NA)
        return key, known.index(value) if value in known else len(known), value
    return key, int(value) if value.isdecimal() else 0, value
