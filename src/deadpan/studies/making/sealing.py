"""Outputs made alike: nothing of them tells who made them but what they show.

Their pictures are made anew in one size and format where they are kept. Here it is their words:
characters that nobody sees, and by which models can be told, are gone; so are descriptions of
pictures, which some sources have and others have not, titles that not all sources share, and
speakers that are called by a source's name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from deadpan.base.counting import count_noun
from deadpan.core.study.items import Output, Part, StudyItem, Turn
from deadpan.studies.making.plain_text import plain_text

_SHORTEST_NAME = 3


def sealed_items(items: Sequence[StudyItem]) -> tuple[list[StudyItem], list[str]]:
    """The items with their outputs made alike, and what is worth knowing of that."""
    names = _names({source for source, _ in _parts(items)})
    telling = _telling_titles(items, names)

    def sealed_part(part: Part) -> Part:
        words = {
            "text": plain_text(part.text),
            "texts": {language: plain_text(text) for language, text in part.texts.items()},
            "turns": tuple(
                Turn(speaker=names.sub("–", plain_text(one.speaker)), text=plain_text(one.text))
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


def _names(sources: set[str]) -> re.Pattern[str]:
    """Finds the names of sources, with and without who serves them."""
    known = {one for source in sources for one in (source, source.rpartition("/")[2])}
    listed = [re.escape(one) for one in sorted(known) if len(one) >= _SHORTEST_NAME]
    return re.compile(rf"(?i)(?<!\w)(?:{'|'.join(listed) or '(?!)'})(?!\w)")


def _telling_titles(items: Sequence[StudyItem], names: re.Pattern[str]) -> set[tuple[str, ...]]:
    """The titles of outputs' parts that not all sources have, or that name a source."""
    by_title: dict[tuple[str, ...], set[str]] = {}
    for source, part in _parts(items):
        if part.title:
            by_title.setdefault(_titles(part), set()).add(source)
    sources = {source for source, _ in _parts(items)}
    return {
        titles
        for titles, own in by_title.items()
        if own != sources or any(map(names.search, titles))
    }


def _is_signed(output: Output) -> bool:
    """Whether an output says who made it."""
    own = _names({output.source})
    return any(own.search(text) for part in output.parts for text in part.wordings)


def _parts(items: Sequence[StudyItem]) -> Iterator[tuple[str, Part]]:
    for item in items:
        for output in item.outputs:
            yield from ((output.source, part) for part in output.parts)


def _titles(part: Part) -> tuple[str, ...]:
    return tuple(part.title.values())
