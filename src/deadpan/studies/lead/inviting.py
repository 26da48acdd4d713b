"""What an operator does with a study from the command line: invites, closes, changes its words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import get_args

from sqlalchemy import select

from deadpan.base.errors import DeadpanError, InputError
from deadpan.core.questions import Language
from deadpan.core.study.files import read_study
from deadpan.core.study.specification import ROLES, Question, Role, Study
from deadpan.studies.lead.deciding import add_version, close_or_open
from deadpan.studies.people.accounts import invite, plain_name, reissue
from deadpan.studies.storage.opened import OpenStudy
from deadpan.studies.storage.tables import PersonRow

_FIX = "Change words and guidelines only, or make a new study."


def invite_people(
    study: OpenStudy,
    names: Sequence[str],
    role: str | None = None,
    team: int | None = None,
    languages: Sequence[str] = (),
    warn: Callable[[str], None] = lambda line: None,
) -> Iterator[tuple[str, str]]:
    """Each name with the token of its invitation. Who is known gets a new one, which `warn` is
    told; another role, team or language than theirs raises."""
    known_roles: dict[str, Role] = {one: one for one in ROLES}
    if role is not None and role not in known_roles:
        raise DeadpanError(f"--role {role}: expected one of {', '.join(ROLES)}")
    spoken: list[Language] = [one for one in get_args(Language) if one in languages]
    if unknown := [one for one in languages if one not in spoken]:
        raise DeadpanError(f"--language {unknown[0]}: expected en or zh")
    for name in names:
        with study.database.write() as session:
            query = select(PersonRow).where(PersonRow.name == plain_name(name))
            person = session.scalars(query).first()
            if person is not None:
                _require_same(person, role, team, spoken)
                token = reissue(session, study, person, None)
            else:
                new_role = known_roles[role or "rater"]
                token = invite(session, study, name, new_role, team, spoken)
        if person is not None:
            warn(f"{name}: the new link replaces their password or link; they are signed out")
        yield name, token


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


def update_study(study: OpenStudy, path: Path) -> int:
    """Takes over a changed study as a new version, and returns its number."""
    changed = read_study(path)
    if _form(changed) != _form(study.study):
        what = "changes stages, questions, options or rules, which were answered already"
        raise InputError(path, what, _FIX)
    return new_version(study, changed)


def new_version(study: OpenStudy, changed: Study) -> int:
    """Keeps a changed study as a new version, unless nothing changed."""
    if changed == study.study:
        return study.version
    with study.database.write() as session:
        version = add_version(session, study, changed, None)
    study.study, study.version = changed, version
    return version


def _form(study: Study) -> object:
    """What of a study has to stay: names, kinds, values and rules."""
    return (
        study.name,
        study.teams,
        [(one.name, one.people, one.settling) for one in study.stages],
        [_question_form(one) for stage in study.stages for one in stage.questions],
    )


def _question_form(question: Question) -> object:
    options = [getattr(one, "value", one) for one in getattr(question, "options", ())]
    bounds = [getattr(question, name, None) for name in ("lowest", "highest")]
    return (question.name, question.kind, options, bounds)
