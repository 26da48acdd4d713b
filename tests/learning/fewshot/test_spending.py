"""What answers took, and what that costs."""

from deadpan.core.questions import Reply
from deadpan.core.usage import Price, Prices
from deadpan.engine.answers import Answer
from deadpan.engine.requests import Request, Sampling
from deadpan.learning.fewshot.rewards import Spent


def test_calls_are_counted_and_tokens_of_those_that_told_them() -> None:
    told = Reply(text="a", input_tokens=100, output_tokens=3)
    found = Spent.on([told, told, Reply(error="down"), Reply(error="not asked: no picture")])
    found.answered(Request("joint", (), Sampling()), Answer("key", "m", "s", "now"), known=True)
    assert found == Spent(calls=3, known=2, input_tokens=200, output_tokens=6, kept=1)


def test_a_cost_needs_a_price_and_tokens() -> None:
    prices = Prices(({"m": Price(input=10, output=1000)},))
    spent = Spent(calls=1, known=1, input_tokens=100_000, output_tokens=1000)
    assert spent.usage("m", "joint", prices).cost == 2.0
    assert spent.usage("other", "joint", prices).cost is None
    assert Spent(calls=1).usage("m", "joint", prices).cost is None
