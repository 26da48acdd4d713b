"""`--reading literal`: the released script's way, in the signature, on the same answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pydantic import JsonValue

from deadpan import ScoringOptions, load
from deadpan.base.errors import DeadpanError
from deadpan.benchmarks.pixelhumor import PIXELHUMOR, read_literally
from deadpan.core.questions import Reply
from deadpan.core.signature import parse_signature
from deadpan.pipeline.scoring_choices import scoring_options


@pytest.mark.parametrize(
    ("task", "text", "literally", "as_a_person"),
    [
        ("panel", "Panel 3 of 4", ["3", "4"], ["3"]),
        ("panel", "Panel 2, because panel 1 sets it up.", ["2", "1"], ["2"]),
        ("panel", "第二格", ["2"], ["2"]),
        ("style", "Silliness, not Dark.", ["Silliness", "Dark"], ["Silliness"]),
        ("style", "不是讽刺，是双关", ["Pun", "Sarcasm"], ["Pun"]),
        ("panel_order", "3, 1, 2", [3, 1, 2], [3, 1, 2]),
        ("presence", "Yes", ["Yes"], ["Yes"]),
    ],
)
def test_every_integer_and_every_style_name_counts(
    task: str, text: str, literally: JsonValue, as_a_person: JsonValue
) -> None:
    assert read_literally(task, Reply(text=text), "en").parsed == literally
    assert PIXELHUMOR.parse(task, Reply(text=text), "en").parsed == as_a_person


@pytest.mark.parametrize("task", ["panel", "style", "panel_order"])
def test_nothing_found_is_no_answer(task: str) -> None:
    assert read_literally(task, Reply(text="hm"), "en").outcome == "invalid"
    assert read_literally(task, Reply(text="I can't help with that."), "en").outcome == "refused"


def test_the_way_is_in_the_signature_and_moves_the_score() -> None:
    comics = load("pixelhumor")
    answers = {one.item: "Pun, not Dark" for one in comics.questions("style")}
    plain = comics.score(answers, task="style")
    literal = comics.score(answers, task="style", options=ScoringOptions(reading="literal"))
    assert json.loads(plain.table["parsed"][0]) == ["Pun"]
    assert json.loads(literal.table["parsed"][0]) == ["Pun", "Dark"]
    assert parse_signature(literal.table["signature"][0]).settings["reading"] == "literal"
    assert "reading" not in parse_signature(plain.table["signature"][0]).settings


def test_a_way_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(DeadpanError, match="--reading loose: expected one of literal"):
        scoring_options(["pixelhumor"], reading="loose")
    with pytest.raises(DeadpanError, match="--reading literal: there is one way here"):
        scoring_options(["cfms"], reading="literal")
