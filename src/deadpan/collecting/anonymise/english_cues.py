"""What stands around an English word and says that it names a person."""

from __future__ import annotations

import re
from collections.abc import Sequence

from deadpan.collecting.anonymise.english_words import EnglishWord, is_unknown, word_set
from deadpan.collecting.anonymise.spans import people_lists

_SIGNED = re.compile(r"(?:^|\n|[.!?…)\s])\s*[—–~-]{1,3}\s?$")
_MONTHS = ("april", "may", "june", "august", "summer", "autumn", "karen")  # names, after "sister"
_HAILS = ("hi", "hey", "hello", "dear", "yo")
OWNERS = ("my", "our", "his", "her", "their", "your", "the")
UNKNOWN_NAME = re.compile(r"(?!.*(.)\1\1)(?=.*[aeiouy].*)[a-z]{4,12}")
NEAR = 20  # characters that are looked at on either side


def is_cued(words: Sequence[EnglishWord], place: int, seen: str) -> bool:
    """Whether what stands before says that a person is named."""
    word = words[place]
    before = [one.plain for one in words[max(0, place - 3) : place]]
    plain = word.plain in word_set("known") or word.plain in word_set("proper")
    if plain:
        kin = bool(before) and before[-1] in word_set("kin") and _is_owned(before)
        named = word.is_capital and (word.plain in _MONTHS or word.plain not in word_set("known"))
        return kin and word.joined and named and not _is_plural(words[place - 1])
    unknown = is_unknown(word)
    gap = seen[words[place - 1].end if place else 0 : word.start][-NEAR:]
    follows = gap.strip() in ("", ".")
    after = seen[word.end : word.end + NEAR].lstrip()
    if (
        word.is_capital
        and _SIGNED.search(seen[max(0, word.start - NEAR) : word.start])
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
        return unknown or (called and is_also_name(word))
    return False


def goes_with_person(words: Sequence[EnglishWord], place: int, last: int, seen: str) -> bool:
    """Whether a verb of persons or a word that takes persons stands beside the name."""
    before = words[place - 1].plain if place and words[place].joined else ""
    after = words[last + 1].plain if last + 1 < len(words) and words[last + 1].joined else ""
    owns = words[last].text.endswith(("'s", "’s"))
    return before in word_set("before_names") or after in word_set("after_names") or owns


def is_spoken_of(words: Sequence[EnglishWord], place: int) -> bool:
    """Whether a lower-case word stands where only a person can: "zorv said", "tell zorv"."""
    after = words[place + 1].plain if place + 1 < len(words) and words[place + 1].joined else ""
    before = words[place - 1].plain if place and words[place].joined else ""
    acts = after in word_set("said") or (
        (words[place].opens or before in word_set("thinking"))
        and UNKNOWN_NAME.fullmatch(words[place].plain) is not None
        and (after in word_set("done") or (after.endswith("ed") and len(after) > 4))
    )
    taken = before in word_set("taking") and UNKNOWN_NAME.fullmatch(words[place].plain)
    return acts or bool(taken) or (before in word_set("told") and len(words[place].text) > 2)


def is_lower_name(words: Sequence[EnglishWord], place: int, seen: str) -> bool:
    """Whether a word that no dictionary has may be a name in small letters: "ok wendell calm"."""
    word = words[place]
    if not word.text.islower() or not UNKNOWN_NAME.fullmatch(word.plain) or not is_unknown(word):
        return False
    if place and words[place - 1].plain in ("a", "an", "the", "some", "no", "this", "that"):
        return False
    around = seen[max(0, word.start - 1) : word.start] + seen[word.end : word.end + 1]
    return not re.search(r"[\d_@#/.\\-]\S|^[\d_@#/-]", around)


def in_phrase(words: Sequence[EnglishWord], place: int, seen: str) -> bool:
    start = words[place - 1].start if place else words[place].start
    around = seen[start : words[place].end + 20].casefold()
    own = seen[words[place].start :][:24].casefold()
    return any(
        around.startswith(one) or own.startswith(one) for one in people_lists("english")["phrases"]
    )


def acts(words: Sequence[EnglishWord], place: int) -> bool:
    """Whether a word that is a name too does what only people do, or owns something."""
    if place + 1 == len(words) or not words[place + 1].joined:
        return False
    following = words[place + 1]
    if words[place].text.endswith(("'s", "’s")):
        return following.text.islower() and following.plain not in word_set("not_owned")
    return following.plain in word_set("done")


def is_also_name(word: EnglishWord) -> bool:
    return word.plain in word_set("also_names")


def _is_owned(before: Sequence[str]) -> bool:
    return any(one in OWNERS for one in before[:-1])


def _is_plural(word: EnglishWord) -> bool:
    return word.text.endswith("s") and word.plain not in ("boss", "sis")
