"""People whom a recruiting platform sends: they come by an open link, in which the platform names
them, and have no password.

The link is no secret. So who began goes on only in the browser in which they began: it keeps a name
of its own, of which the study knows the hash.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from deadpan.base.printable import without_controls
from deadpan.core.questions import Language
from deadpan.core.study.recruiting import Recruiting
from deadpan.studies.people.accounts import hashed, smallest_team
from deadpan.studies.storage.opened import NotAllowed, OpenStudy
from deadpan.studies.storage.tables import PersonRow

_LONGEST = 200


def recruiting_of(study: OpenStudy) -> Recruiting:
    """How people come to the study; one that is by invitation only raises."""
    if study.study.recruiting is None:
        raise NotAllowed("invited_only")
    return study.study.recruiting


def outside_name(study: OpenStudy, parameters: Mapping[str, str]) -> str:
    """What is kept of the name that the platform gives somebody; a link without one raises."""
    person = recruiting_of(study).person
    given = parameters.get(person, "")
    if not 1 <= len(given) <= _LONGEST:
        raise NotAllowed("link_lacks", parameter=person)
    return hmac.new(study.secret.encode(), given.encode(), hashlib.sha256).hexdigest()


def arrive(
    session: Session,
    study: OpenStudy,
    parameters: Mapping[str, str],
    language: Language,
    browser: str,
) -> PersonRow:
    """Somebody who comes by the open link; who began already, and not in this browser, raises."""
    recruiting, outside = recruiting_of(study), outside_name(study, parameters)
    known = hashed(f"{outside} {browser}")
    query = select(PersonRow).where(PersonRow.outside == outside)
    person = session.scalars(query).first()
    if person is None:
        person = _new_person(study, recruiting, parameters, language)
        person.outside, person.invitation = outside, known
        person.team = smallest_team(session, study)
        try:
            with session.begin_nested():
                session.add(person)
        except IntegrityError:  # the same link twice at once
            raise _begun() from None
        study.note(session, person, "arrived")
    is_gone = person.revoked_at is not None or person.withdrew_at is not None
    if person.invitation != known or is_gone:
        raise _begun()
    return person


def _begun() -> NotAllowed:
    return NotAllowed("begun_elsewhere")


def _new_person(
    study: OpenStudy, recruiting: Recruiting, parameters: Mapping[str, str], language: Language
) -> PersonRow:
    now = study.now()
    given = {name: parameters[name] for name in recruiting.parameters if name in parameters}
    return PersonRow(
        name=f"P{secrets.token_hex(5)}",
        role="rater",
        languages=[],
        language=language,
        parameters={name: without_controls(text)[:_LONGEST] for name, text in given.items()},
        code=recruiting.code or secrets.token_hex(4).upper(),
        invited_at=now,
        joined_at=now,
    )
