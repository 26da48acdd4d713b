"""How often each of several answers was chosen as the best, on scales that say nothing else."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from deadpan.core.metric import Metric
from deadpan.core.ratings import RatingStudy
from deadpan.core.score import Score
from deadpan.metrics.rating_scores import RATING_METRICS, within

TIMES_CHOSEN = Metric("times_chosen", "votes for it as the best", unit="count", decimals=0)
SHARE_CHOSEN = Metric("share_chosen", "share of votes", range=(0, 1))
_KNOWN = {metric.name: metric for metric in (*RATING_METRICS, TIMES_CHOSEN, SHARE_CHOSEN)}


def metric_of_ratings(name: str) -> Metric:
    """What is known of a metric of ratings or choices that are no benchmark's."""
    return _KNOWN.get(name, Metric(name))


def chosen_scores(study: RatingStudy, leaving_out: Collection[str] = ()) -> Iterator[Score]:
    """Of each model how many raters' choices fell on it, and what share of those in which it stood
    to be chosen, over all and per language; `leaving_out` scales that others count."""
    signature = str(study.signature)
    for scale in study.used_scales:
        if not scale.is_choice or scale.name in leaving_out:
            continue
        for group, language in study.groups.items():
            for model in study.models:
                given = [
                    bool(rating)
                    for ratings in study.rated(scale.name, model, language).values()
                    for rating in ratings
                ]
                if not given:
                    continue
                for metric, value in (
                    (TIMES_CHOSEN, float(sum(given))),
                    (SHARE_CHOSEN, sum(given) / len(given)),
                ):
                    yield Score(
                        model=model,
                        task=scale.task,
                        metric=metric.name,
                        group=within(scale.group, group),
                        value=value,
                        n=len(given),
                        signature=signature,
                    )
