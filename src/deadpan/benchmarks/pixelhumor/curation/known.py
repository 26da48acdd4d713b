"""Panels of a comic as drafts hold them, and those that a source tells of itself."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError, model_validator

from deadpan.core.curation import Post
from deadpan.core.questions import PanelBox

ATTRIBUTE = "panels"
"""The field of a source that tells the panels of a comic, in JSON."""


class Panels(BaseModel):
    """Boxes with their numbers, reading order, text by panel and harm, all of the same panels."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    metadata: list[PanelBox] = Field(min_length=1)
    panel_sequence: list[int]
    text: dict[int, str]
    potentially_harmful: Literal["harm", "non-harm"]

    @model_validator(mode="after")
    def _of_the_same_panels(self) -> Self:
        numbers = sorted(box.panel_number for box in self.metadata)
        if sorted(self.panel_sequence) != numbers or sorted(self.text) != numbers:
            raise ValueError("boxes, order and text are not of the same panels")
        return self

    @property
    def draft(self) -> dict[str, JsonValue]:
        """The same as a draft."""
        dumped: dict[str, JsonValue] = self.model_dump(mode="json")
        return dumped


def known_panels(post: Post) -> dict[str, JsonValue] | None:
    """The draft that a source tells of a comic whose panels were settled before; None where it
    tells none, or a field of that name holds something else."""
    try:
        return Panels.model_validate_json(post.attributes.get(ATTRIBUTE, "")).draft
    except ValidationError:
        return None
