"""A text-only benchmark whose one task a judge grades."""

from pathlib import Path
from typing import Any

from pydantic import BaseModel, JsonValue

from deadpan.benchmarks.vimu.judge import VIMU_OE
from deadpan.core.benchmark import Benchmark, Task
from deadpan.core.capabilities import Judging
from deadpan.core.dataset import Dataset
from deadpan.core.judge import Brief
from deadpan.core.questions import Grade, Language, Prompts, Question, Reply
from deadpan.parsing.replies import Unparseable, grade_reply

ITEMS = 6


class Proverb(BaseModel):
    name: str


def _text(text: str) -> JsonValue:
    if not text.strip():
        raise Unparseable("the reply is empty")
    return text.strip()


class Proverbs(Benchmark[Proverb]):
    name = "proverbs"
    title = "Proverbs"
    citation = "none"
    languages: tuple[Language, ...] = ("en",)
    tasks = (Task("meaning", "What is meant?", 1, (), judge=VIMU_OE),)
    folder = Path(__file__).parent

    def read(self, data: Path | None) -> Dataset[Proverb]:
        return Dataset(tuple(Proverb(name=f"proverb_{n}") for n in range(ITEMS)), "toy", "0")

    def prompts(self, task: str, override: Path | None = None) -> Prompts:
        return Prompts({"en": "Explain."}, {"en": "What does it mean?"})

    def questions(self, dataset: Any, task: str, prompts: Prompts) -> list[Question]:
        gold: JsonValue = {
            "question": "What does it mean?",
            "reference": "Haste is slow.",
            "literal_summary": "Somebody runs.",
            "intended_meaning": "Take your time.",
            "evidence": "none",
            "rubric": "names haste",
        }
        return [
            Question(
                item=record.name,
                language="en",
                system=prompts.system["en"],
                text=f"{record.name}: {prompts.user['en']}",
                form="free",
                gold=gold,
                attributes={},
            )
            for record in dataset.records
        ]

    def parse(self, task: str, reply: Reply, language: Language) -> Grade:
        return grade_reply(reply, _text)

    @property
    def judging(self) -> Judging:
        return Judging(self.brief)

    def brief(self, task: str, gold: JsonValue, answer: str, language: Language) -> Brief:
        assert isinstance(gold, dict)
        fields = {name: str(value) for name, value in gold.items()}
        return Brief(language=language, answer=answer, fields=fields)


PROVERBS = Proverbs()
WHERE = "tests.engine.judged_toy:PROVERBS"
