"""The one place where answers become scores: grouped, summed, drawn and emitted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from deadpan.core.answers import AnswerKey, TaskAnswers
from deadpan.core.contamination import RECITED
from deadpan.core.metric import Array, Key, Metric, Statistics, Sums, ratio, stack
from deadpan.core.outcomes import LEFT_OUT, OUTCOMES, Outcome
from deadpan.core.score import Score
from deadpan.core.signature import join_signatures, parse_signature
from deadpan.core.units import Places, Units

ALL = "all"
SPREAD = "_std"
"""What follows a metric's name where the score is its deviation over draws."""
GAIN = "_minus_text_only"
"""What follows a metric's name where the score is what pictures add: its value less that of the
same items asked by text alone."""


@dataclass(frozen=True, eq=False)
class Measurement:
    """One metric measured on one model's answers to one task: what each unit adds, None where it
    is not scored.

    `draws` are the weights of the units in each of several samples: the score is then the mean over
    the samples that have one, and their deviation is a score of its own, none where all samples are
    the same or the metric has a value for each label; `n` and `unscored` then count the units that
    were drawn, the wrong ones all there are. With `given` False the metric could not be measured,
    whatever there was. `left_out` are the units that count as unscored: those without statistics
    where it is None. With `parts` it is made of several tasks' measurements: its `n` is the
    smallest of theirs, its other counts the largest.
    """

    model: str
    task: str
    metric: Metric
    units: Units
    statistics: Sequence[Statistics | None]
    signature: str
    group: str = ALL
    """What all units together are called; only `all` is split into the groups there are."""
    draws: Array | None = None
    given: bool = True
    left_out: npt.NDArray[np.bool_] | None = None
    silent: npt.NDArray[np.bool_] | None = None
    """Units that were answered without a word about what is measured: invalid here."""
    parts: tuple[Measurement, ...] = ()

    def scores(self) -> Iterator[Score]:
        """The score over all, and over each group."""
        yield from self._emitted(self.group, np.arange(len(self.units.keys)))
        if self.group != ALL or self.metric.each:
            return
        wanted = self.metric.groups
        # A metric that is given for groups at all is also given for what is recited.
        keys = None if wanted is None else {*wanted, *([RECITED] if wanted else [])}
        for group, members in self.units.members.items():
            if keys is None or group.partition("=")[0] in keys:
                yield from self._emitted(group, members)

    def item_values(self) -> Array:
        """Each unit's own value, NaN where it has none; metrics with a value a label have none."""
        values = np.full(len(self.units.keys), np.nan)
        _, matrix, lines = self.stacked
        if self.metric.each or not self.given or not len(matrix):
            return values
        own = self.metric.values(Sums(self.stacked[0], matrix))
        values[lines >= 0] = own[lines[lines >= 0]]
        return values

    def value_over(self, members: Sequence[int]) -> float | None:
        """The metric over some of the units; None where it has no value."""
        keys, matrix, lines = self.stacked
        own = lines[np.asarray(members, np.intp)]
        counts = np.bincount(own[own >= 0], minlength=len(matrix)).astype(float)
        value = float(self.metric.values(Sums(keys, counts @ matrix)))
        return None if not self.given or np.isnan(value) else value

    @cached_property
    def stacked(self) -> tuple[tuple[Key, ...], Array, Places]:
        """The statistics as `stack` gives them: keys, distinct lines, and the line of each unit."""
        return stack(self.statistics)

    def members_of(self, group: str) -> Places:
        """The places of the units that a score is over."""
        is_whole = group == self.group
        return np.arange(len(self.units.keys)) if is_whole else self.units.members[group]

    def _emitted(self, group: str, members: Places) -> Iterator[Score]:
        keys, matrix, lines = self.stacked
        own = lines[members]
        if self.draws is None:
            counts = np.bincount(own[own >= 0], minlength=len(matrix)).astype(float)
            sums = Sums(keys, (counts @ matrix)[None])
            values = self.metric.values(sums)[0]
            if self.metric.each:
                yield from self._of_labels(sums, values, members)
            else:
                yield self._score(self.metric.name, group, float(values), members)
            return
        weights = self.draws[:, members]
        sums = Sums(keys, weights[:, own >= 0] @ matrix[own[own >= 0]])
        values = self.metric.values(sums)
        drawn = members[weights.any(axis=0)]
        if self.metric.each:
            means = ratio(np.nansum(values, axis=0), (~np.isnan(values)).sum(axis=0))
            yield from self._of_labels(sums, means, members, drawn)
            return
        known = values[~np.isnan(values)]
        middle = known.mean() if len(known) else np.nan
        differ = len(known) > 1 and bool((weights != weights[0]).any())
        spread = known.std(ddof=1) if differ else np.nan
        yield self._score(self.metric.name, group, middle, members, drawn)
        yield self._score(self.metric.name + SPREAD, group, spread, members, drawn)

    def _of_labels(
        self, sums: Sums, values: Array, members: Places, drawn: Places | None = None
    ) -> Iterator[Score]:
        """The score of each label, which has the place of a group."""
        for label, value in zip(sums.labels, values.tolist(), strict=True):
            group = f"{self.metric.each}={label}"
            yield self._score(self.metric.name, group, value, members, drawn)

    def _score(
        self, name: str, group: str, value: float, members: Places, drawn: Places | None = None
    ) -> Score:
        known = None if not self.given or np.isnan(value) else float(value)
        counts: dict[str, Any]
        if self.parts:
            of = [part._counts_of(group) for part in self.parts]
            counts = {key: (min if key == "n" else max)(one[key] for one in of) for key in of[0]}
        else:
            counts = self._counts(members, members if drawn is None else drawn)
        if known is None:
            counts["n"] = 0
        return Score(
            model=self.model,
            task=self.task,
            metric=name,
            group=group,
            value=known,
            signature=self.signature,
            **counts,
        )

    def _counts_of(self, group: str) -> dict[str, int]:
        own = self.members_of(group)
        return self._counts(own, own)

    def _counts(self, members: Places, drawn: Places) -> dict[str, int]:
        """How many of the drawn units are scored, how many are not and how many of those nobody
        answered, and how many of all are wrong."""
        has = self.stacked[2][drawn] >= 0
        left_out = ~has if self.left_out is None else self.left_out[drawn]
        counts = np.bincount(self.units.endings[members], minlength=len(OUTCOMES)).tolist()
        ended = dict(zip(OUTCOMES, counts, strict=True))
        silent = 0 if self.silent is None else int(self.silent[members].sum())
        given = self.units.endings[drawn] != OUTCOMES.index("not_given")
        return {
            "n": int((has & ~left_out).sum()),
            "invalid": ended["invalid"] + silent,
            "truncated": ended["truncated"],
            "refused": ended["refused"],
            "unscored": int((left_out & given).sum()),
            "not_given": int((left_out & ~given).sum()),
            "read": len(self.units.read.intersection(members.tolist())) if self.units.read else 0,
        }


