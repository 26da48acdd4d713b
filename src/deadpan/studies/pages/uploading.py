"""Pictures that people send as answers: read within bounds, made anew, kept by their checksum."""

from __future__ import annotations

import logging
import shutil
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Literal

import anyio
from fastapi import Request
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session
from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import ClientDisconnect

from deadpan.base.errors import DeadpanError, InputError
from deadpan.core.study.stages import Question
from deadpan.media.images import NotAPicture
from deadpan.studies.pages.request_context import Fields
from deadpan.studies.storage.media import MOST_UPLOAD_BYTES, MadeFile, made_upload, media_path
from deadpan.studies.storage.opened import NotAllowed, OpenStudy, count
from deadpan.studies.storage.tables import AnswerRow, MediaRow, PersonRow, TaskRow
from deadpan.studies.work.answering import (
    WORKED,
    answers_of,
    find_task,
    keep_value,
    require_not_closed,
    require_open,
)
from deadpan.studies.work.revisions import require_as_seen

FILE = "file"
MOST_UPLOADS = 50
"""How often the answer to one question may be another picture."""
SENDING_SECONDS = 180
"""How long a picture may take to come in: ten megabytes of half a megabit a second."""
_AROUND = 10_000
"""Bytes of a form around its file."""
_MOST_FIELDS = 8
_MOST_DIGITS = 12
MOST_BYTES = 1_000_000_000
"""What the pictures of one person may take on the disk."""
LEAST_FREE = 200_000_000
"""Bytes of the disk that pictures leave to the database."""
Reason = Literal["length", "large", "broken", "picture", "enormous", "often", "much", "full"]
_STATUS: dict[Reason, int] = {"length": 411, "large": 413, "full": 507}


class WrongUpload(DeadpanError):
    """What was sent is no picture that is taken; `reason` says why, and is told in words."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(f"upload: {reason}")
        self.reason: Reason = reason

    @property
    def status(self) -> int:
        return _STATUS.get(self.reason, 422)


@dataclass(frozen=True)
class Sent:
    """A form with a file."""

    fields: Fields
    data: bytes


async def read_upload(request: Request) -> Sent:
    """The fields and the file of a form. What has no length, is too large, or is no such form
    raises; nothing beyond the bound is read."""
    length = request.headers.get("content-length", "")
    if "transfer-encoding" in request.headers or not (length.isascii() and length.isdigit()):
        raise WrongUpload("length")
    if len(length) > _MOST_DIGITS or int(length) > MOST_UPLOAD_BYTES + _AROUND:
        raise WrongUpload("large")
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "multipart/form-data":
        raise WrongUpload("broken")
    parser = MultiPartParser(
        request.headers, _bounded(request), max_files=1, max_fields=_MOST_FIELDS
    )
    try:
        with anyio.fail_after(SENDING_SECONDS):
            form = await parser.parse()
    except (MultiPartException, TimeoutError, ClientDisconnect):
        raise WrongUpload("broken") from None
    fields: dict[str, list[str]] = {}
    data = b""
    for name, value in form.multi_items():
        if isinstance(value, UploadFile):
            data = await value.read() if name == FILE else data
            await value.close()
        else:
            fields.setdefault(name, []).append(value)
    if len(data) > MOST_UPLOAD_BYTES:
        raise WrongUpload("large")
    return Sent(fields, data)


async def _bounded(request: Request) -> AsyncGenerator[bytes, None]:
    """The body, as far as it may go, whatever its length was said to be."""
    read = 0
    async for piece in request.stream():
        read += len(piece)
        if read > MOST_UPLOAD_BYTES + _AROUND:
            raise WrongUpload("large")
        yield piece


def made_picture(data: bytes) -> MadeFile:
    """The picture as the study would keep it; anything else raises."""
    try:
        return made_upload(data)
    except NotAPicture as error:
        raise WrongUpload("enormous" if "enormous" in error.what else "picture") from None
    except InputError:
        raise WrongUpload("picture") from None


def require_upload(
    session: Session, study: OpenStudy, person: PersonRow, token: str, name: str
) -> tuple[TaskRow, Question]:
    """A person's own task, and the question of it that a picture answers; all others raise."""
    task = find_task(session, person, token)
    question = study.stage(task.stage).question(name)
    if question is None or not question.uploads or task.kind not in WORKED:
        raise NotAllowed("no_question")
    require_not_closed(session, study)
    return task, question


def require_room(
    session: Session, study: OpenStudy, person: PersonRow, task: TaskRow, name: str
) -> None:
    """Raises where no picture is taken any more: the task is over, or there were too many."""
    require_open(session, study, task)
    before = select(AnswerRow.id).where(AnswerRow.task == task.id, AnswerRow.question == name)
    if count(session, before) >= MOST_UPLOADS:
        raise WrongUpload("often")
    if _bytes_sent(session, study, person) >= MOST_BYTES:
        raise WrongUpload("much")
    if shutil.disk_usage(study.folder).free < LEAST_FREE:
        raise WrongUpload("full")


def _bytes_sent(session: Session, study: OpenStudy, person: PersonRow) -> int:
    """What a person's pictures take on the disk, those that others took the place of too."""
    questions = (one for stage in study.study.stages for one in stage.questions)
    names = {one.name for one in questions if one.uploads}
    query = select(AnswerRow.value).join(TaskRow, TaskRow.id == AnswerRow.task)
    own = query.where(TaskRow.person == person.id, AnswerRow.question.in_(names))
    sent = {str(value) for value in session.scalars(own) if value is not None}
    paths = (media_path(study.folder, one) for one in sent)
    return sum(path.stat().st_size for path in paths if path.is_file())


def save_upload(
    session: Session,
    study: OpenStudy,
    person: PersonRow,
    token: str,
    name: str,
    made: MadeFile,
    key: str,
    seen: str = "",
) -> str:
    """Keeps a picture as the answer to a question, and returns its checksum; the same request again
    changes nothing. What is refused is not written, as where the task is not as it was `seen`."""
    task, question = require_upload(session, study, person, token, name)
    require_as_seen(session, task, seen)
    require_room(session, study, person, task, name)
    try:
        kept = made.write(study.folder)
    except (InputError, OSError) as error:
        logging.getLogger("deadpan.studies").error("a picture cannot be written: %s", error)
        raise WrongUpload("full") from None
    if session.get(MediaRow, kept.checksum) is None:
        row = MediaRow(checksum=kept.checksum, type=kept.type, width=kept.width, height=kept.height)
        try:
            with session.begin_nested():
                session.add(row)
        except IntegrityError:
            pass  # somebody sent the same at the same time
    keep_value(session, study, task, question, kept.checksum, key, "person")
    return kept.checksum


def uploaded(session: Session, study: OpenStudy, person: PersonRow, token: str, name: str) -> str:
    """The checksum of the picture that answers a question of one's own task, or of the one that a
    review is about; raises where there is none."""
    task = find_task(session, person, token)
    whose = task.subject if task.kind == "review" and task.subject else task.id
    question = study.stage(task.stage).question(name)
    is_sent = question is not None and question.uploads
    value = answers_of(session, whose).get(name) if is_sent else None
    if not isinstance(value, str):
        raise NotAllowed("no_picture")
    return value
