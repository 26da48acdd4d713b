"""The words of the app's own pages: the same in both languages, all of them said, none missing."""

from __future__ import annotations

import re
from importlib.resources import files
from string import Formatter

import pytest

from deadpan.studies.words import SCRIPT, said_in, script_words, ui_words

STUDIES = files("deadpan.studies")
TEMPLATES = STUDIES.joinpath("templates")
_SAID = re.compile(r"""(?:\bt|said_in\([^()]*\))\(\s*["']([a-z_]+)["']""")
_ENDS = re.compile(r"""\bt\(f"\{[^}]*\}(_[a-z]+)""")
_SCRIPTED = re.compile(r"""\b(?:words\.|told\(")([a-z_]+)""")


def _facts(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_both_languages_say_the_same_with_the_same_facts() -> None:
    en, zh = ui_words("en"), ui_words("zh")
    assert list(en) == list(zh)
    assert [key for key in en if _facts(en[key]) != _facts(zh[key])] == []
    assert [key for key in en if en[key] == zh[key]] == []


def test_every_word_is_said_and_every_word_said_is_there() -> None:
    sources = [one for one in STUDIES.iterdir() if one.name.endswith(".py")]
    sources += [one for one in TEMPLATES.iterdir() if one.name.endswith(".html")]
    texts = [one.read_text("utf-8") for one in sources]
    said = {key for text in texts for key in _SAID.findall(text)}
    scripted = set(_SCRIPTED.findall(TEMPLATES.joinpath("study.js").read_text("utf-8")))
    own = {key for key in ui_words("en") if not key.startswith(SCRIPT)}
    ends = tuple(end for text in texts for end in _ENDS.findall(text))
    assert said <= own
    assert [key for key in own - said if not key.endswith(ends)] == []
    assert scripted == set(script_words("en"))


def test_an_unknown_word_or_a_missing_fact_raises() -> None:
    t = said_in("zh")
    assert t("progress_of", done=3, total=9) == "3 / 9"
    with pytest.raises(KeyError):
        t("no such word")
    with pytest.raises(KeyError):
        t("progress_of", done=3)
