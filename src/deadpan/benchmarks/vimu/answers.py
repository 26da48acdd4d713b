"""Replies to ViMU's questions → letters or a reading; nothing is guessed. A reply to a closed
question is a JSON object with `selected_options`, or a list of letters as people and models write
it, in English or Chinese."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from pydantic import BaseModel, JsonValue

from deadpan.benchmarks.vimu.records import Reading
from deadpan.benchmarks.vimu.taxonomy import CHOICES, Letter
from deadpan.core.questions import AttributeType, RowForm
from deadpan.parsing.declared import Asked
from deadpan.parsing.letters import LETTERS
from deadpan.parsing.open_text import open_text
from deadpan.parsing.replies import Parse, Unparseable

KEY = "selected_options"


class Selected(BaseModel, frozen=True, extra="forbid"):
    """The form a provider may hold a reply to: the letters of the chosen options."""

    selected_options: list[Letter]


def selection(text: str) -> JsonValue:
    """The chosen letters, sorted, each once; an empty list where none is said to be right."""
    found = LETTERS.read(text)
    if found is None:
        got = " ".join(text[:1000].split())
        shown = f'"{got[:57]}..."' if len(got) > 60 else f'"{got}"'
        raise Unparseable(f'expected {{"{KEY}": [letters]}}; got {shown}')
    return list[JsonValue](sorted(found))


_EXPLAINED = Asked(("answer", "explanation", "interpretation", "答案", "回答", "解释", "说明"))
PARSERS: Mapping[str, Parse] = {
    "oe": partial(open_text, asked=_EXPLAINED),
    **dict.fromkeys(CHOICES, selection),
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
