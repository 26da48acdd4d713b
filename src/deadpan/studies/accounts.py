"""Who takes part: invitations, passwords, sessions, and those whom a recruiting platform sends.

Of invitations, sessions and passwords only hashes are kept. A link alone changes nothing: it is
claimed by a form, once. Failed attempts are counted by name and by address.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from deadpan.base.errors import DeadpanError
from deadpan.base.printable import without_controls
from deadpan.core.questions import Language
from deadpan.core.study.specification import ROLES, Role
from deadpan.studies.opened import NotAllowed, OpenStudy
from deadpan.studies.tables import AttemptRow, PersonRow, SessionRow, TaskRow

SHORTEST_PASSWORD, LONGEST_PASSWORD = 10, 200
INVITED_SECONDS = 30 * 86_400
SIGNED_IN_SECONDS = 14 * 86_400
WINDOW_SECONDS = 900
_BORNE = {"both": 10, "address": 40, "name": 100}
"""How many failures are borne in that time: of a name from an address, from an address, of a name:
nobody can shut another out with a few."""
_HASHER = PasswordHasher()
_NOBODY = _HASHER.hash(secrets.token_hex())
"""What a password is held against where there is nobody of that name: as long as with one."""


class TooManyAttempts(NotAllowed):
    """Somebody has to wait."""


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
    """The token of a new person's invitation. A name that is taken raises."""
    named = " ".join(without_controls(name).split())
    if not 1 <= len(named) <= 80:
        raise DeadpanError("name: expected 1 to 80 characters")
    if role not in ROLES:
        raise DeadpanError(f"role: expected one of {', '.join(ROLES)}")
    if team is not None and not 1 <= team <= study.study.teams:
        raise DeadpanError(f"team: expected 1 to {study.study.teams}")
    if session.scalar(select(PersonRow.id).where(PersonRow.name == named)) is not None:
        raise DeadpanError(f"name: {named} is invited already")
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
    if role == "rater" and team is None and study.study.teams > 1:
        person.team = _smallest_team(session, study)
    session.add(person)
    session.flush()
    study.note(session, by, "invited", who=person.id, role=role)
    return token


def _smallest_team(session: Session, study: OpenStudy) -> int:
    query = select(PersonRow.team, func.count()).where(PersonRow.role == "rater")
    sizes = {row[0]: row[1] for row in session.execute(query.group_by(PersonRow.team))}
    return min(range(1, study.study.teams + 1), key=lambda team: sizes.get(team, 0))


def invited(session: Session, study: OpenStudy, token: str) -> PersonRow:
    """Who is invited by a token; one that is unknown, used, old or taken back raises."""
    query = select(PersonRow).where(PersonRow.invitation == hashed(token))
    person = session.scalars(query).first()
    if person is None or person.revoked_at is not None or person.joined_at is not None:
        raise NotAllowed("this invitation is not valid any more", "此邀请已失效")
    if study.now() > person.invited_at + INVITED_SECONDS:
        raise NotAllowed("this invitation is too old", "此邀请已过期")
    return person


def password_hash(password: str) -> str:
    """What is kept of a password; one that is too short or too long raises."""
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        expected = f"{SHORTEST_PASSWORD} to {LONGEST_PASSWORD}"
        raise NotAllowed(
            f"expected a password of {expected} characters",
            f"密码须为 {SHORTEST_PASSWORD} 至 {LONGEST_PASSWORD} 个字符",
        )
    return _HASHER.hash(password)


def claim(
    session: Session, study: OpenStudy, token: str, password: str, language: Language
) -> PersonRow:
    """Takes up an invitation, which is worth nothing afterwards; `password` is its hash."""
    person = invited(session, study, token)
    person = session.get_one(PersonRow, person.id, with_for_update=True, populate_existing=True)
    if person.joined_at is not None:
        raise NotAllowed("this invitation is not valid any more", "此邀请已失效")
    person.password, person.invitation = password, None
    person.joined_at, person.language = study.now(), language
    study.note(session, person, "joined")
    return person


def reissue(session: Session, study: OpenStudy, person: PersonRow, by: PersonRow | None) -> str:
    """A new invitation for somebody who lost theirs, or their password; they are signed out."""
    token = secrets.token_urlsafe(32)
    person.invitation, person.invited_at = hashed(token), study.now()
    person.password, person.joined_at, person.revoked_at = None, None, None
    session.execute(delete(SessionRow).where(SessionRow.person == person.id))
    study.note(session, by, "invited again", who=person.id)
    return token


