"""The pages in which people work: what comes next, a task, and the saving of its answers."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace

from fastapi import FastAPI, Request
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, Response

from deadpan.core.study.words import WrongAnswer
from deadpan.studies.pages.request_context import (
    Fields,
    Reception,
    Visitor,
    is_fragment,
    last,
    redirect,
)
from deadpan.studies.pages.task_pages import task_page
from deadpan.studies.pages.wording import said_in
from deadpan.studies.storage.tables import TaskRow
from deadpan.studies.work import answering
from deadpan.studies.work.assignment import Next, next_task
from deadpan.studies.work.shown import mark
from deadpan.studies.work.timing import start_clock
from deadpan.web.guard import read_fields

_LONGEST_ANSWER = 300_000
"""Bytes of a form with as many characters as an answer may have: up to twelve each."""
_KEY = re.compile(r"[A-Za-z0-9_.-]{8,60}")


def add_task_routes(app: FastAPI, reception: Reception) -> None:
    """Adds them to the app."""
    _add_pages(app, reception)
    _add_answers(app, reception)


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
    is_stale: bool = False,
) -> HTMLResponse:
    """The page of a task; `is_stale` where the one that asked showed other answers."""
    if not _looks_by_itself(request):
        start_clock(reception.study, task)
    can_ask = reception.adviser is not None
    page = task_page(session, reception.study, visitor.person, task, missing, errors, can_ask)
    reader = reception.reader(request, visitor, "work", done=page.done, total=page.total)
    is_told = is_stale and not page.is_over
    status = 422 if missing or errors or opinion_problem or is_told else 200
    told = [said_in(reader.language)("changed_elsewhere")] if is_told else []
    shown = replace(page, opinion_problem=opinion_problem, errors=told)
    response = reception.page("task.html", reader, status, page=shown)
    if is_fragment(request) and request.method != "GET":
        response.headers["HX-Push-Url"] = f"/t/{task.token}"
    return response


def _looks_by_itself(request: Request) -> bool:
    """Whether a page that is open asks for news: nobody need be there."""
    return is_fragment(request) and request.method == "GET"


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
            if found.ended_at is None or _looks_by_itself(request):
                return show_task(reception, session, request, visitor, found)
        with study.database.write() as session:  # its clock runs from now on
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
                about = (person, token, question, values, key)
                kept = answering.save_answer(session, study, *about, seen=last(fields, "seen"))
            except WrongAnswer as error:
                wrong = error.words[reader.language]
                return reception.page("wrong.html", reader, 422, message=wrong)
        if is_fragment(request):
            shown = mark(study, token, question, kept)
            return reception.page("saved.html", reader, question=question, mark=shown)
        return Response(status_code=204)
