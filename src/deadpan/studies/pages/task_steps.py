"""The steps of a task: submitted, taken back, skipped, reviewed, talked over."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace

from fastapi import FastAPI, Request
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from deadpan.studies.pages.request_context import (
    Fields,
    Reception,
    Visitor,
    is_fragment,
    last,
    redirect,
)
from deadpan.studies.pages.task_routes import request_key, show_next, show_task
from deadpan.studies.storage.opened import OpenStudy
from deadpan.studies.storage.tables import PersonRow, TaskRow
from deadpan.studies.work import answering, discussing, transitions
from deadpan.studies.work.adjudicating import decide
from deadpan.studies.work.assignment import next_task
from deadpan.studies.work.revisions import require_as_seen, task_before
from deadpan.studies.work.shown import is_stale
from deadpan.web.guard import CSRF, read_fields

_POINT = re.compile(r"[0-9]{1,3}")


@dataclass(frozen=True)
class Step:
    """What somebody asks for with a form of their task."""

    reception: Reception
    request: Request
    session: Session
    visitor: Visitor
    task: TaskRow
    fields: Fields

    @property
    def study(self) -> OpenStudy:
        return self.reception.study

    @property
    def person(self) -> PersonRow:
        return self.visitor.person

    @property
    def key(self) -> str:
        return request_key(self.fields)

    def require_as_seen(self) -> None:
        """Raises where the page shows the task as open, and it is done by now."""
        require_as_seen(self.session, self.task, last(self.fields, "seen"))

    def show(self, task: TaskRow, missing: list[str] | None = None) -> Response:
        """The page of a task."""
        page = (self.reception, self.session, self.request, self.visitor, task)
        return show_task(*page, missing or ())


Take = Callable[[Step], Response | None]
"""Takes a step; a response where it is neither the task's own page nor what comes next."""


def _stale(step: Step) -> Response | None:
    """The answers as they are, where the page showed others; None where it did not."""
    if not is_stale(step.session, step.study, step.task, step.fields.get("shown", ())):
        return None
    page = (step.reception, step.session, step.request, step.visitor, step.task)
    return show_task(*page, is_stale=True)


def _submit(step: Step) -> Response | None:
    if (response := _stale(step)) is not None:
        return response
    if missing := transitions.submit(step.session, step.study, step.person, step.task):
        return step.show(step.task, missing)
    practice = step.study.study.practice
    if step.task.kind == "practice" and not (practice and practice.by_person):
        return step.show(step.task)
    return None


def _undo(step: Step) -> Response | None:
    token = step.task.token
    step.require_as_seen()
    undone = answering.undo(step.session, step.study, step.person, token, step.key)
    step.session.flush()
    before = task_before(step.session, step.task) if step.task.kind == "answer" else None
    return step.show(before) if undone is None and before is not None else None


def _skip(step: Step) -> None:
    reason = last(step.fields, "reason")
    answering.skip(step.session, step.study, step.person, step.task.token, reason)


def _review(step: Step) -> None:
    points = [int(one) for one in step.fields.get("point", ()) if _POINT.fullmatch(one)]
    accepts = last(step.fields, "decision") == "accept"
    comment = last(step.fields, "comment")
    decide(step.session, step.study, step.person, step.task, points, comment, accepts)


def _say(step: Step) -> None:
    words = last(step.fields, "text")
    discussing.say(step.session, step.study, step.person, step.task, words, step.key)
    step.session.flush()


def _adopt(step: Step) -> None:
    name, whose = last(step.fields, "question"), last(step.fields, "whose")
    step.require_as_seen()
    discussing.adopt(step.session, step.study, step.task, name, step.key, whose)
    step.session.flush()


def _disagree(step: Step) -> Response | None:
    if (response := _stale(step)) is not None:
        return response
    discussing.cannot_agree(step.session, step.study, step.person, step.task)
    return None


_ENDING: Mapping[str, Take] = {
    "submit": _submit,
    "skip": _skip,
    "review": _review,
    "disagree": _disagree,
}
"""Steps after which the next task is shown."""
_STAYING: Mapping[str, Take] = {"undo": _undo, "say": _say, "adopt": _adopt}


def add_task_steps(app: FastAPI, reception: Reception) -> None:
    """Adds them to the app."""
    for steps, goes_on in ((_ENDING, True), (_STAYING, False)):
        for name, take in steps.items():
            app.post(f"/t/{{token}}/{name}")(_route(reception, take, goes_on))


def _route(
    reception: Reception, take: Take, goes_on: bool
) -> Callable[[Request, str], Awaitable[Response]]:
    async def route(request: Request, token: str) -> Response:
        fields = await read_fields(request)
        return await run_in_threadpool(_taken, reception, request, token, fields, take, goes_on)

    return route


def _taken(
    reception: Reception, request: Request, token: str, fields: Fields, take: Take, goes_on: bool
) -> Response:
    """What is shown after a step: the task again, or what comes next."""
    study = reception.study
    with study.database.write() as session:
        person = reception.actor(session, request, fields)
        task = answering.find_task(session, person, token)
        visitor = Visitor(person, last(fields, CSRF) or request.headers.get("x-csrf", ""))
        step = Step(reception, request, session, visitor, task, fields)
        if (response := take(step)) is not None:
            return response
        if not is_fragment(request):
            return redirect(request, "/work" if goes_on else f"/t/{token}")
        if not goes_on:
            return step.show(task)
    # What was done is kept by now. In one go with it, somebody who holds one item would wait for
    # another, whose holder may wait for the first.
    with study.database.write() as session:
        again = replace(visitor, person=session.get_one(PersonRow, visitor.person.id))
        found = next_task(session, study, again.person, reception.queues)
        return show_next(reception, session, request, again, found)