def revoke(session: Session, study: OpenStudy, person: PersonRow, by: PersonRow | None) -> None:
    """Shuts somebody out; what they answered stays."""
    person.revoked_at, person.invitation = study.now(), None
    session.execute(delete(SessionRow).where(SessionRow.person == person.id))
    study.note(session, by, "revoked", who=person.id)


def withdraw(session: Session, study: OpenStudy, person: PersonRow, left_out: bool) -> None:
    """Somebody wants to take no further part, with what they answered left out or not."""
    person.withdrew_at, person.left_out = study.now(), left_out
    for task in session.scalars(
        select(TaskRow).where(TaskRow.person == person.id, TaskRow.state == "open")
    ):
        task.state, task.ended_at = "released", study.now()
    session.execute(delete(SessionRow).where(SessionRow.person == person.id))
    study.note(session, person, "withdrew", left_out=left_out)


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
    row = session.get(SessionRow, hashed(token)) if token else None
    if row is None or row.ends_at < study.now():
        return None
    person = session.get_one(PersonRow, row.person)
    if person.revoked_at is not None or person.withdrew_at is not None:
        return None
    return person, row.csrf


def sign_out(session: Session, token: str) -> None:
    """Ends a session."""
    session.execute(delete(SessionRow).where(SessionRow.token == hashed(token)))


def check_password(session: Session, name: str, password: str) -> PersonRow | None:
    """Who has that name and password; it takes as long where nobody has."""
    named = " ".join(without_controls(name).split())[:80]
    person = session.scalars(select(PersonRow).where(PersonRow.name == named)).first()
    known = person.password if person is not None and person.password else _NOBODY
    try:
        _HASHER.verify(known, password[:LONGEST_PASSWORD])
    except (VerificationError, InvalidHashError):
        return None
    if person is None or not person.password:
        return None
    return None if person.revoked_at or person.withdrew_at else person


def _subjects(name: str, address: str) -> dict[str, str]:
    named = hashed(" ".join(name.casefold().split()))
    return {
        "both": hashed(f"{named} {address}"),
        "address": hashed(f"address {address}"),
        "name": hashed(f"name {named}"),
    }


def require_patience(session: Session, study: OpenStudy, name: str, address: str) -> None:
    """Raises where too much was tried in vain, by a name or from an address."""
    since = study.now() - WINDOW_SECONDS
    for kind, subject in _subjects(name, address).items():
        query = select(func.count()).select_from(AttemptRow)
        tried = query.where(AttemptRow.subject == subject, AttemptRow.at > since)
        if (session.scalar(tried) or 0) >= _BORNE[kind]:
            raise TooManyAttempts(
                "too many attempts; try again in a quarter of an hour",
                "尝试次数过多，请一刻钟后再试",
            )


def note_failure(session: Session, study: OpenStudy, name: str, address: str) -> None:
    """Counts a failed attempt, and forgets those of long ago."""
    now = study.now()
    session.execute(delete(AttemptRow).where(AttemptRow.at < now - WINDOW_SECONDS))
    session.add_all(AttemptRow(subject=one, at=now) for one in _subjects(name, address).values())


def arrive(
    session: Session, study: OpenStudy, parameters: Mapping[str, str], language: Language
) -> PersonRow:
    """Somebody whom a recruiting platform sends, by the name in the link. Who began already goes on
    in the browser they began in: a link that another one knows opens nothing."""
    recruiting = study.study.recruiting
    if recruiting is None:
        raise NotAllowed("this study takes part by invitation only", "本研究仅限受邀者参加")
    outside = parameters.get(recruiting.person, "")
    if not 1 <= len(outside) <= 200:
        raise NotAllowed(f"the link lacks {recruiting.person}", f"链接缺少 {recruiting.person}")
    known = hmac.new(study.secret.encode(), outside.encode(), hashlib.sha256).hexdigest()
    if session.scalar(select(PersonRow.id).where(PersonRow.outside == known)) is not None:
        raise NotAllowed(
            "you have begun already: go on in the browser in which you began",
            "您已经开始：请在最初使用的浏览器中继续",
        )
    kept = {name: parameters[name][:200] for name in recruiting.parameters if name in parameters}
    now = study.now()
    person = PersonRow(
        name=f"P{secrets.token_hex(5)}",
        role="rater",
        team=_smallest_team(session, study) if study.study.teams > 1 else None,
        languages=[],
        language=language,
        outside=known,
        parameters=kept,
        code=recruiting.code or secrets.token_hex(4).upper(),
        invited_at=now,
        joined_at=now,
    )
    session.add(person)
    session.flush()
    study.note(session, person, "arrived")
    return person
