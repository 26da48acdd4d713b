"""The pages in which people work: the next task, its answers, its discussion."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from fastapi import FastAPI, Request
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, Response

from deadpan.core.study.words import WrongAnswer
from deadpan.studies.pages.task_pages import task_page
from deadpan.studies.pages.visiting import (
    Fields,
    Reception,
    Visitor,
    is_fragment,
    last,
    redirect,
)
from deadpan.studies.pages.words import said_in
from deadpan.studies.storage.tables import PersonRow, TaskRow
from deadpan.studies.work import advancing, answering, discussing
from deadpan.studies.work.adjudicating import decide
from deadpan.studies.work.changing import task_before
from deadpan.studies.work.working import Next, next_task
from deadpan.web.guard import CSRF, read_fields

_LONGEST_ANSWER = 300_000
"""Bytes of a form with as many characters as an answer may have: up to twelve each."""
_POINT = re.compile(r"[0-9]{1,3}")
_KEY = re.compile(r"[A-Za-z0-9_.-]{8,60}")
Action = Callable[[Session, PersonRow, TaskRow], Response | None]
"""What is done with a task; a response where it is not the task's own page."""


def add_task_routes(app: FastAPI, reception: Reception) -> None:
    """Adds them to the app."""
    _add_pages(app, reception)
    _add_answers(app, reception)
    _add_steps(app, reception)
    _add_discussion(app, reception)


def request_key(fields: Fields) -> str:
    """The request's own name, by which a repeated one is known; made up where it has none. Ours
    have colons: nobody can take them."""
    given = last(fields, "key")
    return given if _KEY.fullmatch(given) else secrets.token_hex(16)


def show_task(
    reception: Reception,
    session: Session,
    request: Request,
    visitor: Visitor,
    task: TaskRow,
    missing: Sequence[str] = (),
    errors: Mapping[str, str] | None = None,
    opinion_problem: str = "",
) -> HTMLResponse:
    """The page of a task."""
    can_ask = reception.adviser is not None
    page = task_page(session, reception.study, visitor.person, task, missing, errors, can_ask)
    reader = reception.reader(request, visitor, "work", done=page.done, total=page.total)
    status = 422 if missing or errors or opinion_problem else 200
    shown = replace(page, opinion_problem=opinion_problem)
    response = reception.page("task.html", reader, status, page=shown)
    if is_fragment(request) and request.method != "GET":
        response.headers["HX-Push-Url"] = f"/t/{task.token}"
    return response


def show_next(
    reception: Reception, session: Session, request: Request, visitor: Visitor, found: Next
) -> Response:
    """What comes next: a task's page, or why there is none."""
    if found.state == "consent":
        return redirect(request, "/consent")
    if found.state == "task" and found.task is not None:
        if request.method == "GET":
            return redirect(request, f"/t/{found.task.token}")
        return show_task(reception, session, request, visitor, found.task)
    reader = reception.reader(request, visitor, "work")
    t = said_in(reader.language)
    if found.state in ("failed", "closed", "nothing"):
        title, text = t(f"{found.state}_title"), t(f"{found.state}_text")
        action = ("/work", t("look_again")) if found.state == "nothing" else None
        response = reception.page("message.html", reader, title=title, text=text, action=action)
    else:
        code = visitor.person.code if found.state == "done" else ""
        recruiting = reception.study.study.recruiting
        back = recruiting.way_back(code) if recruiting else ""
        finished = found.state == "done"
        response = reception.page(
            "done.html", reader, is_finished=finished, code=code, return_to=back
        )
    if is_fragment(request):
        response.headers["HX-Push-Url"] = "/work"
    return response


def _add_pages(app: FastAPI, reception: Reception) -> None:
    study = reception.study

    @app.get("/")
    def first_page(request: Request) -> Response:
        with study.database.read() as session:
            visitor = reception.visitor(session, request)
        return redirect(request, "/lead" if visitor.person.role == "lead" else "/work")

    @app.get("/work")
    def work(request: Request) -> Response:
        with study.database.write() as session:
            visitor = reception.visitor(session, request)
            found = next_task(session, study, visitor.person, reception.queues)
            return show_next(reception, session, request, visitor, found)

    @app.get("/t/{token}")
    def task(request: Request, token: str) -> Response:
        with study.database.read() as session:
            visitor = reception.visitor(session, request)
            found = answering.find_task(session, visitor.person, token)
            return show_task(reception, session, request, visitor, found)


def _add_answers(app: FastAPI, reception: Reception) -> None:
    study = reception.study

    @app.post("/t/{token}/answer/{question}")
    async def answer(request: Request, token: str, question: str) -> Response:
        fields = await read_fields(request, _LONGEST_ANSWER)
        return await run_in_threadpool(_answer, request, token, question, fields)

    def _answer(request: Request, token: str, question: str, fields: Fields) -> Response:
        values, key = list(fields.get("value", ())), request_key(fields)
        with study.database.write() as session:
            person = reception.actor(session, request, fields)
            reader = reception.reader(request, Visitor(person, ""))
            try:
                answering.save_answer(session, study, person, token, question, values, key)
            except WrongAnswer as error:
                wrong = error.words[reader.language]
                return reception.page("wrong.html", reader, 422, message=wrong)
        if is_fragment(request):
            return reception.page("saved.html", reader)
        return Response(status_code=204)


