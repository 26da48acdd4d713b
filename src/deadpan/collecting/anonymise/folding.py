"""Text as patterns see it: one plain character for each that looks or counts like it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache

GONE = "\ufffc"
"""Stands for a placeholder, so that no pattern reads across or into one."""
PLACEHOLDER = re.compile(
    r"\[(?:name [1-9]\d*|姓名[1-9]\d*|handle|昵称|phone|电话|email|邮箱|link|链接|time|时间"
    r"|account|账号|number|号码|file|文件)\]"
)
Replacement = Callable[[re.Match[str]], str | None]


@lru_cache(maxsize=4096)
def folded_character(character: str) -> str:
    """A plain character for a full-width or styled one, a digit for any digit, '' for unseen."""
    if unicodedata.category(character) in ("Cf", "Mn", "Me"):
        return ""
    value = unicodedata.decimal(character, None)
    if value is not None:
        return str(value)
    plain = unicodedata.normalize("NFKC", character)
    return plain if len(plain) == 1 else character


def folded(text: str) -> str:
    """The text folded character by character; unseen ones are gone."""
    return text if text.isascii() else "".join(map(folded_character, text))


class FoldedText:
    """A text, what patterns see of it, and which part of the one stands for the other."""

    def __init__(self, text: str) -> None:
        self.seen, self.shown = "", []
        place = 0
        for found in PLACEHOLDER.finditer(text):
            self._add(text[place : found.start()])
            self.seen += GONE
            self.shown.append(found.group())
            place = found.end()
        self._add(text[place:])

    seen: str
    shown: list[str]

    def _add(self, text: str) -> None:
        if text.isascii():
            self.seen += text
            self.shown += text
            return
        plain: list[str] = []
        unseen = ""
        for character in text:
            known = folded_character(character)
            if known:
                plain.append(known)
                self.shown.append(unseen + character)
                unseen = ""
            elif self.shown:
                self.shown[-1] += character
            else:
                unseen += character
        if unseen:
            plain.append(unseen)
            self.shown.append(unseen)
        self.seen += "".join(plain)

    def replace(self, pattern: re.Pattern[str], replacement: Replacement) -> int:
        """Replaces the group `it` of every match, or the whole; how many. None leaves it."""
        seen: list[str] = []
        shown: list[str] = []
        place = count = 0
        for found in pattern.finditer(self.seen):
            new = replacement(found)
            if new is None:
                continue
            start, end = found.span("it") if "it" in pattern.groupindex else found.span()
            seen += [self.seen[place:start], GONE]
            shown += [*self.shown[place:start], new]
            place = end
            count += 1
        if count:
            self.seen = "".join([*seen, self.seen[place:]])
            self.shown = [*shown, *self.shown[place:]]
        return count

    def __str__(self) -> str:
        return "".join(self.shown)