def measure_metric(
    model: str,
    answers: TaskAnswers,
    metric: Metric,
    units: Units,
    given: Mapping[AnswerKey, Statistics | None] | None = None,
    settings: Mapping[str, str] | None = None,
) -> Measurement:
    """A metric on a task's answers: by its own statistics, or by those given for their keys; what
    has no outcome that is scored adds nothing. Settings go into the signature."""
    if given is not None:
        statistics: Sequence[Statistics | None] = [
            None if answer.outcome in LEFT_OUT else given.get(answer.key) for answer in answers
        ]
    elif metric.statistics is not None:
        statistics = answers.statistics_of(metric.statistics)
    else:
        raise ValueError(f"{metric.name} has no statistics of its own")
    signature = answers.signature
    if settings:
        signature = str(parse_signature(signature).with_settings(**settings))
    return Measurement(model, answers.task, metric, units, statistics, signature)


def paired_gains(one: Measurement, other: Measurement) -> Iterator[Score]:
    """How much more one measurement gives than another of the same metric, over the units that both
    have, in all and in each group; `n` counts the pairs. Under the first one's model and task."""
    places = {key: at for at, key in enumerate(other.units.keys)}
    shared = [
        (at, places[key])
        for at, key in enumerate(one.units.keys)
        if key in places
        and one.statistics[at] is not None
        and other.statistics[places[key]] is not None
    ]
    wanted = one.metric.groups
    groups = {
        group: set(members.tolist())
        for group, members in one.units.members.items()
        if wanted is None or group.partition("=")[0] in wanted
    }
    signature = join_signatures(one.task, [one.signature, other.signature])
    for group, members in {ALL: set(range(len(one.units.keys))), **groups}.items():
        pairs = [(mine, theirs) for mine, theirs in shared if mine in members]
        values = [
            side.value_over([pair[at] for pair in pairs]) for at, side in enumerate((one, other))
        ]
        gain = None if None in values or not pairs else values[0] - values[1]  # type: ignore[operator]
        yield Score(
            model=one.model,
            task=one.task,
            metric=one.metric.name + GAIN,
            group=group,
            value=gain,
            n=len(pairs) if gain is not None else 0,
            unscored=len(members) - len(pairs),
            signature=signature,
        )


def over_tasks(
    metric: Metric, parts: Sequence[Measurement], signature: str, task: str = ""
) -> Measurement:
    """A metric over several tasks of one model: a unit for each item and epoch of any of them, its
    statistics labelled by task, for the groups that all of them have. It stands with the scores of
    `task`, else of the first one."""
    shared = set.intersection(*(set(part.units.members) for part in parts))
    found: dict[AnswerKey, dict[Key, float]] = {}
    ended: dict[AnswerKey, tuple[Outcome, tuple[str, ...]]] = {}
    for part in parts:
        own = part.units
        every = zip(own.keys, own.outcomes, own.groups, part.statistics, strict=True)
        for key, outcome, groups, statistics in every:
            ended.setdefault(key, (outcome, tuple(one for one in groups if one in shared)))
            sums = found.setdefault(key, {})
            for name, value in (statistics or {}).items():
                if not isinstance(name, str):
                    raise ValueError(f"{part.metric.name} counts labels of its own: {name}")
                sums[name, part.task] = sums.get((name, part.task), 0.0) + value
    units = Units(
        tuple(ended),
        tuple(outcome for outcome, _ in ended.values()),
        tuple(groups for _, groups in ended.values()),
        parts[0].units.by,
    )
    first = parts[0]
    rows = [found[key] or None for key in ended]
    return Measurement(
        first.model,
        task or first.task,
        metric,
        units,
        rows,
        signature,
        first.group,
        parts=tuple(parts),
    )


def scores_of(measurements: Iterable[Measurement | Score]) -> list[Score]:
    """Every score of the measurements, in their order; scores among them stay as they are."""
    found: list[Score] = []
    for one in measurements:
        if isinstance(one, Score):
            found.append(one)
        else:
            found += one.scores()
    return found
