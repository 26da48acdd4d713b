"""The people of a record, and the forms in which texts use their names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from deadpan.collecting.anonymise.chinese_words import is_chinese_word
from deadpan.collecting.anonymise.english_words import is_word
from deadpan.collecting.anonymise.nicknames import (
    chinese_nicknames,
    english_nicknames,
    is_clip_word,
    is_plain_nickname,
)
from deadpan.collecting.anonymise.patterns import (
    PLACEHOLDER,
    Language,
    fold,
    patterns,
    placeholder,
    words,
)
from deadpan.collecting.anonymise.spans import people_lists

_HAN = r"\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af"
_SPACED = r"0-9A-Za-z\u00c0-\u024f\u0370-\u052f"  # letters of scripts with blanks between words
_LETTERS = re.compile(rf"[{_HAN}]+|[{_SPACED}]+")
_ALL_HAN = re.compile(rf"[{_HAN}]+")
_BETWEEN = r"[\s_·.\-]{0,3}"
_ALPHABET = 26
# In the place of an expression: the form wherever it stands, or only where names stand.
_AS_IT_IS, _WORD_TOO = "=", "=?"


def is_name(text: str) -> bool:
    """Whether a speaker's name points at a person: no role, single letter or placeholder."""
    plain = name_key(text)
    if not plain or plain in words().roles or PLACEHOLDER.fullmatch(text.strip()):
        return False
    return not re.fullmatch(
        r"(?:speaker|user|person|用户|说话人|发言人)?[ _-]?(?:[a-z]|\d{1,2})", plain
    )


def header_names(text: str) -> list[str]:
    """Names that stand beside a time stamp at the head of a line, as exported chats have it."""
    plain = fold(text)
    found = [match["it"] for _, header in patterns("headers") for match in header.finditer(plain)]
    return [name.strip() for name in found if re.search(r"[^\W\d_]", name) and is_name(name)]


class Names:
    """The people of one record, numbered in order of appearance from `first` on: its speakers, and
    `others` that its texts name. `lettered` speakers are A, B, … as far as letters go; `own` texts
    stand for people for whom a person chose them."""

    def __init__(
        self,
        speakers: Iterable[str],
        first: int = 1,
        others: Iterable[str] = (),
        lettered: bool = False,
        own: Mapping[str, str] | None = None,
    ) -> None:
        self._numbers: dict[str, int] = {}
        self._own: dict[int, str] = {}
        forms: dict[str, tuple[int, str]] = {}

        def add(name: str, found: Iterable[tuple[str, str]]) -> None:
            number = self._numbers[name_key(name)] = first + len(self._numbers)
            if own and name_key(name) in own:
                self._own[number] = own[name_key(name)]
            for form, expression in found:
                forms.setdefault(form, (number, expression))

        for name in speakers:
            if is_name(name) and name_key(name) not in self._numbers:
                add(name, _forms(fold(name).strip()))
        lettered_count = min(len(self._numbers), _ALPHABET) if lettered else 0
        self._letters = range(first, first + lettered_count)
        found = self.others = list(dict.fromkeys(others))
        of_others = {name: _found_forms(fold(name).strip()) for name in found}
        covered = set(forms)
        known = set[str]()
        for name in sorted(found, key=lambda one: -len(of_others[one])):  # full names first
            if name_key(name) not in covered:
                known.add(name)
                covered |= {name_key(name), *(form for form, _ in of_others[name])}
        for name in found:
            if name in known:
                add(name, of_others[name])
        # Chinese forms are many: apart from each other they would take minutes to match.
        self._known = {form: number for form, (number, _) in forms.items()}
        shared = {
            kind: sorted((form for form, (_, one) in forms.items() if one == kind), key=len)[::-1]
            for kind in (_AS_IT_IS, _WORD_TOO)
        }
        single = [one for one in forms.values() if one[1] not in shared]
        ordered = sorted(single, key=lambda form: -len(form[1]))
        self._order = [number for number, _ in ordered]
        found_by = [f"(?P<f{place}>{one})" for place, (_, one) in enumerate(ordered)]
        if shared[_AS_IT_IS]:
            found_by.append(f"(?P<as_it_is>{'|'.join(shared[_AS_IT_IS])})")
        if shared[_WORD_TOO]:
            found_by.append(_where_names_stand(f"(?P<word_too>{'|'.join(shared[_WORD_TOO])})"))
        joined = "|".join(found_by)
        self.pattern = re.compile(joined) if joined else None
        self.mention = re.compile(rf"@(?P<it>{joined})(?![{_SPACED}_])") if joined else None

    def number(self, speaker: str) -> int | None:
        """The number of a speaker; None for a role."""
        return self._numbers.get(name_key(speaker))

    def number_of(self, found: re.Match[str]) -> int:
        """The number of the person whose name was found."""
        forms = found.groupdict()
        if shared := forms.get("as_it_is") or forms.get("word_too"):
            return self._known[shared]
        return next(number for place, number in enumerate(self._order) if forms[f"f{place}"])

    def pseudonym(self, number: int, language: Language) -> str:
        """What a speaker is called: A, or [name 27] where letters do not go as far."""
        return self._letter(number) or self.shown(number, language)

    def shown(self, number: int, language: Language) -> str:
        """What stands for a person in texts: [name A], [姓名2], or what somebody chose."""
        chosen = self._own.get(number)
        return chosen or placeholder("name", language, self._letter(number) or number)

    def _letter(self, number: int) -> str:
        return chr(ord("A") + number - self._letters[0]) if number in self._letters else ""


