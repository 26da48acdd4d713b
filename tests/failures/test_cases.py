"""Which answers are failures, by every way of saying what is wrong."""

import json
from pathlib import Path

import polars as pl
import pytest

from deadpan.base.errors import DeadpanError, InputError
from deadpan.core.capabilities import Analyses
from deadpan.failures.cases import cases_of, is_unequal, rules_of
from deadpan.pipeline.table_files import table_of
from tests.engine.judged_toy import Proverbs
from tests.failures.wrong_answers import a_table, row


def items(table: pl.DataFrame, *wrong: str) -> list[str]:
    return [case.item for case in cases_of(table, rules_of(table, wrong))]


def listed(folder: Path, *rows: dict[str, object]) -> str:
    path = folder / "wrong.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in rows))
    return str(path)


def test_unequal_answers_refused_and_invalid_ones_are_failures_and_failed_calls_are_not() -> None:
    found = items(a_table(), "unequal")
    assert len(found) == 20 + 10 + 2 + 3
    assert {"ref1", "ref2", "garbled"} <= set(found)
    assert not {"right", "lost"} & set(found)


def test_a_reply_that_was_cut_off_is_no_failure_to_understand(tmp_path: Path) -> None:
    cut = row("cut", outcome="truncated", parsed=None, answer="I think that")
    table = pl.concat([a_table(), table_of([cut])])
    assert "cut" not in items(table, "unequal")
    file = listed(tmp_path, {"task": "meaning", "model": "loud", "item": "cut"})
    with pytest.raises(InputError, match="cut ended as truncated: that is no failure"):
        items(table, file)


def test_the_order_of_a_list_does_not_make_it_wrong() -> None:
    assert not is_unequal({"parsed": '["a", "b"]', "gold": '["b", "a"]'})
    assert is_unequal({"parsed": '["a"]', "gold": '["b", "a"]'})
    assert is_unequal({"parsed": None, "gold": "true"})


def test_a_list_names_the_wrong_rows_and_refusals_stay_wrong(tmp_path: Path) -> None:
    file = listed(tmp_path, {"task": "meaning", "model": "loud", "item": "right"})
    assert items(a_table(), file) == ["ref1", "ref2", "right", "garbled"]


def test_several_rules_add_up(tmp_path: Path) -> None:
    file = listed(tmp_path, {"task": "meaning", "model": "loud", "item": "right"})
    assert len(items(a_table(), file, "unequal")) == 36


@pytest.mark.parametrize(
    ("second", "told"),
    [
        ({"task": "meaning", "model": "loud", "item": "nowhere"}, "jsonl:2: loud has no answer"),
        ({"task": "meaning", "model": "loud", "item": "lost"}, "jsonl:2: lost ended as failed"),
        ({"task": "meaning", "model": "loud", "item": "right"}, "jsonl:2: says the same row"),
        ({"task": "meaning", "item": "right"}, "jsonl:2 model: is missing"),
        ({"task": "meaning", "model": "loud", "item": 3}, "jsonl:2 item: got 3"),
    ],
)
def test_a_wrong_line_of_the_list_is_told(
    tmp_path: Path, second: dict[str, object], told: str
) -> None:
    file = listed(tmp_path, {"task": "meaning", "model": "loud", "item": "right"}, second)
    with pytest.raises(InputError, match=told):
        rules_of(a_table(), [file])


def test_a_column_of_true_and_false_says_what_is_wrong() -> None:
    table = table_of([row("a", **{"attr.bad": True}), row("b", **{"attr.bad": False})])
    assert items(table, "bad") == ["a"]
    with pytest.raises(DeadpanError, match="no such column of true and false"):
        items(table, "answer")


def test_without_a_rule_the_benchmarks_own_is_used_and_none_is_made_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(DeadpanError, match="no rule of its own"):
        items(a_table())
    rule = Analyses(is_wrong=lambda row: row["item"] == "right")
    monkeypatch.setattr(Proverbs, "analyses", rule)
    assert items(a_table()) == ["ref1", "ref2", "right", "garbled"]


def test_a_case_carries_what_people_need_and_the_checksum_of_all() -> None:
    table = a_table()
    cases = cases_of(table, [is_unequal])
    assert cases == cases_of(table.reverse(), [is_unequal]), "the order of rows does not matter"
    assert len({case.table for case in cases}) == 1
    first = next(case for case in cases if case.item == "zh03")
    assert (first.model, first.language, first.gold) == ("loud", "zh", "yes")
    assert first.question == "What is meant by zh03?"
    changed = table.with_columns(answer=pl.col("answer") + "!")
    assert cases_of(changed, [is_unequal])[0].table != cases[0].table


def test_nothing_wrong_two_benchmarks_and_two_answers_are_told() -> None:
    with pytest.raises(DeadpanError, match="no wrong answer"):
        cases_of(table_of([row("a", parsed='"yes"')]), [is_unequal])
    with pytest.raises(DeadpanError, match="choose one with --benchmark"):
        cases_of(table_of([row("a"), row("b", benchmark="vimu")]), [is_unequal])
    with pytest.raises(DeadpanError, match="loud has two answers to meaning a"):
        cases_of(table_of([row("a"), row("a", answer="other")]), [is_unequal])
