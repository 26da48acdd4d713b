"""What an operator does with a study from the command line: invites, shuts out, closes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import get_args

from sqlalchemy import select
from sqlalchemy.orm import Session

from deadpan.base.errors import DeadpanError, meant
from deadpan.core.questions import Language
from deadpan.core.study.stages import ROLES, Role
from deadpan.studies.lead.deciding import close_or_open
from deadpan.studies.people.accounts import invite, reissue, revoke
from deadpan.studies.people.names import plain_name
from deadpan.studies.storage.opened import OpenStudy
from deadpan.studies.storage.tables import PersonRow


def invite_people(
    study: OpenStudy,
    names: Sequence[str],
    role: str | None = None,
    team: int | None = None,
    languages: Sequence[str] = (),
    warn: Callable[[str], None] = lambda line: None,
    again: bool = False,
) -> Iterator[tuple[str, str]]:
    """Each name with the token of its invitation. Who is known gets a new one, which `warn` is
    told; another role, team or language than theirs raises, and so does, but for `again`, who has
    joined. With `again` who is not known raises."""
    known_roles: dict[str, Role] = {one: one for one in ROLES}
    if role is not None and role not in known_roles:
        raise DeadpanError(f"--role {role}: expected one of {', '.join(ROLES)}")
    spoken: list[Language] = [one for one in get_args(Language) if one in languages]
    if unknown := [one for one in languages if one not in spoken]:
        raise DeadpanError(f"--language {unknown[0]}: expected en or zh")
    for name in names:
        with study.database.write() as session:
            person = _known(session, name)
            if person is None and again:
                raise _nobody(session, name)
            if person is not None:
                _require_same(person, role, team, spoken)
                if person.joined_at is not None and not again:
                    what = f"{person.name}: has joined already"
                    raise DeadpanError(f"{what}; --again gives a new link, and signs them out")
                token = reissue(session, study, person, None)
            else:
                new_role = known_roles[role or "rater"]
                token = invite(session, study, name, new_role, team, spoken)
        if person is not None:
            warn(
                f"{person.name}: the new link replaces their password or link; they are signed out"
            )
        yield plain_name(name), token


def revoke_people(study: OpenStudy, names: Sequence[str], left_out: bool = False) -> list[str]:
    """Shuts people out, and returns what became of each; a name that nobody has raises, and then
    nobody is."""
    found = []
    with study.database.write() as session:
        for name in names:
            person = _known(session, name)
            if person is None:
                raise _nobody(session, name)
            was_there = person.joined_at is not None
            revoke(session, study, person, None, left_out)
            what = "is shut out" if was_there else "is not invited any more"
            answers = "left out" if person.left_out else "kept"
            found.append(f"{person.name} {what}; their answers are {answers}")
    return found


def _known(session: Session, name: str) -> PersonRow | None:
    query = select(PersonRow).where(PersonRow.name == plain_name(name)).with_for_update()
    return session.scalars(query).first()


def _nobody(session: Session, name: str) -> DeadpanError:
    hint = meant(name, session.scalars(select(PersonRow.name)))
    return DeadpanError(f"{name}: nobody is invited under that name{hint}")


def _require_same(
    person: PersonRow, role: str | None, team: int | None, languages: Sequence[Language]
) -> None:
    """Raises where somebody who is known would be invited as somebody else."""
    given: list[tuple[str, object, object]] = [
        ("role", role, person.role),
        ("team", team, person.team),
        ("language", sorted(languages) or None, sorted(person.languages)),
    ]
    for option, wanted, own in given:
        if wanted is not None and wanted != own:
            has = " ".join(map(str, own)) if isinstance(own, list) else str(own or "")
            what = f"{person.name} is invited already, with {option} {has or 'of no kind'}"
            fix = f"leave --{option} out for a new link, or invite them under another name"
            raise DeadpanError(f"{what}, which cannot be changed; {fix}")


def set_closed(study: OpenStudy, closed: bool) -> None:
    """Closes a study, or opens it again."""
    with study.database.write() as session:
        close_or_open(session, study, closed, None)
