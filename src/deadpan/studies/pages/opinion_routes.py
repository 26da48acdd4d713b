"""The page's way to a second opinion: the task again, with what a model says, or why it says
nothing. Who the model is, nobody is told."""

from __future__ import annotations

import logging

from fastapi import FastAPI, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from deadpan.base.errors import DeadpanError
from deadpan.core.questions import Language
from deadpan.engine.requests import Request as Question
from deadpan.studies.models.adviser import Adviser, NoOpinion
from deadpan.studies.models.prompting import prompts
from deadpan.studies.pages.opinions import (
    PAUSE_SECONDS,
    Asking,
    TooSoon,
    begin_asking,
    keep_failure,
    keep_opinion,
)
from deadpan.studies.pages.request_context import Fields, Reception, is_fragment, redirect
from deadpan.studies.pages.task_routes import show_task
from deadpan.studies.pages.wording import said_in
from deadpan.studies.storage.opened import NotAllowed
from deadpan.studies.work.answering import find_task
from deadpan.web.guard import read_fields

_logger = logging.getLogger("deadpan.studies")


def add_opinion_routes(app: FastAPI, reception: Reception) -> None:
    """Adds them to the app."""

    @app.post("/t/{token}/opinion")
    async def opinion(request: Request, token: str) -> Response:
        fields = await read_fields(request)
        adviser = reception.adviser
        if adviser is None:
            raise NotAllowed("no_opinion")
        try:
            begun = await run_in_threadpool(_begin, reception, request, token, fields)
        except TooSoon as error:
            return await run_in_threadpool(_shown, reception, request, token, error)
        problem = await _ask(reception, adviser, begun)
        return await run_in_threadpool(_shown, reception, request, token, problem)


def _begin(reception: Reception, request: Request, token: str, fields: Fields) -> Asking:
    with reception.study.database.write() as session:
        person = reception.actor(session, request, fields)
        return begin_asking(session, reception.study, person, token)


async def _ask(reception: Reception, adviser: Adviser, begun: Asking) -> NoOpinion | None:
    """Asks, and keeps what comes of it; why there is no opinion, where there is none."""
    study = reception.study

    def prepared() -> Question:
        try:
            return begun.request(study, adviser.label, adviser.sampling)
        except DeadpanError as error:
            raise NoOpinion("failed", str(error)) from error

    def kept(text: str) -> None:
        with study.database.write() as session:
            keep_opinion(session, study, begun.task, adviser.model, text)

    def failed(error: NoOpinion) -> None:
        _logger.warning("second opinion: %s", error)
        with study.database.write() as session:
            keep_failure(session, study, begun.task, adviser.model, error.problem, str(error))

    try:
        question = await run_in_threadpool(prepared)
        text = await adviser.ask(question, prompts("again").user[begun.language])
    except NoOpinion as error:
        await run_in_threadpool(failed, error)
        return error
    await run_in_threadpool(kept, text)
    return None


def _shown(
    reception: Reception, request: Request, token: str, problem: NoOpinion | TooSoon | None
) -> Response:
    """The task's page."""
    with reception.study.database.read() as session:
        visitor = reception.visitor(session, request)
        task = find_task(session, visitor.person, token)
        if problem is None and not is_fragment(request):
            return redirect(request, f"/t/{token}")
        words = _told(problem, reception.language(request, visitor.person)) if problem else ""
        response = show_task(reception, session, request, visitor, task, opinion_problem=words)
    if isinstance(problem, TooSoon):
        response.headers["Retry-After"] = str(PAUSE_SECONDS)
    return response


def _told(problem: NoOpinion | TooSoon, language: Language) -> str:
    why = "soon" if isinstance(problem, TooSoon) else problem.problem
    return said_in(language)(f"opinion_{why}")
