"""Whether a confusion matrix of whole numbers gives the printed scores of a yes-or-no question."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from deadpan.core.relations import (
    HOLDS,
    SLACK,
    Cell,
    Interval,
    Readings,
    Relation,
    Slip,
    Verdict,
    decimals_of,
    truncation_interval,
)
from deadpan.metrics.arithmetic.shares import fits

Role = Literal["accuracy", "precision", "recall", "f1"]
_TELLING = 3
"""How many scores of a row it takes that hardly any matrix fits them by chance."""


class Matrix(NamedTuple):
    """Counts of a yes-or-no question."""

    tp: int
    fp: int
    fn: int
    tn: int

    @property
    def n(self) -> int:
        return sum(self)

    @property
    def positives(self) -> int:
        return self.tp + self.fn

    def score(self, role: Role) -> float:
        """A score of the matrix, 0 to 1; nothing predicted or nothing there is 0."""
        part, whole = {
            "accuracy": (self.tp + self.tn, self.n),
            "precision": (self.tp, self.tp + self.fp),
            "recall": (self.tp, self.tp + self.fn),
            "f1": (2 * self.tp, 2 * self.tp + self.fp + self.fn),
        }[role]
        return part / whole if whole else 0.0


def matrices(
    scores: Mapping[Role, Interval], n: int, positives: Sequence[int] | None = None
) -> Iterator[Matrix]:
    """Every matrix of n items (and any of these numbers of positives) whose scores, 0 to 1, lie in
    the intervals: all are tried."""
    for there in range(n + 1) if positives is None else positives:
        low, high = scores.get("recall", Interval(0, 1))
        first = max(0, math.ceil(low * there - SLACK * n))
        last = min(there, math.floor(high * there + SLACK * n))
        if first > last:
            continue
        tp = np.arange(first, last + 1)[:, None]
        fp = np.arange(n - there + 1)[None, :]
        with np.errstate(invalid="ignore", divide="ignore"):
            found = {
                "accuracy": (tp + (n - there) - fp) / n,
                "precision": np.where(tp + fp > 0, tp / np.maximum(tp + fp, 1), 0.0),
                "recall": np.broadcast_to(tp / max(there, 1), (len(tp), n - there + 1)),
                "f1": 2 * tp / np.maximum(tp + fp + there, 1),
            }
        fit = np.ones((len(tp), n - there + 1), dtype=bool)
        for role, (least, most) in scores.items():
            fit &= (found[role] >= least - SLACK) & (found[role] <= most + SLACK)
        for row, column in np.argwhere(fit):
            hits, alarms = int(tp[row, 0]), int(column)
            yield Matrix(hits, alarms, there - hits, n - there - alarms)


@dataclass(frozen=True)
class HasMatrix(Relation):
    """Printed scores of one row come from whole counts of the stated items and positives."""

    scores: Mapping[Role, Cell]
    n: int
    positives: int
    per: float = 1.0
    kind: str = "matrix"

    @property
    def cells(self) -> Sequence[Cell]:
        return tuple(self.scores.values())

    @property
    def label(self) -> str:
        one = self.cell
        group = one.group if one.group != "all" else ""
        return " ".join(
            text for text in (one.model, one.task, "+".join(self.scores), group) if text
        )

    @property
    def printed(self) -> str:
        return " ".join(one.printed for one in self.scores.values())

    @property
    def source(self) -> str:
        return f"whole counts of {self.n} items, {self.positives} of them positive"

    def _intervals(self, readings: Readings, leave: Role | None = None) -> dict[Role, Interval]:
        return {
            role: readings.get(one, one.interval).scaled(1 / self.per)
            for role, one in self.scores.items()
            if role != leave
        }

    def check(self, readings: Readings) -> Verdict:
        if next(matrices(self._intervals(readings), self.n, [self.positives]), None):
            return HOLDS
        return Verdict(False, "a matrix; there is none")

    def slip(self) -> Slip | None:
        return self.explanation[1] if self.explanation else None

    @cached_property
    def explanation(self) -> tuple[Matrix, Slip] | None:
        """The first of these that gives a matrix: precision and recall exchanged; other positives;
        another n; one wrong score;
        other positives and one wrong score; another n and other positives. Two scores alone fit
        too much: of them only twice the items and a score cut off instead of rounded are tried."""
        if self.check({}).holds:
            return None
        if len(self.scores) < _TELLING:
            return self._twice() or self._cut_off()
        if found := self._exchanged():
            return found
        near = sorted(range(self.n + 1), key=lambda there: abs(there - self.positives))
        if fit := next(matrices(self._intervals({}), self.n, near), None):
            return fit, Slip(_fit(fit))
        return (
            self._other_n([self.positives])
            or self._one_wrong([self.positives])
            or self._one_wrong(near)
            or self._other_n(None)
        )

    def _exchanged(self) -> tuple[Matrix, Slip] | None:
        precision, recall = self.scores.get("precision"), self.scores.get("recall")
        if precision is None or recall is None:
            return None
        mended = {precision: recall.interval, recall: precision.interval}
        found = next(matrices(self._intervals(mended), self.n, [self.positives]), None)
        return (
            (found, Slip(f"precision and recall exchanged: {_fit(found)}", mended))
            if found
            else None
        )

    def _one_wrong(self, positives: Sequence[int]) -> tuple[Matrix, Slip] | None:
        """All scores but one fit, where one alone can be left out. The accuracy is not: F1 follows
        from precision and recall, so that what is left says little."""
        found: list[tuple[Role, Matrix]] = []
        for role in self.scores:
            first = next(matrices(self._intervals({}, role), self.n, positives), None)
            if first is not None and role != "accuracy":
                found.append((role, first))
        if len(found) != 1:
            return None
        role, matrix = found[0]
        one = self.scores[role]
        right = f"{matrix.score(role) * self.per:.{decimals_of(one.printed)}f}"
        words = f"{role} {right} for {one.printed} {_fit(matrix)}"
        return matrix, Slip(words, {one: one.reads(right)})

    def _other_n(self, positives: Sequence[int] | None) -> tuple[Matrix, Slip] | None:
        intervals = self._intervals({})
        for away in range(1, self.n // 2):
            for n in (self.n + away, self.n - away):
                if fits(intervals.get("accuracy", Interval(0, 1)), n) and (
                    found := next(matrices(intervals, n, positives), None)
                ):
                    return found, Slip(_fit(found))
        return None

    def _twice(self) -> tuple[Matrix, Slip] | None:
        found = next(matrices(self._intervals({}), 2 * self.n, [2 * self.positives]), None)
        return (found, Slip(f"{_fit(found)}, as of two runs")) if found else None

    def _cut_off(self) -> tuple[Matrix, Slip] | None:
        for one in self.scores.values():
            mended = {one: truncation_interval(one.printed)}
            if found := next(matrices(self._intervals(mended), self.n, [self.positives]), None):
                words = f"{one.metric} cut off instead of rounded {_fit(found)}"
                return found, Slip(words, mended)
        return None


def _fit(matrix: Matrix) -> str:
    counts = f"{matrix.tp} hits, {matrix.fp} false alarms, {matrix.fn} missed"
    return f"fits {matrix.positives} positives of {matrix.n}: {counts}"
