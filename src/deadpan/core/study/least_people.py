"""How many people a study takes at least, so that each item can come to its end."""

from __future__ import annotations

from collections.abc import Iterator

from deadpan.base.counting import count_noun
from deadpan.core.study.specification import Study
from deadpan.core.study.stages import Role


def least_people(study: Study) -> dict[Role, int]:
    """By role how many people are needed at least; none of those who may stay away."""
    found: dict[Role, int] = {
        "rater": _answering(study, "rater"),
        "adjudicator": max(_answering(study, "adjudicator"), _deciding(study)),
        "lead": max(_answering(study, "lead"), int(study.batches is not None)),
    }
    return {role: many for role, many in found.items() if many}


def least_people_words(study: Study) -> str:
    """The same in words: `6 raters (2 in each of 3 teams), 1 adjudicator`."""
    return ", ".join(_words(study))


def _words(study: Study) -> Iterator[str]:
    for role, many in least_people(study).items():
        in_team = _in_team(study, role) if study.teams > 1 and role == "rater" else 0
        teams = f" ({in_team} in each of {study.teams} teams)" if in_team else ""
        yield f"{count_noun(many, role)}{teams}"


def _answering(study: Study, role: Role) -> int:
    """How many answer: every team its own items; and one item needs others for each stage that is
    for people who have not answered it before."""
    about_one = 0
    for stage in study.stages:
        if stage.role == role:
            people = stage.people or 1
            about_one = about_one + people if stage.others else max(about_one, people)
    teams = study.teams if role == "rater" else 1
    return max(about_one, teams * _in_team(study, role))


def _in_team(study: Study, role: Role) -> int:
    own = (one for one in study.stages if one.role == role and not one.others)
    return max((stage.people or 1 for stage in own), default=0)


def _deciding(study: Study) -> int:
    """How many look at practice or at words, or answer where others differ: who has seen one's
    words is no third person, unless that one sees all answers."""
    by_person = study.practice is not None and study.practice.by_person
    needed = [
        bool(stage.review)
        + ("third" in stage.settling.otherwise and not (stage.review and stage.settling.third_sees))
        for stage in study.stages
    ]
    return max(int(by_person), *needed)