def name_key(name: str) -> str:
    """What a name is known by: folded, in lower case."""
    return fold(name).strip().casefold()


def _forms(name: str) -> list[tuple[str, str]]:
    """A key and an expression for each form in which a text may use the name."""
    parts = _LETTERS.findall(name)
    if parts == [name]:
        whole = _han(name) if _ALL_HAN.fullmatch(name) else _word(name)
    else:
        # Several words, or letters with signs around them, are no ordinary word.
        whole = _with_bounds(r"\s+".join(map(re.escape, name.split())), name, ignore_case=True)
    found = [(name.casefold(), whole)] if parts else []
    if len(parts) > 1:
        form = "".join(parts)
        joined = _BETWEEN.join(map(re.escape, parts))
        found.append((form.casefold(), _with_bounds(joined, form, ignore_case=True)))
    for part in parts:
        bare = re.sub(r"^\d+|\d+$", "", part)
        if _ALL_HAN.fullmatch(bare):
            found += [(form, _han_nickname(form, bare)) for form in _han_forms(bare)]
        elif len(bare) >= 3 or (len(bare) == 2 and bare.casefold() not in words().ordinary):
            found.append((bare.casefold(), _word(bare)))
            if bare.isalpha():
                found += [(form, _short(form)) for form in english_nicknames(bare)]
    return found


def _short(form: str) -> str:
    """A short form; one that is a word too only with a capital, inside a sentence or before what
    people do."""
    if form not in people_lists("english")["word_forms"].split() and not is_clip_word(form):
        return _with_bounds(re.escape(form), form, ignore_case=True)
    capital = re.escape(form.capitalize())
    done = "|".join(people_lists("english")["after_names"].split())
    acts = "|".join(people_lists("english")["done"].split())
    opening = rf"(?m:^){capital}(?=['’]s\b|\s(?:{done})\b|[:,!])"
    acting = rf"(?m:^)(?i:{capital})(?=\s(?:{acts})\b)"
    return rf"(?:(?<=[a-z,@] ){capital}(?![{_SPACED}])|{opening}|{acting})"


def _found_forms(name: str) -> list[tuple[str, str]]:
    """As `_forms`, for a name that was found in a text: of ordinary words only the whole stands for
    the person, and as it is written."""
    if _ALL_HAN.fullmatch(name):
        forms = [one for one in _han_forms(name) if one == name or not is_chinese_word(one)]
        return [(form, _AS_IT_IS) for form in forms]
    parts = _LETTERS.findall(name)
    whole = r"\s+".join(map(re.escape, name.split()))
    found = [(name_key(name), _with_bounds(whole, name, ignore_case=not is_word(name)))]
    for part in parts if len(parts) > 1 else ():
        if len(part) >= 3 and not is_word(part):
            found.append((part.casefold(), _with_bounds(re.escape(part), part, ignore_case=True)))
    return found


def _word(word: str) -> str:
    """A word that is also an ordinary one, or very short, counts only as it is written."""
    ordinary = word.casefold() in words().ordinary or len(word) < 3
    if (word.isdigit() and len(word) < 5) or (ordinary and word.islower()):
        return _alone(word)
    return _with_bounds(re.escape(word), word, ignore_case=not ordinary)


def _han(form: str) -> str:
    return _AS_IT_IS if len(form) > 1 and form not in words().ordinary_han else _alone(form)


def _han_nickname(form: str, name: str) -> str:
    """A nickname that is a word too counts where a name may begin, before what follows names."""
    return _WORD_TOO if form not in name and is_plain_nickname(form) else _han(form)


def _where_names_stand(expression: str) -> str:
    lists = people_lists("chinese")
    before = "".join(rf"|(?<={re.escape(one)})" for one in lists["before"])
    after = "|".join(map(re.escape, lists["after"]))
    return rf"(?:(?<![{_HAN}]){before}){expression}(?=$|[^{_HAN}]|{after})"


def _alone(word: str) -> str:
    """The word as the whole line, or called by at its start."""
    return rf"(?m:^){re.escape(word)}(?=\s*(?:[,，:：!！~]|$))"


def _with_bounds(expression: str, form: str, ignore_case: bool) -> str:
    before = rf"(?<![{_SPACED}])" if re.match(rf"[{_SPACED}]", form) else ""
    after = rf"(?![{_SPACED}])" if re.search(rf"[{_SPACED}]$", form) else ""
    inner = f"(?i:{expression})" if ignore_case else f"(?:{expression})"
    return before + inner + after


def _han_forms(name: str) -> list[str]:
    """The name, its given name, and what friends make of either."""
    lists = people_lists("chinese")
    forms = [name]
    compound = next((one for one in lists["compound"] if name.startswith(one)), None)
    surname = compound or (name[0] if name[0] in lists["surnames"] else None)
    if surname and name.removeprefix(surname) in lists["titles"]:
        forms += [surname + title for title in lists["titles"]]
        forms += [before + surname for before in "老小阿大"]
    elif surname and len(surname) < len(name) <= len(surname) + 2:
        forms += chinese_nicknames(name, surname)
    elif name[0] in "小老阿" and len(name) == 2:
        forms += [name[1] + title for title in lists["titles"]]
    return forms
