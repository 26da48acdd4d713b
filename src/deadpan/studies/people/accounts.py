"""Who takes part: invitations, passwords, sessions.

Of invitations, sessions and passwords only hashes are kept. A link alone changes nothing: it is
claimed by a form, once.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
from collections.abc import Sequence
from dataclasses import dataclass

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from deadpan.base.errors import DeadpanError
from deadpan.core.questions import Language
from deadpan.core.study.stages import ROLES, Role
from deadpan.studies.people.names import new_name, plain_name
from deadpan.studies.storage.opened import CLOSED, CLOSED_NOW, NotAllowed, OpenStudy
from deadpan.studies.storage.tables import PersonRow, ProgressRow, SessionRow, TaskRow
from deadpan.studies.work.answering import release_claim
from deadpan.studies.work.leaving_out import count_again, leave_out
from deadpan.studies.work.transitions import lock_progress, tasks_of

SHORTEST_PASSWORD, LONGEST_PASSWORD = 10, 200
INVITED_SECONDS = 30 * 86_400
SIGNED_IN_SECONDS = 14 * 86_400
_HASHING = threading.BoundedSemaphore(4)
"""Passwords take 64 MB each to hash: more at once would let anybody fill the memory."""
_HASHER = PasswordHasher()
_NOBODY = _HASHER.hash(secrets.token_hex())
"""What a password is held against where there is nobody of that name: as long as with one."""


def hashed(text: str) -> str:
    """What is kept of a token: nobody can make the token of it."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


@dataclass(frozen=True)
class SignedIn:
    """A browser's session: its token goes into a cookie, `csrf` into the forms of its pages."""

    token: str
    csrf: str


def invite(
    session: Session,
    study: OpenStudy,
    name: str,
    role: Role = "rater",
    team: int | None = None,
    languages: Sequence[Language] = (),
    by: PersonRow | None = None,
) -> str:
    """The token of a new person's invitation. A name that is taken raises, or that hides
    something."""
    named = new_name(session, name)
    if role not in ROLES:
        raise DeadpanError(f"role: expected one of {', '.join(ROLES)}")
    if team is not None and not 1 <= team <= study.study.teams:
        raise DeadpanError(f"team: expected 1 to {study.study.teams}")
    token = secrets.token_urlsafe(32)
    person = PersonRow(
        name=named,
        role=role,
        team=team if role == "rater" else None,
        languages=list(languages),
        language=study.study.languages[0],
        invitation=hashed(token),
        parameters={},
        code="",
        invited_at=study.now(),
    )
    if role == "rater" and team is None:
        person.team = smallest_team(session, study)
    session.add(person)
    session.flush()
    study.note(session, by, "invited", who=person.id, role=role)
    return token


def smallest_team(session: Session, study: OpenStudy) -> int | None:
    """The team with the fewest people; None where there are no teams."""
    if study.study.teams == 1:
        return None
    query = select(PersonRow.team, func.count()).where(PersonRow.role == "rater")
    sizes = {row[0]: row[1] for row in session.execute(query.group_by(PersonRow.team))}
    return min(range(1, study.study.teams + 1), key=lambda team: sizes.get(team, 0))


def invited(session: Session, study: OpenStudy, token: str) -> PersonRow:
    """Who is invited by a token; one that is unknown, used, old or taken back raises."""
    query = select(PersonRow).where(PersonRow.invitation == hashed(token))
    person = session.scalars(query).first()
    if person is None or person.revoked_at is not None or person.joined_at is not None:
        raise NotAllowed("invitation_stale")
    if study.now() > person.invited_at + INVITED_SECONDS:
        raise NotAllowed("invitation_old")
    return person


def password_hash(password: str) -> str:
    """What is kept of a password; one that is too short or too long raises."""
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        bounds = {"shortest": SHORTEST_PASSWORD, "longest": LONGEST_PASSWORD}
        raise NotAllowed("password_length", **bounds)
    with _HASHING:
        return _HASHER.hash(password)


def claim(
    session: Session, study: OpenStudy, token: str, password: str, language: Language
) -> PersonRow:
    """Takes up an invitation, which is worth nothing afterwards; `password` is its hash."""
    person = invited(session, study, token)
    person = session.get_one(PersonRow, person.id, with_for_update=True, populate_existing=True)
    if person.invitation != hashed(token) or person.joined_at is not None:
        raise NotAllowed("invitation_stale")
    person.password, person.invitation = password, None
    person.joined_at, person.language = study.now(), language
    study.note(session, person, "joined")
    return person


def reissue(session: Session, study: OpenStudy, person: PersonRow, by: PersonRow | None) -> str:
    """A new invitation for somebody who lost theirs, or their password, or was shut out; they are
    signed out, what they answered counts, and what they had begun is theirs again where nobody else
    has it. Who withdrew is not invited again, and raises."""
    if person.withdrew_at is not None:
        raise NotAllowed("withdrew", name=person.name)
    token = secrets.token_urlsafe(32)
    person.invitation, person.invited_at = hashed(token), study.now()
    if person.revoked_at is not None:
        _take_up_again(session, study, person, person.revoked_at)
    person.password, person.joined_at, person.revoked_at = None, None, None
    if person.left_out:
        person.left_out = False
        count_again(session, study, person)
    session.execute(delete(SessionRow).where(SessionRow.person == person.id))
    study.note(session, by, "invited again", who=person.id)
    return token


