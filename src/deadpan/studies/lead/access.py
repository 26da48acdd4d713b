"""What all of a lead's routes have in common: only a lead may ask, and what is changed is seen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from anyio import CapacityLimiter
from fastapi import Request
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from deadpan.core.questions import Language
from deadpan.studies.lead.dashboard import Dashboards
from deadpan.studies.pages.request_context import Fields, Reception, Visitor, last, redirect
from deadpan.studies.storage.opened import NotAllowed, OpenStudy
from deadpan.studies.storage.tables import PersonRow
from deadpan.web.guard import read_fields

Looks = Callable[[Session, PersonRow, Language], dict[str, Any]]
"""What a page shows, from what a lead may see."""
Deed = Callable[[Session, PersonRow, Fields], str]
"""Something that a lead changes; the address of the page that shows it."""
_MOST_DIGITS = 9


@dataclass(frozen=True)
class LeadDesk:
    """Where leads are served."""

    reception: Reception
    dashboards: Dashboards
    exports: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(1))
    looks: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(2))
    """Threads of their own for what takes long: raters do not wait for it."""

    @property
    def study(self) -> OpenStudy:
        return self.reception.study

    def show(self, request: Request, template: str, here: str, looks: Looks) -> Response:
        """A page for a lead."""
        with self.study.database.read() as session:
            visitor = self.reception.lead(session, request)
            language = self.reception.language(request, visitor.person)
            facts = looks(session, visitor.person, language)
        return self.page(request, visitor, template, here, **facts)

    def page(
        self,
        request: Request,
        visitor: Visitor,
        template: str,
        here: str,
        status: int = 200,
        **facts: Any,
    ) -> Response:
        """A page for a lead who is known."""
        reader = self.reception.reader(request, visitor, here)
        return self.reception.page(template, reader, status, **facts)

    async def act(self, request: Request, deed: Deed, answers: bool = False) -> Response:
        """Does what a form of a lead's asks for, and goes on to the page that shows it. `answers`
        where others count afterwards than before."""
        fields = await read_fields(request)

        def done() -> str:
            with self.study.database.write() as session:
                lead = self.reception.lead_actor(session, request, fields)
                address = deed(session, lead, fields)
            self.dashboards.forget(answers)
            return address

        return redirect(request, await run_in_threadpool(done))


def whole_number(text: str) -> int:
    """The number that a field or an address holds; 0 where it is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS else 0


def person_of(session: Session, fields: Fields) -> PersonRow:
    """The person whom a form is about, held until the session ends; nobody raises."""
    number = whole_number(last(fields, "person"))
    found = session.get(PersonRow, number, with_for_update=True)
    if found is None:
        raise NotAllowed("no_person")
    return found
