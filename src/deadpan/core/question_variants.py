"""Questions asked otherwise: with a blank picture, another item's, fewer words, another order."""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from deadpan.base.errors import DeadpanError
from deadpan.core.dataset import Dataset
from deadpan.core.question_checks import Ask, checked_questions
from deadpan.core.questions import Clip, Prompts, Question
from deadpan.core.variants import Variant

if TYPE_CHECKING:
    from deadpan.core.benchmark import Benchmark

PICTURE_OF = "picture_of"
"""The attribute that names the item whose picture was shown in place of the own one."""
_BETWEEN = r"(\s*(?:[,，、]\s*(?:or\s)?|\bor\b|或|\n)\s*)"
"""What stands between options in a row."""
SHOWN_ITEMS = frozenset({Variant.TEXT_ONLY, Variant.BLANK, Variant.SWAPPED})
"""What can be done with every question about a picture or a video."""

Reordered = Callable[[Question, Sequence[int]], Question | None]
Rearranged = Callable[[str, Question, random.Random], Question | None]


def reorder_text(text: str, options: Sequence[str], order: Sequence[int]) -> str | None:
    """The text with its options in another order: those that stand in a row ("Yes or No", or one a
    line), or that begin consecutive lines; None where they do neither."""
    edges = [rf"(?<![A-Za-z]){re.escape(one)}(?![A-Za-z])" for one in options]
    if rows := list(re.finditer(_BETWEEN.join(edges), text)):
        last = rows[-1]  # what is said about the item stands before
        filled = _fill(last.groups(), [options[at] for at in order])
        return text[: last.start()] + filled + text[last.end() :]
    lines = text.split("\n")
    starts = [at for at, line in enumerate(lines) if _begins(line, options[0])]
    for start in starts:
        own = lines[start : start + len(options)]
        if len(own) == len(options) and all(map(_begins, own, options)):
            lines[start : start + len(options)] = [own[at] for at in order]
            return "\n".join(lines)
    return None


def _fill(between: Sequence[str], options: Sequence[str]) -> str:
    return options[0] + "".join(
        gap + option for gap, option in zip(between, options[1:], strict=True)
    )


def _begins(line: str, option: str) -> bool:
    return line.startswith((f"{option}:", f"{option}："))


def _reorder(question: Question, order: Sequence[int]) -> Question | None:
    """The question with the options of its text reordered; they are answered in words, so that gold
    stays."""
    text = reorder_text(question.text, question.options, order)
    return None if text is None else question.model_copy(update={"text": text})


@dataclass(frozen=True)
class Variants:
    """How a benchmark's questions can be asked otherwise."""

    tasks: Mapping[str, frozenset[Variant]] | None = None
    """By task what can be done with its questions; None: what needs nothing of a benchmark."""
    without_words: Callable[[Dataset[Any], str, Prompts], list[Question]] | None = None
    """The questions without the words of their items, pictures and videos as ever."""
    reorder: Reordered = _reorder
    """The question with its options in another order, gold with them; None where it has none."""
    rearrange: Rearranged | None = None
    """Of task, question and draw, the question with its panels in another order, gold with them;
    None where it has too few."""

    def of(self, task: str) -> tuple[Variant, ...]:
        """What can be done with a task's questions, in order."""
        known = SHOWN_ITEMS if self.tasks is None else self.tasks.get(task, frozenset())
        return tuple(one for one in Variant if one in known)


def worded_questions(
    benchmark: Benchmark[Any],
    dataset: Dataset[Any],
    task: str,
    prompts: Prompts,
    variant: Variant = Variant.FULL,
) -> list[Question]:
    """The questions of a task in the words that the variant leaves, checked; a variant that the
    task does not have raises."""
    require_variant(benchmark, task, variant)
    ask: Ask = benchmark.questions
    if variant is Variant.TEXT_ONLY:
        ask = benchmark.text_only_questions
    elif variant in (Variant.PICTURE_ONLY, Variant.QUESTION_ONLY):
        ask = benchmark.variants.without_words or ask
    asked = checked_questions(benchmark, ask, dataset, task, prompts)
    if variant is not Variant.QUESTION_ONLY or ask == benchmark.questions:
        return asked
    return [one.model_copy(update={"pictures": (), "clip": None}) for one in asked]


