"""Scripted models on loopback: one that looks at pictures, two that read the post alone."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from deadpan.benchmarks import find
from deadpan.benchmarks.cfms import FOLDER
from deadpan.core.questions import Question
from deadpan.engine.requests import Image
from deadpan.media.prepared import prepare_image

MODEL = "openai-api/loopback/scripted"
TASK = "identification"
_WORDS = {("en", True): "yes", ("en", False): "no", ("zh", True): "是", ("zh", False): "否"}


@cache
def questions() -> tuple[Question, ...]:
    benchmark = find("cfms")
    return tuple(benchmark.questions(benchmark.read(None), TASK, benchmark.prompts(TASK)))


def right(question: Question) -> str:
    assert isinstance(question.gold, dict)
    return _WORDS[question.language, bool(question.gold["sarcastic"])]


@cache
def by_picture() -> Mapping[str, str]:
    """The right answer by the checksum of the picture as it is sent."""
    found = {}
    for one in questions():
        shown = prepare_image(one.pictures[0])
        address = Image(shown.data, shown.mime).address
        found[hashlib.sha256(address.encode()).hexdigest()] = right(one)
    return found


def looks(picture: str, prompt: str) -> str:
    """Answers from the picture's checksum alone, and `no` to a picture it does not know."""
    said = by_picture().get(picture, "no")
    chinese = "随图文字" in prompt
    return {"yes": "是", "no": "否"}.get(said, said) if chinese else said


def reads(picture: str, prompt: str) -> str:
    """Answers from the words of the post and of its picture as the question has them, whatever
    picture there is."""
    for one in questions():
        if one.text.rpartition(">>>")[0] == prompt.rpartition(">>>")[0]:
            return right(one)
    return "否" if "随图文字" in prompt else "no"


MARK = "(wink)"


def marked_data(folder: Path) -> Path:
    """The mini-set with a mark in the words of every sarcastic post."""
    shutil.copytree(FOLDER / "data", folder)
    file = folder / "pairs.jsonl"
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    for row in rows:
        row["text"] += f" {MARK}" if row["sarcastic"] else ""
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return folder


def reads_marks(picture: str, prompt: str) -> str:
    """Answers from the mark in the words of the post, whatever picture there is."""
    return _WORDS["zh" if "随图文字" in prompt else "en", MARK in prompt]
