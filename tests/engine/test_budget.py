"""No call begins that could go over what may be spent; those in flight are kept."""

import asyncio
from pathlib import Path

import pytest

from deadpan.base.errors import DeadpanError
from deadpan.core.usage import Price, Prices
from deadpan.engine.answers import Answer
from deadpan.engine.budget import Budget, OverBudget, price_of
from deadpan.engine.calls import CallOptions
from deadpan.engine.requests import Request, Sampling, Text, Turn
from deadpan.engine.run import run
from deadpan.engine.store import AnswerStore
from deadpan.engine.task_questions import RunSettings
from deadpan.engine.token_estimates import text_tokens
from tests.model_server import ModelServer

MODEL = "openai-api/loopback/pupil"
PRICES = Prices(({MODEL: Price(input=1000, output=0)},))
REQUEST = Request("x", (Turn("user", (Text("word" * 100),)),), Sampling())


def _answer(tokens: int) -> Answer:
    return Answer("key", MODEL, "", "", input_tokens=tokens, output_tokens=0)


async def _call(budget: Budget, tokens: int, began: list[int], model: str = MODEL) -> None:
    """A call that takes so many tokens, after some turns of the loop."""
    async with budget.call(model, REQUEST) as paid:
        began.append(tokens)
        for _ in range(5):
            await asyncio.sleep(0)
        paid(_answer(tokens))


def test_what_is_in_flight_counts_until_it_came_back() -> None:
    began: list[int] = []

    async def ask() -> None:
        budget = Budget(0.25, PRICES)  # a call of 100 tokens is $0.10
        calls = [asyncio.create_task(_call(budget, 10, began)) for _ in range(20)]
        await asyncio.sleep(0)
        assert len(began) == 2, "a third could go over while two are in flight"
        await asyncio.gather(*calls)
        assert budget.spent == pytest.approx(0.2), "all of them, for they cost less than it seemed"

    asyncio.run(ask())
    assert len(began) == 20


def test_it_ends_where_nothing_is_in_flight_and_no_room_is_left() -> None:
    began: list[int] = []

    async def spend() -> None:
        budget = Budget(0.75, PRICES, spent=0.1)
        calls = (_call(budget, 100, began) for _ in range(9))
        found = await asyncio.gather(*calls, return_exceptions=True)
        over = [one for one in found if one is not None]
        assert (len(began), len(over)) == (6, 3)
        assert all(isinstance(one, OverBudget) for one in over)
        assert budget.spent == pytest.approx(0.7)
        assert "$0.70 of $0.75" in str(over[0]) and "at $0.10" in str(over[0]), "it adds up"

    asyncio.run(spend())


def test_a_call_counts_as_the_dearest_so_far() -> None:
    async def ask() -> None:
        budget = Budget(1.0, PRICES, spent=0.1)
        await _call(budget, 500, [])
        assert budget.spent == pytest.approx(0.6)
        with pytest.raises(OverBudget, match=r"\$0.60 of \$1.00"):
            await _call(budget, 1, [])

    asyncio.run(ask())


def test_once_it_is_spent_nothing_that_costs_is_asked() -> None:
    async def ask() -> None:
        budget = Budget(0.05, Prices(({**PRICES.tables[0], "free": Price(input=0, output=0)},)))
        with pytest.raises(OverBudget):
            budget.require_room(MODEL, REQUEST)
        for model in ("free", "local/folder"):
            await _call(budget, 100, [], model)
        assert budget.spent == 0
        with pytest.raises(OverBudget):
            await _call(budget, 1, [])

    asyncio.run(ask())


def test_a_model_without_a_price_is_none_to_be_paid() -> None:
    with pytest.raises(DeadpanError, match="has no price"):
        Budget(1.0, Prices()).require_room(MODEL, REQUEST)
    assert price_of("local/x@1234", Prices()) == Price(input=0, output=0)
    assert price_of(f"{MODEL}@1234", PRICES) == PRICES.of(MODEL)


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("word", 1), ("words", 2), ("下雨了", 3), ("下雨 rain", 4)]
)
def test_tokens_of_both_languages(text: str, tokens: int) -> None:
    assert text_tokens(text) == tokens


def test_a_run_stops_cleanly_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fake server counts 100 tokens in for each call: ten cents, at this price."""
    with ModelServer(lambda picture, prompt: "Yes", delay=0.02) as server:
        server.offer(monkeypatch)
        prices = Prices(({MODEL: Price(input=1000, output=0)},))

        def settings(limit: float, spent: float = 0.0) -> RunSettings:
            budget = Budget(limit, prices, spent, {MODEL: 0.1})
            calls = CallOptions(max_connections=3, budget=budget)
            return RunSettings(tmp_path / "store", calls=calls, limit=20)

        def kept() -> int:
            return len(AnswerStore(tmp_path / "store").answers())

        with pytest.raises(OverBudget):
            run({"pixelhumor": ["presence"]}, MODEL, settings(1.25))
        asked = server.total
        assert kept() == 12  # what was in flight came back, and is there
        with pytest.raises(OverBudget):
            run({"pixelhumor": ["presence"]}, MODEL, settings(1.25, spent=1.2))
        assert server.total == asked
        run({"pixelhumor": ["presence"]}, MODEL, settings(1e9))
        assert server.total == len(server.calls) == kept()
