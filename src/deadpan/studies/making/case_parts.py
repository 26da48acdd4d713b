"""A wrong answer as people see it in a study: the item, what was asked and is right, what the model
answered, and how that was labelled."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

from deadpan.benchmarks import find
from deadpan.core.benchmark import Benchmark
from deadpan.core.questions import Language, Reply
from deadpan.core.study.items import Part
from deadpan.core.study.words import Words
from deadpan.failures.cases import OTHER_ANSWER, Case
from deadpan.failures.criteria import Criteria, FailureType, in_language
from deadpan.failures.labels import Label
from deadpan.studies.making.media_parts import titles


def kind_title(kind: FailureType, language: Language) -> str:
    """A type's name and title in a language."""
    title = in_language(kind.title, language)
    return titles("case_type", name=kind.name, title=title)[language]


def answer_part(case: Case, benchmark: Benchmark[Any]) -> Part | None:
    """What a model answered: words, or the picture that an editor made; None where that is not the
    very one by now. A table may come from a stranger: no other file of the user's is shown."""
    said, title = case.answer or "", titles("case_answer")
    if benchmark.edits is None or not said:
        return Part(name="answer", kind="text", title=title, text=said or "–")
    grade = benchmark.parse(case.task, Reply(text=said), case.language)
    path = benchmark.edits.picture(said)
    if grade.outcome != "answered" or path is None:
        return None
    return Part(name="answer", kind="picture", title=title, path=path)


def parts_about(case: Case) -> Iterator[Part]:
    """The item, what was asked and what is right."""
    for number, (name, words) in enumerate(_details(case, of_answers=False), start=1):
        yield Part(name=f"detail_{number}", kind="text", title=_heading(case, name), text=words)
    told = {"question": case.question or "", "gold": case.gold}
    for name, words in told.items():
        if words:
            yield Part(name=name, kind="text", title=titles(f"case_{name}"), text=words)
    if case.why:
        yield Part(name="why", kind="text", title=titles("case_why"), texts=_why(case.why))


def _why(why: str) -> Words:
    """Why an answer counts as wrong; a rule's own words are the same in both languages."""
    key = f"why_{why}"
    return titles(key) if key in titles else _both(why)


def answer_parts(case: Case, answer: Part) -> Iterator[Part]:
    """What the model thought and answered, to this task and to the one that belongs to it."""
    if case.thoughts:
        yield Part(name="thoughts", kind="text", title=titles("case_thoughts"), text=case.thoughts)
    yield answer
    for number, (name, words) in enumerate(_details(case, of_answers=True), start=1):
        title = _other_title(name.removeprefix(OTHER_ANSWER).removesuffix(")"))
        yield Part(name=f"other_{number}", kind="text", title=title, text=words)


def _details(case: Case, of_answers: bool) -> list[tuple[str, str]]:
    """What else is known of the item, or what else the model answered about it."""
    return [
        (name, words)
        for name, words in case.details.items()
        if name.startswith(OTHER_ANSWER) == of_answers
    ]


def _heading(case: Case, name: str) -> Words:
    """What a detail is called in both languages; by its one name where there is no other."""
    known = find(case.benchmark).analyses.headings
    return next((dict(words) for words in known if name in words.values()), _both(name))


def _other_title(task: str) -> Words:
    """What the answer to the task that belongs to this one is called."""
    key = f"case_answer_{task}"
    return titles(key) if key in titles else titles("case_other_answer", task=task)


def label_parts(case: Case, types: Criteria) -> Iterator[Part]:
    """The label that is audited, what it means, and why it was given."""
    if not isinstance(case, Label):
        return
    kind = next(one for one in types.types if one.name == case.type)
    words: Words = {
        code: f"{kind_title(kind, code)}\n\n{in_language(kind.definition, code)}"
        for code in get_args(Language)
    }
    yield Part(name="label", kind="text", title=titles("case_label"), texts=words)
    if case.reason:
        yield Part(name="reason", kind="text", title=titles("case_reason"), text=case.reason)


def _both(words: str) -> Words:
    """Words of one language for both."""
    return {"en": words, "zh": words}
