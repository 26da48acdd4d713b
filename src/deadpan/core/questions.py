"""A question about one item, the reply to it and how the reply was read: the spine's types."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue, model_validator

from deadpan.base.errors import InputError
from deadpan.base.files import is_folder, is_there, read_text
from deadpan.core.outcomes import Outcome
from deadpan.core.signature import SHOWN, VARIANT_SEED, checksum
from deadpan.core.variants import Variant

Language = Literal["en", "zh"]
Form = Literal["choice", "labels", "number", "order", "panel_text", "free"]
Attribute = str | int | float | bool | list[str]
Pixels = Annotated[int, Field(ge=-1_000_000, le=1_000_000)]


def escape_frames(text: str) -> str:
    """The text with the marks that frame foreign words in prompts made harmless."""
    return text.replace("<<<", "‹‹‹").replace(">>>", "›››")


def fill_slots(text: str, values: Mapping[str, str]) -> str:
    """A prompt with the slots filled that have a value; marks in values are made harmless."""
    slots = re.compile(rf"\{{({'|'.join(map(re.escape, values))})\}}")
    return slots.sub(lambda slot: escape_frames(values[slot[1]]), text) if values else text


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PanelBox(_Frozen):
    """A comic panel's place in the picture, in pixels, and the number it is known by."""

    x1: Pixels
    y1: Pixels
    x2: Pixels
    y2: Pixels
    panel_number: Annotated[int, Field(ge=0, le=999)]


class Picture(_Frozen):
    """An image file to show; panel numbers are drawn on it where `panels` are given."""

    path: str
    panels: tuple[PanelBox, ...] = ()
    notes: tuple[str, ...] = ()
    """What is worth knowing of how it is shown; no part of what is asked."""
    blank: bool = False
    """Whether nothing of it is seen but its size, in one grey."""
    layout: tuple[int, ...] = ()
    """Where panels are laid out anew: their places among `panels`, in the order of the layout."""

    @property
    def is_changed(self) -> bool:
        """Whether it is shown otherwise than it is."""
        return self.blank or bool(self.layout)

    def recipe(self) -> dict[str, Any]:
        """How it is drawn, wherever it lies."""
        other = {name for name in ("blank", "layout") if getattr(self, name)}
        return self.model_dump(mode="json", include={"panels", *other})


class Clip(_Frozen):
    """A video file to show. `frames` are pictures cut out of it that came with the data;
    `transcript` is what is said in it, None where the data does not tell."""

    path: str
    frames: tuple[str, ...] = ()
    transcript: str | None = None
    blank: bool = False
    """Whether nothing of its frames is seen but their size, in one grey."""
    sound: str = ""
    """The file that is listened to, where it is not the one that is seen."""


TRANSCRIPT = "{transcript}"
"""Where in a question's text the words spoken in its clip go, once they are known."""

_NOTHING_SAID: dict[Language, str] = {
    "en": "(nothing is said, or it is not known)",
    "zh": "（无语音，或内容未知）",
}


class MediaOptions(_Frozen):
    """How pictures and clips are shown: clips as evenly spread frames or whole, and who writes down
    their speech; or in a variant that leaves out or changes something, to see what needs it."""

    frames: Annotated[int, Field(ge=1, le=256)] = 8
    longest: Annotated[int, Field(ge=64, le=4096)] = 768
    native: bool = False
    variant: Variant = Variant.FULL
    variant_seed: Annotated[int, Field(ge=0)] = 0
    """What decides whose picture is shown, or in what order things stand."""
    transcriber: str | None = None

    @model_validator(mode="after")
    def _frames_of_variants(self) -> Self:
        if self.native and self.variant is Variant.BLANK:
            raise ValueError("a blank video is shown as frames: leave out native")
        return self

    @property
    def text_only(self) -> bool:
        """Whether no picture and no video is shown."""
        return self.variant.hides_media

    def settings(self, of_clips: bool) -> dict[str, str]:
        """What of this belongs into the signature of questions, about clips or not."""
        told = {} if self.variant is Variant.FULL else {SHOWN: self.variant.shown}
        if self.variant.is_seeded:
            told[VARIANT_SEED] = str(self.variant_seed)
        if of_clips and not self.text_only:
            way = "video" if self.native else f"{self.frames}x{self.longest}"
            told["frames" if told else SHOWN] = way
            told |= {"transcriber": self.transcriber} if self.transcriber else {}
        return told


class Card(_Frozen):
    """What an embedded baseline may know of a question: never its gold."""

    benchmark: str
    task: str
    item: str
    language: Language
    form: Form
    options: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    """What each option says, where the options are letters."""
    labels: tuple[str, ...] = ()
    """The labels of the parts that an answer in words is asked in."""
    panels: int | None = None
    reference: str | None = None