def revoke(
    session: Session,
    study: OpenStudy,
    person: PersonRow,
    by: PersonRow | None,
    left_out: bool = False,
) -> None:
    """Shuts somebody out, or takes back their invitation; others get what they had begun. What they
    answered stays, unless it is to be left out: then others get what lacks people by that. Who
    withdrew has said so themselves, and raises."""
    if person.withdrew_at is not None:
        raise NotAllowed("withdrew_already", name=person.name)
    person.revoked_at, person.invitation = person.revoked_at or study.now(), None
    person.left_out = person.left_out or left_out
    _let_go(session, study, person)
    if person.left_out:
        leave_out(session, study, person)
    study.note(session, by, "revoked", who=person.id, left_out=person.left_out)


def withdraw(session: Session, study: OpenStudy, person: PersonRow, left_out: bool) -> None:
    """Somebody wants to take no further part, with what they answered left out or not; others get
    what they had begun, and what lacks people by that."""
    person.withdrew_at, person.left_out = study.now(), left_out
    _let_go(session, study, person)
    if left_out:
        leave_out(session, study, person)
    study.note(session, person, "withdrew", left_out=left_out)


def _let_go(session: Session, study: OpenStudy, person: PersonRow) -> None:
    """Ends the sessions of somebody who is gone, and lets others have their open tasks; practice is
    nobody else's."""
    own = select(TaskRow).where(TaskRow.person == person.id, TaskRow.state == "open")
    given = own.where(TaskRow.kind != "practice").order_by(TaskRow.item, TaskRow.id)
    for task in session.scalars(given).all():
        task.state, task.ended_at = "released", study.now()
        if task.kind == "answer":
            release_claim(session, task)
    session.execute(delete(SessionRow).where(SessionRow.person == person.id))


def _take_up_again(session: Session, study: OpenStudy, person: PersonRow, since: float) -> None:
    """Gives somebody what they had open when they were shut out, as far as it still waits for an
    answer of theirs."""
    lost = select(TaskRow).where(TaskRow.person == person.id, TaskRow.state == "released")
    begun = lost.where(TaskRow.ended_at >= since).order_by(TaskRow.item, TaskRow.id)
    for task in session.scalars(begun).all():
        progress = lock_progress(session, task.item, task.stage)
        if not _waits(session, study, task, progress):
            continue
        task.state = "open"
        if task.kind == "answer" and progress is not None:
            progress.claims += 1
        session.flush()


def _waits(session: Session, study: OpenStudy, task: TaskRow, progress: ProgressRow | None) -> bool:
    """Whether a task that somebody lost still lacks them; a review is begun anew by anybody."""
    stage = study.study.stage(task.stage)
    if progress is None or stage is None:
        return progress is None and stage is not None  # a hidden check, which has no progress
    if task.kind == "answer":
        is_wanted = stage.people is None or progress.claims < stage.people
        return progress.state == "open" and is_wanted
    if task.kind == "third":
        return progress.state == "third" and not tasks_of(
            session, task.item, stage, "third", done=False
        )
    return task.kind == "discuss" and progress.state == "discussing"


def sign_in(session: Session, study: OpenStudy, person: PersonRow) -> SignedIn:
    """A new session; older ones that ended are cleared away."""
    found = SignedIn(secrets.token_urlsafe(32), secrets.token_urlsafe(24))
    now = study.now()
    session.execute(delete(SessionRow).where(SessionRow.ends_at < now))
    session.add(
        SessionRow(
            token=hashed(found.token),
            person=person.id,
            csrf=found.csrf,
            began_at=now,
            ends_at=now + SIGNED_IN_SECONDS,
        )
    )
    return found


def signed_in(session: Session, study: OpenStudy, token: str) -> tuple[PersonRow, str] | None:
    """Whose session a cookie is, and what its forms carry; None for nobody's."""
    if not token:
        return None
    both = select(PersonRow, SessionRow.csrf, CLOSED_NOW)  # every request asks for the latter, too
    query = both.join(SessionRow, SessionRow.person == PersonRow.id)
    found = session.execute(
        query.where(SessionRow.token == hashed(token), SessionRow.ends_at >= study.now())
    ).first()
    if found is None or found[0].revoked_at is not None or found[0].withdrew_at is not None:
        return None
    session.info[CLOSED] = found[2]
    return found[0], found[1]


def sign_out(session: Session, token: str) -> None:
    """Ends a session."""
    session.execute(delete(SessionRow).where(SessionRow.token == hashed(token)))


def check_password(session: Session, name: str, password: str) -> PersonRow | None:
    """Who has that name and password; it takes as long where nobody has."""
    query = select(PersonRow).where(PersonRow.name == plain_name(name))
    person = session.scalars(query).first()
    known = person.password if person is not None and person.password else _NOBODY
    try:
        with _HASHING:
            _HASHER.verify(known, password[:LONGEST_PASSWORD])
    except (VerificationError, InvalidHashError):
        return None
    if person is None or not person.password:
        return None
    return None if person.revoked_at or person.withdrew_at else person
