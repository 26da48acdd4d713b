"""A model that reads the replies which no rule can: into the form of the task, or not at all."""

from __future__ import annotations

import json
import re
from collections.abc import Set
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from pydantic import BaseModel, JsonValue, create_model, field_validator

from deadpan.base.compatibility import compatibility_form
from deadpan.base.errors import DeadpanError
from deadpan.base.files import read_text
from deadpan.core.benchmark import Benchmark, Task
from deadpan.core.judge import Brief, Judge, Judged, Judgement
from deadpan.core.questions import Grade, Language, Reply
from deadpan.core.readings import Reading
from deadpan.parsing.replies import SENTENCE, is_left_open

_NUMBERED = re.compile(r"^\s*\d{1,3}\s*[:：.]\s*")
"""The number of a panel before its text."""
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
    unwraps: dict[str, Any] = {"unwraps": field_validator("answer", mode="before")(_unwrapped)}
    schema = create_model(f"Read{form.__name__}", __base__=Judged, __validators__=unwraps, **fields)
    made: Reader = type("Reader", (Reader,), {"reply": schema})()
    return made


def _unwrapped(answer: object) -> object:
    """The object that an answer holds as a JSON string; any other answer as it is."""
    if not isinstance(answer, str):
        return answer
    try:
        inner = json.loads(answer)
    except (ValueError, RecursionError):
        return answer
    return inner if isinstance(inner, dict) else answer


class Told(NamedTuple):
    """What a reader made of a reply: how it reads, in which form it was written, and what became of
    the reading."""

    grade: Grade
    written: str
    reading: Reading


def read_as_told(
    benchmark: Benchmark[Any], task: str, language: Language, text: str, told: Judgement
) -> Told:
    """How a reply reads by what its reader made of it, and that in the task's form. The words that
    it quotes have to stand in the reply, what it wrote has to be an answer by the task's own rules,
    and to be said there; else the reply stays invalid."""
    quote, answer = str(told.parts.get("quote") or ""), told.parts.get("answer")
    if answer is None:
        return _unread("declined", "finds no answer in it")
    if not _fold(quote) or _fold(quote) not in _fold(text):
        return _unread("quote not found", "quotes words that are not in it")
    written = _written(answer)
    grade = benchmark.parse(task, Reply(text=written), language)
    if grade.outcome != "answered":
        why = f"reads no answer of the task ({grade.reason})"
        return _unread("no answer of the task", why)
    sentences = _around(quote, text)
    named = benchmark.named_values(task, quote)
    if named is not None:
        named = named & (benchmark.named_values(task, sentences) or frozenset())
        if left := _left_open(benchmark, task, language, text, sentences):
            return _unread("answer not in the quote", left)
    if unsaid := _unsaid(grade.parsed if named is not None else answer, named, text):
        return _unread("answer not in the quote", f"reads what is not said there ({unsaid[:60]})")
    for part in (quote, sentences) if named is not None else ():
        said = benchmark.parse(task, Reply(text=part), language)
        if said.outcome == "answered" and said.parsed != grade.parsed:
            why = "reads otherwise than the rules read its quote"
            return _unread("answer not in the quote", why)
    return Told(grade, written, "read")


def _left_open(
    benchmark: Benchmark[Any], task: str, language: Language, text: str, sentences: str
) -> str | None:
    """Why a reply that gives several answers, or leaves it open, has none in these sentences; None
    where they decide, and it speaks of no other answer elsewhere."""
    whole, part = (
        is_left_open(benchmark.parse(task, Reply(text=one), language).reason or "")
        for one in (text, sentences)
    )
    elsewhere = benchmark.named_values(task, text) != benchmark.named_values(task, sentences)
    if part or (whole and elsewhere):
        return "reads one answer where the reply gives several or leaves it open"
    return None


def _around(quote: str, text: str) -> str:
    """The whole sentences of a reply that a quote stands in, wherever it does."""
    wanted = _fold(quote)
    places = [(at, sign) for at, letter in enumerate(text) for sign in _fold(letter)]
    folded = "".join(sign for _, sign in places)
    spans: list[tuple[int, int]] = []
    found = folded.find(wanted)
    while found >= 0:
        spans.append((places[found][0], places[found + len(wanted) - 1][0]))
        found = folded.find(wanted, found + len(wanted))
    kept = [
        one[0]
        for one in SENTENCE.finditer(text)
        if any(start < one.end() and one.start() <= end for start, end in spans)
    ]
    return "".join(kept) or text


def _unread(reading: Reading, why: str) -> Told:
    return Told(Grade(outcome="invalid", reason=why), "", reading)


def _unsaid(value: JsonValue, named: Set[str] | None, text: str) -> str | None:
    """What of an answer is not said: a label, letter, number, yes or no that the quote has no form
    of, or a line of words that the reply does not hold; None where all is."""
    if value is None:
        return None
    if isinstance(value, dict | list):
        inner = value.values() if isinstance(value, dict) else value
        if isinstance(value, list) and named is not None:
            return next((str(one) for one in value if str(one) not in named), None)
        return next((one for each in inner if (one := _unsaid(each, named, text))), None)
    if isinstance(value, bool | int | float) and named is not None:
        return None if str(value) in named else str(value)
    lines = (_NUMBERED.sub("", line) for line in str(value).splitlines())
    return next((line for line in lines if _fold(line) not in _fold(text)), None)


def _written(answer: JsonValue) -> str:
    return answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)


def _fold(text: str) -> str:
    """Text in which neither width, case nor spaces differ."""
    return "".join(compatibility_form(text).casefold().split())
