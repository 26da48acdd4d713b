"""Squares: which colour is the square in the picture?"""

import json
import os
from pathlib import Path

from pydantic import BaseModel

from deadpan.core.benchmark import Benchmark, Task
from deadpan.core.dataset import Dataset
from deadpan.core.metric import Metric, mean, scored
from deadpan.core.questions import Picture, Question
from deadpan.core.units import GroupBy
from deadpan.parsing.letters import LETTERS
from deadpan.parsing.replies import Unparseable, grade_reply


class Square(BaseModel):
    id: str
    image: str
    question: str
    answer: str
    size: str


ACCURACY = Metric(
    "accuracy",
    range=(0, 1),
    statistics=lambda answer: scored(answer.parsed == answer.gold),
    value=mean,
)


def _letter(text):
    found = LETTERS.read(text)
    if found is None or len(found) != 1:
        raise Unparseable("the reply names no single letter")
    return found[0]


class Squares(Benchmark[Square]):
    name = "squares"
    title = "Squares"
    citation = "Nobody: Squares"
    languages = ("en",)
    tasks = (Task("colour", "Which colour?", 1, (ACCURACY,), graded_by=("accuracy",)),)
    folder = Path(__file__).parent
    groups = (GroupBy("size"),)

    def read(self, data):
        folder = Path(data or os.environ["PEERS_DATA"])
        lines = (folder / "items.jsonl").read_text().splitlines()
        squares = [Square(**json.loads(line)) for line in lines]
        found = [one.model_copy(update={"image": str(folder / one.image)}) for one in squares]
        return Dataset(tuple(found), str(folder), "0", media=tuple(one.image for one in found))

    def questions(self, dataset, task, prompts):
        return [
            Question(
                item=one.id,
                language="en",
                system=prompts.system["en"],
                text=prompts.user["en"].replace("{question}", one.question),
                pictures=(Picture(path=one.image),),
                form="choice",
                options=("A", "B", "C", "D"),
                gold=one.answer,
                attributes={"size": one.size},
            )
            for one in dataset.records
        ]

    def parse(self, task, reply, language):
        return grade_reply(reply, _letter)


SQUARES = Squares()
