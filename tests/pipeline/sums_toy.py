"""A text-only benchmark of many items in both languages: numbers to add, some for a judge."""

from pathlib import Path
from typing import Any, ClassVar

from pydantic import BaseModel, JsonValue

from deadpan.core.answers import Answer
from deadpan.core.benchmark import Benchmark, Task
from deadpan.core.capabilities import Judging
from deadpan.core.dataset import Dataset
from deadpan.core.judge import Brief, Judge, Judged, Judgement
from deadpan.core.metric import Metric, Statistics, mean, scored, total
from deadpan.core.questions import Grade, Language, Prompts, Question, Reply
from deadpan.metrics.labels import label_counts, label_f1, weighted_f1
from deadpan.parsing.numbers import only_number
from deadpan.parsing.replies import grade_reply

ITEMS = 200


class Addition(BaseModel):
    name: str
    first: int
    second: int


def _is_right(answer: Answer) -> Statistics:
    return scored(answer.parsed == answer.gold)


def _parity(answer: Answer) -> Statistics:
    given = {"odd" if answer.parsed % 2 else "even"} if answer.is_answered else set()
    return label_counts(frozenset({"odd" if answer.gold % 2 else "even"}), frozenset(given))


ACCURACY = Metric("accuracy", range=(0, 1), statistics=_is_right, value=mean)
F1 = Metric("f1", "F1", range=(0, 1), statistics=_parity, value=weighted_f1)
COUNT = Metric("hits", unit="count", decimals=0, statistics=_is_right, value=total)
ROUGH = Metric("largest", range=(0, 1), statistics=_is_right, value=mean, smooth=False)
EACH = Metric("by_label", range=(0, 1), statistics=_parity, value=label_f1, each="parity")


class Fits(Judged):
    """Whether the words are the number."""

    fits: bool


class SumJudge(Judge):
    """Says whether a sum is right."""

    name = "sums"
    version = 1
    reply = Fits
    system: ClassVar = {"en": "You check sums.", "zh": "你检查加法。"}
    user: ClassVar = {
        language: 'Wanted: {wanted}\nNamed: {answer}\nReply {"fits": true} or false.'
        for language in ("en", "zh")
    }

    def check(self, reply: Judged) -> Judgement:
        return Judgement(parts=reply.model_dump())

    def stand_in(self, brief: Brief) -> str:
        return Fits(fits=brief.fields["wanted"] == brief.answer.strip()).model_dump_json()


def _fits(answer: Answer) -> Statistics | None:
    verdicts = answer.judged(lambda judgement: bool(judgement.parts["fits"]))
    if not verdicts:
        return scored(0) if answer.is_wrong else None
    return scored(sum(verdicts) / len(verdicts))


FITS = Metric("fits", range=(0, 1), statistics=_fits, value=mean)


def _brief(task: str, gold: JsonValue, answer: str, language: Language) -> Brief:
    return Brief(language=language, answer=answer, fields={"wanted": str(gold)})


class Additions(Benchmark[Addition]):
    name = "sums"
    title = "Sums"
    citation = "none"
    languages: tuple[Language, ...] = ("en", "zh")
    tasks = (
        Task("sum", "What is the sum?", 1, (ACCURACY, F1, COUNT, ROUGH, EACH)),
        Task("words", "The sum in words", 1, (FITS,), judge=SumJudge()),
        Task("count", "How many?", 1, (COUNT, ACCURACY)),
    )
    folder = Path(__file__).parent
    judging = Judging(_brief)

    def read(self, data: Path | None) -> Dataset[Addition]:
        made = (Addition(name=f"sum_{n}", first=n, second=7 * n % 11) for n in range(ITEMS))
        return Dataset(tuple(made), "toy", "0")

    def prompts(self, task: str, override: Path | None = None) -> Prompts:
        return Prompts({"en": "Add.", "zh": "做加法。"}, {"en": "How much is", "zh": "等于多少："})

    def questions(self, dataset: Any, task: str, prompts: Prompts) -> list[Question]:
        languages: tuple[Language, ...] = ("en", "zh")
        return [
            Question(
                item=one.name,
                language=(language := languages[at % 2]),
                system=prompts.system[language],
                text=f"{prompts.user[language]} {one.first} + {one.second}? ({task})",
                form="number" if task != "words" else "free",
                panels=2 * ITEMS,
                gold=one.first + one.second,
                attributes={},
            )
            for at, one in enumerate(dataset.records)
        ]

    def parse(self, task: str, reply: Reply, language: Language) -> Grade:
        return grade_reply(reply, str.strip if task == "words" else only_number)


ADDITIONS = Additions()
WHERE = "tests.pipeline.sums_toy:ADDITIONS"
