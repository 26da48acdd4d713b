"""The ways of pictures that people send: in, as an answer, and back to those who may see it."""

from __future__ import annotations

from functools import partial

import anyio
from fastapi import FastAPI, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from deadpan.studies.pages.media_routes import media_response
from deadpan.studies.pages.request_context import Reception, is_fragment, last
from deadpan.studies.pages.task_routes import request_key
from deadpan.studies.pages.uploading import (
    MOST_UPLOADS,
    Sent,
    WrongUpload,
    made_picture,
    read_upload,
    require_room,
    require_upload,
    save_upload,
    uploaded,
)
from deadpan.studies.pages.wording import said_in
from deadpan.studies.storage.media import MOST_UPLOAD_BYTES
from deadpan.studies.storage.opened import NotAllowed
from deadpan.studies.storage.tables import MediaRow
from deadpan.studies.work.shown import mark

_AT_ONCE = 2
"""Pictures that are decoded at the same time: each may take some hundred megabytes."""


def add_upload_routes(app: FastAPI, reception: Reception) -> None:
    """Adds them to the app."""
    study = reception.study
    decoding = anyio.CapacityLimiter(_AT_ONCE)

    @app.post("/t/{token}/upload/{question}")
    async def upload(request: Request, token: str, question: str) -> Response:
        await run_in_threadpool(_may, reception, request, token, question)
        try:
            sent = await read_upload(request)
            await run_in_threadpool(_may, reception, request, token, question, sent)
            making = partial(made_picture, sent.data)
            made = await anyio.to_thread.run_sync(making, limiter=decoding)

            def saved() -> str:
                with study.database.write() as session:
                    person = reception.actor(session, request, sent.fields)
                    about = (person, token, question, made, request_key(sent.fields))
                    return save_upload(session, study, *about, seen=last(sent.fields, "seen"))

            kept = await run_in_threadpool(saved)
        except WrongUpload as error:
            return await run_in_threadpool(_refused, reception, request, error)
        shown = mark(study, token, question, kept)
        return await run_in_threadpool(_saved, reception, request, question, shown)

    @app.get("/t/{token}/upload/{question}")
    def picture(request: Request, token: str, question: str) -> Response:
        with study.database.read() as session:
            visitor = reception.visitor(session, request)
            checksum = uploaded(session, study, visitor.person, token, question)
            row = session.get(MediaRow, checksum)
        if row is None:
            raise NotAllowed("no_picture")
        return media_response(reception, row)


def _may(
    reception: Reception, request: Request, token: str, question: str, sent: Sent | None = None
) -> None:
    """Raises for somebody else's task before anything is read, and before anything is decoded for
    forged forms and where no picture is taken any more."""
    with reception.study.database.read() as session:
        if sent is None:
            person = reception.visitor(session, request).person
        else:
            person = reception.actor(session, request, sent.fields)
        task, _ = require_upload(session, reception.study, person, token, question)
        if sent is not None:
            # This session keeps nothing: a task that is done is not opened by it.
            require_room(session, reception.study, person, task, question)


def _refused(reception: Reception, request: Request, error: WrongUpload) -> Response:
    with reception.study.database.read() as session:
        reader = reception.reader(request, reception.visitor(session, request))
    most = MOST_UPLOAD_BYTES // 1_000_000
    words = said_in(reader.language)(f"upload_{error.reason}", most=most, often=MOST_UPLOADS)
    return reception.page("wrong.html", reader, error.status, message=words)


def _saved(reception: Reception, request: Request, question: str, shown: str) -> Response:
    if not is_fragment(request):
        return Response(status_code=204)
    with reception.study.database.read() as session:
        reader = reception.reader(request, reception.visitor(session, request))
    return reception.page("saved.html", reader, question=question, mark=shown)
