"""Replies to ViMU's questions → letters or a reading; nothing is guessed. A reply to a closed
question is a JSON object with `selected_options`, or a list of letters as people and models write
it, in English or Chinese."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from functools import cache, lru_cache, partial

from pydantic import BaseModel, JsonValue

from deadpan.benchmarks.vimu.records import OpenEnded
from deadpan.benchmarks.vimu.taxonomy import (
    CHOICES,
    TAXONOMIES,
    Letter,
    Taxonomy,
    category_of,
)
from deadpan.core.questions import AttributeType, RowForm
from deadpan.parsing.declared import Asked
from deadpan.parsing.letters import LETTERS
from deadpan.parsing.mentions import label_finder
from deadpan.parsing.open_text import open_text
from deadpan.parsing.options import Vocabulary
from deadpan.parsing.replies import Parse, Unparseable
from deadpan.parsing.script import simplify

KEY = "selected_options"


class Selected(BaseModel, frozen=True, extra="forbid"):
    """The form a provider may hold a reply to: the letters of the chosen options."""

    selected_options: list[Letter]


Options = tuple[tuple[str, tuple[str, ...]], ...]
"""The options of a question: the letter of each, and the names that it goes by."""


def standard_options(taxonomy: Taxonomy) -> Options:
    """A taxonomy's options in the order of its letters."""
    return tuple((one.letter, (one.label, one.label_zh)) for one in taxonomy)


def own_options(taxonomy: Taxonomy, letters: Sequence[str], texts: Sequence[str]) -> Options:
    """A question's own options, each by its text and by the names of the category that it is."""
    return tuple(
        (letter, (text, one.label, one.label_zh) if one else (text,))
        for letter, text in zip(letters, texts, strict=False)
        for one in [category_of(taxonomy, text)]
    )


def selection(text: str, options: Options = ()) -> JsonValue:
    """The chosen letters, sorted, each once; an empty list where none is said to be right. An
    answer without letters may name the options."""
    found = _lettered(options).read(text)
    if found is None and options:
        found = _named(options).read(text)
    if found is None:
        got = " ".join(text[:1000].split())
        shown = f'"{got[:57]}..."' if len(got) > 60 else f'"{got}"'
        raise Unparseable(f'expected {{"{KEY}": [letters]}}; got {shown}')
    return list[JsonValue](sorted(found))


@cache
def _lettered(options: Options) -> Vocabulary:
    """What reads letters; "all of them" are those that there are."""
    if not options:
        return LETTERS
    return replace(LETTERS, every=tuple(letter for letter, _ in options), size=len(options))


@lru_cache(maxsize=64)
def _named(options: Options) -> Vocabulary:
    """What reads the names of options, and gives their letters."""
    labels: dict[str, dict[str, list[str]]] = {}
    every = [name for _, names in options for name in names]
    for letter, names in sorted(options, key=lambda one: -max(map(len, one[1]))):
        kinds = labels.setdefault(letter, {})
        for name in dict.fromkeys(names):
            # 画面 is a word of any prose.
            kind = "loose" if re.fullmatch(r"[\u3400-\u9fff]{1,6}", name) else "names"
            kinds.setdefault(kind, []).append(_wording(name, every))
    return replace(
        LETTERS, find=label_finder(labels), none=None, between=None, spoils=None, every=()
    )


def _wording(label: str, every: Sequence[str] = ()) -> str:
    """A pattern of a name, however its parts are joined, where it does not begin a longer one:
    画面 is not named by 画面中的文字."""
    longer = (name[len(label) :] for name in every if name.startswith(label) and name != label)
    rest = "".join(rf"(?!{re.escape(more)})" for more in dict.fromkeys(longer))
    parts = (r"\s*".join(map(re.escape, part.split())) for part in label.split("/"))
    return r"(?<![A-Za-z])" + r"\s*(?:/|and|&|与|和|或)?\s*".join(parts) + r"(?![A-Za-z])" + rest


def named_values(task: str, text: str) -> Set[str]:
    """The letters that a text has any form of: themselves, or a word of the category's names that
    no other category's have."""
    taxonomy = TAXONOMIES[task.removesuffix("_guided")]
    words = {
        one.letter: {
            word
            for name in (one.label, one.label_zh, *(own.name for own in one.members))
            for word in re.findall(r"[a-z]{4,}|[\u3400-\u9fff]{2,}", name.casefold())
        }
        for one in taxonomy
    }
    others = {
        letter: set().union(*(own for other, own in words.items() if other != letter))
        for letter in words
    }
    plain = simplify(text).casefold()
    by_word = {
        letter for letter, own in words.items() if any(one in plain for one in own - others[letter])
    }
    return LETTERS.named(text) | by_word


_EXPLAINED = Asked(("answer", "explanation", "interpretation", "答案", "回答", "解释", "说明"))
PARSERS: Mapping[str, Parse] = {
    "oe": partial(open_text, asked=_EXPLAINED),
    **{
        task: partial(selection, options=standard_options(TAXONOMIES[task.removesuffix("_guided")]))
        for task in CHOICES
    },
}
"""What reads replies to questions that order their options as the taxonomy does."""

_ATTRIBUTES: dict[str, AttributeType] = {
    **dict.fromkeys(("difficulty", "speech"), str),
    **dict.fromkeys(("rhetoric", "social", "categories"), list),
}
ROW_FORMS: dict[str, RowForm] = {
    "oe": RowForm(OpenEnded, str, _ATTRIBUTES),
    **dict.fromkeys(CHOICES, RowForm(list[Letter], list[Letter], _ATTRIBUTES)),
}
"""What rows of each task hold in a results table."""
