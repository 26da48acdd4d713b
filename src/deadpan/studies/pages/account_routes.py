"""Pages to come in by: invitations, passwords, recruiting platforms, consent; and to leave by."""

from __future__ import annotations

import secrets
from contextlib import suppress

from fastapi import FastAPI, Request
from sqlalchemy import select
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from deadpan.core.questions import Language
from deadpan.studies.pages.request_context import (
    LANGUAGE,
    Fields,
    NotSignedIn,
    Reception,
    Visitor,
    last,
    local_address,
    redirect,
)
from deadpan.studies.pages.wording import said_in
from deadpan.studies.people import accounts, login_attempts
from deadpan.studies.people.recruits import arrive, outside_name, recruiting_of
from deadpan.studies.storage.opened import NotAllowed, OpenStudy, count
from deadpan.studies.storage.tables import PersonRow, TaskRow
from deadpan.web.guard import read_fields

_YEAR = 365 * 86_400


def add_account_routes(app: FastAPI, reception: Reception) -> None:
    """Adds them to the app."""
    _add_signing_in(app, reception)
    _add_joining(app, reception)
    _add_starting(app, reception)
    _add_staying(app, reception)


def _address(request: Request) -> str:
    return login_attempts.source_of(request.client.host) if request.client else ""


def _add_signing_in(app: FastAPI, reception: Reception) -> None:
    study = reception.study

    @app.get("/login")
    def login_page(request: Request) -> Response:
        with study.database.read() as session:
            study.catch_up(session)
        return reception.page("login.html", reception.reader(request), name="", error="")

    @app.post("/login")
    async def login(request: Request) -> Response:
        return await run_in_threadpool(_login, request, await read_fields(request))

    def _login(request: Request, fields: Fields) -> Response:
        name, address = last(fields, "name")[:200], _address(request)
        with study.database.write() as session:
            attempt = login_attempts.begin_attempt(session, study, name, address)
        with study.database.read() as session:
            person = accounts.check_password(session, name, last(fields, "password"))
        if person is None:
            reader = reception.reader(request)
            error = said_in(reader.language)("login_wrong")
            return reception.page("login.html", reader, 403, name=name, error=error)
        with study.database.write() as session:
            login_attempts.forgive(session, attempt)
            found = accounts.sign_in(session, study, person)
            study.note(session, person, "signed in")
        return reception.with_cookie(redirect(request, "/"), found)

    @app.post("/logout")
    async def logout(request: Request) -> Response:
        fields = await read_fields(request)

        def ended() -> None:
            with study.database.write() as session:
                reception.actor(session, request, fields)
                accounts.sign_out(session, request.cookies.get(reception.doors.cookie, ""))

        await run_in_threadpool(ended)
        response = redirect(request, "/login")
        response.delete_cookie(reception.doors.cookie, path="/", secure=reception.doors.is_secure)
        return response


def _add_joining(app: FastAPI, reception: Reception) -> None:
    study = reception.study

    @app.get("/join/{token}")
    def join_page(request: Request, token: str) -> Response:
        return _joining(request, token)

    def _invited(request: Request, token: str) -> PersonRow:
        # First the link: whatever others at the same address did, a valid one is let in.
        with study.database.read() as session, suppress(NotAllowed):
            study.catch_up(session)
            return accounts.invited(session, study, token)
        with study.database.write() as session:
            login_attempts.count_wrong_link(session, study, _address(request))
        raise NotAllowed("invitation_stale")

    def _joining(request: Request, token: str, error: str = "") -> Response:
        # Looking at a link claims nothing: mail programs and chats look at every link.
        person = _invited(request, token)
        facts = {"token": token, "name": person.name, "role": person.role}
        shortest = accounts.SHORTEST_PASSWORD
        reader = reception.reader(request)
        status = 422 if error else 200
        return reception.page("join.html", reader, status, **facts, shortest=shortest, error=error)

    @app.post("/join/{token}")
    async def join(request: Request, token: str) -> Response:
        return await run_in_threadpool(_join, request, token, await read_fields(request))

    def _join(request: Request, token: str, fields: Fields) -> Response:
        language = _language(reception, request, last(fields, "language"))
        if last(fields, "password") != last(fields, "again"):
            return _joining(request, token, said_in(language)("passwords_differ"))
        _invited(request, token)  # a password takes long to hash: not for everybody
        try:
            password = accounts.password_hash(last(fields, "password"))
        except NotAllowed as error:
            return _joining(request, token, error.words[language])
        with study.database.write() as session:
            person = accounts.claim(session, study, token, password, language)
            found = accounts.sign_in(session, study, person)
            place = _first_page(session, study, person)
        return reception.with_cookie(redirect(request, place or "/"), found)


