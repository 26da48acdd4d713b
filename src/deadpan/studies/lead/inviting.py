"""What an operator does with a study from the command line: invites, closes, changes its words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import get_args

from sqlalchemy import select

from deadpan.base.errors import DeadpanError, InputError
from deadpan.core.questions import Language
from deadpan.core.study.files import read_study
from deadpan.core.study.specification import ROLES, Question, Role, Study
from deadpan.studies.lead.deciding import add_version, close_or_open
from deadpan.studies.people.accounts import invite, reissue
from deadpan.studies.storage.opened import OpenStudy
from deadpan.studies.storage.tables import PersonRow

_FIX = "Change words and guidelines only, or make a new study."


def invite_people(
    study: OpenStudy,
    names: Sequence[str],
    role: str = "rater",
    team: int | None = None,
    languages: Sequence[str] = (),
) -> Iterator[tuple[str, str]]:
    """Each name with the token of its invitation; who is known gets a new one."""
    known_roles: dict[str, Role] = {one: one for one in ROLES}
    if role not in known_roles:
        raise DeadpanError(f"--role {role}: expected one of {', '.join(ROLES)}")
    spoken: list[Language] = [one for one in get_args(Language) if one in languages]
    if unknown := [one for one in languages if one not in spoken]:
        raise DeadpanError(f"--language {unknown[0]}: expected en or zh")
    for name in names:
        with study.database.write() as session:
            query = select(PersonRow).where(PersonRow.name == " ".join(name.split()))
            person = session.scalars(query).first()
            if person is not None:
                token = reissue(session, study, person, None)
            else:
                token = invite(session, study, name, known_roles[role], team, spoken)
        yield name, token


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
