"""The pages of the studies app: one function that renders them, and the files they load.

Each template begins with the facts that it takes. Every text is escaped, and characters in it that
would hide or reorder others are spelled out.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from deadpan.base.printable import escaped_json, visible
from deadpan.base.version import __version__
from deadpan.core.questions import Language
from deadpan.core.study.specification import Study
from deadpan.core.study.stages import Role
from deadpan.core.study.words import Words, in_language
from deadpan.studies.pages.prose import prose
from deadpan.studies.pages.wording import said_in, script_words
from deadpan.web.pages import asset, templates

_PACKAGE = "deadpan.studies.pages"
_KINDS = {
    "study.css": "text/css",
    "study.js": "text/javascript",
    "htmx.min.js": "text/javascript",
    "icon.svg": "image/svg+xml",
}
OPTION_KEYS = "1234567890qwertiopadfghlxcvbnm"
"""The keys of options, one after the other; those that are missing do something else."""
LANGUAGE_NAMES: dict[Language, str] = {"en": "English", "zh": "中文"}
# Under the pages' policy nothing is evaluated and no style stands in a page. What is put in place
# is ready for keys at once, a page with a refused answer too; none stays in the browser's storage.
_HTMX = {
    "includeIndicatorStyles": False,
    "allowEval": False,
    "allowScriptTags": False,
    "selfRequestsOnly": True,
    "historyCacheSize": 0,
    "refreshOnHistoryMiss": True,
    "scrollIntoViewOnBoost": False,
    "attributesToSettle": [],
    "defaultSettleDelay": 0,
    "timeout": 30_000,
    "responseHandling": [
        {"code": "204", "swap": False},
        {"code": "[23]..", "swap": True},
        {"code": "422", "swap": True, "error": False},
        {"code": "[45]..", "swap": False, "error": True},
    ],
}


@dataclass(frozen=True)
class Reader:
    """For whom a page is made, and where in the app it is."""

    language: Language
    csrf: str
    name: str = ""
    """Empty where nobody is signed in."""
    role: Role | None = None
    here: str = ""
    """The page's place in the navigation: work, guidelines, mine, lead, people, items, batches."""
    back: str = "/"
    """The page's address, to return to in another language."""
    done: int | None = None
    total: int | None = None
    """How many tasks are done, and how many there are as far as is known."""


@dataclass(frozen=True)
class OwnTask:
    """A task that somebody did, in their list of them."""

    token: str
    stage: str
    at: str
    """When it was last changed, to be read."""
    state: str
    """submitted, skipped, returned or open"""
    answers: Sequence[tuple[str, str]] = ()
    """The questions, each with the answer in words."""
    can_change: bool = False
    picture: str = ""
    """Where a small picture of the item can be had; empty where it has none."""
    alt: str = ""
    harmful: bool = False
    """Whether the picture is not seen before it is asked for."""


Render = Callable[..., str]


def renderer(study: Study) -> Render:
    """The function `render(template, reader, **facts)`, which returns a page's text."""
    environment = templates(_PACKAGE, autoescape=True, finalize=_printable)
    environment.filters |= {"words": _words, "data": data, "prose": prose, "exact": exact}
    environment.filters |= {"moment": moment}
    environment.globals |= {
        "study": study,
        "assets": {name: address(name) for name in _KINDS},
        "language_names": LANGUAGE_NAMES,
        "option_keys": OPTION_KEYS,
        "htmx": _HTMX,
        "script_words": script_words,
        "deadpan": __version__,
    }

    for name in environment.list_templates(extensions=["html"]):
        environment.get_template(name)  # now, and not while the first people wait

    def render(template: str, reader: Reader, **facts: Any) -> str:
        known = {"reader": reader, "t": said_in(reader.language)}
        return environment.get_template(template).render(known | facts)

    return render


@pass_context
def _words(context: Context, words: Words) -> str:
    """What is said in the reader's language."""
    reader: Reader = context["reader"]
    return in_language(words, reader.language)


def data(value: Any) -> Markup:
    """JSON to stand in an attribute, from which a script gets the very same value."""
    return escape(escaped_json(json.dumps(value, ensure_ascii=False)))


def exact(text: object) -> Markup:
    """Text as it is, for the fields in which its writer goes on with it."""
    return escape(str(text))


def moment(at: float) -> str:
    """A time to be read, in UTC."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M")


def _printable(value: Any) -> Any:
    """Text with nothing hidden in it; what is safe already, and numbers, stay as they are."""
    return visible(value) if type(value) is str else value


@cache
def asset_file(name: str) -> tuple[str, str] | None:
    """A style, script or icon that pages load, and its type; None where there is none of that name.
    The style is the report's, and what these pages add."""
    if name not in _KINDS:
        return None
    if name == "htmx.min.js":
        text = files(_PACKAGE).joinpath("assets", name).read_text("utf-8")
    elif name == "study.css":
        own = asset(_PACKAGE, name) + asset(_PACKAGE, "lead.css")
        text = asset("deadpan.reports", "report.css") + own
    else:
        text = asset(_PACKAGE, name)
    return text, _KINDS[name]


@cache
def address(name: str) -> str:
    """Where a browser gets such a file; another one once it has changed, so that it may be kept."""
    found = asset_file(name)
    digest = hashlib.sha256(found[0].encode()).hexdigest()[:12] if found else ""
    return f"/assets/{name}?v={digest}"
