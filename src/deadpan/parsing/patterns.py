"""Regular expressions that are data: named texts, in which «name» stands for another one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence


class Patterns(dict[str, re.Pattern[str]]):
    """Patterns by name, compiled when first asked for; a list stands for any of its entries."""

    def __init__(self, texts: Mapping[str, str | Sequence[str]]) -> None:
        super().__init__()
        self._texts = texts

    def __missing__(self, name: str) -> re.Pattern[str]:
        return self.setdefault(name, re.compile(self._named(name)))

    def fill(self, text: str) -> str:
        """The text with the patterns that it names in their places."""
        return re.sub("«(.*?)»", lambda found: self._named(found[1]), text)

    def _named(self, name: str) -> str:
        text = self._texts[name]
        return self.fill(text if isinstance(text, str) else f"(?:{'|'.join(text)})")


def either(words: Iterable[str]) -> str:
    """A pattern for any of the words, the longest first; their spaces match any white space."""
    longest_first = sorted(set(words), key=lambda word: (-len(word), word))
    return "(?:" + "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in longest_first) + ")"
