"""What a lead does with a study as a whole: takes out what it brought, closes it, changes its
guidelines."""

from __future__ import annotations

import io
import json
import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path
from typing import Any

from anyio import to_thread
from fastapi import FastAPI, Request
from sqlalchemy import select
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from deadpan.base.files import write_text
from deadpan.base.printable import escaped_json
from deadpan.core.questions import Language
from deadpan.core.study.files import study_of, study_text
from deadpan.core.study.words import Words
from deadpan.studies.lead import deciding
from deadpan.studies.lead.access import LeadDesk
from deadpan.studies.making.catalogue import own_template
from deadpan.studies.making.creating import SPECIFICATION
from deadpan.studies.pages.request_context import Fields, last, redirect
from deadpan.studies.results.export_files import FORMATS, write_export
from deadpan.studies.results.gathering import gather
from deadpan.studies.results.known import people_named
from deadpan.studies.storage.opened import NotAllowed, OpenStudy
from deadpan.studies.storage.tables import EventRow, PersonRow, SpecificationRow
from deadpan.web.guard import read_fields

_NAMES = "names"


def add_study_routes(app: FastAPI, desk: LeadDesk) -> None:
    """Adds them to the app."""
    _add_downloads(app, desk)
    _add_closing(app, desk)
    _add_guidelines(app, desk)


def _add_downloads(app: FastAPI, desk: LeadDesk) -> None:
    study = desk.study

    def noted(request: Request, form: str, names: bool) -> None:
        """Writes down who takes something out of the study; anybody but a lead raises."""
        with study.database.write() as session:
            lead = desk.reception.lead(session, request).person
            study.note(session, lead, "exported", form=form, names=names)

    @app.get("/lead/export/{form}")
    async def export(request: Request, form: str) -> Response:
        # One at a time, and in no thread that raters wait for.
        return await to_thread.run_sync(exported, request, form, limiter=desk.exports)

    def exported(request: Request, form: str) -> Response:
        with study.database.read() as session:
            desk.reception.lead(session, request)
        if form not in FORMATS:
            raise NotAllowed("no_format")
        names = request.query_params.get(_NAMES) == "yes"
        data = zipped_export(study, form, names)
        noted(request, form, names)
        return _download(data, "application/zip", f"{study.study.name}-{form}.zip")

    @app.get("/lead/events")
    def events(request: Request) -> Response:
        names = request.query_params.get(_NAMES) == "yes"
        noted(request, "events", names)
        with study.database.read() as session:
            lines = _trail(session, names)
        data = "".join(f"{line}\n" for line in lines).encode()
        return _download(data, "application/x-ndjson", f"{study.study.name}-events.jsonl")


def _download(data: bytes, type_: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type=type_, headers=headers)


def zipped_export(study: OpenStudy, form: str, names: bool) -> bytes:
    """The files of an export in one; where nobody has answered anything, raises."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        write_export(gather(study, names), place, form, own_template(study.study))
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(one for one in place.rglob("*") if one.is_file()):
                archive.write(path, path.relative_to(place).as_posix())
    return stream.getvalue()


def _trail(session: Session, names: bool) -> list[str]:
    """The audit trail, a line of JSON an event, from the first on."""
    people = {row.id: row for row in session.scalars(select(PersonRow))}
    called = people_named(people, names)
    lines = []
    for event in session.scalars(select(EventRow).order_by(EventRow.id)):
        about: dict[str, Any] = dict(event.about)
        if about.get("who") in called:
            about["who"] = called[about["who"]]
        who = called.get(event.person or 0)
        row = {"at": event.at, "person": who, "what": event.what, "about": about}
        lines.append(escaped_json(json.dumps(row, ensure_ascii=False)))
    return lines


def _add_closing(app: FastAPI, desk: LeadDesk) -> None:
    study = desk.study

    @app.post("/lead/close")
    async def close(request: Request) -> Response:
        def closed(session: Session, lead: PersonRow, fields: Fields) -> str:
            deciding.close_or_open(session, study, True, lead)
            return "/lead"

        return await desk.act(request, closed)

    @app.post("/lead/open")
    async def open_again(request: Request) -> Response:
        def opened(session: Session, lead: PersonRow, fields: Fields) -> str:
            deciding.close_or_open(session, study, False, lead)
            return "/lead"

        return await desk.act(request, opened)


@dataclass(frozen=True)
class GuidelinesVersion:
    """A version of the study, with its guidelines, and the lines that are another way than in the
    version before: `+` or `-`, and the line."""

    number: int
    at: float
    guidelines: Sequence[tuple[Words, Words]]
    """The study's own, and those of stages: a title, where it is a stage's, and what they say."""
    changes: Sequence[tuple[str, str]]


def guidelines_versions(session: Session, study: OpenStudy) -> list[GuidelinesVersion]:
    """Every version, the newest first."""
    found: list[GuidelinesVersion] = []
    before: dict[str, Words] = {}
    for row in session.scalars(select(SpecificationRow).order_by(SpecificationRow.version)):
        told = study_of(row.text, f"{study.folder} version {row.version}")
        words = {"": told.guidelines} | {one.name: one.guidelines for one in told.stages}
        changes = [line for name in words for line in _changes(before.get(name, {}), words[name])]
        titles: dict[str, Words] = {"": {}} | {one.name: one.title for one in told.stages}
        shown = [(titles[name], own) for name, own in words.items() if own]
        found.append(GuidelinesVersion(row.version, row.at, shown, changes if found else []))
        before = words
    return found[::-1]


def _changes(before: Words, after: Words) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for language in dict.fromkeys([*before, *after]):
        was, now = (words.get(language, "").splitlines() for words in (before, after))
        changed = [line for line in unified_diff(was, now, n=0) if line[:1] in ("+", "-")]
        found += [(line[0], line[1:]) for line in changed[2:] if line[1:].strip()]
    return found


def _add_guidelines(app: FastAPI, desk: LeadDesk) -> None:
    study, reception = desk.study, desk.reception

    @app.get("/lead/guidelines")
    def guidelines(request: Request) -> Response:
        def looks(session: Session, lead: PersonRow, language: Language) -> dict[str, Any]:
            return {"versions": guidelines_versions(session, study)}

        return desk.show(request, "lead_guidelines.html", "lead", looks)

    @app.post("/lead/guidelines")
    async def change(request: Request) -> Response:
        return await run_in_threadpool(_changed, request, await read_fields(request))

    def _changed(request: Request, fields: Fields) -> Response:
        places = {"": "", **{one.name: f"{one.name}." for one in study.study.stages}}
        words = {
            name: {
                code: last(fields, f"{place}{code}")
                for code in study.study.languages
                if f"{place}{code}" in fields
            }
            for name, place in places.items()
        }
        with study.database.write() as session:
            lead = reception.lead_actor(session, request, fields)
            changed = deciding.with_guidelines(study.study, words)
            version = deciding.add_version(session, study, changed, lead)
        study.study, study.version = changed, version
        write_text(study.folder / SPECIFICATION, study_text(changed))
        return redirect(request, "/lead/guidelines")
