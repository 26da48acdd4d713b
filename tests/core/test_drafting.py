"""What is plainly meant in a form is read, and nothing is guessed."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from pydantic import Field, ValidationError

from deadpan.core.drafting import Form, Words


class Meme(Form):
    """A form with a field of each kind."""

    verdict: Literal["yes", "not_sure"]
    why: Words | None
    symbols: tuple[Words, ...]


GIVEN: dict[str, Any] = {"verdict": "yes", "why": "It is.", "symbols": ["clown"]}


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ({"verdict": " Not sure."}, {"verdict": "not_sure"}),
        ({"verdict": "NOT-SURE"}, {"verdict": "not_sure"}),
        ({"why": "None."}, {"why": None}),
        ({"why": "（无）"}, {"why": None}),
        ({"symbols": "clown"}, {"symbols": ("clown",)}),
        ({"symbols": ["无"]}, {"symbols": ()}),
        ({"symbols": ""}, {"symbols": ()}),
        ({"confidence": 0.9}, {}),
    ],
)
def test_what_is_plainly_meant_is_read(said: dict[str, Any], read: dict[str, Any]) -> None:
    wanted = {**GIVEN, "symbols": ("clown",), **read}
    assert Meme.model_validate({**GIVEN, **said}).model_dump() == wanted


class Labels(Form):
    """Labels of which one is called none."""

    labels: list[str] = Field(min_length=1)


@pytest.mark.parametrize("said", [["none"], "none"])
def test_none_is_a_label_where_there_has_to_be_one(said: object) -> None:
    assert Labels.model_validate({"labels": said}).labels == ["none"]


def test_fields_may_be_in_other_letters() -> None:
    assert Meme.model_validate({"Verdict": "yes", "WHY": None, "symbols": []}).why is None


@pytest.mark.parametrize(
    "said",
    [{"verdict": "yes and no"}, {"verdict": "no"}, {"why": "???"}, {"symbols": [1]}, {"why": 3}],
)
def test_nothing_is_guessed(said: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Meme.model_validate({**GIVEN, **said})
