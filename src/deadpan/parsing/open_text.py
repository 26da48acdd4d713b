"""The text of a reply to an open question, without labels and what only leads up to it."""

from __future__ import annotations

import re

from deadpan.parsing.declared import PATTERNS, Asked, fields
from deadpan.parsing.json_objects import json_text
from deadpan.parsing.replies import Unparseable
from deadpan.parsing.script import fold, normalize_text

_SHORT = 600
"""Characters below which a text may be noise, or one sentence that stops."""


_LETTERS = re.compile(r"\W{0,9}(?:[A-E]\b\W{0,9}){1,9}")
"""Letters of options, which are no text."""


def open_text(text: str, asked: Asked) -> str:
    """The text that a reply gives: in its tag or under a key or label that was asked for, else all
    of it; a reply that only says there is none, or has no word, is no answer."""
    said = _declared(text, asked).strip()
    said = PATTERNS["lead_in"].sub("", said, count=1).strip()
    said = without_closing(said)
    plain = normalize_text(said).strip(" .。!*_\"'“”")
    is_text = re.search(r"[^\W\d_]", said) and not _LETTERS.fullmatch(said)
    if not is_text or is_empty(said) or PATTERNS["no_answer"].fullmatch(plain):
        raise Unparseable("expected a text; the reply gives none")
    return said


def is_empty(text: str) -> bool:
    """Whether a text has no word of an answer: marks, noise, what holds the place of one, a
    question back, or one sentence that stops before it."""
    plain = fold(text).strip()
    bare = PATTERNS["fence"].sub("", plain).strip()
    return (
        not re.search(r"[^\W_]", bare)
        or (len(bare) < _SHORT and PATTERNS["noise"].fullmatch(bare) is not None)
        or (len(bare) < _SHORT and PATTERNS["asks_back"].match(bare) is not None)
        or (len(bare) < _SHORT and PATTERNS["only_slot"].match(bare) is not None)
        or (len(bare) < _SHORT and PATTERNS["stops"].match(bare) is not None)
    )


def without_closing(text: str) -> str:
    """The text without the lines that only close a reply: "Let me know if …"."""
    kept = PATTERNS["closing"].split(text, maxsplit=1)[0].rstrip()
    return kept if re.search(r"[^\W_]", kept) else text


def _declared(text: str, asked: Asked) -> str:
    tags = [one[2] for one in PATTERNS["tag"].finditer(text)]
    if asked.tag is not None:
        tags += [one[2] for one in asked.tag.finditer(text)]
    if tags:
        return tags[-1]
    if "{" in text:
        values = [json_text(value) for value in fields(text, asked) if isinstance(value, str)]
        if values:
            return values[-1]
        if fold(text).lstrip("` \njson").startswith("{"):
            raise Unparseable("it begins as a JSON object and holds no complete one with the text")
    bare = PATTERNS["fence"].sub("", text).strip() if text.lstrip().startswith("```") else text
    headings = list(PATTERNS["final_heading"].finditer(bare))
    if not headings and PATTERNS["reasoned"].match(bare.lstrip()):
        headings = list(PATTERNS["answer_heading"].finditer(bare))
    return bare[headings[-1].end() :] if headings else bare
