"""Replies to ViMU's questions → letters or a reading; nothing is guessed. A reply to a closed
question is a JSON object with `selected_options`, or a list of letters as people and models write
it, in English or Chinese."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, JsonValue

from deadpan.base.compatibility import compatibility_form
from deadpan.base.files import read_text
from deadpan.benchmarks.vimu.records import Reading
from deadpan.benchmarks.vimu.taxonomy import CHOICES, LETTERS, Letter
from deadpan.core.questions import AttributeType, RowForm
from deadpan.parsing.json_objects import require_shallow
from deadpan.parsing.replies import Parse, Unparseable

KEY = "selected_options"
_LETTERS = frozenset(LETTERS)
_MOST_BRACES = 300
_PART = r"'[\w .:/()-]{0,60}'"
_PYTHON_OBJECT = re.compile(
    rf"\{{\s*+'{KEY}'\s*+:\s*+(\[\s*+(?:{_PART}(?:\s*+,\s*+{_PART})*)?\s*+\])\s*+\}}"
)
_CURLY = str.maketrans("“”„‘’", '"""\'\'')
_LONGEST_LIST = 200
_LONGEST_ENTRIES = 20_000
_DECORATION = " \t\r\n\"'“”‘’「」『』`*_()[]<>【】《》.。!•-"
_NONE = frozenset(
    {
        *("none", "none of the above", "none of them", "none of these", "no option", "no options"),
        *("无", "没有", "都不是", "都没有", "都不选", "以上都不是", "以上皆非", "均不符合"),
    }
)
_PATTERNS = {
    name: re.compile(pattern)
    for name, pattern in tomllib.loads(
        read_text(Path(__file__).with_name("reply_patterns.toml"))
    ).items()
}


class Selected(BaseModel, frozen=True, extra="forbid"):
    """The form a provider may hold a reply to: the letters of the chosen options."""

    selected_options: list[Letter]


def selection(text: str) -> JsonValue:
    """The chosen letters, sorted, each once; an empty list where none is said to be right."""
    plain = compatibility_form(text).strip()
    if KEY in plain and "{" in plain:
        return list(_from_objects(plain))
    for read in (whole, entries, announced_letters):
        if (letters := read(plain)) is not None:
            return list(letters)
    raise Unparseable(f'expected {{"{KEY}": [letters]}}; got {_quote_letters(plain)}')


def _from_objects(text: str) -> Sequence[str]:
    """The letters of the JSON objects in a text; none complete, or several that differ, raise."""
    values = list(_values(text)) or list(_values(text.translate(_CURLY)))
    if not values:
        raise Unparseable(f"it holds no complete JSON object with {KEY}")
    found = [_letters(value) for value in values]
    if any(letters != found[0] for letters in found):
        raise Unparseable(f"it holds {len(found)} selections that differ")
    return found[0]


def _values(text: str) -> Iterator[JsonValue]:
    """The `selected_options` of every JSON object in a text, nested ones and repeated keys too."""
    noticed: list[JsonValue] = []

    def notice(pairs: list[tuple[str, Any]]) -> None:
        noticed.extend(value for name, value in pairs if name == KEY)

    decoder = json.JSONDecoder(object_pairs_hook=notice)
    at = text.find("{")
    for _ in range(_MOST_BRACES):
        if at < 0:
            return
        noticed.clear()
        after = at + 1
        try:
            after = decoder.raw_decode(text, at)[1]
        except (ValueError, RecursionError):
            if quoted := _PYTHON_OBJECT.match(text, at):
                yield json.loads(quoted[1].replace("'", '"'))
                after = quoted.end()
        else:
            yield from noticed
        at = text.find("{", after)
    raise Unparseable("it holds too many braces to be an answer")