class Question(_Frozen):
    """One question about one item, ready to be asked."""

    item: str
    """The item's id, the same in every task about it."""
    language: Language
    system: str
    """The system prompt."""
    text: str
    """The user prompt, its slots filled."""
    pictures: tuple[Picture, ...] = ()
    clip: Clip | None = None
    form: Form
    """What kind of answer is asked for; baselines answer by it."""
    options: tuple[str, ...] = ()
    """What may be answered: the labels or letters of a choice."""
    about: tuple[str, ...] = ()
    """What each option says, where the options are letters."""
    labels: tuple[str, ...] = ()
    """The labels of the parts that an answer in words is asked in."""
    reference: str | None = None
    """What `baseline/majority` answers: the usual answer to the task, the same for every item. This
    item's gold does not belong here."""
    panels: int | None = None
    """The highest number that an answer may be: a comic's number of panels."""
    gold: JsonValue
    """What is right, for metrics and judges; no model or baseline sees it."""
    attributes: dict[str, Attribute] = Field(default_factory=dict)
    """What is known of the item: what scores are grouped by."""
    unshown: str | None = None
    """Why its pictures cannot be shown as they are meant, where they cannot: it is then asked only
    where nothing is shown."""

    def prompt_text(self, said: str | None) -> str:
        """The text with the words spoken in the clip, or that there are none, in their place."""
        words = escape_frames(said) if said else _NOTHING_SAID[self.language]
        return self.text.replace(TRANSCRIPT, words)

    def card(self, benchmark: str, task: str) -> Card:
        """The part of the question that a baseline may see."""
        shared = Card.model_fields.keys() & Question.model_fields.keys()
        return Card(
            benchmark=benchmark, task=task, **{name: getattr(self, name) for name in shared}
        )


class Reply(_Frozen):
    """What came back: text, or the error of the call, or a provider's stop reason. `reasoning` is
    what a model thought before its answer, where the provider tells it apart."""

    text: str | None = None
    reasoning: str | None = None
    error: str | None = None
    stop: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    seconds: float | None = None


class Grade(_Frozen):
    """How a reply was read: its outcome, what was understood, and why not where it was not."""

    outcome: Outcome
    parsed: JsonValue = None
    reason: str | None = None


AttributeType = type[str] | type[int] | type[bool] | type[list[str]]
"""`list` for a list of texts."""


@dataclass(frozen=True)
class RowForm:
    """The types of a task's gold and of its answers as they were read, both as JSON, and of the
    attributes that its scores need."""

    gold: Any
    parsed: Any
    attributes: Mapping[str, AttributeType] = field(default_factory=dict)

    def with_lists(self, attributes: Mapping[str, Attribute]) -> dict[str, Attribute]:
        """The attributes, with those as lists that older stores hold as texts joined by `+`."""
        return {
            name: value.split("+")
            if self.attributes.get(name) is list and isinstance(value, str)
            else value
            for name, value in attributes.items()
        }


SYSTEM = "system"


@dataclass(frozen=True)
class Prompts:
    """A task's system and user prompts per language, and their checksum."""

    system: Mapping[Language, str]
    user: Mapping[Language, str]

    @classmethod
    def read(
        cls, folder: Path, task: str, languages: tuple[Language, ...], override: Path | None = None
    ) -> Prompts:
        """Prompts from the benchmark's folder; a file of the same name in `override` wins."""
        if override is not None:
            _check_override(folder, override)
        return cls(
            system={code: _text(folder, override, code, SYSTEM) for code in languages},
            user={code: _text(folder, override, code, task) for code in languages},
        )

    @property
    def checksum(self) -> str:
        return checksum({"system": dict(self.system), "user": dict(self.user)})


def _text(folder: Path, override: Path | None, language: str, name: str) -> str:
    own = override / language / f"{name}.txt" if override else None
    return read_text(own if own and is_there(own) else folder / language / f"{name}.txt").strip()


def _check_override(folder: Path, override: Path) -> None:
    if not is_folder(override):
        raise InputError(override, "no such folder", "Give a folder like prompts/en/<task>.txt.")
    known = {path.relative_to(folder) for path in folder.glob("*/*.txt")}
    given = {path.relative_to(override) for path in override.rglob("*.txt")}
    if stray := sorted(str(path) for path in given - known):
        expected = ", ".join(sorted(str(path) for path in known))
        raise InputError(override, f"unknown prompt file {stray[0]}", f"Expected: {expected}.")
    if not given:
        raise InputError(override, "holds no prompt file", "Give files like en/style.txt.")
