"""Judgements that are read back from a table, and cells that hold none."""

import json

import pytest

from deadpan.base.errors import InputError
from deadpan.core.judge import Judgement, judgements_in

GOOD = [{"parts": {"same": True}, "flags": []}, {"parts": {"same": False}, "flags": ["odd"]}]


def same(judgement: Judgement) -> bool:
    return bool(judgement.parts["same"])


def test_each_judgement_of_an_answered_row_is_read() -> None:
    row = {"item": "a", "outcome": "answered", "judgements": json.dumps(GOOD)}
    assert judgements_in(row, same) == [True, False]


@pytest.mark.parametrize(("outcome", "cell"), [("answered", None), ("judge_failed", "[]")])
def test_what_was_not_judged_has_none(outcome: str, cell: str | None) -> None:
    assert judgements_in({"item": "a", "outcome": outcome, "judgements": cell}, same) == []


@pytest.mark.parametrize("cell", ["", "{", "3", '[{"parts": {}}]', '[{"parts": 1}]', '["yes"]'])
def test_a_cell_that_is_not_ours_is_told(cell: str) -> None:
    row = {"item": "a", "outcome": "answered", "judgements": cell}
    with pytest.raises(InputError, match=r"results table a judgements: cannot be used .*again"):
        judgements_in(row, same)
