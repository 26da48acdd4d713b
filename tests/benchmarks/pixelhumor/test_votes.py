"""Gold from votes, rule by rule."""

import pytest

from deadpan.benchmarks.pixelhumor.votes import gold_labels

CASES = [
    ("Q1", {"A1": ["Yes"], "A2": ["Yes"]}, ["Yes"]),
    ("Q1", {"A1": ["Yes"], "A2": ["No"], "A9": ["No"]}, ["No"]),
    ("Q1", {"A1": ["Yes"], "A2": ["No"]}, []),
    ("Q3", {"A3": ["2"], "A4": ["2"], "A9": ["1"]}, ["2"]),
    ("Q4", {"A1": ["Text", "Visual"], "A2": ["Both"]}, ["Both"]),
    ("Q4", {"A1": ["Both"], "A2": ["Text"]}, ["Text"]),
    ("Q4", {"A1": ["Text"], "A2": ["Visual"], "A10": ["Both"]}, ["Both"]),
    ("Q5", {"A1": ["Pun", "Dark"], "A2": ["Dark", "Pun"]}, ["Pun", "Dark"]),
    ("Q5", {"A1": ["Pun"], "A2": ["Dark"], "A12": ["Dark", "Silliness"]}, ["Dark"]),
    ("Q5", {"A1": ["Pun", "Dark"], "A2": ["Pun"], "A9": ["Dark"]}, ["Pun"]),
]


@pytest.mark.parametrize(("question", "votes", "gold"), CASES)
def test_rules(question: str, votes: dict[str, list[str]], gold: list[str]) -> None:
    assert gold_labels(question, votes) == gold
