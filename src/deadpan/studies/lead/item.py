"""One item as a lead sees it, with all that was said and done about it. Who made an output or a
draft is in none of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue
from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from deadpan.core.questions import Language
from deadpan.core.study.items import StudyItem, letter
from deadpan.core.study.stages import Stage
from deadpan.core.study.words import Words, in_language
from deadpan.studies.lead.deciding import DECIDED
from deadpan.studies.lead.item_answers import SideBySide, in_words, side_by_side
from deadpan.studies.lead.items import find_item
from deadpan.studies.lead.staffing import stuck_items
from deadpan.studies.lead.workload import Workload
from deadpan.studies.pages.task_pages import ShownFiles
from deadpan.studies.pages.view_models import ShownOutput, ShownPart
from deadpan.studies.storage.opened import OpenStudy
from deadpan.studies.storage.tables import (
    BatchRow,
    EventRow,
    ItemRow,
    MessageRow,
    PersonRow,
    ProgressRow,
    ReviewRow,
    TaskRow,
)

_MOST_EVENTS = 200


@dataclass(frozen=True)
class Remark:
    """What somebody said of an item in a discussion."""

    who: str
    text: str
    at: float
    by_model: bool
    """Whether a model said it, when this person asked."""


@dataclass(frozen=True)
class Reviewed:
    """What a reviewer decided about somebody's words: the points that were ticked, of all."""

    who: str
    whose: str
    accepted: bool
    points: Sequence[tuple[str, bool]]
    comment: str
    at: float


@dataclass(frozen=True)
class StageOfItem:
    """An item in a stage: who answered what, what was said, what came of it."""

    name: str
    title: Words
    state: str
    """Empty where nothing comes of it, as in practice."""
    reason: str
    answers: SideBySide
    result: Sequence[str | None]
    """What was settled, or what is known to be right, in words; empty where nothing is."""
    remarks: Sequence[Remark]
    reviews: Sequence[Reviewed]
    is_stuck: bool
    is_built_on: bool
    """Whether people have begun the next stage."""

    @property
    def can_settle(self) -> bool:
        waits = self.is_stuck or self.state not in ("settled", "open", "")
        return waits and any(one.is_done for one in self.answers.people)

    @property
    def can_discard(self) -> bool:
        return self.state not in ("discarded", "") and not self.is_built_on

    @property
    def can_reopen(self) -> bool:
        return (self.state in DECIDED or self.is_stuck) and not self.is_built_on


@dataclass(frozen=True)
class ItemPage:
    """An item, whole but for who made what."""

    id: int
    key: str
    kind: str
    language: Language
    team: int | None
    batch: tuple[int, int] | None
    """By its number in the database, and as people count it."""
    harmful: bool
    parts: Sequence[ShownPart]
    outputs: Sequence[ShownOutput]
    stages: Sequence[StageOfItem]
    events: Sequence[tuple[float, str, str]]
    """When, who and what; nobody where the app itself did it."""


def item_page(
    session: Session, study: OpenStudy, lead: PersonRow, number: int, language: Language
) -> ItemPage:
    """An item with all that was said and done about it."""
    row = find_item(session, number)
    content = shown_content(session, study, lead, row, language)
    batch = session.get(BatchRow, row.batch) if row.batch is not None else None
    names = names_of(session)
    load = Workload.of(session, study, row.id)
    looked = _Look(session, study, row, names, language, content.order)
    return ItemPage(
        id=row.id,
        key=row.key,
        kind=row.kind,
        language="zh" if row.language == "zh" else "en",
        team=row.team,
        batch=(batch.id, batch.number) if batch else None,
        harmful=content.harmful,
        parts=content.parts,
        outputs=content.outputs,
        stages=looked.stages(load),
        events=_events(session, row.id, names),
    )


def names_of(session: Session) -> dict[int, str]:
    """Everybody's name, by number."""
    return {number: name for number, name in session.execute(select(PersonRow.id, PersonRow.name))}


@dataclass(frozen=True)
class Content:
    """What a lead's page shows of an item, and the outputs' places in an order of the lead's own:
    the same place must not be the same source's on every page."""

    parts: Sequence[ShownPart]
    outputs: Sequence[ShownOutput]
    order: Sequence[int]
    files: Sequence[str]
    """The checksums of the files, as the page's addresses count them."""
    harmful: bool