def require_variant(benchmark: Benchmark[Any], task: str, variant: Variant) -> None:
    """Raises where a task cannot be asked so, with what it can be."""
    known = (Variant.TEXT_ONLY, *benchmark.variants.of(task))
    if variant is not Variant.FULL and variant not in known:
        able = ", ".join(dict.fromkeys(known))
        where = f"{benchmark.name}/{task}"
        raise DeadpanError(f"{where}: --variant {variant} does not apply; expected one of {able}")


def vary_questions(
    benchmark: Benchmark[Any], task: str, questions: Sequence[Question], variant: Variant, seed: int
) -> tuple[list[Question], dict[str, str]]:
    """The questions with what is shown changed as the variant has it, and why others cannot be
    asked so, by item."""
    able = benchmark.variants
    if variant is Variant.BLANK:
        return [_blank(one) for one in questions], {}
    if variant is Variant.SWAPPED:
        return _swap(questions, seed)
    if variant is Variant.SHUFFLED_OPTIONS:
        made = {one.item: _shuffle_options(able.reorder, one, seed) for one in questions}
        return _made(made, "its options are not found in a row")
    if variant is Variant.SHUFFLED_PANELS and able.rearrange is not None:
        made = {one.item: able.rearrange(task, one, _draw(seed, one.item)) for one in questions}
        return _made(made, "it has no two panels")
    return list(questions), {}


def _made(found: Mapping[str, Question | None], why: str) -> tuple[list[Question], dict[str, str]]:
    kept = [one for one in found.values() if one is not None]
    return kept, {item: why for item, one in found.items() if one is None}


def _draw(seed: int, item: str) -> random.Random:
    """Random numbers of an item's own, whatever other items there are."""
    return random.Random(_hash(seed, item))


def _hash(seed: int, item: str) -> int:
    key = json.dumps([seed, item], ensure_ascii=True)
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8])


def _blank(question: Question) -> Question:
    pictures = tuple(one.model_copy(update={"blank": True}) for one in question.pictures)
    clip = question.clip and question.clip.model_copy(update={"blank": True})
    return question.model_copy(update={"pictures": pictures, "clip": clip})


def other_order(length: int, draw: random.Random) -> list[int]:
    """A random order of so many that is not the usual one; of one there is no other."""
    if length < 2:
        raise ValueError("one thing has no other order")
    order = list(range(length))
    while order == sorted(order):
        draw.shuffle(order)
    return order


def _shuffle_options(reorder: Reordered, question: Question, seed: int) -> Question | None:
    if len(question.options) < 2:
        return None
    return reorder(question, other_order(len(question.options), _draw(seed, question.item)))


def _swap(questions: Sequence[Question], seed: int) -> tuple[list[Question], dict[str, str]]:
    """Each question with the picture of another item, of the same language and with as many panels
    where there is one; no picture is shown twice within such a group."""
    partners: dict[str, Question] = {}
    groups: dict[tuple[str, int | None], list[Question]] = {}
    for one in sorted(questions, key=lambda one: (_hash(seed, one.item), one.item)):
        groups.setdefault((one.language, one.panels), []).append(one)
    for (language, _), own in groups.items():
        wider = [one for key, more in groups.items() if key[0] == language for one in more]
        for at, one in enumerate(own):
            around = own[at + 1 :] + own[:at]
            partner = next((other for other in [*around, *wider] if _differ(one, other)), None)
            if partner is not None:
                partners[one.item] = partner
    made = {
        one.item: _showing(one, partners[one.item]) if one.item in partners else None
        for one in questions
    }
    return _made(made, "no other item of its language has another picture")


def _media(question: Question) -> tuple[str, ...]:
    clip = question.clip
    return (*(one.path for one in question.pictures), *((clip.path,) if clip else ()))


def _differ(one: Question, other: Question) -> bool:
    return one.item != other.item and not set(_media(one)) & set(_media(other))


def _showing(question: Question, other: Question) -> Question:
    """The question with what the other one shows; its own words are kept, those spoken too."""
    clip: Clip | None = None
    if question.clip is not None and other.clip is not None:
        own = question.clip
        sound = own.path if own.transcript is None else ""
        clip = other.clip.model_copy(update={"transcript": own.transcript, "sound": sound})
    attributes = {**question.attributes, PICTURE_OF: other.item}
    return question.model_copy(
        update={"pictures": other.pictures, "clip": clip, "attributes": attributes}
    )
