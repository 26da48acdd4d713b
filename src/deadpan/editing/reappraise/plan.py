"""The plan of one meme's reappraisal: what was read in it, what should become of it, what did. A
plan is a file that a person may change between the stages. Each stage carries a seal over what its
maker wrote, so that a later change by hand is seen and said."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    SerializerFunctionWrapHandler,
    ValidationError,
    model_serializer,
)

from deadpan.base.errors import InputError
from deadpan.base.files import read_text, write_text
from deadpan.base.printable import visible
from deadpan.base.rows import json_object, quote
from deadpan.benchmarks.merbench.records import TAXONOMY, LayoutType, Polarity, VisualType
from deadpan.benchmarks.merbench.records import Source as NegativeEmotion
from deadpan.benchmarks.merbench.records import Target as PositiveEmotion
from deadpan.core.editors import Instruction
from deadpan.core.questions import Language
from deadpan.core.signature import checksum

Status = Literal["new", "described", "planned", "edited", "failed", "removed"]
Stage = Literal["describe", "plan", "edit"]
Decision = Literal["accept", "revise", "remove"]
PERSON = "person"
_BY_HAND = ", changed by hand"


def require_visible(text: str) -> str:
    """The text, stripped; characters that hide or reorder others raise ValueError."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    if visible(plain) != plain:
        raise ValueError(f"it holds characters that cannot be seen: {visible(plain)}")
    return plain


def require_text(text: str) -> str:
    """As `require_visible`; a text with nothing to see in it raises ValueError."""
    plain = require_visible(text)
    if not plain:
        raise ValueError("it is empty")
    return plain


_Caption = Annotated[str, Field(max_length=500), AfterValidator(require_text)]
# A person may leave a caption empty, so that nothing stands in its place.
_NewCaption = Annotated[str, Field(max_length=500), AfterValidator(require_visible)]
Captions = Annotated[tuple[_Caption, ...], Field(max_length=40)]
NewCaptions = Annotated[tuple[_NewCaption, ...], Field(max_length=40)]
Text = Annotated[str, Field(max_length=4000)]


