"""The page of a task: of everything that is known, what this person may see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import JsonValue
from sqlalchemy import select
from sqlalchemy.orm import Session

from deadpan.core.questions import Language
from deadpan.core.study.arranging import Best, Order
from deadpan.core.study.choices import Multiple, Single
from deadpan.core.study.items import Part, StudyItem
from deadpan.core.study.specification import Question, Stage
from deadpan.core.study.words import in_language
from deadpan.core.study.writing import Span
from deadpan.studies.pages.beside import (
    apart_said,
    discussion,
    earlier_answers,
    opinions_given,
    others_answers,
    shown_review,
    uploads_reviewed,
)
from deadpan.studies.pages.showing import (
    ShownOption,
    ShownOutput,
    ShownPart,
    ShownQuestion,
    TaskPage,
)
from deadpan.studies.storage.opened import OpenStudy, count
from deadpan.studies.storage.tables import (
    ItemRow,
    PersonRow,
    TaskRow,
)
from deadpan.studies.work.answer_text import answer_text, letter
from deadpan.studies.work.answering import (
    DONE,
    SKIPPED,
    WORKED,
    choices_left,
    history,
    with_draft,
)
from deadpan.studies.work.changing import has_ended, task_before
from deadpan.studies.work.practising import practice_items, rightness

_KEYS = "1234567890"


def parts_shown(
    session: Session, study: OpenStudy, task: TaskRow
) -> tuple[list[Part], list[int], StudyItem]:
    """The parts of an item that a task shows, the outputs in the person's order, and the item. The
    files among them, in this order, are what the task's media addresses count."""
    stage, item = study.stage(task.stage), study.item(session, task.item, task.stage)
    named = stage.shows
    parts = [part for part in item.parts if not named or part.name in named]
    person = _whose(session, task)
    order = study.outputs_shown(person, task.item, item, choices_left(session, study, task))
    return parts, order, item


def _whose(session: Session, task: TaskRow) -> int:
    """In whose order outputs stand: a review shows them as the reviewed person saw them."""
    if task.kind == "review" and task.subject:
        return session.get_one(TaskRow, task.subject).person
    return task.person


def files_shown(session: Session, study: OpenStudy, task: TaskRow) -> list[str]:
    """The checksums of the files that a task shows."""
    parts, order, item = parts_shown(session, study, task)
    everything = [*parts, *(part for at in order for part in item.outputs[at].parts)]
    return [part.path for part in everything if part.is_file]


def task_page(
    session: Session,
    study: OpenStudy,
    person: PersonRow,
    task: TaskRow,
    missing: Sequence[str] = (),
    errors: Mapping[str, str] | None = None,
    can_ask_model: bool = False,
) -> TaskPage:
    """The page of a task for its person."""
    stage, language = study.stage(task.stage), _language(person)
    parts, order, item = parts_shown(session, study, task)
    rows = history(session, task.id)
    values = with_draft(study, task, item, rows)
    touched = {row.question for row in rows}
    drawn = ShownFiles(session, study, f"/media/{task.token}")
    selectable = {name for one in stage.questions if isinstance(one, Span) for name in one.of}
    worked = task.kind not in ("review",)
    questions = [
        _question(one, item, values, language, order, (errors or {}).get(one.name, ""), touched)
        for one in stage.questions
    ]
    done, total = _progress(session, study, person, task)
    is_over = task.state in DONE
    shown_parts = [drawn.part(part, language, part.name in selectable) for part in parts]
    outputs = [
        ShownOutput(
            letter(place),
            str(place),
            [drawn.part(part, language, False, "output") for part in item.outputs[at].parts],
        )
        for place, at in enumerate(order)
    ]
    after = _after_practice(study, stage, item, task, values, language) if is_over else ("", [])
    return TaskPage(
        token=task.token,
        kind=task.kind,  # type: ignore[arg-type]
        language=item.language,
        stage=in_language(stage.title, language),
        about=in_language(stage.about, language),
        parts=shown_parts,
        outputs=outputs,
        questions=questions if worked else [],
        done=done,
        total=total,
        harmful=item.harmful,
        earlier=earlier_answers(session, study, task, stage, language),
        others=others_answers(session, task, stage, language, order),
        messages=discussion(session, task, person) if task.kind == "discuss" else [],
        opinions=opinions_given(session, task, person) if stage.opinions else [],
        can_ask_model=can_ask_model
        and stage.opinions
        and task.state == "open"
        and task.kind in WORKED,
        review=shown_review(session, study, task, language),
        uploads=uploads_reviewed(session, task, stage, language),
        feedback=after[0],
        rightness=after[1],
        apart=apart_said(session, task, stage),
        is_submitted=is_over,
        is_ended=task.kind != "practice" and has_ended(session, study, task),
        can_skip=study.study.skipping and task.kind in SKIPPED and not is_over,
        can_go_back=task.kind == "answer" and task_before(session, task) is not None,
        missing=missing,
        errors=[],
    )