def _first_page(session: Session, study: OpenStudy, person: PersonRow) -> str:
    """Where somebody goes who came in or agreed, before their first task: to the guidelines; empty
    where there are none, or something else comes first."""
    is_asked = study.study.consent is not None and person.consented_at is None
    if is_asked or person.role == "lead" or not study.study.has_guidelines:
        return ""
    begun = count(session, select(TaskRow.id).where(TaskRow.person == person.id))
    return "" if begun else "/guidelines?first"


def _add_starting(app: FastAPI, reception: Reception) -> None:
    study, cookie = reception.study, reception.doors.browser_cookie

    @app.get("/start")
    def start_page(request: Request) -> Response:
        with study.database.read() as session:
            study.catch_up(session)
            token = request.cookies.get(reception.doors.cookie, "")
            found = accounts.signed_in(session, study, token)
        recruiting = recruiting_of(study)
        known = (*recruiting.parameters, recruiting.person)
        given = {name: text[:200] for name, text in request.query_params.items() if name in known}
        # Somebody else may sit at the same machine: they do not go on with another's work.
        if found and (not given or found[0].outside == outside_name(study, given)):
            return redirect(request, "/work")
        reader = reception.reader(request)
        response = reception.page("start.html", reader, parameters=given, error="")
        return _remembered(request, response)

    def _remembered(request: Request, response: Response) -> Response:
        """The response with a name for the browser, unless it has one."""
        if not request.cookies.get(cookie):
            reception.set_cookie(response, cookie, secrets.token_urlsafe(32), _YEAR)
        return response

    @app.post("/start")
    async def start(request: Request) -> Response:
        return await run_in_threadpool(_start, request, await read_fields(request))

    def _start(request: Request, fields: Fields) -> Response:
        browser = request.cookies.get(cookie) or secrets.token_urlsafe(32)
        given = {name: values[-1] for name, values in fields.items()}
        with study.database.write() as session:
            login_attempts.count_start(session, study, _address(request))
        with study.database.write() as session:
            person = arrive(session, study, given, reception.language(request), browser)
            found = accounts.sign_in(session, study, person)
            place = _first_page(session, study, person)
        response = redirect(request, place or "/work")
        reception.set_cookie(response, cookie, browser, _YEAR)
        return reception.with_cookie(response, found)


def _language(reception: Reception, request: Request, given: str) -> Language:
    for language in reception.study.study.languages:
        if given == language:
            return language
    return reception.language(request)


def _add_staying(app: FastAPI, reception: Reception) -> None:
    study = reception.study

    @app.post("/language")
    async def choose_language(request: Request) -> Response:
        fields = await read_fields(request)
        language = _language(reception, request, last(fields, "language"))

        def chosen() -> None:
            with study.database.write() as session:
                person = reception.actor(session, request, fields)
                session.get_one(PersonRow, person.id).language = language

        if request.cookies.get(reception.doors.cookie):
            with suppress(NotSignedIn):  # then the cookie alone remembers it
                await run_in_threadpool(chosen)
        response = redirect(request, local_address(last(fields, "back")))
        reception.set_cookie(response, LANGUAGE, language, _YEAR)
        return response

    @app.get("/consent")
    def consent_page(request: Request) -> Response:
        with study.database.read() as session:
            visitor = reception.visitor(session, request)
        return reception.page("consent.html", reception.reader(request, visitor), error="")

    @app.post("/consent")
    async def consent(request: Request) -> Response:
        return await run_in_threadpool(_consent, request, await read_fields(request))

    def _consent(request: Request, fields: Fields) -> Response:
        with study.database.write() as session:
            person = reception.actor(session, request, fields)
            agreed = last(fields, "agree") == "yes"
            if agreed and person.consented_at is None:
                person.consented_at = study.now()
                study.note(session, person, "consented", version=study.version)
            place = _first_page(session, study, person)
        if not agreed:
            reader = reception.reader(request, Visitor(person, last(fields, "csrf")))
            error = said_in(reader.language)("consent_needed")
            return reception.page("consent.html", reader, 422, error=error)
        return redirect(request, place or "/")

    @app.get("/guidelines")
    def guidelines(request: Request) -> Response:
        with study.database.read() as session:
            visitor = reception.visitor(session, request)
        reader = reception.reader(request, visitor, "guidelines")
        is_first = "first" in request.query_params
        return reception.page("guidelines.html", reader, version=study.version, is_first=is_first)

    @app.post("/withdraw")
    async def withdraw(request: Request) -> Response:
        return await run_in_threadpool(_withdraw, request, await read_fields(request))

    def _withdraw(request: Request, fields: Fields) -> Response:
        with study.database.write() as session:
            person = reception.actor(session, request, fields)
            accounts.withdraw(session, study, person, last(fields, "answers") == "leave_out")
        # Nobody is signed in any more; they read on in their language.
        reader = reception.reader(request, language=reception.language(request, person))
        t = said_in(reader.language)
        title, text = t("withdrew"), t("withdrew_text")
        response = reception.page("message.html", reader, title=title, text=text, action=None)
        response.delete_cookie(reception.doors.cookie, path="/", secure=reception.doors.is_secure)
        return response
