"""What a model would reply that knows the gold of the mini-sets, and one that errs."""

from __future__ import annotations

import base64
import hashlib
import random
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from typing import Any

import deadpan
from deadpan.base.errors import DeadpanError
from deadpan.benchmarks import BUILT_IN
from deadpan.core.questions import Picture, Question
from deadpan.engine.baselines import random_guess
from deadpan.media.prepared import prepare_image

SKILLS = {
    "gpt-4o": 0.8,
    "gpt-4o-mini": 0.6,
    "Qwen/Qwen2.5-VL-7B-Instruct": 0.6,
    "tuned": 0.8,
    "step-1000": 0.4,
    "step-2000": 0.75,
    "step-3000": 0.9,
}
"""How often a model of that name is right; any other half of the time."""
HELP, MUCH = 0.3, 60
"""How much more often with an example whose reply has so many characters."""
Known = tuple[str, str, Question]
_SPACE = re.compile(r"\s+")


class Answerer:
    """Replies to the questions of the mini-sets, as often right as the model's name says."""

    def __init__(self) -> None:
        self.known: dict[str, list[Known]] = {}
        for one in questions():
            question = one[2]
            key = _key(question.system, question.prompt_text(_said(question)))
            self.known.setdefault(key, []).append(one)

    def __call__(
        self, model: str, system: str, prompt: str, picture: str, examples: Sequence[str] = ()
    ) -> str | None:
        """The reply; None to what is no question of a mini-set. Where the words are those of
        several, `picture`, an address that holds it, tells which. `examples` are the replies of
        the examples that are shown: one that says much helps."""
        found = self.known.get(_key(system, prompt), [])
        if not found:
            return None
        several = len(found) > 1
        same = [one for one in found if several and picture in _shown(one[2].pictures)]
        benchmark, task, question = (same or found)[0]
        seed = " ".join([model, task, question.item, *examples])
        draw = random.Random(hashlib.sha256(seed.encode()).digest())
        card = question.card(benchmark, task)
        helped = HELP * any(len(one) > MUCH for one in examples)
        if draw.random() < SKILLS.get(model, 0.5) + helped:
            return right(question, task)
        return random_guess(card, seed=draw.randrange(1000))


def questions() -> Iterator[Known]:
    """Every question of every mini-set, evaluated or for training."""
    for name in BUILT_IN:
        loaded = deadpan.load(name)
        for task in loaded.tasks:
            every = [*loaded.questions(task.name)]
            for split in ("train", "validation") if loaded.benchmark.training else ():
                with suppress(DeadpanError):  # a task that has none
                    every += loaded.split(split, task.name)
            for question in every:
                yield name, task.name, question


def right(question: Question, task: str) -> str:
    """The gold, worded as the question asks for it."""
    gold: Any = question.gold
    if question.form == "order":
        return ", ".join(map(str, gold))
    if isinstance(gold, list):
        return ", ".join(gold) if question.form == "labels" else str(gold[0])
    if task == "panel_text":
        return re.sub(r" *\n *", "\n", gold["text"])
    if question.form == "choice":
        named = gold.get("metaphor" if task == "metaphor" else "sarcastic")
        return question.options[0 if named else 1]
    if task == "recognition":
        return str(gold["answer"])
    words = [str(gold[part]) for part in ("target", "explanation", "reference") if gold.get(part)]
    if not question.labels:
        return " ".join(words) or "It is about nobody in particular."
    if task == "joint":
        said = [question.options[0 if gold["sarcastic"] else 1], *words]
    else:
        feeling = str(question.attributes.get("emotion") or "amused")
        said = [
            feeling,
            str(gold.get("reference", "It says what it says.")),
            str(gold.get("reply")),
        ]
    return "\n".join(f"{name}: {text}" for name, text in zip(question.labels, said, strict=False))


@cache
def _shown(pictures: tuple[Picture, ...]) -> list[str]:
    """The pictures as requests hold them."""
    made = map(prepare_image, pictures)
    return [f"data:{one.mime};base64,{base64.b64encode(one.data).decode()}" for one in made]


def _said(question: Question) -> str | None:
    return question.clip.transcript if question.clip else None


def _key(system: str, prompt: str) -> str:
    return _SPACE.sub(" ", f"{system}\n{prompt}").strip()
