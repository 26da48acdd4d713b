"""Several judges of the same answers: how far they agree, and what they say together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from statistics import fmean

from deadpan.core.answers import Answer
from deadpan.core.ratings import RatingStudy, Scale
from deadpan.core.verdicts import Verdicts
from deadpan.metrics.statistics.judge_agreement import ScaleForm, agreement
from deadpan.metrics.statistics.opinions import Estimated, Opinion

Said = Sequence[tuple[str, Answer, Sequence[Mapping[str, float]]]]
"""Model, answer, and each of its judgements by scale."""
_MOST_DISPUTED = 10


@dataclass(frozen=True)
class Disputed:
    """An answer on which judges differ, and what each of them says."""

    item: str
    model: str
    said: Mapping[str, float]
    people: float | None = None

    @property
    def apart(self) -> float:
        """How far the judges are from each other."""
        return max(self.said.values()) - min(self.said.values())


@dataclass(frozen=True)
class Panel:
    """Several judges of the same answers on one scale: how far each two agree, and all of them, and
    what they dispute most."""

    task: str
    scale: Scale
    answers: int
    alpha: Estimated
    pairs: Mapping[tuple[str, str], Mapping[str, Estimated]]
    disputed: tuple[Disputed, ...]


def scale_form(scale: Scale, verdicts: Verdicts) -> ScaleForm:
    """The values that judge and people share on a scale; none where theirs are others."""
    if verdicts.bounds is not None or scale.kind == "numbers":
        return ScaleForm((), "interval" if scale.level == "ordinal" else scale.level)
    levels = tuple(float(one) for one in range(round(scale.lowest), round(scale.highest) + 1))
    return ScaleForm(levels, scale.level)


def panel_opinions(by_judge: Mapping[str, Sequence[Opinion]], form: ScaleForm) -> list[Opinion]:
    """What the panel says of answers that all judged: of two values what most of the judges say, or
    both where they are even; else their mean."""
    every = [{(one.model, one.item): one for one in own} for own in by_judge.values()]
    found = []
    for key in every[0]:
        own = [one[key] for one in every if key in one]
        if len(own) == len(every):
            mean = fmean(fmean(one.judge) for one in own)
            found.append(replace(own[0], judge=_verdict(mean, form)))
    return found


def _verdict(mean: float, form: ScaleForm) -> tuple[float, ...]:
    if len(form.levels) != 2:
        return (mean,)
    low, high = form.levels
    middle = (low + high) / 2
    return (low, high) if mean == middle else (high if mean > middle else low,)


def panel_audit(
    task: str,
    scale: Scale,
    study: RatingStudy,
    verdicts: Verdicts,
    said: Mapping[str, Said],
) -> Panel:
    """How far judges agree over all answers that all of them judged, rated or not."""
    form = scale_form(scale, verdicts)
    values: dict[tuple[str, str, int], dict[str, tuple[float, ...]]] = {}
    for judge, answers in said.items():
        for model, one, read in answers:
            own = tuple(float(row[scale.name]) for row in read)
            values.setdefault((model, one.item, one.epoch), {})[judge] = own
    shared = {key: own for key, own in values.items() if len(own) == len(said)}
    means = {
        key: {judge: fmean(given) for judge, given in own.items()} for key, own in shared.items()
    }
    pairs: dict[tuple[str, str], Mapping[str, Estimated]] = {}
    for first, second in combinations(said, 2):
        both = [Opinion(key[1], key[0], own[first], own[second]) for key, own in shared.items()]
        if both:
            pairs[first, second] = agreement(both, form).judge
    together = [Opinion(key[1], key[0], (0.0,), tuple(own.values())) for key, own in means.items()]
    alpha = agreement(together, form).people["alpha"] if together else Estimated(None)
    rated = {
        answer: fmean(verdicts.rating(one) for one in given)
        for answer, given in study.rated(scale.name).items()
        if given
    }
    disputed = [
        Disputed(item, model, own, rated.get((model, item)))
        for (model, item, _), own in means.items()
    ]
    worst = sorted((one for one in disputed if one.apart), key=lambda one: -one.apart)
    return Panel(task, scale, len(shared), alpha, pairs, tuple(worst[:_MOST_DISPUTED]))
