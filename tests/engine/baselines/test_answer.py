"""The dispatch by name, and the majority baseline."""

import pytest

from deadpan.base.errors import DeadpanError
from deadpan.engine import baselines


def test_every_name_answers(card):
    question = card("choice", options=("Yes", "No"), reference="No")
    answers = {name: baselines.answer(name, question, []) for name in baselines.NAMES}
    assert answers["majority"] == "No"
    assert set(answers) == {"majority", "random", "ocr"}
    assert set(answers.values()) <= {"Yes", "No"}


def test_unknown_name_lists_the_known_ones(card):
    with pytest.raises(DeadpanError, match=r'"gpt".*majority, random, ocr'):
        baselines.answer("gpt", card("free"), [])


def test_majority_without_a_reference_says_so(card):
    with pytest.raises(DeadpanError, match="bench gives no reference answer for panel"):
        baselines.answer("majority", card("number", task="panel", panels=3), [])


def test_seed_moves_only_random(card):
    question = card("order", panels=12, reference="1,2")
    drawn = {baselines.answer("random", question, [], seed=seed) for seed in range(5)}
    assert len(drawn) == 5
    assert {baselines.answer("majority", question, [], seed=seed) for seed in range(5)} == {"1,2"}
