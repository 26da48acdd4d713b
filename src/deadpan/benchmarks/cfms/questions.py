"""What CFMS asks about a pair: which pairs, in what words, and the gold."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from deadpan.benchmarks.cfms import answers, judge, scoring
from deadpan.benchmarks.cfms.answers import YES_NO, ideal_answer
from deadpan.benchmarks.cfms.records import Pair, Pairs, Split
from deadpan.benchmarks.cfms.scoring import GAP_TASKS, NO_TYPE
from deadpan.core.dataset import Dataset
from deadpan.core.questions import Language, Picture, Prompts, Question, escape_frames

_FREE = ("joint", "target", "explanation")
OF_SARCASTIC = ("target", "explanation")
UNTAUGHT = ("metaphor_sarcasm",)
_SLOT = re.compile(r"\{(?:ocr_)?text\}")


def pairs_of(pairs: Sequence[Pair], task: str) -> list[Pair]:
    """The pairs that a task asks about."""
    return [pair for pair in pairs if pair.row.split == _split_of(task) and _has_gold(pair, task)]


def taught(pairs: Sequence[Pair], task: str) -> list[Pair]:
    """The pairs that are examples of a task."""
    return [pair for pair in pairs if task not in UNTAUGHT and _has_gold(pair, task)]


def why_not_asked(pairs: Sequence[Pair], task: str) -> str:
    split = _split_of(task)
    if any(pair.row.split == split for pair in pairs):
        return f"no pair of the split {split} is sarcastic"
    return f"no pair is of the split {split}"


def question_of(
    pair: Pair,
    task: str,
    prompts: Prompts,
    reference: Mapping[Language, str],
    silent: bool = False,
) -> Question:
    """What a task asks about a pair, without the words of the post if `silent`."""
    row = pair.row
    return Question(
        item=row.id,
        language=row.language,
        system=prompts.system[row.language],
        text=_question_text(prompts.user[row.language], pair, silent),
        pictures=(Picture(path=pair.path),),
        form="free" if task in _FREE else "choice",
        options=() if task in OF_SARCASTIC else YES_NO[row.language],
        labels=answers.LABELS[row.language] if task == "joint" else (),
        reference=reference.get(row.language),
        gold=_gold(task, pair),
        attributes={"sarcastic": row.sarcastic, "target_type": row.target_type or NO_TYPE},
    )


def references(dataset: Dataset[Pair], task: str) -> dict[Language, str]:
    """The most frequent answer of the training split in each language, the first of equals."""
    found: dict[Language, Counter[str]] = {}
    for pair in Pairs.of_dataset(dataset).of("train"):
        if task != "explanation" and _has_gold(pair, task):
            gold = _gold(task, pair)
            if task == "joint" and pair.row.sarcastic:
                gold = {"sarcastic": True}
            said = ideal_answer(task, gold, pair.row.language)
            found.setdefault(pair.row.language, Counter())[said] += 1
    return {language: counts.most_common(1)[0][0] for language, counts in found.items()}


def _split_of(task: str) -> Split:
    return "metaphor" if task in GAP_TASKS else "test"


def _has_gold(pair: Pair, task: str) -> bool:
    if task == "metaphor":
        return pair.row.metaphor is not None
    return pair.row.sarcastic or task not in OF_SARCASTIC


def _question_text(template: str, pair: Pair, silent: bool) -> str:
    """The prompt with the post's text and the words read in its picture, or that there are none if
    `silent`; a slot inside either stays as it is."""
    said = {"{text}": pair.row.text, "{ocr_text}": pair.row.ocr_text}
    nothing = f"({answers.NONE[pair.row.language]})"

    def words(slot: re.Match[str]) -> str:
        return "" if silent else escape_frames(" ".join(said[slot[0]].split()))

    return _SLOT.sub(lambda slot: words(slot) or nothing, template)


def _gold(task: str, pair: Pair) -> dict[str, JsonValue]:
    """A task's gold by name, with the post's words, which its judge is told."""
    row = pair.row
    said = " ".join(filter(None, (row.text.strip(), row.ocr_text.strip())))
    if task == "metaphor":
        return {"question": said, "metaphor": row.metaphor}
    gold: dict[str, JsonValue] = {"question": said, "sarcastic": row.sarcastic}
    if task in judge.TARGETED and row.sarcastic:
        gold["target"] = row.target
    if task in scoring.EXPLAINED and row.sarcastic:
        gold["explanation"] = row.explanation
    return gold
