"""Words that no template holds, of errors and titles: in files by key, the same in both languages,
all of them said, none missing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from string import Formatter

import pytest

import deadpan.core.study
import deadpan.studies
from deadpan.core.study.words import Wording, WrongAnswer, answer_words
from deadpan.studies.making.media_parts import titles
from deadpan.studies.storage.opened import NotAllowed, error_words

CORE = Path(deadpan.core.study.__file__).parent
STUDIES = Path(deadpan.studies.__file__).parent
MODULES = {one: one.read_text("utf-8") for one in (*CORE.rglob("*.py"), *STUDIES.rglob("*.py"))}
_NAMED = re.compile(r'"([a-z_]+)"')
_MADE = re.compile(r'f?"([a-z]+_)(?:\{|")')
"""How a key begins that is put together."""
CALLS: Mapping[Wording, str] = {
    answer_words: r"\b(?:WrongAnswer|answer_words)",
    error_words: r"\b(?:NotAllowed|TooSoon|TooManyAttempts|error_words|_in_both)",
    titles: r"\btitles",
}
"""What takes the keys of a file."""
each_file = pytest.mark.parametrize("wording", CALLS, ids=lambda one: one.path.stem)


def _facts(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@each_file
def test_every_key_says_the_same_facts_in_both_languages(wording: Wording) -> None:
    wrong = {}
    for key in wording:
        texts = wording.texts(key)
        facts = [_facts(text) for text in texts.values()]
        if list(texts) != ["en", "zh"] or facts[0] != facts[1] or texts["en"] == texts["zh"]:
            wrong[key] = texts
    assert wrong == {}


@each_file
def test_every_key_is_said_and_every_key_said_is_there(wording: Wording) -> None:
    called = re.compile(CALLS[wording] + r'\(\s*"([a-z_]+)"')
    used = {key for text in MODULES.values() for key in called.findall(text)}
    assert used - set(wording) == set(), "raised without words"
    named = {key for text in MODULES.values() for key in _NAMED.findall(text)}
    starts = tuple({start for text in MODULES.values() for start in _MADE.findall(text)})
    unsaid = {key for key in wording if key not in used | named and not key.startswith(starts)}
    assert unsaid == set(), "words that nobody says"


def test_no_module_holds_words_in_chinese() -> None:
    """But for the name of the language itself."""
    held = [
        f"{path.name}:{number}: {line.strip()}"
        for path, text in MODULES.items()
        for number, line in enumerate(text.splitlines(), start=1)
        if re.search(r"[\u4e00-\u9fff]", line) and not line.startswith("LANGUAGE_NAMES")
    ]
    assert held == []


def test_facts_stand_in_the_words_of_each_language() -> None:
    wrong = WrongAnswer("alone", what={"en": "none", "zh": "无"})
    assert str(wrong) == wrong.words["en"] == "none cannot be chosen with others"
    assert wrong.words["zh"] == "“无”不能与其他选项同时选择"
    refused = NotAllowed("guidelines_long", most=20_000)
    assert str(refused) == "expected guidelines of at most 20,000 characters"
    assert refused.words["zh"] == "标注指南最多 20000 个字符"
    with pytest.raises(KeyError):
        NotAllowed("no such key")
    with pytest.raises(KeyError):
        NotAllowed("guidelines_long")
