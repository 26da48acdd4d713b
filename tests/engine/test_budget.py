"""No call begins that could go over what may be spent; those in flight are kept."""

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


def test_what_is_in_flight_counts() -> None:
    budget = Budget(0.25, PRICES)
    two = (budget.call(MODEL, REQUEST), budget.call(MODEL, REQUEST))  # 100 tokens are $0.10
    with two[0], two[1], pytest.raises(OverBudget), budget.call(MODEL, REQUEST):
        pass
    assert budget.spent == 0


def test_a_call_counts_as_the_dearest_so_far() -> None:
    budget = Budget(1.0, PRICES, spent=0.1)
    with budget.call(MODEL, REQUEST) as paid:
        paid(_answer(500))
    assert budget.spent == pytest.approx(0.6)
    with pytest.raises(OverBudget, match=r"\$0.60 of \$1.00"), budget.call(MODEL, REQUEST):
        pass


def test_once_it_is_spent_nothing_that_costs_is_asked() -> None:
    budget = Budget(0.05, Prices(({**PRICES.tables[0], "free": Price(input=0, output=0)},)))
    with pytest.raises(OverBudget):
        budget.require_room(MODEL, REQUEST)
    with budget.call("free", REQUEST), budget.call("local/folder", REQUEST):
        assert budget.spent == 0
    short = Request("x", (Turn("user", (Text("a"),)),), Sampling())
    with pytest.raises(OverBudget), budget.call(MODEL, short):
        pass


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
    """The fake server counts 10 tokens in for each call: a cent, at this price."""
    with ModelServer(lambda picture, prompt: "Yes", delay=0.02) as server:
        server.offer(monkeypatch)
        prices = Prices(({MODEL: Price(input=1000, output=0)},))

        def settings(limit: float, spent: float = 0.0) -> RunSettings:
            calls = CallOptions(max_connections=3, budget=Budget(limit, prices, spent))
            return RunSettings(tmp_path / "store", calls=calls, limit=20)

        def kept() -> int:
            return len(AnswerStore(tmp_path / "store").answers())

        with pytest.raises(OverBudget):
            run({"pixelhumor": ["presence"]}, MODEL, settings(3.0))
        first = server.total
        assert 0 < first < 20
        assert kept() == first  # what was in flight came back, and is there
        with pytest.raises(OverBudget):
            run({"pixelhumor": ["presence"]}, MODEL, settings(3.0, spent=3.0))
        assert server.total == first
        run({"pixelhumor": ["presence"]}, MODEL, settings(1e9))
        assert server.total == len(server.calls) == kept()
