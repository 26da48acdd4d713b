"""Panel texts in reading order, and how far an answer's text is from gold."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from deadpan.metrics.text_errors import character_errors, word_errors, words

Items = Sequence[tuple[int, str]]

GOLD_ITEM = re.compile(r"^\s*(\d{1,3})\s*:", re.M)
_WRAPPERS = "\"'“”‘’`{}「」『』"


class TextScores(NamedTuple):
    """Accuracy with position numbers, word and character error rate without them."""

    accuracy: float
    wer: float
    cer: float


def numbered_items(text: str, marker: re.Pattern[str]) -> list[tuple[int, str]]:
    """The text after each marker up to the next, with the marker's number."""
    matches = list(marker.finditer(text))
    ends = [*(match.start() for match in matches[1:]), len(text)]
    return [
        (int(match[1]), text[match.end() : end]) for match, end in zip(matches, ends, strict=False)
    ]


def gold_items(text: str) -> list[tuple[int, str]]:
    """The `N: text` items of a gold cell; lines before the first item belong to no panel."""
    return numbered_items(text, GOLD_ITEM)


def in_reading_order(items: Items, sequence: Sequence[int]) -> list[tuple[int, str]]:
    """(position, text) of the panels that hold text, by the given panel sequence.

    Items of one panel are joined. Panels that the sequence leaves out follow in their own order.
    """
    grouped: dict[int, list[str]] = {}
    for number, text in items:
        grouped.setdefault(number, []).append(_clean(text))
    order = list(dict.fromkeys(sequence))
    order += [number for number in grouped if number not in order]
    read = [
        (position, " ".join(filter(None, grouped.get(number, []))))
        for position, number in enumerate(order, start=1)
    ]
    return [(position, text) for position, text in read if text]


def _clean(text: str) -> str:
    return " ".join(text.split()).strip(_WRAPPERS + " ").lower()


def text_scores(
    answer: Items, answer_order: Sequence[int], gold: Items, gold_order: Sequence[int]
) -> TextScores:
    """The three scores of one comic. An empty gold text demands an empty answer.

    Without an answered order there are no positions to compare, only the texts as listed.
    """
    said = in_reading_order(answer, answer_order)
    wanted = in_reading_order(gold, gold_order)
    said_text = " ".join(text for _, text in said)
    wanted_text = " ".join(text for _, text in wanted)
    if not wanted_text:
        if not said_text:
            return TextScores(1.0, 0.0, 0.0)
        return unwanted_text(said_text)
    if answer_order:
        accuracy = float(said == wanted)
    else:
        accuracy = float([text for _, text in said] == [text for _, text in wanted])
    return TextScores(
        accuracy, word_errors(wanted_text, said_text), character_errors(wanted_text, said_text)
    )


def unwanted_text(text: str) -> TextScores:
    """The scores of a text where gold has none: its length in words and characters."""
    return TextScores(0.0, float(len(words(text))), float(len(text)))
