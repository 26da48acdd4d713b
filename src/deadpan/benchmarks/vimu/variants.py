"""How ViMU's questions can be asked otherwise: without frames or words, or with options that stand
under other letters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pydantic import JsonValue

from deadpan.benchmarks.vimu.taxonomy import CHOICES, TASKS
from deadpan.core.dataset import Dataset
from deadpan.core.question_variants import SHOWN_ITEMS, Variants
from deadpan.core.questions import Prompts, Question
from deadpan.core.variants import Variant


def lettered(letters: Sequence[str], texts: Sequence[str]) -> str:
    """Options as a question lists them."""
    return "\n".join(f"{letter}. {text}" for letter, text in zip(letters, texts, strict=True))


def reorder(question: Question, order: Sequence[int]) -> Question | None:
    """The options in another order under the letters as ever; gold, and what category each letter
    is, go with them, so that answers are scored by what they name."""
    letters, about = question.options, question.about
    listed = lettered(letters, about)
    categories = question.attributes["categories"]
    if listed not in question.text or not isinstance(categories, list):
        return None
    texts = [about[at] for at in order]
    gold = question.gold if isinstance(question.gold, list) else []
    renamed: dict[JsonValue, str] = {letters[at]: letters[new] for new, at in enumerate(order)}
    return question.model_copy(
        update={
            "text": question.text.replace(listed, lettered(letters, texts), 1),
            "about": tuple(texts),
            "gold": sorted(renamed[letter] for letter in gold),
            "attributes": {**question.attributes, "categories": [categories[at] for at in order]},
        }
    )


def _silent(question: Question) -> Question:
    clip = question.clip and question.clip.model_copy(update={"transcript": ""})
    return question.model_copy(update={"clip": clip})


def variants(
    questions: Callable[[Dataset[Any], str, Prompts], list[Question]],
) -> Variants:
    """What can be done with the questions that a data set gives."""
    every = SHOWN_ITEMS | {Variant.PICTURE_ONLY, Variant.QUESTION_ONLY}
    return Variants(
        {
            task: every | ({Variant.SHUFFLED_OPTIONS} if task in CHOICES else set())
            for task in TASKS
        },
        lambda dataset, task, prompts: list(map(_silent, questions(dataset, task, prompts))),
        reorder=reorder,
    )
