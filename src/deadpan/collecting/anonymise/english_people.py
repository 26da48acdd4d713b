"""English names by shape and context: capitals that no dictionary explains, what is around."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate

from deadpan.collecting.anonymise.english_words import (
    EnglishWord,
    is_unknown,
    is_word,
    singular,
    word_set,
)
from deadpan.collecting.anonymise.spans import Span, people_lists

_WORD = re.compile(r"[A-Za-z\u00c0-\u024f]+(?:['’-][A-Za-z\u00c0-\u024f]+)*")
_SENTENCE_END = re.compile(r"[.!?…:;\n\"“”()\[\]{}*~>|/\u2600-\u27bf\U0001f300-\U0001faff]\s*$")
_SIGNED = re.compile(r"(?:^|\n|[.!?…)\s])\s*[—–~-]{1,3}\s?$")
_MONTHS = ("april", "may", "june", "august", "summer", "autumn", "karen")  # names, after "sister"
_HAILS = ("hi", "hey", "hello", "dear", "yo")
_UNKNOWN_NAME = re.compile(r"(?!.*(.)\1\1)(?=.*[aeiouy].*)[a-z]{4,12}")
_NO_NOUN = re.compile(r"(?:ing|ly|ed|ous|ful|less|ish|est)$")
_OWNERS = ("my", "our", "his", "her", "their", "your", "the")
_PARTICLES = ("de", "van", "von", "der", "den", "da", "di", "del", "la", "bin", "ibn", "al", "el")
_FEWEST_SHOUTED = 4  # letters of a line of capitals
_NEAR = 20  # characters that are looked at on either side
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
            not is_word(text) and _UNKNOWN_NAME.fullmatch(singular(text))
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
        opens = (not end and not between.strip()) or bool(_SENTENCE_END.search(between[-_NEAR:]))
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
    cued = _is_cued(words, place, seen)
    if word.is_capital:
        known = not is_unknown(word) or len(word.plain) < 3
        if _in_phrase(words, place, seen) or (word.plain in word_set("proper") and not cued):
            return None
        if known and not cued and (word.opens or not _may_be_name(words, place)):
            return _known_at(words, place, seen)
        last = _last_part(words, place)
        sure = cued or last > place or _goes_with_person(words, place, last, seen)
        return last, sure, True
    if word.text.islower() and is_unknown(word) and (cued or _is_spoken_of(words, place)):
        return place, False, True
    if _is_lower_name(words, place, seen):
        return place, False, False
    return None


def _known_at(words: Sequence[EnglishWord], place: int, seen: str) -> tuple[int, bool, bool] | None:
    """As `_name_at`, for a capital on a word of the language that nothing before it cues."""
    word = words[place]
    if word.plain not in word_set("known") and _heads_name(words, place):
        sure = _is_also_name(word) and is_unknown(words[place + 1])
        return _last_part(words, place), sure, True
    if _is_also_name(word) and _acts(words, place):
        return place, False, True
    if word.plain in word_set("known") or word.plain in word_set("proper") or len(word.plain) < 3:
        return None
    if not _is_verb(word) and _is_followed_by_word(words, place, seen):
        return place + 1, False, False
    does = _acts(words, place) and not word.text.endswith(("'s", "’s"))
    if does or _is_somebody(words, place) or _stands_out(words, place, seen):
        return place, False, False
    return None


def _is_followed_by_word(words: Sequence[EnglishWord], place: int, seen: str) -> bool:
    """Whether another word of the language with a capital follows, as in Juniper Vale."""
    if place + 1 == len(words) or not words[place + 1].joined or not words[place + 1].is_capital:
        return False
    following = words[place + 1]
    plain = not is_unknown(following) and not _is_also_name(following)
    return plain and _stands_out(words, place + 1, seen) and not _in_phrase(words, place + 1, seen)


def _is_verb(word: EnglishWord) -> bool:
    """Whether it stands before names rather than in them: Ask, Dear, Thanks."""
    lists = ("greetings", "before_names", "told", "taking", "thinking", "kin", "sign_offs")
    return any(word.plain in word_set(one) for one in lists) and not _is_also_name(word)


def _heads_name(words: Sequence[EnglishWord], place: int) -> bool:
    """Whether an unknown capital follows, with which the word makes a name: Wren Achterberg."""
    if place + 1 == len(words) or words[place].text.endswith(("'s", "’s")):
        return False
    word, following = words[place], words[place + 1]
    if not (following.joined and following.is_capital) or following.plain in word_set("proper"):
        return False
    least = 1 if _is_also_name(word) else 2
    short = least <= len(following.plain) <= 2 and following.plain not in word_set("known")
    if not (short or (len(following.plain) > 2 and is_unknown(following))):
        return False
    return not _is_verb(word) and not (word.opens and _NO_NOUN.search(word.plain))


def _is_somebody(words: Sequence[EnglishWord], place: int) -> bool:
    """Whether "is my therapist" or the like follows."""
    after = words[place + 1 : place + 6]
    plain = [one.plain for one in after]
    if len(plain) < 3 or plain[0] not in ("is", "was") or plain[1] not in _OWNERS:
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
        return _is_also_name(word) and seen[word.end : word.end + 1] in (":", ",")
    inside = [one for one in words if not one.opens and one.plain not in ("i", "i'm", "i'll")]
    capitals = sum(one.text[0].isupper() for one in inside)
    return 3 * capitals <= len(inside)


def _acts(words: Sequence[EnglishWord], place: int) -> bool:
    """Whether a word that is a name too does what only people do, or owns something."""
    if place + 1 == len(words) or not words[place + 1].joined:
        return False
    following = words[place + 1]
    if words[place].text.endswith(("'s", "’s")):
        return following.text.islower() and following.plain not in word_set("not_owned")
    return following.plain in word_set("done")


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


def _is_cued(words: Sequence[EnglishWord], place: int, seen: str) -> bool:
    """Whether what stands before says that a person is named."""
    word = words[place]
    before = [one.plain for one in words[max(0, place - 3) : place]]
    plain = word.plain in word_set("known") or word.plain in word_set("proper")
    if plain:
        kin = bool(before) and before[-1] in word_set("kin") and _is_owned(before)
        named = word.is_capital and (word.plain in _MONTHS or word.plain not in word_set("known"))
        return kin and word.joined and named and not _is_plural(words[place - 1])
    unknown = is_unknown(word)
    gap = seen[words[place - 1].end if place else 0 : word.start][-_NEAR:]
    follows = gap.strip() in ("", ".")
    after = seen[word.end : word.end + _NEAR].lstrip()
    if (
        word.is_capital
        and _SIGNED.search(seen[max(0, word.start - _NEAR) : word.start])
        and len(words) - place <= 3
    ):
        return not after or place + 1 == len(words) or words[place + 1].is_capital
    if not before:
        return word.is_capital and unknown and after.startswith(":")
    if follows and before[-1] in word_set("titles") and word.is_capital:
        return words[place - 1].is_capital or unknown
    if word.is_capital and before[-1] in word_set("sign_offs") and place + 2 >= len(words):
        return gap.strip() in ("", ",") and (unknown or gap.strip() == ",") and after[:1] != "'"
    if not follows and gap.strip() != ",":
        return word.is_capital and unknown and word.opens and after.startswith(":")
    if before[-1] in word_set("kin") and _is_owned(before) and (unknown or word.is_capital):
        return follows and not _is_plural(words[place - 1])
    if before[-1] in ("named", "called") and (word.is_capital or unknown):
        return follows and (unknown or before[-1] == "named")
    if before[-2:] in (["name", "is"], ["call", "me"], ["name's", "is"]) or before[-1] == "name's":
        return unknown or (word.is_capital and follows)
    if before[-1] in ("i'm", "im") and word.is_capital:
        return unknown
    if before[-1] in _HAILS and unknown:
        return follows and (word.is_capital or not after or after[0] in ",!.?")
    if word.is_capital and before[-1] in word_set("greetings"):
        called = not after or after[0] in ",!.?…~:;)"
        return unknown or (called and _is_also_name(word))
    return False


def _goes_with_person(words: Sequence[EnglishWord], place: int, last: int, seen: str) -> bool:
    """Whether a verb of persons or a word that takes persons stands beside the name."""
    before = words[place - 1].plain if place and words[place].joined else ""
    after = words[last + 1].plain if last + 1 < len(words) and words[last + 1].joined else ""
    owns = words[last].text.endswith(("'s", "’s"))
    return before in word_set("before_names") or after in word_set("after_names") or owns


def _is_spoken_of(words: Sequence[EnglishWord], place: int) -> bool:
    """Whether a lower-case word stands where only a person can: "zorv said", "tell zorv"."""
    after = words[place + 1].plain if place + 1 < len(words) and words[place + 1].joined else ""
    before = words[place - 1].plain if place and words[place].joined else ""
    acts = after in word_set("said") or (
        (words[place].opens or before in word_set("thinking"))
        and _UNKNOWN_NAME.fullmatch(words[place].plain) is not None
        and (after in word_set("done") or (after.endswith("ed") and len(after) > 4))
    )
    taken = before in word_set("taking") and _UNKNOWN_NAME.fullmatch(words[place].plain)
    return acts or bool(taken) or (before in word_set("told") and len(words[place].text) > 2)


def _is_lower_name(words: Sequence[EnglishWord], place: int, seen: str) -> bool:
    """Whether a word that no dictionary has may be a name in small letters: "ok wendell calm"."""
    word = words[place]
    if not word.text.islower() or not _UNKNOWN_NAME.fullmatch(word.plain) or not is_unknown(word):
        return False
    if place and words[place - 1].plain in ("a", "an", "the", "some", "no", "this", "that"):
        return False
    around = seen[max(0, word.start - 1) : word.start] + seen[word.end : word.end + 1]
    return not re.search(r"[\d_@#/.\\-]\S|^[\d_@#/-]", around)


def _is_owned(before: Sequence[str]) -> bool:
    return any(one in _OWNERS for one in before[:-1])


def _is_plural(word: EnglishWord) -> bool:
    return word.text.endswith("s") and word.plain not in ("boss", "sis")


def _in_phrase(words: Sequence[EnglishWord], place: int, seen: str) -> bool:
    start = words[place - 1].start if place else words[place].start
    around = seen[start : words[place].end + 20].casefold()
    own = seen[words[place].start :][:24].casefold()
    return any(
        around.startswith(one) or own.startswith(one) for one in people_lists("english")["phrases"]
    )


def _is_also_name(word: EnglishWord) -> bool:
    return word.plain in word_set("also_names")
