"""What evaluations may spend: who is asked by them, and what that cost in their store so far."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from deadpan.base.errors import DeadpanError
from deadpan.campaigns.known_answers import KnownAnswers
from deadpan.core.usage import HOW_TO_PRICE, Prices
from deadpan.engine.budget import Budget, price_of
from deadpan.engine.task_questions import RunSettings
from deadpan.pipeline.evaluating import Evaluation


def asked_names(evaluations: Sequence[Evaluation]) -> list[str]:
    """Every model, judge and reader that is asked, each once."""
    found: dict[str, None] = {}
    for one in evaluations:
        roles = (one, one.judging, one.reading)
        found |= {role.model: None for role in roles if role is not None}
    return list(found)


def budget_of(
    evaluations: Sequence[Evaluation],
    limit: float,
    prices: Prices,
    also: Iterable[tuple[str, str]] = (),
) -> Budget:
    """What may be spent, less what every answer of these models, judges and readers to these tasks
    cost that their store holds, and `also` to these, whenever it was asked for; raises where
    somebody has no price."""
    names = asked_names(evaluations)
    if unknown := [name for name in names if price_of(name, prices) is None]:
        raise DeadpanError(f"--max-cost: no price of {', '.join(unknown)} is known. {HOW_TO_PRICE}")
    tasks = {
        (name, task): None
        for one in evaluations
        for name, own in one.chosen.items()
        for task in own
    }
    stores = dict.fromkeys(one.settings.store for one in evaluations)
    every = [*tasks, *also]
    spent, dearest = 0.0, dict[str, float]()
    for store in stores:
        cost, most = KnownAnswers(store).spent(every, names, prices)
        spent += cost
        dearest |= {model: max(one, dearest.get(model, 0.0)) for model, one in most.items()}
    return Budget(limit, prices, spent, dearest)


def within(evaluation: Evaluation, budget: Budget) -> Evaluation:
    """The evaluation with no more to spend than that, its judge and reader included."""

    def capped(settings: RunSettings) -> RunSettings:
        return replace(settings, calls=replace(settings.calls, budget=budget))

    judging, reading = evaluation.judging, evaluation.reading
    return replace(
        evaluation,
        settings=capped(evaluation.settings),
        judging=judging and replace(judging, settings=capped(judging.settings)),
        reading=reading and replace(reading, settings=capped(reading.settings)),
    )
