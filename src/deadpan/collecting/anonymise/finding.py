"""The people of texts that belong together: speakers, those whom texts name, a model's finds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from deadpan.collecting.anonymise.doubts import Doubts
from deadpan.collecting.anonymise.names import Names, name_key
from deadpan.collecting.anonymise.nicknames import may_be_nickname
from deadpan.collecting.anonymise.patterns import Language, fold, placeholder
from deadpan.collecting.anonymise.people import find_people
from deadpan.collecting.anonymise.text import Scrubbed, language_of, scrub_text

_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f]+")
_CALLED = re.compile(
    r"(?m)(?<=[a-z,] )(?P<it>[A-Z][a-z]{2,7})\b"
    r"|(?:^|[.!?] |\b(?i:hey|hi|yo|oi|ok|thanks|and|lol|love|miss|tell|ask) )"
    r"(?P<at>[A-Za-z][a-z]{2,7})"
    r"(?=[,!?:]|$| (?:where|you|u|is|was|did|said|has|please|pls)\b)"
)
_ROUNDS = 4  # a name that is gone may show another; seen after two at most


class Text(NamedTuple):
    """A text and where it stands."""

    place: str
    value: str


def find_names(
    texts: Sequence[Text],
    speakers: Sequence[str],
    first: int,
    language: Language,
    doubts: Doubts,
    lettered: bool = False,
) -> Names:
    """The speakers, and everybody whom the texts name, each with one number in all of them."""
    others: list[str] = []
    own: dict[str, str] = {}
    names = Names(speakers, first, lettered=lettered)
    for _ in range(_ROUNDS):
        known = set(map(name_key, others))
        for text in texts:
            scrubbed = scrub_text(
                text.value, names, language, doubts.at(*text), doubts.named(text.place)
            )
            for found, chosen in _people(text, scrubbed, language, doubts, speakers):
                if name_key(found) not in known:
                    known.add(name_key(found))
                    others.append(found)
                    own |= {name_key(found): chosen} if chosen else {}
        if len(known) == len(names.others):
            break
        names = Names(speakers, first, others, lettered, own)
    return names


def _people(
    text: Text, scrubbed: Scrubbed, language: Language, doubts: Doubts, speakers: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """Names that go, and what a person chose to stand for them."""
    decide, folded = doubts.at(*text), scrubbed.folded
    suggested = placeholder("name", language)
    found = [
        (folded.original(span.start, span.end), span.sure, span.likely)
        for span in find_people(folded.seen)
    ]
    listed = {name for name, _, _ in found}
    found += [(name, False, False) for name in _called(folded.seen, speakers) - listed]
    found += [
        (one.text, one.sure, True)
        for one in doubts.spotted(text.value, scrubbed.text)
        if one.kind == "name"
    ]
    for name, sure, likely in found:
        if any(name in kept for kept in folded.kept):
            continue
        chosen = suggested if sure else decide("name", name, suggested, likely)
        if chosen is not None:
            yield name, "" if chosen == suggested else chosen


def _called(seen: str, speakers: Sequence[str]) -> set[str]:
    """Words that may be what friends make of a speaker's first name: with a capital inside of a
    sentence, or where somebody is called."""
    firsts = {one[0] for name in speakers if (one := _LATIN.findall(fold(name)))}
    return {
        word
        for found in _CALLED.finditer(seen)
        if any(may_be_nickname(word := found["it"] or found["at"], one) for one in firsts)
    }


def clean_text(text: Text, names: Names, language: Language, doubts: Doubts) -> Scrubbed:
    """The text without names and all that patterns, a person and a model found in it."""
    result = scrub_text(text.value, names, language, doubts.at(*text), doubts.named(text.place))
    folded, counts = result.folded, result.replaced.copy()
    own = language_of(text.value, language)
    for one in doubts.spotted(text.value, result.text):
        suggested = placeholder(one.kind, own)
        if one.kind == "name" or not (found := re.escape(fold(one.text))):
            continue
        chosen = suggested if one.sure else doubts.at(*text)(one.kind, one.text, suggested)
        if chosen is not None:
            counts[one.kind] += folded.replace(re.compile(found), chosen)
    return Scrubbed(str(folded), counts, folded)
