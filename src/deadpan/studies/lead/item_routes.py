"""A lead's pages of items and batches: to look at, to settle, to accept."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from fastapi import FastAPI, Request
from sqlalchemy.orm import Session
from starlette.responses import Response

from deadpan.base.printable import without_controls
from deadpan.core.questions import Language
from deadpan.studies.lead import deciding
from deadpan.studies.lead.access import LeadDesk, whole_number
from deadpan.studies.lead.batches import batch_page, list_batches
from deadpan.studies.lead.item import item_page, shown_content
from deadpan.studies.lead.item_answers import sent_picture
from deadpan.studies.lead.items import STATES, Wanted, find_item, list_items
from deadpan.studies.pages.media_routes import media_response
from deadpan.studies.pages.request_context import Fields, last
from deadpan.studies.storage.opened import NotAllowed
from deadpan.studies.storage.tables import MediaRow, PersonRow
from deadpan.studies.work import transitions

_LONGEST_SEARCH = 200


def add_item_routes(app: FastAPI, desk: LeadDesk) -> None:
    """Adds them to the app."""
    _add_items(app, desk)
    _add_pictures(app, desk)
    _add_decisions(app, desk)
    _add_batches(app, desk)


def _add_items(app: FastAPI, desk: LeadDesk) -> None:
    study = desk.study

    @app.get("/lead/items")
    def items(request: Request) -> Response:
        asked = request.query_params
        words = without_controls(asked.get("q", ""))[:_LONGEST_SEARCH]
        wanted = Wanted(asked.get("state", ""), asked.get("stage", ""), words)

        def looks(session: Session, lead: PersonRow, language: Language) -> dict[str, Any]:
            number = whole_number(asked.get("page", "1"))
            found, page = list_items(session, study, wanted, number)
            given = {"state": wanted.state, "stage": wanted.stage, "q": wanted.words}
            query = urlencode({name: value for name, value in given.items() if value})
            known = {"wanted": wanted, "states": STATES, "query": query}
            return {"items": found, "shown": page, **known}

        return desk.show(request, "lead_items.html", "items", looks)

    @app.get("/lead/item/{number}")
    def item(request: Request, number: int) -> Response:
        def looks(session: Session, lead: PersonRow, language: Language) -> dict[str, Any]:
            return {"item": item_page(session, study, lead, number, language)}

        return desk.show(request, "lead_item.html", "items", looks)


def _add_pictures(app: FastAPI, desk: LeadDesk) -> None:
    study = desk.study

    @app.get("/lead/media/{number}/{place}")
    def media(request: Request, number: int, place: int) -> Response:
        with study.database.read() as session:
            lead = desk.reception.lead(session, request).person
            row = find_item(session, number)
            files = shown_content(session, study, lead, row, "en").files
            if not 0 <= place < len(files):
                raise NotAllowed("no_file")
            found = session.get_one(MediaRow, files[place])
        return media_response(desk.reception, found)

    @app.get("/lead/upload/{number}/{question}")
    def upload(request: Request, number: int, question: str) -> Response:
        with study.database.read() as session:
            desk.reception.lead(session, request)
            found = sent_picture(session, study, _small(number), question)
        return media_response(desk.reception, found)


def _add_decisions(app: FastAPI, desk: LeadDesk) -> None:
    study = desk.study

    def about(number: int, session: Session, fields: Fields) -> tuple[int, str, str]:
        """The item that is decided about, its stage, and the page that shows it."""
        stage = last(fields, "stage")
        row = find_item(session, number)
        if study.study.stage(stage) is None:
            raise NotAllowed("no_stage")
        return row.id, stage, f"/lead/item/{row.id}#stage-{stage}"

    @app.post("/lead/item/{number}/settle")
    async def settle(request: Request, number: int) -> Response:
        def settled(session: Session, lead: PersonRow, fields: Fields) -> str:
            item, stage, address = about(number, session, fields)
            task = whole_number(last(fields, "task"))
            deciding.settle_by_lead(session, study, lead, item, stage, task)
            return address

        return await desk.act(request, settled)

    @app.post("/lead/item/{number}/discard")
    async def discard(request: Request, number: int) -> Response:
        def discarded(session: Session, lead: PersonRow, fields: Fields) -> str:
            item, stage, address = about(number, session, fields)
            deciding.discard_by_lead(session, study, lead, item, stage, last(fields, "reason"))
            return address

        return await desk.act(request, discarded)

    @app.post("/lead/item/{number}/reopen")
    async def reopen(request: Request, number: int) -> Response:
        def reopened(session: Session, lead: PersonRow, fields: Fields) -> str:
            item, stage, address = about(number, session, fields)
            deciding.reopen(session, study, lead, item, stage, last(fields, "note"))
            return address

        return await desk.act(request, reopened, answers=True)


def _add_batches(app: FastAPI, desk: LeadDesk) -> None:
    study = desk.study

    @app.get("/lead/batches")
    def batches(request: Request) -> Response:
        def looks(session: Session, lead: PersonRow, language: Language) -> dict[str, Any]:
            return {"batches": list_batches(session, study)}

        return desk.show(request, "lead_batches.html", "batches", looks)

    @app.get("/lead/batch/{number}")
    def batch(request: Request, number: int) -> Response:
        def looks(session: Session, lead: PersonRow, language: Language) -> dict[str, Any]:
            return {"found": batch_page(session, study, lead, number, language)}

        return desk.show(request, "lead_batch.html", "batches", looks)

    @app.post("/lead/batch/{number}/accept")
    async def accept(request: Request, number: int) -> Response:
        def accepted(session: Session, lead: PersonRow, fields: Fields) -> str:
            transitions.accept_batch(session, study, lead, _small(number))
            return "/lead/batches"

        return await desk.act(request, accepted)

    @app.post("/lead/batch/{number}/return")
    async def give_back(request: Request, number: int) -> Response:
        def returned(session: Session, lead: PersonRow, fields: Fields) -> str:
            items = [whole_number(one) for one in fields.get("item", ())]
            note = last(fields, "note")
            transitions.return_batch(session, study, lead, _small(number), note, items)
            return "/lead/batches"

        return await desk.act(request, returned, answers=True)


def _small(number: int) -> int:
    """A number as the database can hold it; nothing has the number 0."""
    return whole_number(str(number))
