"""The words of the app's own pages: the same in both languages, all of them said, none missing."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter

import pytest

import deadpan.studies
from deadpan.studies.pages.wording import SCRIPT, said_in, script_words, ui_words

STUDIES = Path(deadpan.studies.__file__).parent
TEMPLATES = STUDIES / "pages" / "templates"
_SAID = re.compile(r"""(?:\bt|said_in\([^()]*\))\(\s*["']([a-z_]+)["']""")
_NAMED = re.compile(r"""["']([a-z_]+)["']""")
_MADE = re.compile(r"""(?:\bt|said_in\([^()]*\))\(f"([a-z_]*)\{[^}]*\}([a-z_]*)""")
_SCRIPTED = re.compile(r"""\b(?:words\.|told\(")([a-z_]+)""")


def _facts(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def _texts(folder: Path, end: str) -> list[str]:
    return [one.read_text("utf-8") for one in sorted(folder.rglob(f"*{end}"))]


def test_both_languages_say_the_same_with_the_same_facts() -> None:
    en, zh = ui_words("en"), ui_words("zh")
    assert list(en) == list(zh)
    assert [key for key in en if _facts(en[key]) != _facts(zh[key])] == []
    assert [key for key in en if en[key] == zh[key]] == []


def test_every_word_is_said_and_every_word_said_is_there() -> None:
    pages, modules = _texts(TEMPLATES, ".html"), _texts(STUDIES, ".py")
    own = {key for key in ui_words("en") if not key.startswith(SCRIPT)}
    assert {key for text in [*pages, *modules] for key in _SAID.findall(text)} <= own
    said = {key for text in pages for key in _SAID.findall(text)}
    said |= {key for text in modules for key in _NAMED.findall(text)}
    made = [ends for text in modules for ends in _MADE.findall(text)]
    said |= {key for key in own for a, b in made if key.startswith(a) and key.endswith(b)}
    assert own - said == set()
    [script] = _texts(TEMPLATES, "study.js")
    assert set(_SCRIPTED.findall(script)) == set(script_words("en"))


def test_an_unknown_word_or_a_missing_fact_raises() -> None:
    t = said_in("zh")
    assert t("progress_of", done=3, total=9) == "3 / 9"
    with pytest.raises(KeyError):
        t("no such word")
    with pytest.raises(KeyError):
        t("progress_of", done=3)
