"""One's own answers, in a list."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from fastapi import FastAPI, Request
from sqlalchemy import select
from sqlalchemy.orm import Session
from starlette.responses import Response

from deadpan.core.questions import Language
from deadpan.core.study.items import Part
from deadpan.core.study.words import in_language
from deadpan.studies.pages.rendering import OwnTask
from deadpan.studies.pages.request_context import Reception
from deadpan.studies.pages.task_pages import file_parts, parts_shown
from deadpan.studies.storage.tables import PersonRow, ProgressRow, TaskRow
from deadpan.studies.work.answering import answers_of
from deadpan.studies.work.revisions import may_change

_MOST_LISTED = 200


def add_own_answers(app: FastAPI, reception: Reception) -> None:
    """Adds the page to the app."""

    @app.get("/mine")
    def mine(request: Request) -> Response:
        with reception.study.database.read() as session:
            visitor = reception.visitor(session, request)
            tasks = _own_tasks(session, reception, visitor.person)
        reader = reception.reader(request, visitor, "mine")
        return reception.page("mine.html", reader, tasks=tasks, can_withdraw=True)


def _own_tasks(session: Session, reception: Reception, person: PersonRow) -> list[OwnTask]:
    """What somebody did, the newest first. Checks stand among the rest."""
    study = reception.study
    query = select(TaskRow).where(TaskRow.person == person.id, TaskRow.kind != "review")
    rows = session.scalars(query.order_by(TaskRow.id.desc()).limit(_MOST_LISTED)).all()
    language: Language = "zh" if person.language == "zh" else "en"
    closed = study.is_closed(session)
    progress = {
        (one.item, one.stage): one
        for one in session.scalars(
            select(ProgressRow).where(ProgressRow.item.in_([row.item for row in rows]))
        )
    }
    found = []
    for row in rows:
        stage = study.stage(row.stage)
        shown = parts_shown(session, study, row)
        picture, alt = _picture(row, file_parts(*shown))
        answers = stage.completed(answers_of(session, row.id))
        returned = row.state == "open" and bool(row.note)
        near = progress.get((row.item, row.stage))
        is_open = may_change(session, row, near)
        found.append(
            OwnTask(
                token=row.token,
                stage=in_language(stage.title, language),
                at=datetime.fromtimestamp(row.ended_at or row.opened_at, UTC).strftime(
                    "%Y-%m-%d %H:%M"
                ),
                state="returned" if returned else _shown_state(row.state),
                answers=[
                    (
                        in_language(one.title, language),
                        one.in_words(answers.get(one.name), language, shown[1]),
                    )
                    for one in stage.questions
                    if one.name in answers
                ],
                can_change=not closed and (row.state == "open" or is_open),
                picture=picture,
                alt=alt,
                harmful=shown[2].harmful,
            )
        )
    return found


def _picture(task: TaskRow, files: Sequence[Part]) -> tuple[str, str]:
    """The address of the first picture that a task shows, made small, and what it shows; nothing
    where there is none."""
    for number, part in enumerate(files):
        if part.kind in ("picture", "comic"):
            return f"/media/{task.token}/{number}/small", part.alt
    return "", ""


def _shown_state(state: str) -> str:
    return state if state in ("open", "skipped") else "submitted"
