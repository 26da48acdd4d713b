"""How far the text of a comic's panels is gold's, in the reading order that was answered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from deadpan.benchmarks.pixelhumor.records import gold_items
from deadpan.core.answers import Answer
from deadpan.metrics.text_errors import character_errors, word_errors, words

Items = Sequence[tuple[int, str]]
_WRAPPERS = "\"'“”‘’`{}「」『』"


class TextScores(NamedTuple):
    """Accuracy with position numbers, word and character error rate without them."""

    accuracy: float
    wer: float
    cer: float


def answer_scores(answer: Answer, order: Answer | None) -> TextScores:
    """The scores of one comic; texts whose reading order was asked for and not answered have no
    positions, and are not accurate."""
    sequence = (order.parsed or []) if order is not None else []
    items = [(int(number), str(text)) for number, text in answer.parsed or ()]
    wanted = gold_items(answer.gold["text"])
    silent = not in_reading_order(wanted, answer.gold["sequence"])
    if not answer.is_answered and silent:
        return _unwanted_text_scores(" ".join(answer.text.split()))
    scores = text_scores(items, sequence, wanted, answer.gold["sequence"])
    misplaced = order is not None and not sequence and not silent
    wrong = misplaced or not answer.is_answered
    return scores._replace(accuracy=0.0) if wrong else scores


def text_scores(
    answer: Items, answer_order: Sequence[int], gold: Items, gold_order: Sequence[int]
) -> TextScores:
    """The three scores of one comic. An empty gold text demands an empty answer. Without an
    answered order there are no positions to compare, only the texts as listed."""
    said, wanted = in_reading_order(answer, answer_order), in_reading_order(gold, gold_order)
    said_texts, wanted_texts = [text for _, text in said], [text for _, text in wanted]
    said_text, wanted_text = " ".join(said_texts), " ".join(wanted_texts)
    if not wanted_text:
        return _unwanted_text_scores(said_text) if said_text else TextScores(1.0, 0.0, 0.0)
    same = said == wanted if answer_order else said_texts == wanted_texts
    errors = word_errors(wanted_text, said_text), character_errors(wanted_text, said_text)
    return TextScores(float(same), *errors)


def _unwanted_text_scores(text: str) -> TextScores:
    """The scores of a text where gold has none: its length in words and characters."""
    return TextScores(0.0, float(len(words(text))), float(len(text)))


def in_reading_order(items: Items, sequence: Sequence[int]) -> list[tuple[int, str]]:
    """(position, text) of the panels that hold text, by the given panel sequence. Items of one
    panel are joined. Panels that the sequence leaves out follow in their own order."""
    grouped: dict[int, list[str]] = {}
    for number, text in items:
        clean = " ".join(text.split()).strip(_WRAPPERS + " ").lower()
        grouped.setdefault(number, []).append(clean)
    order = dict.fromkeys((*sequence, *grouped))
    read = [
        (position, " ".join(filter(None, grouped.get(number, []))))
        for position, number in enumerate(order, start=1)
    ]
    return [(position, text) for position, text in read if text]
