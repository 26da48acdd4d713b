"""Drafts: a model answers a study's questions before people do, who then accept or correct it. Who
drafted is kept with the item, and sealed."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError
from sqlalchemy import exists, select

from deadpan.base.errors import DeadpanError, InputError
from deadpan.base.files import folder_name
from deadpan.base.rows import json_object
from deadpan.core.judge import BrokenReply
from deadpan.core.questions import Language
from deadpan.core.study.items import StudyItem
from deadpan.core.study.stages import KINDS, Question, Stage
from deadpan.core.study.words import WrongAnswer, in_language
from deadpan.engine.calls import CallOptions, GaveUp
from deadpan.engine.conversation import converse
from deadpan.engine.loops import run_async
from deadpan.engine.requests import Request, Sampling
from deadpan.parsing.replies import split_reasoning
from deadpan.studies.models.prompting import asked_questions, material, prompts, request_of
from deadpan.studies.storage.opened import OpenStudy
from deadpan.studies.storage.tables import ItemRow, TaskRow
from deadpan.studies.work.answering import cleaned

if TYPE_CHECKING:
    from deadpan.engine.asker import Asker

FOLDER = "drafts"
"""Where in a study's folder replies are kept."""
_ANSWER_TOKENS = 2_048
_FENCE = re.compile(r"^```(?:json)?\s*|\s*```$")


class DraftedAnswer(BaseModel):
    """The answer to one question."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    question: str
    answer: str | int | float | list[str] | None


class DraftReply(BaseModel):
    """What is asked for."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    answers: list[DraftedAnswer] = Field(max_length=200)


@dataclass
class Drafted:
    """What came of it: items and answers that were drafted, answers that a question refused, by its
    name, and why items have no draft."""

    items: int = 0
    answers: int = 0
    known: int = 0
    """Items that had a draft before."""
    refused: Counter[str] = field(default_factory=Counter)
    failed: dict[str, str] = field(default_factory=dict)
    """By item."""


def draft_study(
    study: OpenStudy,
    model: str,
    sampling: Sampling | None = None,
    calls: CallOptions | None = None,
    limit: int | None = None,
    progress: Callable[[], None] = lambda: None,
) -> Drafted:
    """Has a model draft every item that has no draft yet. A study that somebody has begun raises,
    and so does one without a stage that begins with drafts. What fails of one item stops no other;
    a model that answers nothing any more ends it, with what was drafted kept."""
    from deadpan.engine.run import open_asker
    from deadpan.engine.task_questions import RunSettings

    stages = [stage for stage in study.study.stages if stage.drafted]
    if not stages or not any(_questions(stage) for stage in stages):
        what = f"{study.study.name}: no stage of it begins with drafts that a model can make"
        raise DeadpanError(f"{what}; expected `drafted: true`, and questions of {_drafted_kinds()}")
    items, known = _undrafted(study)
    given = sampling or Sampling()
    settings = RunSettings(study.folder / FOLDER, calls=calls or CallOptions(), sampling=given)
    asker = open_asker(model, settings)
    work = _Work(study, stages, Drafted(known=known), asker, given, progress)
    run_async(work.run(items[:limit]))
    return work.done


def _told(stage: Stage, language: Language) -> str:
    """What the model has to do: the stage's own words for it, or what people are told."""
    if stage.drafting:
        return in_language(stage.drafting, language)
    about = (in_language(words, language) for words in (stage.title, stage.about))
    return "\n".join(filter(None, about))


def _questions(stage: Stage) -> list[Question]:
    return [question for question in stage.questions if question.can_draft]


def _drafted_kinds() -> str:
    return ", ".join(kind for kind, form in KINDS.items() if form.can_draft)


def _undrafted(study: OpenStudy) -> tuple[list[int], int]:
    """The items to draft, and how many have a draft. Hidden checks are among them: without drafts
    they would be told from the others."""
    with study.database.read() as session:
        if session.scalar(select(exists().where(TaskRow.id > 0))):
            what = f"{study.study.name}: people have begun; drafts come before them"
            raise DeadpanError(f"{what}; make a new study, and draft it first")
        rows = session.scalars(
            select(ItemRow).where(ItemRow.kind != "practice").order_by(ItemRow.place)
        ).all()
        bare = [row.id for row in rows if not row.content.get("draft")]
    return bare, len(rows) - len(bare)


