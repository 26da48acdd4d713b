"""Why results do not compare with published values: other data, other settings, a stand-in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from deadpan.core.benchmark import Benchmark
from deadpan.core.judge import sees_of
from deadpan.core.signature import (
    PARAPHRASE,
    Signature,
    annotations_of,
)

STAND_IN = "judge/lexical"
STAND_IN_NOTE = f"graded by {STAND_IN}, a stand-in that only compares words"
_STAND_IN_JUDGE = re.compile(rf"\|judge:(?:[^|]*=)?{re.escape(STAND_IN)}")


def usual_deviations(signature: Signature, benchmark: Benchmark[Any]) -> Iterator[str]:
    """Settings that are no paper's: another temperature than the task's, questions without their
    pictures, and a judge that sees more."""
    tasks = {spec.name: spec for spec in benchmark.tasks}
    asked = signature.settings.get("temperature")
    if asked is not None and signature.task in tasks:
        usual = f"{tasks[signature.task].temperature:.12g}"
        if asked != usual:
            yield f"{tasks[signature.task].title}: asked at temperature {asked}, not {usual}"
    if signature.variant.note:
        yield signature.variant.note
    if wording := signature.settings.get(PARAPHRASE):
        yield f"questions are asked in paraphrase {wording} of our prompts"
    if sees := sees_of(signature.judge):
        yield f"the judge also sees: {', '.join(name.replace('-', ' ') for name in sees)}"


def deviations(made: Iterable[tuple[str, Signature]], benchmark: Benchmark[Any]) -> list[str]:
    """Settings that are not the paper's, of models (nobody: "") with the signatures of their
    scores; followed by the models where others were asked the same tasks in the paper's way."""
    asked: dict[str, set[str]] = {}
    found: dict[str, list[tuple[str, str]]] = {}
    for model, signature in made:
        if not signature.is_of_people:
            asked.setdefault(signature.task, set()).add(model)
        usual, own = usual_deviations(signature, benchmark), benchmark.report.deviations(signature)
        for line in (*usual, *own):
            found.setdefault(line, []).append((model, signature.task))
    lines = []
    for line, pairs in found.items():
        models = list(dict.fromkeys(model for model, _ in pairs if model))
        every = {model for _, task in pairs for model in asked.get(task, ()) if model}
        lines.append(f"{line} ({', '.join(models)})" if models and every - {*models} else line)
    return lines


def other_data(parsed: Sequence[Signature], benchmark: Benchmark[Any]) -> Iterator[tuple[str, str]]:
    """Why results of these signatures are not of the data that was released: in a few words, and in
    full."""
    data = list(dict.fromkeys(annotations_of(item.data) for item in parsed)) or ["unknown"]
    if data != [benchmark.released]:
        other = f"computed on other data ({', '.join(data)})"
        released = benchmark.released or "checksum unknown"
        yield "other data", f"{other} than the released set ({released})"
    elif any(item.n < benchmark.released_items for item in parsed):
        yield "a part of the data", "computed on a part of the released data"


def by_stand_in(signature: str) -> bool:
    """Whether a signature, or one of those it combines, names the stand-in as the judge."""
    return bool(_STAND_IN_JUDGE.search(signature))
