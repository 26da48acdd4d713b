"""The app of a study: pages for raters, adjudicators and leads."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from threading import Lock
from typing import Any

from anyio import to_thread
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from sqlalchemy.exc import DBAPIError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, Response

from deadpan.base.errors import DeadpanError, InputError
from deadpan.core.study.words import Words
from deadpan.studies.lead.routes import add_lead_routes
from deadpan.studies.pages.account_routes import add_account_routes
from deadpan.studies.pages.media_routes import add_media_routes
from deadpan.studies.pages.opinion_routes import add_opinion_routes
from deadpan.studies.pages.own_answers import add_own_answers
from deadpan.studies.pages.rendering import asset_file
from deadpan.studies.pages.request_context import NotSignedIn, Reception, Visitor, redirect
from deadpan.studies.pages.task_routes import add_task_routes
from deadpan.studies.pages.task_steps import add_task_steps
from deadpan.studies.pages.upload_routes import add_upload_routes
from deadpan.studies.pages.wording import said_in
from deadpan.studies.people.login_attempts import TooManyAttempts
from deadpan.studies.storage.opened import NotAllowed, error_words
from deadpan.studies.storage.troubles import DatabaseTrouble, may_repeat
from deadpan.studies.work.revisions import SubmittedAlready
from deadpan.web.guard import HEADERS, Forbidden, Guard

_LOG = logging.getLogger("deadpan.studies")
_TRIES = 5
_THREADS = 4
_AGAIN_SECONDS = 10
"""After which a browser may try again what could not be saved."""
_FOREVER = {"Cache-Control": "public, max-age=31536000, immutable"}


def study_app(reception: Reception) -> FastAPI:
    """The app of an open study."""
    app = FastAPI(
        title="Deadpan",
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
        lifespan=_few_threads,
    )
    app.router.route_class = _Repeated
    reception.study.database.told = Outages().note
    app.add_middleware(Guard, refuse=reception.doors.refuse)
    _add_errors(app, reception)
    add_account_routes(app, reception)
    add_task_routes(app, reception)
    add_task_steps(app, reception)
    add_own_answers(app, reception)
    add_media_routes(app, reception)
    add_opinion_routes(app, reception)
    add_upload_routes(app, reception)
    add_lead_routes(app, reception)

    @app.get("/assets/{name}")
    def assets(name: str) -> Response:
        found = asset_file(name)
        if found is None:
            return PlainTextResponse("no such file", 404)
        return Response(found[0], media_type=found[1], headers=_FOREVER)

    return app


@asynccontextmanager
async def _few_threads(app: FastAPI) -> AsyncIterator[None]:
    """More threads at once would only wait for each other: one interpreter serves them all."""
    to_thread.current_default_thread_limiter().total_tokens = _THREADS
    yield


class Outages:
    """Says once that the database does not work, and once that it does again, however many ask."""

    def __init__(self) -> None:
        self._lock, self._is_out = Lock(), False

    def note(self, trouble: DatabaseTrouble | None) -> None:
        """Something went wrong, or well again with None."""
        with self._lock:
            was, self._is_out = self._is_out, trouble is not None
        if trouble is not None and not was:
            _LOG.error("%s; people are told that nothing can be saved just now", trouble)
        elif trouble is None and was:
            _LOG.warning("the database works again: answers are saved")


class _Repeated(APIRoute):
    """A route whose request is answered anew where its transaction can be repeated."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        answer = super().get_route_handler()

        async def repeated(request: Request) -> Response:
            for _ in range(_TRIES - 1):
                try:
                    return await answer(request)
                except DBAPIError as error:
                    if not may_repeat(error):
                        raise
            return await answer(request)

        return repeated


def _sentence(said: str) -> str:
    """Words as a page says them: from a capital to a full stop."""
    if said.isascii():
        return f"{said[:1].upper()}{said[1:]}{'' if said.endswith(('.', '!', '?')) else '.'}"
    return said if said.endswith(("。", ".", "？", "！")) else f"{said}。"


def _in_both(key: str) -> str:
    """What is said where nobody knows the reader's language."""
    return "".join(f"{text}\n" for text in error_words(key).values())


def _add_errors(app: FastAPI, reception: Reception) -> None:
    study = reception.study

    def told(request: Request, text: Words, status: int) -> Response:
        visitor: Visitor | None = None
        with suppress(NotSignedIn, DatabaseTrouble), study.database.read() as session:
            visitor = reception.visitor(session, request)
        reader = reception.reader(request, visitor)
        if request.headers.get("hx-request") == "true":
            return PlainTextResponse(text[reader.language], status)
        t = said_in(reader.language)
        action = ("/", t("to_start"))
        facts = {"title": t("not_possible"), "text": _sentence(text[reader.language])}
        return reception.page("message.html", reader, status, action=action, **facts)

    @app.exception_handler(NotSignedIn)
    async def not_signed_in(request: Request, error: Exception) -> Response:
        return redirect(request, "/login")

    @app.exception_handler(NotAllowed)
    async def not_allowed(request: Request, error: NotAllowed) -> Response:
        status = 429 if isinstance(error, TooManyAttempts) else 404
        status = 410 if isinstance(error, SubmittedAlready) else status
        return await run_in_threadpool(told, request, error.words, status)

    @app.exception_handler(HTTPException)
    @app.exception_handler(RequestValidationError)
    async def missing(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 404
        return await run_in_threadpool(told, request, error_words("address_unknown"), status)

    @app.exception_handler(Forbidden)
    @app.exception_handler(DeadpanError)
    async def refused(request: Request, error: Exception) -> Response:
        # Where a file lies on the server is nobody's business.
        said = error.what if isinstance(error, InputError) else str(error)
        return await run_in_threadpool(told, request, error_words("refused", what=said), 400)

    @app.exception_handler(DatabaseTrouble)
    async def troubled(request: Request, error: Exception) -> Response:
        # Nobody is looked up: that would fail too. What is wrong is in the log, and said once.
        reader = reception.reader(request)
        t = said_in(reader.language)
        again = {"Retry-After": str(_AGAIN_SECONDS)}
        if request.headers.get("hx-request") == "true":
            return PlainTextResponse(t("not_saved_now"), 503, again)
        action = (request.url.path if request.method == "GET" else "/", t("try_again"))
        facts = {"title": t("not_saved_title"), "text": t("not_saved_now")}
        found = reception.page("message.html", reader, 503, action=action, **facts)
        found.headers.update(again)
        return found

    @app.exception_handler(Exception)
    async def broken(request: Request, error: Exception) -> Response:
        # By the route's name: addresses may hold tokens. This answer does not pass the guard.
        route = getattr(request.scope.get("route"), "path", "an unknown page")
        _LOG.exception("%s", route, exc_info=error)
        return PlainTextResponse(_in_both("broken"), 500, HEADERS)
