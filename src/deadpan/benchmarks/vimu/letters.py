"""Lists of option letters as people and models write them, in English and Chinese."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from deadpan.benchmarks.vimu.taxonomy import LETTERS, Letter
from deadpan.parsing.replies import Unparseable

_LONGEST_LIST = 200
_LONGEST_ENTRIES = 20_000
_DECORATION = " \t\r\n\"'“”‘’「」『』`*_()[]<>【】《》.。!•-"
_NONE = frozenset(
    {
        *("none", "none of the above", "none of them", "none of these", "no option", "no options"),
        *("无", "没有", "都不是", "都没有", "都不选", "以上都不是", "以上皆非", "均不符合"),
    }
)
_BETWEEN = re.compile(r"\s*(?:[,、;/&+\n]|(?<![a-z])and(?![a-z])|以及|[和与及跟])\s*|\s+", re.I)
_FENCE = re.compile(r"\A```\w*")
_LEAD = re.compile(
    r"""["']?(?:(?:the|my|final|correct|right|selected|chosen)\s+)*
        (?:answers?|options?|choices?|selections?|selected_options)
        ["'\s]*(?:is|are)?\s*[:=]?\s*
      | (?:我的?)?(?:最终|最后|正确|所选)?的?(?:答案|选择|选项|选)\s*(?:是|为|有)?\s*[:=]?\s*""",
    re.I | re.X,
)
_ANNOUNCED = re.compile(
    r"(?:answers?|selected options?|final (?:selections?|choices?))\s*(?:is\b|are\b|[:=])[ :]*"
    r"|(?:答案|所选选项|最终选择)\s*(?:应该?)?(?:是|为|[:=])[ :]*",
    re.I,
)
_UNWANTED = re.compile(
    r"(?:wrong|incorrect|other|not the|rejected|错误|不正确|其他|其余|排除)的?\s*\Z", re.I
)
_ENTRY = re.compile(r"[\s\"'(\[•-]*([A-Z])(?:\s?[):、]|\.(?![a-z])|\s[-–—]\s)\s*(.+)", re.S)
_NEXT_ENTRY = re.compile(
    # What repeats gives nothing back, and a run of marks is gone through once.
    r"(?:(?<![\n;,])[\n;,]++|\sand\s|[和与]|以及)\s*+(?=[\"'(\[•-]*\s?[A-Z](?:\s?[):、]|\.(?![a-z])|\s[-–—]\s))"
)
_ANOTHER_LETTER = re.compile(r"(?<![A-Za-z'])(?:[B-Z]|A(?=[.):、,]))(?![A-Za-z'])")
_VERDICT = re.compile(
    r"\A\W*(?:no|not|false|incorrect|wrong|yes|true|correct|right|否|不|是|对|错)\W*\Z|"
    r"[-–—:,(→]\s*(?:no|not|false|incorrect|wrong|yes|true|correct|right|否|不|是|对|错)\b"
    r"|[✗✘❌×✓✔✅☑☒]|\b(?:does|do|is|are)\s?(?:not|n['’]t)\b|n['’]t\b"
    r"|\bnot (?:applicable|present|selected)|不符合|不适用|不正确|不成立|没有|不选|不是",
    re.I,
)


def says_none(text: str) -> bool:
    """Whether a text says that no option is right."""
    return (
        text.strip(_DECORATION).casefold() in _NONE
        or re.fullmatch(r"\s*\[\s*\]\s*", text) is not None
    )


def letter_list(text: str) -> Sequence[Letter] | None:
    """The letters of a text that is nothing but a list of them; None for any other text."""
    if len(text) > _LONGEST_LIST:
        return None
    if says_none(text):
        return []
    bare = text.strip(_DECORATION)
    if re.fullmatch(r"[A-E]{2,5}", bare) and list(bare) == sorted(set(bare)):
        return _known(bare)
    parts = [part for piece in _BETWEEN.split(bare) if (part := piece.strip(_DECORATION))]
    listed = parts and all(map(_is_letter, parts))
    return _known(part.upper() for part in parts) if listed else None


def whole(text: str) -> Sequence[Letter] | None:
    """The letters of a reply that is a list of letters, announced or not."""
    if len(text) > _LONGEST_LIST:
        return None
    bare = _bare(text)
    found, lead = letter_list(bare), _LEAD.match(bare)
    return letter_list(bare[lead.end() :]) if found is None and lead else found


def entries(text: str) -> Sequence[Letter] | None:
    """The letters of lines or parts that each open with one, such as `A. Literal / Direct`.

    None where any part opens otherwise, speaks of another letter, or gives a verdict on its option.
    """
    if len(text) > _LONGEST_ENTRIES:
        return None
    bare = _bare(text)
    lead = _LEAD.match(bare)
    parts = _NEXT_ENTRY.split(bare[lead.end() :] if lead else bare)
    letters = []
    for part in filter(str.strip, parts):
        entry = _ENTRY.match(part)
        if entry is None or _ANOTHER_LETTER.search(entry[2]) or _VERDICT.search(entry[2]):
            return None
        letters.append(entry[1])
    return _known(letters) if letters and all(map(_is_letter, letters)) else None


def announced(text: str) -> Sequence[Letter] | None:
    """The letters of a line's end such as `Answer: A, C` after other text; unequal ones raise."""
    found = []
    bare = _bare(text)
    for match in _ANNOUNCED.finditer(bare):
        before = bare[max(0, match.start() - 20) : match.start()]
        # One character more than a list may have, so that a longer line is none.
        line = bare[match.end() : match.end() + _LONGEST_LIST + 1].partition("\n")[0]
        listed = letter_list(line)
        if listed is not None and not _UNWANTED.search(before):
            found.append(listed)
    if any(letters != found[0] for letters in found):
        raise Unparseable("it announces answers that differ")
    return found[0] if found else None


def _bare(text: str) -> str:
    """A text without Markdown's marks and code fences."""
    return re.sub(r"[*`]", "", _FENCE.sub("", text.strip())).strip()


def _is_letter(part: str) -> bool:
    return part.upper() in LETTERS


def _known(letters: Iterable[str]) -> Sequence[Letter]:
    """The letters in order, each once."""
    chosen = set(letters)
    return [letter for letter in LETTERS if letter in chosen]
