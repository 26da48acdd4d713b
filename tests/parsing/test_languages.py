"""Texts that are in another language than was asked for."""

from __future__ import annotations

import pytest

from deadpan.core.questions import Language
from deadpan.parsing.languages import require_language


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "The caption 打工人的一天 praises what the picture shows to be misery."),
        ("en", ""),
        ("en", "???"),
        ("zh", "图中写着 I'm fine，老板却在微笑，讽刺 KPI。"),
        ("zh", "無"),
    ],
)
def test_words_that_are_quoted_make_no_other_language(language: Language, text: str) -> None:
    require_language(language, text=text, nothing=None)


@pytest.mark.parametrize(
    ("language", "text", "named"),
    [
        ("en", "文字夸老板，画面里员工累倒。", "explanation: expected it in English"),
        ("zh", "The words praise the boss.", "explanation: expected it in Chinese"),
        ("zh", "The words praise 老板.", "explanation: expected it in Chinese"),
    ],
)
def test_another_language_is_named_with_its_field(
    language: Language, text: str, named: str
) -> None:
    with pytest.raises(ValueError, match=named):
        require_language(language, explanation=text)
