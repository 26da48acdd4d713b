"""Items for which there are too few people: nobody is left who could answer them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from deadpan.base.counting import count_noun
from deadpan.core.study.stages import Role, Stage
from deadpan.core.study.words import Words, in_language
from deadpan.studies.lead.workload import Place, Workload
from deadpan.studies.storage.opened import OpenStudy, languages_read
from deadpan.studies.storage.tables import PersonRow
from deadpan.studies.work.answering import DONE

Key = tuple[int, str]
"""An item, and the stage that it is in."""


@dataclass(frozen=True)
class Lack:
    """Items of a stage that need more people, and who could be invited for them."""

    stage: Words
    role: Role
    team: int | None
    """None where any will do, as will any language."""
    language: str | None
    items: int
    people: int
    """How many more are needed at least."""

    @property
    def invitation(self) -> str:
        """Whom to invite, in words."""
        team = "" if self.team is None else f" of team {self.team}"
        reading = f" reading {self.language}" if self.language else ""
        waits = f"{count_noun(self.items, 'item')} of {in_language(self.stage, 'en')}"
        who = count_noun(self.people, f"more {self.role}")
        return f"invite {who}{team}{reading}: nobody is left for {waits}"


def lacking_people(study: OpenStudy, load: Workload) -> dict[Key, int]:
    """Of each item that needs more people than are there: how many more. Whoever has answered an
    item, skipped it or lost it does not get it again."""
    stages = {stage.name: stage for stage in study.study.stages}
    had, touched, held = _had(load)
    known = _known(study, load)
    found: dict[Key, int] = {}
    able: dict[tuple[str, int | None, str], set[int]] = {}
    for place in load.places:
        key, stage = (place.item, place.stage), stages.get(place.stage)
        if place.state == "third" and not _thirds(study, load, place, known.get(key, set())):
            found[key] = 1
        if place.state != "open" or stage is None or not stage.people:
            continue
        gone = touched.get(place.item, set()) if stage.others else had.get(key, set())
        group = (place.stage, place.team, place.language)
        if group not in able:
            able[group] = _able(study, load, stage, place)
        more = stage.people - held[key] - len(able[group] - gone)
        if more > 0:
            found[key] = more
    return found


def _had(load: Workload) -> tuple[dict[Key, set[int]], dict[int, set[int]], Counter[Key]]:
    """Who has had an item in a stage, who in any, and how many answers it has or will have."""
    people = {one.id: one for one in load.people}
    had: dict[Key, set[int]] = {}
    touched: dict[int, set[int]] = {}
    held: Counter[Key] = Counter()
    for one in load.work:
        touched.setdefault(one.item, set()).add(one.person)
        if one.kind in ("answer", "third"):
            had.setdefault((one.item, one.stage), set()).add(one.person)
            is_held = one.state in DONE or (one.state == "open" and _is_there(people[one.person]))
            held[one.item, one.stage] += one.kind == "answer" and is_held
    return had, touched, held


def _able(study: OpenStudy, load: Workload, stage: Stage, place: Place) -> set[int]:
    """Who may be given items of a stage, team and language."""
    return {one.id for one in load.people if load.may_answer(study, stage, place, one)}


def _known(study: OpenStudy, load: Workload) -> dict[Key, set[int]]:
    """Who knows too much of an item in a stage to be the third person there."""
    seeing = {stage.name for stage in study.study.stages if stage.settling.third_sees}
    found: dict[Key, set[int]] = {}
    for one in load.work:
        if one.state != "released" and not (one.kind == "review" and one.stage in seeing):
            found.setdefault((one.item, one.stage), set()).add(one.person)
    return found


def _thirds(study: OpenStudy, load: Workload, place: Place, known: set[int]) -> bool:
    """Whether somebody has, or can be given, an item that others disagree on."""
    return any(
        one.role == "adjudicator"
        and _is_there(one)
        and (one.id not in known or _has_third(load, place, one.id))
        and place.language in (languages_read(study, one) or [place.language])
        for one in load.people
    )


def _has_third(load: Workload, place: Place, person: int) -> bool:
    return any(
        (one.item, one.stage, one.person, one.kind, one.state)
        == (place.item, place.stage, person, "third", "open")
        for one in load.work
    )


def _is_there(person: PersonRow) -> bool:
    return person.withdrew_at is None and person.revoked_at is None


def stuck_items(study: OpenStudy, load: Workload) -> set[Key]:
    """The items that somebody has had, and nobody is left to answer."""
    begun = {(one.item, one.stage) for one in load.work if one.kind == "answer"}
    return begun & set(lacking_people(study, load))


def people_needed(study: OpenStudy) -> list[Lack]:
    """Whom to invite, as items wait that nobody is left for; nobody where the study is closed."""
    with study.database.read() as session:
        if study.is_closed(session):
            return []
        load = Workload.of(session, study)
        return lacks(study, load, lacking_people(study, load))


def lacks(study: OpenStudy, load: Workload, lacking: Mapping[Key, int]) -> list[Lack]:
    """Whom to invite, by stage, team and language; nobody where a platform sends people."""
    if study.study.recruiting is not None:
        return []
    groups: dict[tuple[str, Role, int | None, str | None], list[int]] = {}
    for place in load.places:
        stage = study.study.stage(place.stage)
        if (place.item, place.stage) in lacking and stage is not None:
            role: Role = "adjudicator" if place.state == "third" else stage.role
            is_any = stage.others or study.study.teams == 1 or role != "rater"
            team = None if is_any else place.team
            language = place.language if study.study.by_language else None
            group = groups.setdefault((place.stage, role, team, language), [])
            group.append(lacking[place.item, place.stage])
    return [_lack(study, *group, more) for group, more in groups.items()]


def _lack(
    study: OpenStudy,
    name: str,
    role: Role,
    team: int | None,
    language: str | None,
    more: Sequence[int],
) -> Lack:
    several = language if len(study.study.languages) > 1 else None
    return Lack(study.stage(name).title, role, team, several, len(more), max(more))