def shown_content(
    session: Session, study: OpenStudy, lead: PersonRow, row: ItemRow, language: Language
) -> Content:
    """What a lead's page shows of an item."""
    item = _newest(session, study, row)
    order = study.outputs_shown(lead.id, row.id, item)
    files = ShownFiles(session, study, f"/lead/media/{row.id}")
    everything = [*item.parts, *(part for at in order for part in item.outputs[at].parts)]
    return Content(
        parts=[files.part(part, language) for part in item.parts],
        outputs=[
            ShownOutput(
                letter(place),
                str(place),
                [files.part(part, language) for part in item.outputs[at].parts],
            )
            for place, at in enumerate(order)
        ],
        order=order,
        files=[part.path for part in everything if part.is_file],
        harmful=item.harmful,
    )


def _newest(session: Session, study: OpenStudy, row: ItemRow) -> StudyItem:
    """The item as it is in the last stage that it came to."""
    reached = session.scalars(select(ProgressRow.stage).where(ProgressRow.item == row.id)).all()
    names = [stage.name for stage in study.study.stages if stage.name in reached]
    return study.item(session, row.id, names[-1] if names else study.study.stages[0].name)


@dataclass(frozen=True)
class _Look:
    """What there is about one item."""

    session: Session
    study: OpenStudy
    row: ItemRow
    names: Mapping[int, str]
    language: Language
    order: Sequence[int]

    def _progress(self, stage: Stage) -> ProgressRow | None:
        query = select(ProgressRow).where(
            ProgressRow.item == self.row.id, ProgressRow.stage == stage.name
        )
        return self.session.scalars(query).first()

    def stages(self, load: Workload) -> list[StageOfItem]:
        """The item in every stage that it came to."""
        stuck = {stage for _, stage in stuck_items(self.study, load)}
        begun = {one.stage for one in load.work}
        reached = {place.stage for place in load.places} | begun
        found = []
        for at, stage in enumerate(self.study.study.stages):
            after = {one.name for one in self.study.study.stages[at + 1 :]}
            if stage.name in reached:
                found.append(self._stage(stage, stage.name in stuck, bool(after & begun)))
        return found

    def _stage(self, stage: Stage, is_stuck: bool, is_built_on: bool) -> StageOfItem:
        progress = self._progress(stage)
        item = self.study.item(self.session, self.row.id, stage.name)
        result: Mapping[str, JsonValue] = progress.result if progress else dict(item.gold)
        shown = (self.names, self.language, self.order)
        words = [in_words(one, result, self.language, self.order) for one in stage.questions]
        return StageOfItem(
            name=stage.name,
            title=stage.title,
            state=progress.state if progress else "",
            reason=progress.reason if progress else "",
            answers=side_by_side(self.session, stage, self.row.id, *shown),
            result=words if result else [],
            remarks=self._remarks(stage),
            reviews=self._reviews(stage),
            is_stuck=is_stuck,
            is_built_on=is_built_on,
        )

    def _remarks(self, stage: Stage) -> list[Remark]:
        query = select(MessageRow).where(
            MessageRow.item == self.row.id, MessageRow.stage == stage.name
        )
        return [
            Remark(self.names[one.person], one.text, one.at, bool(one.model))
            for one in self.session.scalars(query.order_by(MessageRow.id))
        ]

    def _reviews(self, stage: Stage) -> list[Reviewed]:
        query = (
            select(ReviewRow, TaskRow.person)
            .join(TaskRow, TaskRow.id == ReviewRow.task)
            .where(TaskRow.item == self.row.id, TaskRow.stage == stage.name)
        )
        points = stage.review.points if stage.review else ()
        return [
            Reviewed(
                self.names[one.person],
                self.names[whose],
                one.accepted,
                [
                    (in_language(point, self.language), at in one.points)
                    for at, point in enumerate(points)
                ],
                one.comment,
                one.at,
            )
            for one, whose in self.session.execute(query.order_by(ReviewRow.id))
        ]


def _events(session: Session, item: int, names: Mapping[int, str]) -> list[tuple[float, str, str]]:
    """What was done about an item, from the first on."""
    tasks = select(TaskRow.id).where(TaskRow.item == item)
    about_item = EventRow.about["item"].as_integer() == item
    about_task = EventRow.about["task"].as_integer().in_(tasks)
    query = select(EventRow).where(or_(about_item, about_task)).order_by(EventRow.id)
    return [
        (one.at, names[one.person] if one.person is not None else "", one.what)
        for one in session.scalars(query.limit(_MOST_EVENTS))
    ]
