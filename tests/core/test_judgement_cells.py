"""Judgements that are read back from a table, and cells that hold none."""

import json
from functools import partial

import pytest

from deadpan.base.errors import InputError
from deadpan.benchmarks.cfms.judge import is_same
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


@pytest.mark.parametrize("cell", ["", "{", "3", '[{"parts": 1}]', '["yes"]'])
def test_a_cell_that_is_not_ours_is_told(cell: str) -> None:
    row = {"item": "a", "outcome": "answered", "judgements": cell}
    with pytest.raises(InputError, match=r"results table a judgements: cannot be used .*again"):
        judgements_in(row, same)


def test_what_our_own_reader_lacks_is_the_cell_s_and_what_another_s_lacks_its_own() -> None:
    row = {"item": "a", "outcome": "answered", "judgements": '[{"parts": {}}]'}
    with pytest.raises(InputError, match=r"a judgements: cannot be used \(ValidationError: 2"):
        judgements_in(row, partial(is_same))
    with pytest.raises(KeyError, match="same"):
        judgements_in(row, same)
