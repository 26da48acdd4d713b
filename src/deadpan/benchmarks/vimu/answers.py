"""Replies to ViMU's questions → letters or a reading; nothing is guessed. A reply to a closed
question is a JSON object with `selected_options`, or a list of letters as people and models write
it, in English or Chinese."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache, partial

from pydantic import BaseModel, JsonValue

from deadpan.benchmarks.vimu.records import Reading
from deadpan.benchmarks.vimu.taxonomy import CHOICES, EVIDENCE, TAXONOMIES, Letter, Taxonomy
from deadpan.core.questions import AttributeType, RowForm
from deadpan.parsing.declared import Asked
from deadpan.parsing.letters import LETTERS
from deadpan.parsing.mentions import label_finder
from deadpan.parsing.open_text import open_text
from deadpan.parsing.options import Vocabulary
from deadpan.parsing.replies import Parse, Unparseable

KEY = "selected_options"


class Selected(BaseModel, frozen=True, extra="forbid"):
    """The form a provider may hold a reply to: the letters of the chosen options."""

    selected_options: list[Letter]


def selection(text: str, taxonomy: Taxonomy = ()) -> JsonValue:
    """The chosen letters, sorted, each once; an empty list where none is said to be right. An
    answer without letters may name the options of a taxonomy."""
    found = LETTERS.read(text)
    if found is None and taxonomy:
        found = _named(taxonomy).read(text)
    if found is None:
        got = " ".join(text[:1000].split())
        shown = f'"{got[:57]}..."' if len(got) > 60 else f'"{got}"'
        raise Unparseable(f'expected {{"{KEY}": [letters]}}; got {shown}')
    return list[JsonValue](sorted(found))


@cache
def _named(taxonomy: Taxonomy) -> Vocabulary:
    """What reads the names of a taxonomy's options, and gives their standard letters."""
    # 画面 is a word of any prose, and begins 画面中的文字.
    kind = "loose" if taxonomy is EVIDENCE else "names"
    labels: dict[str, dict[str, list[str]]] = {
        one.letter: {"names": [_wording(one.label)]}
        for one in sorted(taxonomy, key=lambda one: -len(one.label_zh))
    }
    for one in taxonomy:
        labels[one.letter].setdefault(kind, []).append(_wording(one.label_zh))
    return replace(
        LETTERS, find=label_finder(labels), none=None, between=None, spoils=None, every=()
    )


def _wording(label: str) -> str:
    """A pattern of a name, however its parts are joined."""
    parts = (r"\s*".join(map(re.escape, part.split())) for part in label.split("/"))
    return r"(?<![A-Za-z])" + r"\s*(?:/|and|&|与|和|或)?\s*".join(parts) + r"(?![A-Za-z])"


_EXPLAINED = Asked(("answer", "explanation", "interpretation", "答案", "回答", "解释", "说明"))
PARSERS: Mapping[str, Parse] = {
    "oe": partial(open_text, asked=_EXPLAINED),
    **{
        task: partial(selection, taxonomy=TAXONOMIES[task.removesuffix("_guided")])
        for task in CHOICES
    },
}

_ATTRIBUTES: dict[str, AttributeType] = {
    **dict.fromkeys(("difficulty", "speech"), str),
    **dict.fromkeys(("rhetoric", "social", "categories"), list),
}
ROW_FORMS: dict[str, RowForm] = {
    "oe": RowForm(Reading, str, _ATTRIBUTES),
    **dict.fromkeys(CHOICES, RowForm(list[Letter], list[Letter], _ATTRIBUTES)),
}
"""What rows of each task hold in a results table."""