def _letters(value: JsonValue) -> Sequence[str]:
    """The letters of a `selected_options`: a list of letters, or a text that lists them."""
    require_shallow(value)
    if isinstance(value, str) and (letters := letter_list(value)) is not None:
        return letters
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        texts = [str(part) for part in value]
        if len(texts) == 1 and says_none(texts[0]):
            return []
        parts = [letter_list(part) or entries(part) or [] for part in texts]
        if all(len(part) == 1 for part in parts):
            return sorted({part[0] for part in parts})
    raise Unparseable(f"expected letters A to E in {KEY}; got {_quote_letters(json.dumps(value))}")


def _quote_letters(text: str) -> str:
    text = " ".join(text[:1000].split())
    return f'"{text[:57]}..."' if len(text) > 60 else f'"{text}"'


def says_none(text: str) -> bool:
    """Whether a text says that no option is right."""
    return (
        text.strip(_DECORATION).casefold() in _NONE
        or re.fullmatch(r"\s*\[\s*\]\s*", text) is not None
    )


def letter_list(text: str) -> Sequence[str] | None:
    """The letters of a text that is nothing but a list of them; None for any other text."""
    if len(text) > _LONGEST_LIST:
        return None
    if says_none(text):
        return []
    bare = text.strip(_DECORATION)
    if re.fullmatch(r"[A-E]{2,5}", bare) and list(bare) == sorted(set(bare)):
        return list(bare)
    parts = {
        part.upper()
        for piece in _PATTERNS["between"].split(bare)
        if (part := piece.strip(_DECORATION))
    }
    return sorted(parts) if parts and parts <= _LETTERS else None


def whole(text: str) -> Sequence[str] | None:
    """The letters of a reply that is a list of letters, announced or not."""
    if len(text) > _LONGEST_LIST:
        return None
    bare = _bare(text)
    found, lead = letter_list(bare), _PATTERNS["lead"].match(bare)
    return letter_list(bare[lead.end() :]) if found is None and lead else found


def entries(text: str) -> Sequence[str] | None:
    """The letters of lines or parts that each open with one, such as `A. Literal / Direct`. None
    where any part opens otherwise, speaks of another letter, or gives a verdict on its option."""
    if len(text) > _LONGEST_ENTRIES:
        return None
    bare = _bare(text)
    lead = _PATTERNS["lead"].match(bare)
    parts = _PATTERNS["next_entry"].split(bare[lead.end() :] if lead else bare)
    letters = set()
    for part in filter(str.strip, parts):
        entry = _PATTERNS["entry"].match(part)
        if (
            entry is None
            or _PATTERNS["another_letter"].search(entry[2])
            or _PATTERNS["verdict"].search(entry[2])
        ):
            return None
        letters.add(entry[1])
    return sorted(letters) if letters and letters <= _LETTERS else None


def announced_letters(text: str) -> Sequence[str] | None:
    """The letters of a line's end such as `Answer: A, C` after other text; unequal ones raise."""
    found = []
    bare = _bare(text)
    for match in _PATTERNS["announced"].finditer(bare):
        before = bare[max(0, match.start() - 20) : match.start()]
        # One character more than a list may have, so that a longer line is none.
        line = bare[match.end() : match.end() + _LONGEST_LIST + 1].partition("\n")[0]
        listed = letter_list(line)
        if listed is not None and not _PATTERNS["unwanted"].search(before):
            found.append(listed)
    if any(letters != found[0] for letters in found):
        raise Unparseable("it announces answers that differ")
    return found[0] if found else None


def _bare(text: str) -> str:
    """A text without Markdown's marks and code fences."""
    return re.sub(r"[*`]", "", _PATTERNS["fence"].sub("", text.strip())).strip()


PARSERS: Mapping[str, Parse] = {"oe": str.strip, **dict.fromkeys(CHOICES, selection)}

_ATTRIBUTES: dict[str, AttributeType] = {
    **dict.fromkeys(("difficulty", "speech"), str),
    **dict.fromkeys(("rhetoric", "social", "categories"), list),
}
ROW_FORMS: dict[str, RowForm] = {
    "oe": RowForm(Reading, str, _ATTRIBUTES),
    **dict.fromkeys(CHOICES, RowForm(list[Letter], list[Letter], _ATTRIBUTES)),
}
"""What rows of each task hold in a results table."""
