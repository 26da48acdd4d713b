"""Vocabularies that data words: what they read, and what is refused of their form."""

from __future__ import annotations

from typing import Any

import pytest

from deadpan.parsing.options import Vocabulary

WORDED: dict[str, Any] = {
    "labels": {"gripe": {"names": [r"\bgripes?\b", "吐槽"]}, "praise": {"loose": ["praise", "夸"]}},
    "asked": ["kind"],
    "filler": r"(?i)\b(?:a|it|is)\b|是",
    "decides": [r"(?i)\bis\b|是"],
}


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("It is a gripe.", "gripe"),
        ("是吐槽", "gripe"),
        ("Praise", "praise"),
        ("Kind: 夸", "praise"),
    ],
)
def test_labels_are_read_in_both_languages(text: str, label: str) -> None:
    assert Vocabulary.worded(WORDED, several=False).read(text) == [label]


@pytest.mark.parametrize(
    ("patterns", "said"),
    [
        ({"en": ["gripe"], "zh": ["吐槽"]}, "got en, zh; expected names, loose or both: lists of"),
        ({}, "got nothing; expected names, loose or both"),
        ({"names": []}, "its lists are empty; expected names"),
        ({"names": "gripe"}, "names is 'gripe'; expected names"),
        (["gripe"], "got ['gripe']; expected names"),
    ],
)
def test_a_label_of_another_form_is_refused(patterns: Any, said: str) -> None:
    labels = WORDED["labels"] | {"gripe": patterns}
    with pytest.raises(ValueError) as raised:
        Vocabulary.worded(WORDED | {"labels": labels}, several=False)
    assert f'label "gripe": {said}' in str(raised.value)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("filler", None, "filler is None; expected a pattern"),
        ("decides", "is", "decides is 'is'; expected a list of patterns"),
        ("labels", {}, "labels is {}; expected a table of labels"),
    ],
)
def test_a_part_that_is_lacking_is_named(name: str, value: Any, said: str) -> None:
    with pytest.raises(ValueError) as raised:
        Vocabulary.worded(WORDED | {name: value}, several=False)
    assert f"vocabulary: {said}" in str(raised.value)
