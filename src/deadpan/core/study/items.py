"""What a study shows: items of pictures, comics, videos, sound, dialogues and text, and outputs of
sealed sources that are rated or chosen among."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal, Self

from pydantic import Field, JsonValue, model_validator

from deadpan.core.questions import Language, PanelBox
from deadpan.core.study.words import Frozen, Name, Words, in_language

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
PartKind = Literal["picture", "comic", "video", "sound", "text", "dialogue"]


def letter(place: int) -> str:
    """A, B, C … for the places of outputs on a page."""
    return _LETTERS[place] if place < len(_LETTERS) else str(place + 1)


class Turn(Frozen):
    """One message of a dialogue."""

    speaker: str
    """Who says it."""
    text: str
    """What is said."""


class Part(Frozen):
    """One thing that is shown: a file, words, or a dialogue. `path` is where a file lies; once a
    study is made it is the checksum under which the study keeps it."""

    name: Name
    """By which stages and questions know it; the same in all items."""
    kind: PartKind
    """What it is."""
    title: Words = Field(default_factory=dict)
    """What stands above it."""
    path: str = ""
    """Of a picture, comic, video or sound: the file, beside the file of items."""
    text: str = ""
    """Of a text: its words."""
    texts: Words = Field(default_factory=dict)
    """Of a text that the study itself says, such as labels: its words by the language of the page,
    in place of `text`."""
    turns: tuple[Turn, ...] = ()
    """Of a dialogue: its messages."""
    panels: tuple[PanelBox, ...] = ()
    """Of a comic: where its panels are, and the numbers that are drawn on them."""
    alt: str = ""
    """What a picture shows, for those who do not see it, where the data tells."""
    sealed: bool = False
    """Whether who made a picture is sealed though it is no output: it is shown as those are."""

    @model_validator(mode="after")
    def _has_content(self) -> Self:
        is_file = self.kind in ("picture", "comic", "video", "sound")
        if is_file != bool(self.path):
            raise ValueError(f"path: expected {'the' if is_file else 'no'} file of a {self.kind}")
        if self.texts and (self.kind != "text" or self.text):
            raise ValueError("texts: expected only of a text, and without `text`")
        return self

    @property
    def is_file(self) -> bool:
        return bool(self.path)

    @property
    def wordings(self) -> tuple[str, ...]:
        """The words of a text in every language in which it is shown."""
        return (self.text, *self.texts.values())

    def text_in(self, language: Language) -> str:
        """The words of a text on a page in a language."""
        return self.text or in_language(self.texts, language)


class Output(Frozen):
    """What a model or a person made of an item. `source`, who made it, is sealed: no rater's page
    holds it, nor what would tell it: names and descriptions of parts, and titles that not all
    sources share."""

    source: str
    """Who made it; sealed."""
    parts: Annotated[tuple[Part, ...], Field(min_length=1)]
    """What is shown of it."""


class StudyItem(Frozen):
    """One thing to answer questions about; `key` is its name in the data. Outputs are rated where
    there is one, and chosen among where there are several."""

    key: str
    """Its name in the data."""
    language: Language = "en"
    """In which it is written: it goes to those who read that."""
    parts: tuple[Part, ...] = ()
    """What is shown of it."""
    outputs: tuple[Output, ...] = ()
    """What was made of it: one to rate, or several to choose among."""
    panels: int = 0
    """How many panels a comic has whose boxes are not known."""
    attributes: Mapping[str, JsonValue] = Field(default_factory=dict)
    """What else is known of it; exported, and never shown to raters."""
    harmful: bool = False
    """Whether it stays blurred until it is asked for."""
    kind: Literal["main", "practice", "check"] = "main"
    """Practice comes first and is answered with feedback; checks are hidden among the others."""
    gold: Mapping[str, JsonValue] = Field(default_factory=dict)
    """The right answers of practice and of checks, by question."""
    feedback: Words = Field(default_factory=dict)
    """What is said after practice."""
    stage_feedback: Mapping[Name, Words] = Field(default_factory=dict)
    """By stage what is said instead; it stands, too, where a stage that is practised later builds
    on that one."""
    draft: Mapping[str, JsonValue] = Field(default_factory=dict)
    """Answers to begin with, by question, that people accept or correct."""
    draft_by: str = ""
    """Who made them; sealed."""

    @model_validator(mode="after")
    def _shows_something(self) -> Self:
        if not self.parts and not self.outputs:
            raise ValueError(f"item {self.key}: nothing to show")
        names = [part.name for part in self.parts]
        if len(set(names)) < len(names):
            raise ValueError(f"item {self.key}: two parts have one name")
        return self

    @property
    def panel_numbers(self) -> list[int]:
        """The numbers of a comic's panels; none of what is no comic."""
        drawn = [box.panel_number for part in self.parts for box in part.panels]
        return sorted(drawn) or list(range(1, self.panels + 1))

    def feedback_on(self, stage: str) -> Words:
        """What is said after practice in a stage."""
        return self.stage_feedback.get(stage, self.feedback)

    def part(self, name: str) -> Part | None:
        """The part of that name; None where there is none."""
        return next((part for part in self.parts if part.name == name), None)

    @property
    def files(self) -> Iterator[Part]:
        """Every part that is a file, of the item and of its outputs."""
        yield from (part for part in self.parts if part.is_file)
        for output in self.outputs:
            yield from (part for part in output.parts if part.is_file)
