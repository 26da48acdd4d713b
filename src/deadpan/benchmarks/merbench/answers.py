"""An answer is an edited picture: `{"path": …, "sha256": …}` → a grade by what the file is."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

from deadpan.core.questions import Grade, Reply
from deadpan.media.looked import looked_at
from deadpan.parsing.replies import Unparseable, graded


class EditedPicture(BaseModel):
    """Where an edited picture lies and what it was when it was made."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    path: str
    sha256: str


def edited_picture(text: str) -> EditedPicture:
    """The picture an answer names; raises Unparseable where it names none."""
    try:
        return EditedPicture.model_validate_json(text)
    except ValidationError:
        raise Unparseable('the answer is no edited picture ({"path": …, "sha256": …})') from None


def picture_grade(reply: Reply) -> Grade:
    """Answered where the file is a picture that can be read whole and is the one it was; invalid
    where it cannot be read, failed where it is gone or another by now."""
    grade = graded(reply, _named)
    if grade.outcome != "answered":
        return grade
    picture = EditedPicture.model_validate(grade.parsed)
    looked = looked_at(Path(picture.path))
    if looked is None:
        return Grade(outcome="failed", reason=f"there is no edited picture at {picture.path}")
    if looked.problem is not None:
        return Grade(outcome="invalid", reason=f"the edited picture: {looked.problem}")
    if looked.sha256 != picture.sha256:
        return Grade(outcome="failed", reason=f"{picture.path} has changed since it was made")
    return grade


def _named(text: str) -> JsonValue:
    found: dict[str, JsonValue] = edited_picture(text).model_dump()
    return found
