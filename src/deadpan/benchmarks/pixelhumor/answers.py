"""Replies to PixelHumor's questions → answers, as pinned: nothing is guessed.

Labels compare case-insensitively with surrounding punctuation stripped. Chinese questions offer
Chinese labels; both languages' labels are understood in either.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from pydantic import JsonValue

from deadpan.base.compatibility import compatibility_form
from deadpan.benchmarks.pixelhumor.reading import numbered_items
from deadpan.benchmarks.pixelhumor.records import MODALITIES, PRESENCE, SOUND_EFFECTS, STYLES
from deadpan.core.questions import Language
from deadpan.parsing.replies import Parse, Unparseable

CHINESE: Mapping[str, str] = MappingProxyType(
    {
        "Yes": "是",
        "No": "否",
        "Absent": "没有",
        "Present, contribute": "有，增添幽默",
        "Present, do not contribute": "有，不增添幽默",
        "Text": "文字",
        "Visual": "画面",
        "Both": "两者",
        "Comparison": "对比",
        "Personification": "拟人",
        "Exaggeration": "夸张",
        "Pun": "双关",
        "Sarcasm": "讽刺",
        "Silliness": "滑稽",
        "Surprise": "意外",
        "Dark": "黑色幽默",
    }
)

VOCABULARY: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "presence": PRESENCE,
        "sound_effect": SOUND_EFFECTS,
        "modality": MODALITIES,
        "style": STYLES,
    }
)

_EDGES = " \t\r\n\"'“”‘’「」『』`*_.。,，;；:：!！?？()（）[]【】{}<>《》"
_NUMERALS = {c: i for i, c in enumerate("零一二三四五六七八九")}
_CHINESE_NUMBER = re.compile(
    r"第([一二三四五六七八九十]{1,3})[格幅张]|^([一二三四五六七八九十]{1,3})$"
)


def options(task: str, language: Language) -> tuple[str, ...]:
    """A task's answer vocabulary as the question words it."""
    labels = VOCABULARY.get(task, ())
    return labels if language == "en" else tuple(CHINESE[label] for label in labels)


def folded(text: str) -> str:
    """Text for comparing labels: width and case folded, edges stripped, spaces single."""
    text = re.sub(r"\s+", " ", compatibility_form(text).casefold().strip(_EDGES))
    return re.sub(r" ?[,，] ?", ", ", text)


def _whole_label(text: str, labels: tuple[str, ...]) -> str | None:
    reply = folded(text)
    for label in labels:
        if reply in (folded(label), folded(CHINESE[label])):
            return label
    return None


def _labels_found(text: str, labels: tuple[str, ...]) -> list[str]:
    reply = compatibility_form(text).casefold()
    return [
        label
        for label in labels
        if re.search(rf"(?<![a-z]){re.escape(label.casefold())}(?![a-z])", reply)
        or CHINESE[label] in reply
    ]


def presence(text: str) -> JsonValue:
    """[Yes] or [No]: the whole answer, or the only one of the two words in it."""
    if label := _whole_label(text, PRESENCE):
        return [label]
    reply = folded(text)
    words = set(re.findall(r"[a-z]+", reply))
    found = [label for label in PRESENCE if label.casefold() in words]
    if not found and (match := re.match(r"(是|否)(?:的|[,，。.!！\s]|$)", reply)):
        found = ["Yes" if match[1] == "是" else "No"]
    if len(found) == 1:
        return list(found)
    raise Unparseable(f"expected Yes or No; got {_shown(text)}")


def sound_effect(text: str) -> JsonValue:
    """One of the three labels; the whole answer is compared."""
    if label := _whole_label(text, SOUND_EFFECTS):
        return [label]
    raise Unparseable(f"expected one of {'; '.join(SOUND_EFFECTS)}; got {_shown(text)}")


def panel(text: str) -> JsonValue:
    """Every integer in the answer, as labels."""
    if numbers := integers(text):
        return [str(number) for number in dict.fromkeys(numbers)]
    raise Unparseable(f"expected a panel number; got {_shown(text)}")


def modality(text: str) -> JsonValue:
    """Exactly one of Text, Visual and Both."""
    found = _labels_found(text, MODALITIES)
    if len(found) == 1:
        return list(found)
    raise Unparseable(f"expected exactly one of {', '.join(MODALITIES)}; got {_shown(text)}")


def style(text: str) -> JsonValue:
    """The style names found, in the taxonomy's order."""
    if found := _labels_found(text, STYLES):
        return list(found)
    raise Unparseable(f"expected at least one of {', '.join(STYLES)}; got {_shown(text)}")


def interpretation(text: str) -> JsonValue:
    """The explanation itself."""
    return text.strip()


def panel_order(text: str) -> JsonValue:
    """The integers in the answer, in their order."""
    if numbers := integers(text):
        return list(numbers)
    raise Unparseable(f"expected panel numbers such as 3,4,2,1; got {_shown(text)}")


_ITEM = re.compile(
    # What repeats gives nothing back, so that no text is gone through twice.
    r"^(?:[^\S\n]|[>*_#-])*+"
    r"(?:panel\s*+|第)?\{?(\d{1,3})\}?\s*+(?:格|幅)?[*_]*+\s*+[:：](?:\*\*|__)?",
    re.I | re.M,
)


_MARKS = "".join(filter(str.isspace, map(chr, range(0x3001)))) + ">*_#-"


def panel_text(text: str) -> JsonValue:
    """The `N: text` items as [number, text] pairs in their order, without lines of mere marks
    before the next item; an empty reply has none."""
    items = numbered_items(text, _ITEM)
    if not items:
        if text.strip():
            raise Unparseable(f"expected lines such as 1: text; got {_shown(text)}")
        return []
    *others, (number, last) = items
    said = [(other, _without_rule(item)) for other, item in others]
    return [[number, item.strip()] for number, item in [*said, (number, last)]]


def _without_rule(item: str) -> str:
    """The item without the lines at its end that hold nothing but marks, such as `---`."""
    line_end = item.find("\n", len(item.rstrip(_MARKS)))
    return item if line_end < 0 else item[:line_end]


def integers(text: str) -> list[int]:
    """Every integer in a text; Chinese numerals count where no digit is written."""
    digits = re.findall(r"\d+", compatibility_form(text))
    if digits:
        return [int(number) for number in digits if len(number) <= 9]
    return [_chinese_number(m[1] or m[2]) for m in _CHINESE_NUMBER.finditer(folded(text))]


def _chinese_number(numeral: str) -> int:
    tens, ten, units = numeral.partition("十")
    if not ten:
        return _NUMERALS[numeral[0]]
    return (_NUMERALS[tens] if tens else 1) * 10 + (_NUMERALS[units] if units else 0)


def _shown(text: str) -> str:
    text = " ".join(text.split())
    return f'"{text[:57]}..."' if len(text) > 60 else f'"{text}"' if text else "an empty reply"


PARSERS: Mapping[str, Parse] = MappingProxyType(
    {
        "presence": presence,
        "sound_effect": sound_effect,
        "panel": panel,
        "modality": modality,
        "style": style,
        "interpretation": interpretation,
        "panel_order": panel_order,
        "panel_text": panel_text,
    }
)
