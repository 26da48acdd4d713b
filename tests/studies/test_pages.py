"""Pages as text: each renders in both languages, and whatever stands in them stays text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

import pytest
from bs4 import BeautifulSoup

from deadpan.core.questions import Language
from deadpan.core.study.items import Turn
from deadpan.studies.pages.prose import prose
from deadpan.studies.pages.rendering import Reader, address, asset_file, data, renderer
from tests.reports.hostile import ATTACKS
from tests.studies.made_pages import TASKS, task_page
from tests.studies.made_questions import STUDY, asked

RENDER = renderer(STUDY)
ATTACK = " ".join(ATTACKS)
BIDI = "a\u202eb\x7f </textarea><script>alert(1)</script>"


def _rendered(name: str, language: Language, attack: str = "") -> BeautifulSoup:
    page = task_page(name, language, {})
    if attack:
        page = _attacked(page, attack)
    reader = Reader(language, "csrf", attack or "Ann", "lead", "work", attack or "/work", 1, 9)
    return BeautifulSoup(RENDER("task.html", reader, page=page), "html.parser")


def _attacked(value: Any, attack: str) -> Any:
    """The same page with an attack in every text that comes from data."""
    if isinstance(value, Turn):
        return Turn(speaker=attack, text=attack)
    if is_dataclass(value) and not isinstance(value, type):
        kept = ("kind", "token", "language", "asked", "who", "letter", "value", "name", "address")
        changes = {
            one.name: _attacked(getattr(value, one.name), attack)
            for one in fields(value)
            if one.name not in kept
        }
        return replace(value, **changes)
    if isinstance(value, list | tuple):
        return [_attacked(one, attack) for one in value]
    return attack if isinstance(value, str) else value


def _harm(page: BeautifulSoup) -> Iterator[str]:
    """What could run, load or restyle something in a page."""
    for tag in page.find_all(True):
        names = [name for name in tag.attrs if name.startswith("on") or name == "style"]
        yield from (f"{tag.name} {name}" for name in names)
        own = {"src": ("/assets/", "/media/"), "href": ("/", "#"), "action": ("/",)}
        for name, starts in own.items():
            if name in tag.attrs and not str(tag[name]).startswith(starts):
                yield f"{tag.name} {name}={tag[name]}"
        if tag.name in ("svg", "iframe", "style", "object", "embed", "base"):
            yield tag.name
        if tag.name == "script" and (tag.string or not tag.get("src")):
            yield "script"


@pytest.mark.parametrize("name", TASKS)
def test_attacks_stay_text_wherever_data_reaches_a_page(name: str) -> None:
    assert list(_harm(_rendered(name, "en", ATTACK))) == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_page_is_in_one_language_and_says_which(language: Language) -> None:
    page = _rendered("annotate", language)
    assert page.html and page.html["lang"] == {"en": "en", "zh": "zh-CN"}[language]
    button = page.select_one("#submit button")
    assert button and button.text.split()[0] == {"en": "Submit", "zh": "提交"}[language]


def test_fields_keep_what_their_writer_wrote() -> None:
    question = asked("en", BIDI, name="why", kind="text", title="Why?")
    span = asked("en", {"text": BIDI}, name="who", kind="span", of=["text"], title="Who?")
    page = replace(task_page("correct", "en", {}), questions=[question, span])
    text = RENDER("task.html", Reader("en", "csrf"), page=page)
    found = BeautifulSoup(text, "html.parser")
    area, hidden = found.select_one("#q-why textarea"), found.select_one("#q-who [name=value]")
    assert area and area.text.removeprefix("\n") == BIDI
    assert hidden and json.loads(str(hidden["value"])) == {"text": BIDI}


def test_json_in_an_attribute_comes_back_the_same() -> None:
    value = {"a": ['"><script>', "\u202e", "\x00", "'&amp;"]}
    found = BeautifulSoup(f'<i data-x="{data(value)}">', "html.parser").i
    assert found and json.loads(str(found["data-x"])) == value


def test_guidelines_have_headings_lists_and_bold_and_no_links() -> None:
    text = "# One\nwords **bo\nld** <b>x</b>\n一\n二\n\n"
    text += "- a\n  still a\n- b\n1. c\n\n[l](javascript:1)"
    assert prose(text) == (
        "<h2>One</h2>\n<p>words <strong>bo ld</strong> &lt;b&gt;x&lt;/b&gt; 一二</p>\n"
        "<ul><li>a still a</li><li>b</li></ul>\n<ol><li>c</li></ol>\n<p>[l](javascript:1)</p>"
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("It *is* so.", "It <em>is</em> so."),
        ("这是*重点*。", "这是<em>重点</em>。"),
        ("**a *b* c** *d **e***", "<strong>a <em>b</em> c</strong> <em>d <strong>e</strong></em>"),
        ("*a **b** c*", "<em>a <strong>b</strong> c</em>"),
        ("**a *b** c*", "<strong>a *b</strong> c*"),
        ("2*3*4, 2 * 3 * 4, cost* and price*", "2*3*4, 2 * 3 * 4, cost* and price*"),
        ("*<i onclick=x>*", "<em>&lt;i onclick=x&gt;</em>"),
        ("Say `NA`, **or `No`**", "Say <code>NA</code>, <strong>or <code>No</code></strong>"),
        ("`*a* <script>` `b", "<code>*a* &lt;script&gt;</code> `b"),
        ("\0" + "0\0 `a`", "⟦U+0000⟧0⟦U+0000⟧ <code>a</code>"),
        ("| a | b |", "| a | b |"),
    ],
)
def test_guidelines_have_italic_words_and_code(text: str, shown: str) -> None:
    assert prose(text) == f"<p>{shown}</p>"


def test_files_of_pages_are_named_by_what_is_in_them() -> None:
    style, kind = asset_file("study.css") or ("", "")
    assert kind == "text/css" and "--paper" in style and ".task" in style
    assert asset_file("../pages.py") is None
    assert address("study.js").startswith("/assets/study.js?v=")
