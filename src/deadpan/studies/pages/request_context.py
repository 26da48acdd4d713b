"""Who asks for a page of a study: the host and page a request comes from, the session behind its
cookie, the language it is answered in."""

from __future__ import annotations

import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote, urlsplit

from fastapi import Request
from sqlalchemy.orm import Session
from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import Scope

from deadpan.base.errors import DeadpanError
from deadpan.core.questions import Language
from deadpan.studies.models.adviser import Adviser
from deadpan.studies.pages.rendering import Reader, Render
from deadpan.studies.people.accounts import SIGNED_IN_SECONDS, SignedIn, signed_in
from deadpan.studies.storage.opened import NotAllowed, OpenStudy
from deadpan.studies.storage.tables import PersonRow
from deadpan.studies.work.assignment import Queues
from deadpan.web.guard import CSRF, ELSEWHERE, WRONG_HOST, changes, is_own_page

LANGUAGE = "deadpan_language"
Fields = Mapping[str, Sequence[str]]


class NotSignedIn(DeadpanError):
    """Nobody is signed in in this browser."""


@dataclass(frozen=True)
class Doors:
    """Under which addresses a study is served: those of this machine, and the public one."""

    port: int
    hosts: frozenset[str]
    url: str = ""
    """Where people reach it, such as https://study.example.org."""

    @property
    def origins(self) -> frozenset[str]:
        """What a browser says of pages of the study."""
        own = {f"http://{host}:{self.port}" for host in self.hosts}
        public = urlsplit(self.url)
        return frozenset(own | ({f"{public.scheme}://{public.netloc}"} if self.url else set()))

    @property
    def is_secure(self) -> bool:
        """Whether people come by TLS."""
        return self.url.startswith("https://")

    @property
    def cookie(self) -> str:
        """The name of the cookie; two studies on one machine must not take each other's."""
        name = f"deadpan_study_{self.port}"
        return f"__Host-{name}" if self.is_secure else name

    @property
    def browser_cookie(self) -> str:
        """The name of the cookie by which a browser is known again that began by the open link."""
        return f"{self.cookie}_browser"

    def refuse(self, scope: Scope) -> Response | None:
        """What is answered to a request that is not for us, or from a page that is not ours."""
        headers = Headers(scope=scope)
        origin = f"http://{headers.get('host', '')}"
        secured = f"https://{headers.get('host', '')}"
        if origin not in self.origins and secured not in self.origins:
            return PlainTextResponse(WRONG_HOST, 421)
        if changes(scope) and not is_own_page(headers, self.origins):
            return PlainTextResponse(ELSEWHERE, 403)
        return None


@dataclass(frozen=True)
class Visitor:
    """Somebody who is signed in."""

    person: PersonRow
    csrf: str


@dataclass(frozen=True)
class Reception:
    """What every route needs: the study, its pages, and who asks."""

    study: OpenStudy
    doors: Doors
    render: Render
    queues: Queues
    adviser: Adviser | None = None
    """The model that gives second opinions, where there is one."""

    def visitor(self, session: Session, request: Request) -> Visitor:
        """Who asks, of the study as it is now; nobody raises."""
        self.study.catch_up(session)
        token = request.cookies.get(self.doors.cookie, "")
        found = signed_in(session, self.study, token)
        if found is None:
            raise NotSignedIn("log in first")
        return Visitor(*found)

    def actor(self, session: Session, request: Request, fields: Fields) -> PersonRow:
        """Who asks to change something, by a form of a page of theirs; others raise."""
        visitor = self.visitor(session, request)
        given = (fields.get(CSRF) or [request.headers.get("x-csrf", "")])[-1]
        if not hmac.compare_digest(given.encode(), visitor.csrf.encode()):
            raise NotAllowed("form_old")
        return visitor.person

    def lead(self, session: Session, request: Request) -> Visitor:
        """A lead who asks; anybody else raises as if there were nothing."""
        visitor = self.visitor(session, request)
        if visitor.person.role != "lead":
            raise NotAllowed("no_page")
        return visitor

    def lead_actor(self, session: Session, request: Request, fields: Fields) -> PersonRow:
        """A lead who asks to change something; anybody else raises as if there were nothing."""
        self.lead(session, request)
        return self.actor(session, request, fields)

    def language(self, request: Request, person: PersonRow | None = None) -> Language:
        """In which language somebody is answered: their own choice, else their browser's."""
        known = self.study.study.languages
        wanted = [
            person.language if person else "",
            request.cookies.get(LANGUAGE, ""),
            *request.headers.get("accept-language", "").split(","),
        ]
        for one in wanted:
            for language in known:
                if one.strip().lower().startswith(language):
                    return language
        return known[0]

    def reader(
        self, request: Request, visitor: Visitor | None = None, here: str = "", **more: Any
    ) -> Reader:
        """For whom a page is made."""
        person = visitor.person if visitor else None
        path = request.url.path if request.method == "GET" else "/"
        found = Reader(
            language=self.language(request, person),
            csrf=visitor.csrf if visitor else "",
            name=person.name if person else "",
            role=person.role if person else None,  # type: ignore[arg-type]
            here=here,
            back=path,
        )
        return replace(found, **more)

    def page(self, template: str, reader: Reader, status: int = 200, **facts: Any) -> HTMLResponse:
        """A page. It is about the study as it is now: a lead may have changed its guidelines."""
        known = {"study": self.study.study} | facts
        return HTMLResponse(self.render(template, reader, **known), status)

    def with_cookie(self, response: Response, found: SignedIn) -> Response:
        """The response with the session's cookie."""
        self.set_cookie(response, self.doors.cookie, found.token, SIGNED_IN_SECONDS)
        return response

    def set_cookie(self, response: Response, name: str, value: str, seconds: int) -> None:
        """Gives the browser a cookie, which no script can read and no other site makes use of."""
        response.set_cookie(
            name,
            value,
            max_age=seconds,
            httponly=True,
            samesite="lax",
            secure=self.doors.is_secure,
            path="/",
        )


def is_fragment(request: Request) -> bool:
    """Whether the page's script asks, and puts the answer into the page itself."""
    return request.headers.get("hx-request") == "true"


def redirect(request: Request, address: str) -> Response:
    """To another page."""
    if is_fragment(request):
        # Only characters that may stand in a header.
        return Response(status_code=204, headers={"HX-Redirect": quote(address, safe="/?=&%-_~.")})
    return RedirectResponse(address, 303)


def local_address(address: str) -> str:
    """The address of a page of ours; the first page where it is another."""
    parts = urlsplit(address)
    plain = parts.path.startswith("/") and not parts.path.startswith(("//", "/\\"))
    return parts.path if plain and not parts.scheme and not parts.netloc else "/"


def last(fields: Fields, name: str) -> str:
    """The last value of a field; empty where there is none."""
    return (fields.get(name) or [""])[-1]
