"""A model that reads the replies which no rule can: into the form of the task, or not at all."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from pydantic import BaseModel, JsonValue, create_model

from deadpan.base.compatibility import compatibility_form
from deadpan.base.errors import DeadpanError
from deadpan.base.files import read_text
from deadpan.core.benchmark import Benchmark, Task
from deadpan.core.judge import Brief, Judge, Judged, Judgement
from deadpan.core.questions import Grade, Language, Reply

_PROMPTS = Path(__file__).with_name("reader_prompts")


def _prompts(name: str) -> dict[Language, str]:
    return {code: read_text(_PROMPTS / code / f"{name}.txt").strip() for code in ("en", "zh")}


class Read(Judged):
    """What a reader replies: the answer, as text, and the words of the reply that give it."""

    quote: str
    answer: str | None


class Reader(Judge):
    """Asked like a judge, and told of question and reply alone: neither picture nor gold."""

    name = "reader"
    version = 1
    reply = Read
    system: ClassVar = _prompts("system")
    user: ClassVar = _prompts("user")
    max_tokens = 2048

    def check(self, reply: Judged) -> Judgement:
        """The words quoted, and the answer in the form of the question."""
        return Judgement(parts=reply.model_dump(mode="json"))

    def stand_in(self, brief: Brief) -> str:
        """Raises: comparing words does not read."""
        raise DeadpanError("judge/lexical compares words, and does not read")


def reader_of(task: Task) -> Reader:
    """The reader of a task's replies: its answers have the form of the task's, where it has one."""
    return _reader(task.reply)


@cache
def _reader(form: type[BaseModel] | None) -> Reader:
    if form is None:
        return Reader()
    fields: dict[str, Any] = {"quote": (str, ...), "answer": (form | None, ...)}
    schema = create_model(f"Read{form.__name__}", __base__=Judged, **fields)
    made: Reader = type("Reader", (Reader,), {"reply": schema})()
    return made


def read_as_told(
    benchmark: Benchmark[Any], task: str, language: Language, text: str, told: Judgement
) -> tuple[Grade, str]:
    """How a reply reads by what its reader made of it, and that in the task's form. The words that
    it quotes have to stand in the reply, and what it wrote has to be an answer by the task's own
    rules; else the reply stays invalid."""
    quote, answer = str(told.parts.get("quote") or ""), told.parts.get("answer")
    if answer is None:
        return Grade(outcome="invalid", reason="finds no answer in it"), ""
    if not _fold(quote) or _fold(quote) not in _fold(text):
        return Grade(outcome="invalid", reason="quotes words that are not in it"), ""
    written = _written(answer)
    grade = benchmark.parse(task, Reply(text=written), language)
    if grade.outcome == "answered":
        return grade, written
    return Grade(outcome="invalid", reason=f"reads no answer of the task ({grade.reason})"), ""


def _written(answer: JsonValue) -> str:
    return answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)


def _fold(text: str) -> str:
    """Text in which neither width, case nor spaces differ."""
    return "".join(compatibility_form(text).casefold().split())
