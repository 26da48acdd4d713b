"""A benchmark of coloured squares with a training split: the answer is the colour's name."""

import os
from pathlib import Path
from typing import Any

from PIL import Image
from pydantic import BaseModel

from deadpan.base.errors import DeadpanError
from deadpan.core.benchmark import Benchmark, Task
from deadpan.core.capabilities import Training
from deadpan.core.dataset import Dataset, Split
from deadpan.core.questions import Grade, Language, Picture, Prompts, Question, Reply

COLOURS: dict[str, tuple[str, Language]] = {
    "red": ("red, of course", "en"),
    "blue": ("蓝色", "zh"),
    "black": ("black", "en"),
    "white": ("白色", "zh"),
}
SIZES = {"train": (8, 16, 24), "validation": (12,), "test": (20,)}


class Square(BaseModel):
    colour: str
    size: int


class Squares(Benchmark[Square]):
    name = "squares"
    title = "Squares"
    citation = "none"
    languages: tuple[Language, ...] = ("en", "zh")
    tasks = (
        Task("colour", "Which colour?", 1, (), max_tokens=24),
        Task("shape", "Which shape?", 1, (), max_tokens=24),
        Task("taste", "Which taste?", 1, ()),
    )
    folder = Path(__file__).parent

    def read(self, data: Path | None) -> Dataset[Square]:
        return Dataset(_squares("test"), "toy", "0")

    def prompts(self, task: str, override: Path | None = None) -> Prompts:
        return Prompts(
            {"en": "Look.", "zh": "请看。"}, {"en": f"Which {task}?", "zh": "什么颜色？"}
        )

    def questions(self, dataset: Any, task: str, prompts: Prompts) -> list[Question]:
        return [_question(square, prompts) for square in dataset.records]

    @property
    def training(self) -> Training:
        return Training(self.examples, self.worded_gold)

    def examples(
        self, data: Path | None, task: str, prompts: Prompts, split: Split
    ) -> list[Question]:
        if task == "taste":
            raise DeadpanError("squares/taste has no training split")
        return [_question(square, prompts) for square in _squares(split)]

    def worded_gold(self, task: str, question: Question) -> str:
        return "square" if task == "shape" else COLOURS[str(question.gold)][0]

    def parse(self, task: str, reply: Reply, language: Language) -> Grade:
        return Grade(outcome="answered", parsed=reply.text)


def _squares(split: str) -> tuple[Square, ...]:
    return tuple(Square(colour=colour, size=size) for size in SIZES[split] for colour in COLOURS)


def _question(square: Square, prompts: Prompts) -> Question:
    language = COLOURS[square.colour][1]
    path = Path(os.environ["DEADPAN_CACHE"]) / f"{square.colour}-{square.size}.png"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (square.size, square.size), square.colour).save(path)
    return Question(
        item=path.stem,
        language=language,
        system=prompts.system[language],
        text=prompts.user[language],
        pictures=(Picture(path=str(path)),),
        form="free",
        gold=square.colour,
        attributes={},
    )


SQUARES = Squares()
WHERE = "tests.learning.finetune.taught_toy:SQUARES"
