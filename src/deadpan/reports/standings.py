"""Who is ahead in a headline score: ranks, differences, and what is too close to call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf

from deadpan.core.metric import Metric
from deadpan.core.score import Score
from deadpan.metrics.statistics.comparing import Compared
from deadpan.metrics.statistics.intervals import SEQUENCE
from deadpan.reports.section import Section
from deadpan.reports.text import number, one_line

CLOSE = "too close to call"
_MOST_NAMED = 4
Rank = tuple[int, int]
"""The best and the worst place that a model may have."""
Apart = tuple[float, float | None, float | None, bool]
"""How far one model is above another, from where to where that may be, and whether it is sure."""


@dataclass(frozen=True)
class Standings:
    """The models of one headline score: their ranks, and how far each is above another."""

    ranks: Mapping[str, Rank] = field(default_factory=dict)
    differences: Mapping[tuple[str, str], Apart] = field(default_factory=dict)
    visible: float | None = None
    """The smallest difference of the first two that their items show, four times of five."""
    items: int = 0
    """How many items the first two share."""

    @property
    def leader(self) -> str | None:
        """The model that is surely the best."""
        return next((model for model, rank in self.ranks.items() if rank == (1, 1)), None)

    @property
    def first(self) -> list[str]:
        """The models that may be the best."""
        return [model for model, (best, _) in self.ranks.items() if best == 1]

    def ahead(self) -> str:
        """Who is ahead, in as few words as fit a cell; nothing where there is one model."""
        if not self.ranks:
            return ""
        return one_line(self.leader) if self.leader else CLOSE


def standings_of(
    section: Section, key: tuple[str, str, str], metric: Metric, rivals: Mapping[str, Score]
) -> Standings:
    """The standings of rivals, who have a value each: item by item where that was measured, else
    by their intervals, which have to lie apart."""
    if metric.better == "neither" or len(rivals) < 2:
        return Standings()
    names = {section.measured_as.get(model, model): model for model in rivals}
    comparisons = section.comparisons
    if comparisons is not None and comparisons.has(key, names):
        contest = comparisons.contest(key, metric, list(names))
        if contest is not None:
            ranks = {names[one.model]: (one.best, one.worst) for one in contest.ranks}
            apart = _differences(contest.pairs, names)
            first = {one.model for one in contest.ranks[:2]}
            for pair in contest.pairs:
                if first == {pair.first, pair.second}:
                    one = pair.difference
                    return Standings(ranks, apart, one.visible, one.items)
            return Standings(ranks, apart)
    return Standings(_ranks_by_intervals(rivals, metric))


def _differences(
    pairs: Sequence[Compared], names: Mapping[str, str]
) -> dict[tuple[str, str], Apart]:
    found: dict[tuple[str, str], Apart] = {}
    for pair in pairs:
        one, first, second = pair.difference, names[pair.first], names[pair.second]
        low, high = one.low, one.high
        found[first, second] = one.value, low, high, pair.is_sure
        turned = (None if high is None else -high), (None if low is None else -low)
        found[second, first] = -one.value, *turned, pair.is_sure
    return found


def _ranks_by_intervals(rivals: Mapping[str, Score], metric: Metric) -> dict[str, Rank]:
    """A model is surely behind another where their intervals lie apart; nothing is sure without one
    about items such as these."""
    sign = -1 if metric.is_lower_better else 1
    ends: dict[str, tuple[float, float]] = {}
    for model, one in rivals.items():
        is_open = one.interval == SEQUENCE
        low = -inf if one.low is None or is_open else sign * one.low
        high = inf if one.high is None or is_open else sign * one.high
        ends[model] = min(low, high), max(low, high)
    ranks = {}
    for model, (low, high) in ends.items():
        others = [own for name, own in ends.items() if name != model]
        above = sum(worst > high for worst, _ in others)
        below = sum(best < low for _, best in others)
        ranks[model] = 1 + above, len(ends) - below
    ordered = sorted(ranks, key=lambda model: -sign * (rivals[model].value or 0.0))
    return {model: ranks[model] for model in ordered}


def story(title: str, standings: Standings, metric: Metric, rivals: Mapping[str, Score]) -> str:
    """What a headline score says, in a sentence or two."""

    def told(model: str) -> str:
        one = rivals[model]
        between = interval_text(one, metric)
        value = number(one.value, metric.decimals)
        return f"{one_line(model)} {value} ({between})" if between else f"{one_line(model)} {value}"

    if not standings.ranks:
        return f"{title}: {', '.join(map(told, rivals))}." if len(rivals) == 1 else ""
    first = standings.first
    if standings.leader:
        second, *others = [model for model in standings.ranks if model != standings.leader]
        whom = f"all others; next is {told(second)}" if others else told(second)
        said = f"{told(standings.leader)} is ahead of {whom}."
    else:
        named = [told(model) for model in first[:_MOST_NAMED]]
        more = f" and {len(first) - _MOST_NAMED} more" if len(first) > _MOST_NAMED else ""
        said = f"{CLOSE} between {', '.join(named)}{more}."
    seen = standings.visible
    least = number(seen, metric.decimals)
    whose = " of the first two" if len(standings.ranks) > 2 else ""
    limit = f" {standings.items:,} shared items show differences{whose} of {least} and more."
    if seen and metric.range is not None and seen > metric.range[1] - metric.range[0]:
        limit = f" {standings.items:,} shared items are too few to show any difference{whose}."
    return f"{title}: {said}{limit if seen else ''}"


def interval_text(score: Score | None, metric: Metric) -> str:
    """From where to where a score may lie; empty where that is not known."""
    if score is None or score.low is None or score.high is None:
        return ""
    return f"{number(score.low, metric.decimals)} – {number(score.high, metric.decimals)}"
