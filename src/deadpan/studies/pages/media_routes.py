"""The files of a task, for its person alone."""

from __future__ import annotations

from fastapi import FastAPI, Request
from starlette.responses import FileResponse, Response

from deadpan.studies.pages.task_pages import files_shown
from deadpan.studies.pages.visiting import Reception
from deadpan.studies.storage.media import media_path
from deadpan.studies.storage.opened import NotAllowed
from deadpan.studies.storage.tables import MediaRow
from deadpan.studies.work.answering import find_task

_LONG_AGO = "Thu, 01 Jan 1970 00:00:00 GMT"


def add_media_routes(app: FastAPI, reception: Reception) -> None:
    """Adds them to the app."""
    study = reception.study

    @app.get("/media/{token}/{number}")
    def media(request: Request, token: str, number: int) -> Response:
        with study.database.read() as session:
            visitor = reception.visitor(session, request)
            task = find_task(session, visitor.person, token)
            shown = files_shown(session, study, task)
            if not 0 <= number < len(shown):
                raise NotAllowed("no such file", "没有这个文件")
            row = session.get_one(MediaRow, shown[number])
        return media_response(reception, row)


def media_response(reception: Reception, row: MediaRow) -> Response:
    """A file, with nothing that tells when it was made or what it was called."""
    path = media_path(reception.study.folder, row.checksum)
    if not path.is_file():
        raise NotAllowed("this file is missing", "文件缺失")
    if row.type.startswith("image/"):
        return Response(path.read_bytes(), media_type=row.type)
    told = {"Last-Modified": _LONG_AGO, "ETag": f'"{row.checksum}"'}
    return FileResponse(path, media_type=row.type, headers=told)
