"""The files of a task, for its person alone."""

from __future__ import annotations

from fastapi import FastAPI, Request
from starlette.responses import FileResponse, Response

from deadpan.studies.pages.request_context import Reception
from deadpan.studies.pages.task_pages import files_shown
from deadpan.studies.storage.media import media_path, small_picture
from deadpan.studies.storage.opened import NotAllowed
from deadpan.studies.storage.tables import MediaRow
from deadpan.studies.work.answering import find_task

_LONG_AGO = "Thu, 01 Jan 1970 00:00:00 GMT"


def add_media_routes(app: FastAPI, reception: Reception) -> None:
    """Adds them to the app."""
    study = reception.study

    def found(request: Request, token: str, number: int) -> MediaRow:
        """A file that a task shows, for its person."""
        with study.database.read() as session:
            visitor = reception.visitor(session, request)
            task = find_task(session, visitor.person, token)
            shown = files_shown(session, study, task)
            if not 0 <= number < len(shown):
                raise NotAllowed("no_file")
            return session.get_one(MediaRow, shown[number])

    @app.get("/media/{token}/{number}")
    def media(request: Request, token: str, number: int) -> Response:
        return media_response(reception, found(request, token, number))

    @app.get("/media/{token}/{number}/small")
    def small(request: Request, token: str, number: int) -> Response:
        row = found(request, token, number)
        if not row.type.startswith("image/"):
            raise NotAllowed("no_file")
        path = media_path(study.folder, row.checksum)
        if not path.is_file():
            raise NotAllowed("file_missing")
        return Response(small_picture(path), media_type="image/webp")


def media_response(reception: Reception, row: MediaRow) -> Response:
    """A file, with nothing that tells when it was made or what it was called."""
    path = media_path(reception.study.folder, row.checksum)
    if not path.is_file():
        raise NotAllowed("file_missing")
    if row.type.startswith("image/"):
        return Response(path.read_bytes(), media_type=row.type)
    told = {"Last-Modified": _LONG_AGO, "ETag": f'"{row.checksum}"'}
    return FileResponse(path, media_type=row.type, headers=told)