class Form(BaseModel):
    """What people and models fill in: no field may be missing, added, or of another type."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class _Stage(Form):
    by: str = PERSON  # the model that made this stage, or a person
    seal: str = ""  # a checksum of the stage as its maker left it

    @model_serializer(mode="wrap")
    def _maker_last(self, handler: SerializerFunctionWrapHandler) -> dict[str, JsonValue]:
        # What people change comes first in the file.
        fields: dict[str, JsonValue] = handler(self)
        last = {name: fields.pop(name) for name in ("by", "seal") if name in fields}
        return fields | last

    @property
    def content(self) -> str:
        """The checksum of the stage as it is now. Labels that are not there do not count: plans
        from before there were any keep their seals."""
        absent = {name for name in TAXONOMY if getattr(self, name, None) is None}
        return checksum(self.model_dump(mode="json", exclude={"by", "seal", *absent}))

    def with_seal(self) -> Self:
        """The stage, sealed as it is; one that was changed since it was sealed says so."""
        changed = bool(self.seal) and self.seal != self.content and self.by != PERSON
        by = self.by.removesuffix(_BY_HAND) + _BY_HAND if changed else self.by
        return self.model_copy(update={"by": by, "seal": self.content})


class Described(_Stage):
    """Stage 1: the emotion a meme gives, what kind of meme it is, how one sees it, and its captions
    in reading order."""

    emotion: NegativeEmotion
    visual_type: VisualType | None = None
    sentiment_polarity: Polarity | None = None
    layout_type: LayoutType | None = None
    description: Text
    captions: Captions = ()


class Proposed(_Stage):
    """Stage 2: the target emotion, one new caption per region, and what changes in the picture."""

    target: PositiveEmotion | None = None
    captions: NewCaptions = ()
    specification: Text = ""


class Result(Form):
    """Stage 3: who edited, what came of it, and the key under which it is reused."""

    editor: str
    key: str
    file: str
    sha256: str
    notes: tuple[str, ...] = ()


class Origin(Form):
    """The picture a plan is for: its file name and what it holds."""

    file: str
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Review(Form):
    """What a person decided on a stage, why, and on what: its checksum."""

    stage: Stage
    decision: Decision
    reason: str
    content: str


class Plan(Form):
    """One meme's plan; a stage that is None has not been made."""

    plan: Literal[1] = 1  # the form of plans
    source: Origin
    language: Language = "en"
    status: Status = "new"
    problem: str | None = None
    described: Described | None = None
    proposed: Proposed | None = None
    edited: Result | None = None
    reviews: tuple[Review, ...] = ()

    def made(self, stage: Stage) -> str:
        """What a stage is known by in reviews: its seal, or its picture's checksum; empty where it
        has not been made."""
        if stage == "edit":
            return self.edited.sha256 if self.edited else ""
        found = self.described if stage == "describe" else self.proposed
        return found.seal or found.content if found else ""

    def last_review(self, stage: Stage) -> Review | None:
        """What was decided last on a stage; None where nothing was."""
        return next((one for one in reversed(self.reviews) if one.stage == stage), None)

    def accepted(self, stage: Stage) -> bool:
        """Whether a person accepted the stage. A picture is accepted as it is; what is changed by
        hand after it was accepted stays accepted."""
        last = self.last_review(stage)
        if last is None or last.decision != "accept" or not self.made(stage):
            return False
        return stage != "edit" or last.content == self.made(stage)

    def wishes(self, stage: Stage) -> tuple[str, ...]:
        """Why a stage was sent back, from the first time to the last."""
        sent = (one for one in self.reviews if (one.stage, one.decision) == (stage, "revise"))
        return tuple(one.reason for one in sent)

    @property
    def removed(self) -> Review | None:
        """Why the meme was removed; None where it was not."""
        return next((one for one in self.reviews if one.decision == "remove"), None)

    def instruction(self, source: Path) -> Instruction:
        """What an editor is asked to do; a plan without its second stage raises ValueError."""
        if self.proposed is None:
            raise ValueError("nothing is proposed yet")
        seen, wanted = self.described, self.proposed
        return Instruction(
            source=source,
            captions=wanted.captions,
            old_caption=("\n".join(seen.captions) or None) if seen else None,
            emotion=seen.emotion if seen else None,
            target=wanted.target,
            specification="\n".join(filter(None, (wanted.specification, *self.wishes("edit")))),
            language=self.language,
        )

    @property
    def changed_by_hand(self) -> bool:
        """Whether a stage is no longer what its maker left."""
        stages = filter(None, (self.described, self.proposed))
        return any(stage.seal != stage.content for stage in stages)

    def with_seal(self) -> Plan:
        """The plan with every stage sealed as it is now."""
        stages = {"described": self.described, "proposed": self.proposed}
        update = {name: stage.with_seal() for name, stage in stages.items() if stage is not None}
        return self.model_copy(update=update)


def read_plan(path: Path) -> Plan:
    """The plan in a file, as a person may have changed it; the first thing wrong in it is told."""
    text = read_text(path)
    try:
        json_object(text, str(path))
    except InputError as error:
        raise InputError(path, error.what, "Correct it: a plan is one JSON object.") from None
    try:
        return Plan.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
    where = f"{path} {'.'.join(map(str, first['loc']))}".strip()
    if first["type"] == "missing":
        raise InputError(where, "is missing", "Put it back, or have the plan made again.")
    if first["type"] == "extra_forbidden":
        raise InputError(where, "is no field of a plan", "Take it out, or correct its name.")
    expected = first["msg"].replace("Input should be", "expected", 1).removeprefix("Value error, ")
    raise InputError(where, f"got {quote(first['input'])}; {expected}", "Correct the plan.")


def write_plan(path: Path, plan: Plan) -> None:
    """Writes a plan for people to read and change; Chinese stays readable."""
    write_text(path, plan.model_dump_json(indent=2) + "\n")
