"""A study on a mini-set, small enough to be tried by one person in a few minutes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from deadpan.core.study.specification import ROLES
from deadpan.studies.lead.inviting import invite_people
from deadpan.studies.making.catalogue import find_template, make_study
from deadpan.studies.making.creating import create_study
from deadpan.studies.storage.opened import OpenStudy

_SMALL = {"teams": "1", "batch": "4", "checked": "2", "practice": "2", "sessions": "1"}
_ITEMS = 8


def needs_answers(template: str) -> bool:
    """Whether a study is about models' answers."""
    return find_template(template)[1].source == "results"


def demo_study(
    template: str, folder: Path, sources: Sequence[Path] = ()
) -> tuple[OpenStudy, list[tuple[str, str]]]:
    """The study, and of each invitation whom it is for and its token: two raters, an adjudicator
    and a lead."""
    _, found = find_template(template)
    known = {option.name for option in found.options}
    settings = {name: value for name, value in _SMALL.items() if name in known}
    made = make_study(template, sources, None, settings)
    main = [item for item in made.items if item.kind == "main"][:_ITEMS]
    others = [item for item in made.items if item.kind != "main"]
    created = create_study(folder, made.study, [*others, *main])
    people = [("rater one", "rater"), ("rater two", "rater")]
    people += [(role, role) for role in ROLES if role != "rater"]
    links = [link for name, role in people for link in invite_people(created.opened, [name], role)]
    return created.opened, links
