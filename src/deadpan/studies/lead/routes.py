"""The pages of a lead: the study at a glance, and who takes part."""

from __future__ import annotations

from typing import Any

from anyio import to_thread
from fastapi import FastAPI, Request
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from deadpan.core.questions import Language
from deadpan.core.study.stages import ROLES
from deadpan.studies.lead import deciding
from deadpan.studies.lead.access import LeadDesk, person_of, whole_number
from deadpan.studies.lead.charts import day_chart, segments
from deadpan.studies.lead.dashboard import Dashboards
from deadpan.studies.lead.item_routes import add_item_routes
from deadpan.studies.lead.study_routes import add_study_routes
from deadpan.studies.pages.rendering import LANGUAGE_NAMES
from deadpan.studies.pages.request_context import Fields, Reception, Visitor, last, redirect
from deadpan.studies.people import accounts
from deadpan.studies.people.names import plain_name
from deadpan.studies.results.export_files import FORMATS
from deadpan.studies.storage.opened import NotAllowed
from deadpan.studies.storage.tables import PersonRow
from deadpan.web.guard import CSRF, read_fields


def add_lead_routes(app: FastAPI, reception: Reception) -> None:
    """Adds them to the app."""
    desk = LeadDesk(reception, Dashboards(reception.study))
    _add_dashboard(app, desk)
    _add_people(app, desk)
    _add_invitations(app, desk)
    add_item_routes(app, desk)
    add_study_routes(app, desk)


def _add_dashboard(app: FastAPI, desk: LeadDesk) -> None:
    @app.get("/lead")
    async def dashboard(request: Request) -> Response:
        return await to_thread.run_sync(shown, request, limiter=desk.looks)

    def shown(request: Request) -> Response:
        def looks(session: Session, lead: PersonRow, language: Language) -> dict[str, Any]:
            found = desk.dashboards.now()
            bars = {stage.name: segments(stage.states) for stage in found.stages}
            chart = day_chart(found.days)
            return {"board": found, "bars": bars, "chart": chart, "forms": FORMATS}

        return desk.show(request, "lead.html", "lead", looks)


def _people_facts(desk: LeadDesk) -> dict[str, Any]:
    """What the page of people shows, but for a new link and for what went wrong."""
    return {
        "people": desk.dashboards.now().people,
        "roles": ROLES,
        "link": None,
        "refused": None,
        "now": desk.study.now(),
    }


def _add_people(app: FastAPI, desk: LeadDesk) -> None:
    study = desk.study

    @app.get("/lead/people")
    def people(request: Request) -> Response:
        def looks(session: Session, lead: PersonRow, language: Language) -> dict[str, Any]:
            return _people_facts(desk)

        return desk.show(request, "lead_people.html", "people", looks)

    @app.post("/lead/revoke")
    async def revoke(request: Request) -> Response:
        def revoked(session: Session, lead: PersonRow, fields: Fields) -> str:
            person = _another(session, lead, fields)
            left_out = last(fields, "answers") == "leave_out"
            accounts.revoke(session, study, person, lead, left_out)
            return f"/lead/people#person-{person.id}"

        return await desk.act(request, revoked, answers=True)

    @app.post("/lead/pass")
    async def let_pass(request: Request) -> Response:
        def passed(session: Session, lead: PersonRow, fields: Fields) -> str:
            person = person_of(session, fields)
            deciding.let_pass(session, study, lead, person)
            is_there = last(fields, "back") == "people"
            return f"/lead/people#person-{person.id}" if is_there else "/lead"

        return await desk.act(request, passed)


def _another(session: Session, lead: PersonRow, fields: Fields) -> PersonRow:
    """The person whom a form is about, who is not the lead that sent it."""
    person = person_of(session, fields)
    if person.id == lead.id:
        raise NotAllowed("shuts_you_out")
    return person


def _add_invitations(app: FastAPI, desk: LeadDesk) -> None:
    study, reception = desk.study, desk.reception

    @app.get("/lead/invite")
    @app.get("/lead/reissue")
    def after_inviting(request: Request) -> Response:
        with study.database.read() as session:
            reception.lead(session, request)
        return redirect(request, "/lead/people")

    @app.post("/lead/invite")
    async def invite(request: Request) -> Response:
        return await run_in_threadpool(_invite, request, await read_fields(request))

    def _invite(request: Request, fields: Fields) -> Response:
        name, team = last(fields, "name"), whole_number(last(fields, "team")) or None
        languages = [one for one in LANGUAGE_NAMES if one in fields.get("languages", ())]
        role = next((one for one in ROLES if one == last(fields, "role")), ROLES[0])
        with study.database.write() as session:
            lead = reception.lead_actor(session, request, fields)
            try:
                token = accounts.invite(session, study, name, role, team, languages, lead)
            except NotAllowed as error:
                why = error.words[reception.language(request, lead)]
                return _shown(request, lead, fields, refused=(plain_name(name), why))
        return _shown(request, lead, fields, link=(plain_name(name), _address(request, token)))

    @app.post("/lead/reissue")
    async def reissue(request: Request) -> Response:
        return await run_in_threadpool(_reissue, request, await read_fields(request))

    def _reissue(request: Request, fields: Fields) -> Response:
        with study.database.write() as session:
            lead = reception.lead_actor(session, request, fields)
            person = _another(session, lead, fields)
            was_left_out = person.left_out
            token = accounts.reissue(session, study, person, lead)
        link = (person.name, _address(request, token))
        return _shown(request, lead, fields, answers=was_left_out, link=link)

    def _address(request: Request, token: str) -> str:
        return f"{reception.doors.url or str(request.base_url).rstrip('/')}/join/{token}"

    def _shown(
        request: Request, lead: PersonRow, fields: Fields, answers: bool = False, **facts: Any
    ) -> Response:
        """The page of people after one was invited: the link is on no other page."""
        desk.dashboards.forget(answers)
        visitor = Visitor(lead, last(fields, CSRF))
        reader = reception.reader(request, visitor, "people", back="/lead/people")
        known = _people_facts(desk) | facts
        status = 200 if known["refused"] is None else 422
        return reception.page("lead_people.html", reader, status, **known)
