"""The page of a task: of everything that is known, what this person may see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace

from pydantic import JsonValue
from sqlalchemy import select
from sqlalchemy.orm import Session

from deadpan.core.questions import Language
from deadpan.core.study.items import Part, StudyItem, letter
from deadpan.core.study.stages import Question, Stage
from deadpan.core.study.words import in_language
from deadpan.studies.pages.other_answers import (
    apart_said,
    corrected_parts,
    discussion,
    earlier_answers,
    opinions_given,
    others_answers,
    shown_review,
    uploads_reviewed,
)
from deadpan.studies.pages.view_models import (
    ShownOption,
    ShownOutput,
    ShownPart,
    ShownQuestion,
    TaskPage,
)
from deadpan.studies.pages.wording import said_in
from deadpan.studies.storage.opened import OpenStudy, count
from deadpan.studies.storage.tables import (
    ItemRow,
    PersonRow,
    TaskRow,
)
from deadpan.studies.work.answering import (
    DONE,
    SKIPPED,
    WORKED,
    answers_of,
    history,
    with_draft,
)
from deadpan.studies.work.outputs import outputs_in_order
from deadpan.studies.work.practising import practice_items, rightness, round_before
from deadpan.studies.work.revisions import has_ended, is_own_end, task_before
from deadpan.studies.work.shown import mark

_KEYS = "1234567890"


def parts_shown(
    session: Session, study: OpenStudy, task: TaskRow
) -> tuple[list[Part], list[int], StudyItem]:
    """The parts of an item that a task shows, the outputs in its order, and the item. The files
    among them, in this order, are what the task's media addresses count."""
    stage, item = study.stage(task.stage), study.item(session, task.item, task.stage)
    named = stage.shows
    parts = [part for part in item.parts if not named or part.name in named]
    parts = corrected_parts(session, study, task, stage, parts)
    return parts, outputs_in_order(session, study, task, item), item


def files_shown(session: Session, study: OpenStudy, task: TaskRow) -> list[str]:
    """The checksums of the files that a task shows."""
    return [part.path for part in file_parts(*parts_shown(session, study, task))]


def file_parts(parts: Sequence[Part], order: Sequence[int], item: StudyItem) -> list[Part]:
    """The files that a task shows, in the order in which its media addresses count them."""
    everything = [*parts, *(part for at in order for part in item.outputs[at].parts)]
    return [part for part in everything if part.is_file]


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
    selectable = {name for one in stage.questions for name in one.selects_from}
    worked = task.kind not in ("review",)
    questions = [
        replace(
            shown_question(
                one, item, values, language, order, (errors or {}).get(one.name, ""), touched
            ),
            mark=mark(study, task.token, one.name, values.get(one.name)),
        )
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
    subject = session.get_one(TaskRow, task.subject) if task.kind == "review" else task
    is_practice = subject.kind == "practice"
    after: tuple[str, list[tuple[str, bool, str]]] = ("", [])
    if is_practice and (is_over or subject is not task):
        own = values if subject is task else answers_of(session, subject.id)
        after = _after_practice(stage, item, own, language, order)
    return TaskPage(
        token=task.token,
        kind=task.kind,  # type: ignore[arg-type]
        language=item.language,
        stage=in_language(stage.title, language),
        about=in_language(stage.about, language),
        guidelines=in_language(stage.guidelines, language),
        parts=shown_parts,
        outputs=outputs,
        questions=questions if worked else [],
        done=done,
        total=total,
        harmful=item.harmful,
        earlier=earlier_answers(session, study, task, stage, language, order),
        others=others_answers(session, task, stage, language, order),
        messages=discussion(session, task, person, stage),
        opinions=opinions_given(session, task, person) if stage.has_opinions(task.kind) else [],
        can_ask_model=can_ask_model
        and stage.has_opinions(task.kind)
        and task.state == "open"
        and task.kind in WORKED,
        review=shown_review(session, study, task, language),
        uploads=uploads_reviewed(session, task, stage, language),
        is_practice=is_practice,
        feedback=after[0],
        rightness=after[1],
        again="" if is_over else _again(session, study, task, language),
        apart=apart_said(session, task, stage),
        state=task.state,
        is_submitted=is_over,
        is_ended=task.kind != "practice" and has_ended(session, study, task),
        is_own_end=task.kind in WORKED and is_own_end(session, task),
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
            text=part.text_in(language),
            is_own=bool(part.texts),
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


def shown_question(
    asked: Question,
    item: StudyItem,
    values: Mapping[str, JsonValue],
    language: Language,
    order: Sequence[int],
    error: str,
    touched: set[str],
) -> ShownQuestion:
    """A question as a page shows it, with the answer so far."""
    value = values.get(asked.name)
    if asked.chooses and isinstance(value, int):
        value = list(order).index(value) if value in order else None
    options = [
        ShownOption(
            one.value,
            in_language(one.title, language) or one.value,
            in_language(one.about, language),
            _KEYS[at : at + 1],
        )
        for at, one in enumerate(asked.offered(item))
    ]
    return ShownQuestion(
        asked=asked,
        title=in_language(asked.title, language),
        help=in_language(asked.help, language),
        value=value,
        is_asked=asked.is_asked(values),
        options=options,
        panels=asked.panels_asked(item),
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
        of_round = (TaskRow.stage == task.stage, TaskRow.round == task.round)
        done = count(session, own.where(*of_round))
        practice = study.study.practice
        if practice and practice.by_person and task.round > 1:  # only what was sent back
            again = select(TaskRow.id).where(TaskRow.person == person.id, TaskRow.kind == task.kind)
            return done, count(session, again.where(*of_round))
        return done, len(practice_items(session, study, person))
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


def _again(session: Session, study: OpenStudy, task: TaskRow, language: Language) -> str:
    """What is said of the round before, where practice was not passed by it."""
    before, practice = round_before(session, study, task), study.study.practice
    if before is None or practice is None:
        return ""
    said = "practice_again" if before.of else "practice_skipped"
    rounds = {"round": task.round, "rounds": practice.rounds}
    return said_in(language)(said, **rounds, **asdict(before))


def _after_practice(
    stage: Stage,
    item: StudyItem,
    values: dict[str, JsonValue],
    language: Language,
    order: Sequence[int],
) -> tuple[str, list[tuple[str, bool, str]]]:
    """What is said after practice, and of each question what was right."""
    marks = []
    for name, right in rightness(stage, item, values):
        question = stage.question(name)
        if question is not None:
            told = question.in_words(item.gold[name], language, order)
            marks.append((in_language(question.title, language), right, told))
    return in_language(item.feedback_on(stage.name), language), marks