def _add_steps(app: FastAPI, reception: Reception) -> None:
    study = reception.study

    @app.post("/t/{token}/submit")
    async def submit(request: Request, token: str) -> Response:
        fields = await read_fields(request)

        def submitted(session: Session, person: PersonRow, task: TaskRow) -> Response | None:
            visitor = Visitor(person, last(fields, CSRF))
            if missing := advancing.submit(session, study, person, task):
                return show_task(reception, session, request, visitor, task, missing)
            if task.kind == "practice" and not _seen_by_person(reception):
                return show_task(reception, session, request, visitor, task)
            return None

        return await run_in_threadpool(
            _act, reception, request, token, fields, submitted, go_on=True
        )

    @app.post("/t/{token}/undo")
    async def undo(request: Request, token: str) -> Response:
        fields = await read_fields(request)

        def take_back(session: Session, person: PersonRow, task: TaskRow) -> Response | None:
            undone = answering.undo(session, study, person, token, request_key(fields))
            session.flush()
            if undone is None and task.kind == "answer":
                before = task_before(session, task)
                if before is not None:
                    visitor = Visitor(person, last(fields, CSRF))
                    return show_task(reception, session, request, visitor, before)
            return None

        return await run_in_threadpool(_act, reception, request, token, fields, take_back)

    @app.post("/t/{token}/skip")
    async def skip(request: Request, token: str) -> Response:
        fields = await read_fields(request)

        def skipped(session: Session, person: PersonRow, task: TaskRow) -> Response | None:
            answering.skip(session, study, person, token, last(fields, "reason"))
            return None

        return await run_in_threadpool(_act, reception, request, token, fields, skipped, True)

    @app.post("/t/{token}/review")
    async def review(request: Request, token: str) -> Response:
        fields = await read_fields(request)
        points = [int(one) for one in fields.get("point", ()) if _POINT.fullmatch(one)]

        def reviewed(session: Session, person: PersonRow, task: TaskRow) -> Response | None:
            accepts = last(fields, "decision") == "accept"
            decide(session, study, person, task, points, last(fields, "comment"), accepts)
            return None

        return await run_in_threadpool(_act, reception, request, token, fields, reviewed, True)


def _seen_by_person(reception: Reception) -> bool:
    practice = reception.study.study.practice
    return practice is not None and practice.by_person


def _act(
    reception: Reception,
    request: Request,
    token: str,
    fields: Fields,
    action: Action,
    go_on: bool = False,
) -> Response:
    """Does something with a task, and shows it again, or what comes next."""
    study = reception.study
    with study.database.write() as session:
        person = reception.actor(session, request, fields)
        task = answering.find_task(session, person, token)
        visitor = Visitor(person, last(fields, CSRF) or request.headers.get("x-csrf", ""))
        if (response := action(session, person, task)) is not None:
            return response
        if not is_fragment(request):
            return redirect(request, "/work" if go_on else f"/t/{token}")
        if not go_on:
            return show_task(reception, session, request, visitor, task)
    # What was done is kept by now. In one go with it, somebody who holds one item would wait for
    # another, whose holder may wait for the first.
    with study.database.write() as session:
        again = replace(visitor, person=session.get_one(PersonRow, visitor.person.id))
        found = next_task(session, study, again.person, reception.queues)
        return show_next(reception, session, request, again, found)


def _add_discussion(app: FastAPI, reception: Reception) -> None:
    study = reception.study

    @app.post("/t/{token}/say")
    async def say(request: Request, token: str) -> Response:
        fields = await read_fields(request)

        def said(session: Session, person: PersonRow, task: TaskRow) -> Response | None:
            words, key = last(fields, "text"), request_key(fields)
            discussing.say(session, study, person, task, words, key)
            session.flush()
            return None

        return await run_in_threadpool(_act, reception, request, token, fields, said)

    @app.post("/t/{token}/adopt")
    async def adopt(request: Request, token: str) -> Response:
        fields = await read_fields(request)

        def adopted(session: Session, person: PersonRow, task: TaskRow) -> Response | None:
            name = last(fields, "question")
            discussing.adopt(session, study, task, name, request_key(fields))
            session.flush()
            return None

        return await run_in_threadpool(_act, reception, request, token, fields, adopted)

    @app.post("/t/{token}/disagree")
    async def disagree(request: Request, token: str) -> Response:
        fields = await read_fields(request)

        def disagreed(session: Session, person: PersonRow, task: TaskRow) -> Response | None:
            discussing.cannot_agree(session, study, person, task)
            return None

        return await run_in_threadpool(_act, reception, request, token, fields, disagreed, True)
