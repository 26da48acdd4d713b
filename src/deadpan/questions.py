"""A question about one item, the reply to it and how the reply was read: the spine's types."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from deadpan.outcomes import Outcome

Language = Literal["en", "zh"]
Form = Literal["choice", "labels", "number", "order", "panel_text", "free"]
Attribute = str | int | float | bool
Pixels = Annotated[int, Field(ge=-1_000_000, le=1_000_000)]


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


class Card(_Frozen):
    """What an embedded baseline may know of a question: never its gold."""

    benchmark: str
    task: str
    item: str
    language: Language
    form: Form
    options: tuple[str, ...] = ()
    panels: int | None = None
    reference: str | None = None


class Question(_Frozen):
    """One question about one item, ready to be asked."""

    item: str
    language: Language
    system: str
    text: str
    pictures: tuple[Picture, ...]
    form: Form
    options: tuple[str, ...] = ()
    reference: str | None = None
    panels: int | None = None
    gold: JsonValue
    attributes: dict[str, Attribute]

    def card(self, benchmark: str, task: str) -> Card:
        """The part of the question that a baseline may see."""
        return Card(
            benchmark=benchmark,
            task=task,
            item=self.item,
            language=self.language,
            form=self.form,
            options=self.options,
            panels=self.panels,
            reference=self.reference,
        )


class Reply(_Frozen):
    """What came back: text, or the error of the call, or a provider's stop reason."""

    text: str | None = None
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
