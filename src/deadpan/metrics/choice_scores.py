"""What choices between two say: how often each option is chosen, and how far raters agree."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import partial

from deadpan.core.choices import Choice, choices_signature
from deadpan.core.measurement import ALL, Measurement
from deadpan.core.metric import Array, Metric, Statistics, Sums, mean, ratio, scored
from deadpan.core.ratings import POOLED
from deadpan.core.score import Score
from deadpan.core.units import Units
from deadpan.metrics.statistics.agreement import agreement_level, exact, krippendorff_alpha, nominal
from deadpan.metrics.statistics.intervals import with_intervals


def _share(part: str, sums: Sums) -> Array:
    return ratio(sums[part], sums["n"])


WIN_RATE = Metric("win_rate", range=(0, 1), value=partial(_share, "win"))
TIE_RATE = Metric("tie_rate", better="neither", range=(0, 1), value=partial(_share, "tie"))
LEFT_RATE = Metric("left_rate", "left is chosen", better="neither", range=(0, 1), value=mean)
ALPHA, EXACT = "alpha", "exact_match"
TASK = "choices"


def choice_scores(benchmark: str, choices: Sequence[Choice]) -> list[Score]:
    """Of each option the share of its choices that it wins and that are ties, in all and against
    each other option; of all choices how often two raters choose alike, alpha over options and
    ties, and how often the left one is taken where one is. With several questions, for each too."""
    signature = str(choices_signature(benchmark, choices))
    questions = list(dict.fromkeys(one.question for one in choices))
    found = with_intervals(_measure(choices, signature, ""))
    if len(questions) > 1:
        for question in questions:
            own = [one for one in choices if one.question == question]
            found += with_intervals(_measure(own, signature, f"question={question or 'none'}"))
    return found


def _measure(
    choices: Sequence[Choice], signature: str, within: str
) -> Iterator[Measurement | Score]:
    options = list(dict.fromkeys(name for one in choices for name in (one.left, one.right)))
    for option in options:
        own = [one for one in choices if option in one.pair]
        for metric in (WIN_RATE, TIE_RATE):
            yield _measurement(option, metric, own, within or ALL, signature)
            for other in options:
                if both := [one for one in own if other in one.pair and other != option]:
                    group = ",".join(part for part in (within, f"against={other}") if part)
                    yield _measurement(option, metric, both, group, signature)
    yield from _agreement(choices, within or ALL, signature)


def _measurement(
    option: str, metric: Metric, choices: Sequence[Choice], group: str, signature: str
) -> Measurement:
    statistics: list[Statistics] = [
        {"win": float(one.chosen == option), "tie": float(one.chosen is None), "n": 1.0}
        for one in choices
    ]
    return Measurement(option, TASK, metric, _units(choices), statistics, signature, group)


def _units(choices: Sequence[Choice]) -> Units:
    """A unit for each choice; those about an item are told apart by their number."""
    seen: dict[str, int] = {}
    keys = []
    for one in choices:
        seen[one.item] = seen.get(one.item, 0) + 1
        keys.append((one.item, seen[one.item]))
    return Units(tuple(keys), tuple("answered" for _ in keys), ((),) * len(keys))


def _agreement(
    choices: Sequence[Choice], group: str, signature: str
) -> Iterator[Measurement | Score]:
    """Two raters agree where they choose the same option, or both none, of the same pair."""
    decided = [one for one in choices if one.chosen is not None]
    sides = [scored(one.chosen == one.left) for one in decided]
    yield Measurement(POOLED, TASK, LEFT_RATE, _units(decided), sides, signature, group)
    units: dict[tuple[Hashable, ...], list[str]] = {}
    for one in choices:
        units.setdefault((one.item, one.pair, one.question), []).append(one.chosen or "")
    given = [*units.values()]
    pairable = sum(len(unit) > 1 for unit in given)
    for name, measure in (
        (ALPHA, partial(krippendorff_alpha, distance=nominal)),
        (EXACT, partial(agreement_level, agree=exact)),
    ):
        try:
            value: float | None = measure(given)
        except ValueError:
            value = None
        n = 0 if value is None else pairable
        yield Score(
            model=POOLED,
            task=TASK,
            metric=name,
            group=group,
            value=value,
            n=n,
            unscored=len(given) - n,
            signature=signature,
        )
