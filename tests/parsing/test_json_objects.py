"""JSON objects in an answer."""

from __future__ import annotations

import pytest

from deadpan.parsing.json_objects import json_objects
from deadpan.parsing.replies import Unparseable


def test_the_outermost_objects_are_found_in_order() -> None:
    text = 'a {"b": {"c": 1}} {broken {"d": [2], "d": [2]} {"e": '
    assert list(json_objects(text)) == [{"b": {"c": 1}}, {"d": [2]}]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('so: {"emotion": "joy", "emotion": "anger"}', "one field twice, and differently"),
        ("{" * 201, "too many braces"),
        ('{"a": ' + "[" * 60 + "]" * 60 + "}", "nested too deeply"),
    ],
)
def test_what_is_no_answer_raises(text: str, why: str) -> None:
    with pytest.raises(Unparseable, match=why):
        list(json_objects(text))
