"""What a benchmark gives as the questions of a task, held against what all else counts on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from deadpan.base.errors import DeadpanError, WrongReturn, told_value
from deadpan.base.rows import first_repeated
from deadpan.core.dataset import Dataset
from deadpan.core.questions import TRANSCRIPT, Prompts, Question

if TYPE_CHECKING:
    from deadpan.core.benchmark import Benchmark

Ask = Callable[[Dataset[Any], str, Prompts], Iterable[Question]]
"""The questions of a task about a data set, in these words."""
_EXPECTED = "a list of Question"
_SLOT = re.compile(r"(\\[A-Za-z]+)?(?<!\{)(\{[a-z_][a-z0-9_]*\})(?!\})")
"""A slot, and the command of LaTeX whose argument it is and no slot; braces in two are none."""


def checked_questions(
    benchmark: Benchmark[Any], ask: Ask, dataset: Dataset[Any], task: str, prompts: Prompts
) -> list[Question]:
    """What `ask` gives, as a list; what is no question, a second one about an item, and a slot of
    the prompt that is not filled raise."""
    given = ask(dataset, task, prompts)
    by_default = getattr(ask, "__module__", "").startswith("deadpan.core.")
    questions = _listed(benchmark.questions if by_default else ask, given)
    where = f"{benchmark.name}/{task}"
    if (twice := first_repeated(one.item for one in questions)) is not None:
        what = f"two questions are about item {twice}; expected one a task"
        raise DeadpanError(f"{where}: {what}. Give each item an id of its own.")
    _require_filled(where, questions, dataset, prompts)
    return questions


def _listed(ask: Ask, given: object) -> list[Question]:
    if not isinstance(given, Iterable):
        raise WrongReturn(ask, told_value(given), _EXPECTED)
    questions = list(given)
    for one in questions:
        if not isinstance(one, Question):
            raise WrongReturn(ask, f"{told_value(one)} among its questions", _EXPECTED)
    return questions


def _require_filled(
    where: str, questions: Sequence[Question], dataset: Dataset[Any], prompts: Prompts
) -> None:
    """Raises where a slot of a prompt stands in a question, unless it may come from the data. The
    words spoken in a video are filled in later."""
    slots = {
        language: {slot for command, slot in _SLOT.findall(text) if not command} - {TRANSCRIPT}
        for language in prompts.user
        for text in [f"{prompts.system.get(language)}\n{prompts.user[language]}"]
    }
    for one in questions:
        for slot in sorted(slots.get(one.language, ())):
            is_left = slot in one.text or slot in one.system
            if is_left and not any(slot in str(record) for record in dataset.records):
                what = f"its {one.language} prompt has the slot {slot}"
                raise DeadpanError(
                    f"{where}: {what}, which the question about {one.item} does not fill. "
                    "Fill it in `questions`, or take it out of the prompt."
                )
