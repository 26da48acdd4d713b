"""Attempts to come in that failed, counted by name and by address: nobody can go on guessing. They
are in the database: a server that starts anew has not forgotten them."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping, Sequence

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from deadpan.studies.people.accounts import hashed
from deadpan.studies.people.names import plain_name
from deadpan.studies.storage.opened import SECRET, NotAllowed, OpenStudy
from deadpan.studies.storage.tables import AttemptRow, SettingRow

WINDOW_SECONDS = 900
_BORNE = {"both": 10, "name": 100, "address": 1_000, "join": 100, "start": 40}
"""How many failures are borne in that time: of a name from an address, of a name from anywhere,
from an address whatever the name; how many links from an address that invite nobody; and how many
people may begin from one address.

Guessing stays out of reach: a password of ten small letters is one of 26^10, or 1.4e14; a hundred
each quarter of an hour are 9,600 a day and 3.5 million a year for a name, one in 40 million. From
one address it is a tenth of that for each name. An address may be a whole university's: the bound
on it is against made-up names, each of which costs a password's hashing, and one person's slips do
not reach it. Who fails ten times under another's name shuts it out at that address, for a quarter
of an hour; to do so everywhere takes a hundred failures from ten addresses. Who is signed in stays.
Invitations are 256 random bits: they need no bound, so a valid one is never refused."""
_HOME = 64
"""Bits of an IPv6 address that are one household's or one machine's: the rest is free to choose."""


class TooManyAttempts(NotAllowed):
    """Somebody has to wait."""


def source_of(address: str) -> str:
    """From where somebody comes, as it is counted."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((int(found), _HOME), strict=False))


def _subjects(name: str, address: str) -> dict[str, str]:
    named = hashed(plain_name(name).casefold())
    return {
        "both": hashed(f"{named} {address}"),
        "address": hashed(f"address {address}"),
        "name": hashed(f"name {named}"),
    }


def require_patience(session: Session, study: OpenStudy, name: str, address: str) -> None:
    """Raises where too much was tried in vain, by a name or from an address."""
    _require_fewer(session, study, _subjects(name, address))


def _require_fewer(session: Session, study: OpenStudy, subjects: Mapping[str, str]) -> None:
    now = study.now()
    for kind, subject in subjects.items():
        query = select(func.count()).select_from(AttemptRow)
        # What is yet to come was noted while the clock was wrong.
        recent = AttemptRow.at.between(now - WINDOW_SECONDS, now)
        tried = query.where(AttemptRow.subject == subject, recent)
        if (session.scalar(tried) or 0) >= _BORNE[kind]:
            raise TooManyAttempts("too_many_attempts")


def note_failure(
    session: Session, study: OpenStudy, name: str, address: str
) -> Sequence[AttemptRow]:
    """Counts a failed attempt, and forgets those of long ago."""
    return _note(session, study, _subjects(name, address))


def _note(session: Session, study: OpenStudy, subjects: Mapping[str, str]) -> Sequence[AttemptRow]:
    now = study.now()
    near = AttemptRow.at.between(now - WINDOW_SECONDS, now + WINDOW_SECONDS)
    session.execute(delete(AttemptRow).where(~near))
    rows = [AttemptRow(subject=one, at=now) for one in subjects.values()]
    session.add_all(rows)
    session.flush()
    return rows


def count_wrong_link(session: Session, study: OpenStudy, address: str) -> None:
    """Counts a link that invites nobody, and raises where there were too many from one address.
    They are counted by themselves: who follows an old link can still sign in."""
    subjects = {"join": hashed(f"join {address}")}
    _require_fewer(session, study, subjects)
    _note(session, study, subjects)


def begin_attempt(
    session: Session, study: OpenStudy, name: str, address: str
) -> Sequence[AttemptRow]:
    """Counts an attempt to sign in before its password is looked at, so that many at once are not
    more than one after the other; raises where there were too many."""
    _one_at_a_time(session)
    require_patience(session, study, name, address)
    return note_failure(session, study, name, address)


def forgive(session: Session, attempt: Sequence[AttemptRow]) -> None:
    """Takes an attempt back that did not fail."""
    own = [one.id for one in attempt]
    session.execute(delete(AttemptRow).where(AttemptRow.id.in_(own)))


def _one_at_a_time(session: Session) -> None:
    """Holds up others who count attempts until this session ends."""
    session.get_one(SettingRow, SECRET, with_for_update=True)


def count_start(session: Session, study: OpenStudy, address: str) -> None:
    """Counts somebody who begins by the open link, of whom anybody can make up many; raises where
    there were too many from one address."""
    _one_at_a_time(session)
    subjects = {"start": hashed(f"start {address}")}
    _require_fewer(session, study, subjects)
    _note(session, study, subjects)
