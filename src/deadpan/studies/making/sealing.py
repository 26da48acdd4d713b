"""Outputs made alike: nothing of them tells who made them but what they show.

Their pictures are made anew in one size and format where they are kept. Here it is their words:
characters that nobody sees, and by which models can be told, are gone; so are descriptions of
pictures, which some sources have and others have not, titles that only one source has, and speakers
that are called by a source's name.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from deadpan.base.counting import count_noun
from deadpan.base.printable import without_controls
from deadpan.core.study.items import Output, Part, StudyItem, Turn

_UNSEEN = re.compile(
    "[\u00ad\u034f\u180e\u200b\u200e\u200f\u2060-\u2064\u206a-\u206f\ufeff\U000e0100-\U000e01ef]"
    # Tags spell out ASCII that nobody sees; after a black flag they are the flag of a country.
    "|(?<![\U0001f3f4\U000e0000-\U000e007f])[\U000e0000-\U000e007f]+"
)
_SPACES = re.compile("[\u00a0\u2000-\u200a\u202f\u205f]")
_BREAK = re.compile("[\n\u2028\u2029]")
_SHORTEST_NAME = 3


def sealed_items(items: Sequence[StudyItem]) -> tuple[list[StudyItem], list[str]]:
    """The items with their outputs made alike, and what is worth knowing of that."""
    names = _names({source for source, _ in _parts(items)})
    telling = _telling_titles(items, names)

    def sealed_part(part: Part) -> Part:
        words = {
            "text": plain_text(part.text),
            "turns": tuple(
                Turn(speaker=names.sub("–", one.speaker), text=plain_text(one.text))
                for one in part.turns
            ),
            "title": {} if _titles(part) in telling else part.title,
            "alt": "",
        }
        return part.model_copy(update=words)

    def sealed_item(item: StudyItem) -> StudyItem:
        outputs = tuple(
            Output(source=one.source, parts=tuple(map(sealed_part, one.parts)))
            for one in item.outputs
        )
        parts = tuple(
            part.model_copy(update={"alt": ""}) if part.sealed else part for part in item.parts
        )
        return item.model_copy(update={"parts": parts, "outputs": outputs})

    notes = [f'title "{titles[0]}": left out, as it tells sources apart' for titles in telling]
    if signed := sum(_is_signed(output) for item in items for output in item.outputs):
        told = "names its source" if signed == 1 else "name their sources"
        notes.append(f"{count_noun(signed, 'output')} {told} in so many words: raters read that")
    return list(map(sealed_item, items)), notes


def plain_text(text: str) -> str:
    """The text as it is seen: without what is not, with plain spaces and ends of lines."""
    seen = _UNSEEN.sub("", unicodedata.normalize("NFC", without_controls(text)))
    return "\n".join(line.rstrip() for line in _BREAK.split(_SPACES.sub(" ", seen))).strip()


def _names(sources: set[str]) -> re.Pattern[str]:
    """Finds the names of sources, with and without who serves them."""
    known = {one for source in sources for one in (source, source.rpartition("/")[2])}
    listed = [re.escape(one) for one in sorted(known) if len(one) >= _SHORTEST_NAME]
    return re.compile(rf"(?i)(?<!\w)(?:{'|'.join(listed) or '(?!)'})(?!\w)")


def _telling_titles(items: Sequence[StudyItem], names: re.Pattern[str]) -> set[tuple[str, ...]]:
    """The titles of outputs' parts that only one of several sources has, or that name a source."""
    by_title: dict[tuple[str, ...], set[str]] = {}
    for source, part in _parts(items):
        if part.title:
            by_title.setdefault(_titles(part), set()).add(source)
    several = len({source for source, _ in _parts(items)}) > 1
    return {
        titles
        for titles, own in by_title.items()
        if (several and len(own) == 1) or any(map(names.search, titles))
    }


def _is_signed(output: Output) -> bool:
    """Whether an output says who made it."""
    own = _names({output.source})
    return any(own.search(part.text) for part in output.parts)


def _parts(items: Sequence[StudyItem]) -> Iterator[tuple[str, Part]]:
    for item in items:
        for output in item.outputs:
            yield from ((output.source, part) for part in output.parts)


def _titles(part: Part) -> tuple[str, ...]:
    return tuple(part.title.values())
