"""English names by shape and context: capitals that no dictionary explains, what is around."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate

from deadpan.collecting.anonymise.english_cues import (
    NEAR,
    OWNERS,
    UNKNOWN_NAME,
    acts,
    goes_with_person,
    in_phrase,
    is_also_name,
    is_cued,
    is_lower_name,
    is_spoken_of,
)
from deadpan.collecting.anonymise.english_words import (
    EnglishWord,
    is_unknown,
    is_word,
    singular,
    word_set,
)
from deadpan.collecting.anonymise.spans import Span

_WORD = re.compile(r"[A-Za-z\u00c0-\u024f]+(?:['’-][A-Za-z\u00c0-\u024f]+)*")
_SENTENCE_END = re.compile(r"[.!?…:;\n\"“”()\[\]{}*~>|/\u2600-\u27bf\U0001f300-\U0001faff]\s*$")
_NO_NOUN = re.compile(r"(?:ing|ly|ed|ous|ful|less|ish|est)$")
_PARTICLES = ("de", "van", "von", "der", "den", "da", "di", "del", "la", "bin", "ibn", "al", "el")
_FEWEST_SHOUTED = 4  # letters of a line of capitals
_MOST_PARTS = 4  # words of one name


def english_people(seen: str) -> Iterator[Span]:
    """Where names stand. Sure are those that a title, a relation, a greeting or a verb of persons
    goes with; of capitals that are merely unknown a person should judge."""
    for span, shouted in _spans(seen):
        if shouted and "\n" not in seen[span.start : span.end]:
            one_word = is_word(seen[span.start : span.end].casefold())
            span = span._replace(sure=False, likely=span.sure and not one_word)
        yield span


def _spans(seen: str) -> Iterator[tuple[Span, bool]]:
    """Where names stand, and whether in a line of capitals only, which is read as others are."""
    lines = [(line, _is_shouted(line)) for line in seen.split("\n")]
    told = "\n".join(_quiet(line) if shouted else line for line, shouted in lines)
    starts = accumulate((len(line) + 1 for line, _ in lines), initial=0)
    loud = [
        range(start, start + len(line))
        for start, (line, shouted) in zip(starts, lines, strict=False)
        if shouted
    ]
    for span in _names_in(told):
        yield span, any(span.start in line for line in loud)


def _is_shouted(line: str) -> bool:
    letters = [one for one in line if one.isalpha() and one.upper() != one.lower()]
    lower = sum(one.islower() for one in letters)
    return len(letters) >= _FEWEST_SHOUTED and 10 * lower <= len(letters)


def _quiet(line: str) -> str:
    """A line of capitals as it would be written otherwise: names and unknown words with one."""

    def quiet(found: re.Match[str]) -> str:
        text = found[0].lower()
        named = singular(text) in word_set("also_names") or (
            not is_word(text) and UNKNOWN_NAME.fullmatch(singular(text))
        )
        plain = text.capitalize() if named else text
        return plain if len(plain) == len(found[0]) else found[0]

    return _WORD.sub(quiet, line)


def _names_in(seen: str) -> Iterator[Span]:
    words = list(_words(seen))
    place = 0
    while place < len(words):
        found = _name_at(words, place, seen)
        if found is None:
            place += 1
            continue
        last, sure, likely = found
        end = words[last].end
        if seen[end - 2 : end] in ("'s", "’s"):
            end -= 2
        yield Span(words[place].start, end, sure, likely)
        place = last + 1


def _words(seen: str) -> Iterator[EnglishWord]:
    end = 0
    for found in _WORD.finditer(seen):
        between = seen[end : found.start()]
        opens = (not end and not between.strip()) or bool(_SENTENCE_END.search(between[-NEAR:]))
        yield EnglishWord(
            found[0], *found.span(), opens, between in (" ", "\u00a0") or between == ". "
        )
        end = found.end()


def _name_at(words: Sequence[EnglishWord], place: int, seen: str) -> tuple[int, bool, bool] | None:
    """The last word of the name that begins here, whether it is sure and whether it is likely; None
    where none does."""
    word = words[place]
    if len(word.plain) < 2 or (word.plain in word_set("titles") and word.is_capital):
        return None
    cued = is_cued(words, place, seen)
    if word.is_capital:
        known = not is_unknown(word) or len(word.plain) < 3
        if in_phrase(words, place, seen) or (word.plain in word_set("proper") and not cued):
            return None
        if known and not cued and (word.opens or not _may_be_name(words, place)):
            return _known_at(words, place, seen)
        last = _last_part(words, place)
        sure = cued or last > place or goes_with_person(words, place, last, seen)
        return last, sure, True
    if word.text.islower() and is_unknown(word) and (cued or is_spoken_of(words, place)):
        return place, False, True
    if is_lower_name(words, place, seen):
        return place, False, False
    return None


def _known_at(words: Sequence[EnglishWord], place: int, seen: str) -> tuple[int, bool, bool] | None:
    """As `_name_at`, for a capital on a word of the language that nothing before it cues."""
    word = words[place]
    if word.plain not in word_set("known") and _heads_name(words, place):
        sure = is_also_name(word) and is_unknown(words[place + 1])
        return _last_part(words, place), sure, True
    if is_also_name(word) and acts(words, place):
        return place, False, True
    if word.plain in word_set("known") or word.plain in word_set("proper") or len(word.plain) < 3:
        return None
    if not _is_verb(word) and _is_followed_by_word(words, place, seen):
        return place + 1, False, False
    does = acts(words, place) and not word.text.endswith(("'s", "’s"))
    if does or _is_somebody(words, place) or _stands_out(words, place, seen):
        return place, False, False
    return None


def _is_followed_by_word(words: Sequence[EnglishWord], place: int, seen: str) -> bool:
    """Whether another word of the language with a capital follows, as in Juniper Vale."""
    if place + 1 == len(words) or not words[place + 1].joined or not words[place + 1].is_capital:
        return False
    following = words[place + 1]
    plain = not is_unknown(following) and not is_also_name(following)
    return plain and _stands_out(words, place + 1, seen) and not in_phrase(words, place + 1, seen)


def _is_verb(word: EnglishWord) -> bool:
    """Whether it stands before names rather than in them: Ask, Dear, Thanks."""
    lists = ("greetings", "before_names", "told", "taking", "thinking", "kin", "sign_offs")
    return any(word.plain in word_set(one) for one in lists) and not is_also_name(word)


def _heads_name(words: Sequence[EnglishWord], place: int) -> bool:
    """Whether an unknown capital follows, with which the word makes a name: Wren Achterberg."""
    if place + 1 == len(words) or words[place].text.endswith(("'s", "’s")):
        return False
    word, following = words[place], words[place + 1]
    if not (following.joined and following.is_capital) or following.plain in word_set("proper"):
        return False
    least = 1 if is_also_name(word) else 2
    short = least <= len(following.plain) <= 2 and following.plain not in word_set("known")
    if not (short or (len(following.plain) > 2 and is_unknown(following))):
        return False
    return not _is_verb(word) and not (word.opens and _NO_NOUN.search(word.plain))


def _is_somebody(words: Sequence[EnglishWord], place: int) -> bool:
    """Whether "is my therapist" or the like follows."""
    after = words[place + 1 : place + 6]
    plain = [one.plain for one in after]
    if len(plain) < 3 or plain[0] not in ("is", "was") or plain[1] not in OWNERS:
        return False
    return any(one in word_set("kin") or one in word_set("people") for one in plain[2:])


def _may_be_name(words: Sequence[EnglishWord], place: int) -> bool:
    """Whether a capital on a word of the language tells a name, by the word or its neighbour."""
    before = words[place - 1].plain if words[place].joined else ""
    plain = words[place].plain
    return plain in word_set("also_names") or (
        before in word_set("told") and plain not in word_set("known")
    )


def _stands_out(words: Sequence[EnglishWord], place: int, seen: str) -> bool:
    """Whether a plain word has a capital where hardly anything else has, or heads what is said."""
    word = words[place]
    if word.plain in word_set("known") or word.plain in word_set("proper") or len(word.plain) < 3:
        return False
    if word.opens:
        return is_also_name(word) and seen[word.end : word.end + 1] in (":", ",")
    inside = [one for one in words if not one.opens and one.plain not in ("i", "i'm", "i'll")]
    capitals = sum(one.text[0].isupper() for one in inside)
    return 3 * capitals <= len(inside)


def _last_part(words: Sequence[EnglishWord], place: int) -> int:
    """The last of the capitals that follow; a word of the language counts only after an unknown."""
    last = place
    while last + 1 < len(words) and last - place < _MOST_PARTS - 1:
        following = words[last + 1]
        if words[last].text.endswith(("'s", "’s")):
            break
        if following.text in _PARTICLES and following.joined and _is_surname(words, last + 2):
            last += 2
            continue
        if not following.is_capital:
            break
        if not following.joined or following.plain in word_set("known") | word_set("proper"):
            break
        last += 1
    return last


def _is_surname(words: Sequence[EnglishWord], place: int) -> bool:
    return place < len(words) and words[place].joined and words[place].is_capital
