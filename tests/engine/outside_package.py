"""A benchmark from outside the package."""

PACKAGE = """
from pathlib import Path

from pydantic import BaseModel

from deadpan.core.benchmark import Benchmark
from deadpan.core.dataset import Dataset
from deadpan.core.benchmark import Task
from deadpan.core.metric import Metric, mean, scored
from deadpan.core.questions import Question
from deadpan.parsing.replies import Unparseable, grade_reply


class Coin(BaseModel):
    name: str
    side: str


def side(text):
    if text not in ("heads", "tails"):
        raise Unparseable(f"expected heads or tails; got {text!r}")
    return text


ACCURACY = Metric(
    "accuracy", statistics=lambda answer: scored(answer.parsed == answer.gold), value=mean
)


class CoinToss(Benchmark[Coin]):
    name = "cointoss"
    title = "Coin toss"
    citation = "none"
    languages = ("en",)
    tasks = (Task("side", "Which side is up?", 1, (ACCURACY,)),)
    folder = Path(__file__).parent

    def read(self, data):
        sides = ["tails", "heads", "heads"] * 3
        coins = tuple(Coin(name=f"coin_{n}", side=side) for n, side in enumerate(sides))
        return Dataset(coins, "toy", "0")

    def questions(self, dataset, task, prompts):
        return [
            Question(item=coin.name, language="en", system=prompts.system["en"],
                     text=prompts.user["en"], pictures=(), form="choice",
                     options=("heads", "tails"), reference="heads", gold=coin.side, attributes={})
            for coin in dataset.records
        ]

    def parse(self, task, reply, language):
        return grade_reply(reply, side)


COINTOSS = CoinToss()
"""