@dataclass
class _Work:
    """A model at work on the items of a study."""

    study: OpenStudy
    stages: Sequence[Stage]
    done: Drafted
    asker: Asker
    sampling: Sampling
    progress: Callable[[], None]

    async def run(self, items: Sequence[int]) -> None:
        async with self.asker as asker:
            async for _ in asker.each(items, self._one):
                self.progress()

    async def _one(self, number: int) -> None:
        item = await asyncio.to_thread(self._item, number)
        try:
            draft: dict[str, JsonValue] = {}
            for stage in self.stages:
                draft |= self._accepted(stage, item, await self._reply(stage, item))
        except GaveUp:
            raise
        except DeadpanError as error:
            self.done.failed[item.key] = str(error)
            return
        if not draft:
            self.done.failed[item.key] = "no answer could be used"
        elif await asyncio.to_thread(self._keep, number, item, draft):
            self.done.items += 1
            self.done.answers += len(draft)
        else:
            self.done.failed[item.key] = "somebody began it meanwhile"

    def _item(self, number: int) -> StudyItem:
        with self.study.database.read() as session:
            return StudyItem.model_validate(session.get_one(ItemRow, number).content)

    async def _reply(self, stage: Stage, item: StudyItem) -> Sequence[DraftedAnswer]:
        """What the model answers; raises where that cannot be used."""
        request = await asyncio.to_thread(self._request, stage, item)
        again = prompts("again").user[item.language]
        done = await converse(self.asker, request, _read, again)
        if done.found is None:
            raise DeadpanError(f"{self.asker.engine.name} drafted nothing ({done.problem})")
        return done.found.answers

    def _request(self, stage: Stage, item: StudyItem) -> Request:
        named = stage.shows
        parts = [part for part in item.parts if not named or part.name in named]
        values = {
            "task": _told(stage, item.language),
            "questions": asked_questions(_questions(stage), item),
        }
        shown = material(item, parts, range(len(item.outputs)))
        sampling = self.sampling.over(0.0, None, _ANSWER_TOKENS)
        label = f"drafts.{folder_name(self.asker.engine.name)}"
        where = (self.study.folder, shown, item.language)
        return replace(request_of("draft", label, *where, values, sampling), schema=DraftReply)

    def _accepted(
        self, stage: Stage, item: StudyItem, answers: Sequence[DraftedAnswer]
    ) -> dict[str, JsonValue]:
        """The answers that their questions take, where they are asked; others are counted."""
        said = {one.question: one.answer for one in answers}
        found: dict[str, JsonValue] = {}
        for question in _questions(stage):
            given = said.get(question.name)
            if given is None or not question.is_asked(found):
                continue
            try:
                value = question.read(question.from_reply(cleaned(_json(given)), item), item)
            except WrongAnswer:
                self.done.refused[question.name] += 1
                continue
            if value is not None:
                found[question.name] = value
        return found

    def _keep(self, number: int, item: StudyItem, draft: Mapping[str, JsonValue]) -> bool:
        """Writes the draft, unless somebody has begun the item."""
        by = self.asker.engine.name
        with self.study.database.write() as session:
            if session.scalar(select(exists().where(TaskRow.item == number))):
                return False
            changed = item.model_copy(update={"draft": dict(draft), "draft_by": by})
            session.get_one(ItemRow, number).content = changed.model_dump(mode="json")
            self.study.note(session, None, "drafted", item=number, by=by)
        return True


def _json(value: str | int | float | list[str] | None) -> JsonValue:
    return list(value) if isinstance(value, list) else value


def _read(text: str) -> DraftReply:
    bare = _FENCE.sub("", split_reasoning(text).answer.strip())
    try:
        return DraftReply.model_validate(json_object(bare, "reply"))
    except InputError as error:
        raise BrokenReply(f"it {error.what}") from None
    except ValidationError as error:
        found = [(".".join(map(str, one["loc"])), one["msg"]) for one in error.errors()[:3]]
        raise BrokenReply("; ".join(map(": ".join, found))) from None