def _language(person: PersonRow) -> Language:
    return "zh" if person.language == "zh" else "en"


class ShownFiles:
    """The addresses of a page's files under a folder, in the order in which they are shown."""

    def __init__(self, session: Session, study: OpenStudy, folder: str) -> None:
        self._session, self._study, self._folder, self._next = session, study, folder, 0

    def part(
        self, part: Part, language: Language, selectable: bool = False, name: str = ""
    ) -> ShownPart:
        """A part as the page shows it; those of outputs have one name, as their own may tell."""
        address, size = "", None
        if part.is_file:
            address = f"{self._folder}/{self._next}"
            self._next += 1
            size = self._study.size(self._session, part.path)
        return ShownPart(
            name=name or part.name,
            kind=part.kind,
            title=in_language(part.title, language),
            address=address,
            text=part.text,
            turns=part.turns,
            alt=part.alt,
            selectable=selectable and bool(part.text),
            size=size,
            from_right=_from_right(part),
        )


def _from_right(part: Part) -> bool:
    """Whether a comic is read from the right: its first panel is right of its last."""
    boxes = sorted(part.panels, key=lambda box: box.panel_number)
    return bool(boxes) and boxes[0].x1 > boxes[-1].x1


def _question(
    asked: Question,
    item: StudyItem,
    values: Mapping[str, JsonValue],
    language: Language,
    order: Sequence[int],
    error: str,
    touched: set[str],
) -> ShownQuestion:
    value = values.get(asked.name)
    if isinstance(asked, Best) and isinstance(value, int):
        value = list(order).index(value) if value in order else None
    options: list[ShownOption] = []
    if isinstance(asked, Single) and asked.panels:
        options = [ShownOption(str(one), str(one)) for one in item.panel_numbers]
    if isinstance(asked, Single | Multiple):
        options += [
            ShownOption(
                one.value,
                in_language(one.title, language) or one.value,
                in_language(one.about, language),
            )
            for one in asked.options
        ]
    keyed = [
        ShownOption(one.value, one.title, one.about, _KEYS[at] if at < len(_KEYS) else "")
        for at, one in enumerate(options)
    ]
    panels = asked.choices(item) if isinstance(asked, Order) else []
    if asked.kind == "transcription":
        panels = [str(number) for number in item.panel_numbers] or ["1"]
    return ShownQuestion(
        asked=asked,
        title=in_language(asked.title, language),
        help=in_language(asked.help, language),
        value=value,
        is_asked=asked.is_asked(values),
        options=keyed,
        panels=panels,
        error=error,
        is_draft=asked.name in item.draft and asked.name not in touched and value is not None,
    )


def _progress(
    session: Session, study: OpenStudy, person: PersonRow, task: TaskRow
) -> tuple[int, int | None]:
    """How many tasks of this kind a person has done, and of how many where that is known."""
    kinds = ("practice",) if task.kind == "practice" else ("answer", "discuss", "third", "review")
    own = select(TaskRow.id).where(
        TaskRow.person == person.id, TaskRow.kind.in_(kinds), TaskRow.state.in_(DONE)
    )
    if task.kind == "practice":
        items = practice_items(session, study, person)
        turn = own.where(TaskRow.round == task.round)
        return count(session, turn), len(items)
    done = count(session, own)
    stage = study.stage(task.stage)
    if task.kind != "answer" or (stage.people is not None and study.study.teams == 1):
        return done, None
    mine = select(ItemRow.id).where(ItemRow.kind == "main")
    if study.study.teams > 1:
        mine = mine.where(ItemRow.team == person.team)
    if study.study.by_language and person.languages:
        mine = mine.where(ItemRow.language.in_(list(person.languages)))
    return done, max(done, count(session, mine) * len(study.study.stages))


def _after_practice(
    study: OpenStudy,
    stage: Stage,
    item: StudyItem,
    task: TaskRow,
    values: dict[str, JsonValue],
    language: Language,
) -> tuple[str, list[tuple[str, bool, str]]]:
    """What is said after practice, and of each question what was right."""
    if task.kind != "practice":
        return "", []
    marks = []
    for name, right in rightness(stage, item, values):
        question = stage.question(name)
        if question is not None:
            told = answer_text(question, item.gold[name], language)
            marks.append((in_language(question.title, language), right, told))
    return in_language(item.feedback, language), marks
