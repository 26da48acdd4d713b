"""What of an answer is wrong, for the error analysis."""

import json

import pytest
from pydantic import JsonValue

from deadpan.benchmarks.pixelhumor import PIXELHUMOR
from deadpan.core.questions import Language, Reply

TEXTS: JsonValue = {"sequence": [2, 1], "text": "1: Late again? \n 2: Good morning"}


def is_wrong(task: str, gold: JsonValue, text: str | None, language: Language = "en") -> bool:
    reply = Reply(error="timeout") if text is None else Reply(text=text)
    grade = PIXELHUMOR.parse(task, reply, language)
    parsed = None if grade.parsed is None else json.dumps(grade.parsed)
    row = {"task": task, "outcome": grade.outcome, "parsed": parsed, "gold": json.dumps(gold)}
    return PIXELHUMOR.analyses.is_wrong(row)


@pytest.mark.parametrize(
    ("task", "gold", "text", "wrong"),
    [
        ("presence", ["Yes"], "yes", False),
        ("presence", ["Yes"], "no", True),
        ("presence", ["Yes"], "who knows", True),
        ("presence", ["Yes"], None, False),
        ("sound_effect", ["Absent"], "Present, contribute", True),
        ("modality", ["Both"], "Both", False),
        ("modality", ["Both"], "Text", True),
        ("panel", ["2", "3"], "3", False),
        ("panel", ["2"], "2 and 4", False),
        ("panel", ["2"], "4", True),
        ("style", ["Pun", "Dark"], "Pun, Surprise", False),
        ("style", ["Pun"], "Surprise", True),
        ("panel_order", [2, 1, 3], "2,1,3", False),
        ("panel_order", [2, 1, 3], "1,2,3", True),
        ("panel_text", TEXTS, '1: "late again?"\n2: Good  morning', False),
        ("panel_text", TEXTS, "1: Good morning\n2: Late again?", True),
        ("panel_text", TEXTS, "1: Late again?", True),
        ("interpretation", "It surprises.", "It is a pun. It is not. It is.", False),
        ("interpretation", None, "I'm sorry, I can't help with that.", True),
    ],
)
def test_what_counts_as_wrong_for_the_error_analysis(
    task: str, gold: JsonValue, text: str | None, wrong: bool
) -> None:
    assert is_wrong(task, gold, text) is wrong


def test_chinese_answers_are_held_against_the_same_gold() -> None:
    assert not is_wrong("style", ["Pun"], "双关", "zh")
    assert is_wrong("modality", ["Text"], "画面", "zh")


@pytest.mark.parametrize(("task", "text"), [("panel", "1"), ("modality", "Text"), ("style", "Pun")])
def test_where_gold_is_na_no_answer_could_be_right_and_only_unreadable_ones_are_wrong(
    task: str, text: str
) -> None:
    assert not is_wrong(task, ["NA"], text)
    assert is_wrong(task, ["NA"], "NA")
