"""What is shown while questions are asked: counts, scores and failures, of every task there is."""

import io
from typing import Any

import pytest
from rich.console import Console

from deadpan.benchmarks import BUILT_IN, find
from deadpan.core.benchmark import Benchmark
from deadpan.core.questions import Question
from deadpan.core.usage import read_prices
from deadpan.engine import baselines
from deadpan.engine.answers import Answer
from deadpan.engine.requests import Request, Sampling
from deadpan.pipeline.progress import AskingProgress

TASKS = [
    (name, spec.name)
    for name in BUILT_IN
    if name != "merbench"  # answered by editors, of which no question is asked
    for spec in find(name).tasks
]


def first(benchmark: Benchmark[Any], task: str) -> Question:
    dataset = benchmark.read(None)
    return benchmark.questions(dataset, task, benchmark.prompts(task))[0]


def request(benchmark: Benchmark[Any], task: str, question: Question) -> Request:
    card = question.card(benchmark.name, task).model_dump(mode="json")
    return Request(f"{benchmark.name}-{task}.m", (), Sampling(), item=question.item, card=card)


def answer(**fields: Any) -> Answer:
    return Answer("key", "m", "", "2026-01-01T00:00:00.000+00:00", **fields)


def shown(progress: AskingProgress) -> str:
    stream = io.StringIO()
    Console(file=stream, width=200).print(progress)
    return stream.getvalue()


@pytest.mark.parametrize(("name", "task"), TASKS)
def test_answers_to_every_task_can_be_followed(name: str, task: str) -> None:
    benchmark = find(name)
    question = first(benchmark, task)
    asked = request(benchmark, task, question)
    progress = AskingProgress("m", read_prices(), Console(file=io.StringIO()))
    progress.planned(asked.label, 5, [question])
    text = baselines.answer("random", question.card(name, task), [])
    for fields in ({"text": text}, {"text": ""}, {"text": "是"}, {"error": "Timeout: 9 s"}):
        progress.answered(asked, answer(**fields), known=False)
    progress.answered(asked, answer(text=text), known=True)
    found = progress.tasks[asked.label]
    assert (found.done, found.known, found.total) == (5, 1, 5)
    assert found.problems["failed (Timeout)"] == 1
    told = shown(progress)
    assert f"{name}/{task}" in told and "5/5" in told and "1 from the store" in told


def test_what_could_not_be_made_ready_is_neither_asked_nor_from_the_store() -> None:
    benchmark = find("cfms")
    question = first(benchmark, "identification")
    asked = request(benchmark, "identification", question)
    progress = AskingProgress("m", read_prices(), Console(file=io.StringIO()))
    progress.planned(asked.label, 2, [question])
    for known in (False, True):  # two questions about nothing are one
        progress.answered(asked, answer(error="not asked: 1.png: no such file"), known=known)
    found = progress.tasks[asked.label]
    assert (found.done, found.asked, found.known) == (2, 0, 0)
    assert found.problems["failed (not asked)"] == 2
