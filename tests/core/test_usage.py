"""What a run used and cost: prices found, tokens added up, nothing guessed."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from deadpan.base.errors import InputError
from deadpan.core.usage import (
    HOW_TO_PRICE,
    Price,
    Prices,
    Usage,
    cost_text,
    read_prices,
    totals,
    usage_lines,
    usage_of,
)

PRICES = Prices(({"m/one": Price(input=2, output=10), "free/*": Price(input=0, output=0)},))


def _table(*rows: dict[str, object]) -> pl.DataFrame:
    usual = {"model": "m/one", "task": "t", "outcome": "answered"}
    tokens = {"input_tokens": None, "output_tokens": None}
    schema = {"input_tokens": pl.Int64(), "output_tokens": pl.Int64()}
    return pl.DataFrame(
        [usual | tokens | row for row in rows], schema_overrides=schema, infer_schema_length=None
    )


def test_cost_is_price_times_known_tokens_and_unknown_calls_are_counted_apart() -> None:
    table = _table(
        {"input_tokens": 300_000, "output_tokens": 20_000},
        {"input_tokens": 200_000, "output_tokens": 30_000},
        {"outcome": "failed"},
    )
    (usage,) = usage_of(table, PRICES)
    assert usage == Usage("model", "m/one", "t", 3, 2, 500_000, 50_000, 1.5, priced=True)
    assert cost_text(usage) == "at least $1.50"


def test_an_unknown_price_is_none_and_never_zero() -> None:
    table = _table({"model": "m/two", "input_tokens": 5, "output_tokens": 5})
    (usage,) = usage_of(table, PRICES)
    assert usage.cost is None
    assert cost_text(usage) == "no price known"
    assert usage_lines(table, PRICES) == [
        "model m/two: 1 call, 5 tokens in, 5 out, no price known",
        HOW_TO_PRICE,
    ]


def test_unknown_tokens_cost_nothing_only_where_everything_is_free() -> None:
    paid, free = usage_of(_table({}, {"model": "free/x"}), PRICES)
    assert (paid.cost, cost_text(paid)) == (None, "cost unknown")
    assert (free.cost, cost_text(free)) == (0.0, "$0")
    assert usage_lines(_table({}), PRICES) == ["model m/one: 1 call, tokens unknown, cost unknown"]


def test_a_call_that_says_zero_tokens_did_not_tell() -> None:
    (usage,) = usage_of(_table({"input_tokens": 0, "output_tokens": 0}), PRICES)
    assert (usage.known, usage.cost) == (0, None)


def test_small_costs_do_not_print_as_nothing() -> None:
    (usage,) = usage_of(_table({"input_tokens": 10, "output_tokens": 1}), PRICES)
    assert cost_text(usage) == "under $0.01"


def test_judges_are_apart_from_models_and_only_asked_rows_count() -> None:
    two = json.dumps([{"parts": {}, "flags": []}] * 2)
    judged = {"judge": "m/one", "judge_input_tokens": 1_000_000, "judge_output_tokens": 0}
    table = _table(
        {"model": "free/x", **judged, "judgements": two, "judge_calls": 2},
        {"model": "free/y", **judged, "judgements": "not json"},
        {"model": "free/y", "judge": "m/one", "outcome": "judge_failed"},
        {"model": "free/y", "judge": "m/one", "outcome": "refused"},
    )
    *models, judge = usage_of(table, PRICES)
    assert [usage.role for usage in models] == ["model", "model"]
    assert judge == Usage("judge", "m/one", "t", 4, 3, 2_000_000, 0, 4.0, priced=True)


def test_a_table_without_the_judge_columns_or_tokens_still_works() -> None:
    table = _table({}).select("model", "task", "outcome")
    assert [usage.known for usage in usage_of(table, PRICES)] == [0]
    bare = table.with_columns(judge=pl.lit("m/one"), judgements=pl.lit("[]"))
    assert [usage.role for usage in usage_of(bare, PRICES)] == ["model", "judge"]


def test_answers_made_elsewhere_took_no_call_of_ours() -> None:
    table = _table({}).with_columns(signature=pl.lit("x/t|v1|n:1|data:0|prompts:external|judge:n"))
    assert usage_of(table, PRICES) == ()


def test_totals_add_up_the_tasks() -> None:
    table = _table(
        {"task": "t", "input_tokens": 1_000_000, "output_tokens": 0},
        {"task": "u", "input_tokens": 500_000, "output_tokens": 100_000},
    )
    assert totals(usage_of(table, PRICES)) == (
        Usage("model", "m/one", "", 2, 2, 1_500_000, 100_000, 4.0, priced=True),
    )


def test_the_longest_match_wins_and_the_users_file_before_the_packages(tmp_path: Path) -> None:
    path = tmp_path / "prices.json"
    path.write_text(
        '{"openai/*": {"input": 1, "output": 1}, "openai/gpt-4*": {"input": 2, "output": 2},'
        ' "openai/gpt-4o-mini": {"input": 3, "output": 3}}'
    )
    prices = read_prices(path)
    found = [prices.of(f"openai/{name}") for name in ("gpt-4o-mini", "gpt-4o", "o3")]
    assert [price.input for price in found if price] == [3, 2, 1]
    anthropic = prices.of("anthropic/claude-sonnet-4-5-20250929")
    assert anthropic is not None and anthropic.as_of


def test_the_packages_prices_hold_the_free_ones_and_do_not_guess() -> None:
    prices = read_prices()
    for name in ("baseline/majority", "judge/lexical"):
        price = prices.of(name)
        assert price is not None and price.free
    assert prices.of("openai/gpt-4o-audio-preview") is None
    assert prices.of("vllm/qwen") is None


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ("{", "prices.json:1", "is not JSON"),
        ("[]", "prices.json", "got a list"),
        ('{"m": 3}', "prices.json: m", "object"),
        ('{"m": {"input": 1}}', "prices.json: m.output", "Field required"),
        ('{"m": {"input": "1", "output": 1}}', "prices.json: m.input", "valid number"),
        ('{"m": {"input": -1, "output": 1}}', "prices.json: m.input", "greater than"),
        ('{"m": {"input": NaN, "output": 1}}', "prices.json", "NaN is no number"),
        ('{"m": {"input": 1, "output": 1, "cached": 1}}', "prices.json: m.cached", "not permitted"),
    ],
)
def test_a_bad_price_is_named(tmp_path: Path, text: str, where: str, what: str) -> None:
    path = tmp_path / "prices.json"
    path.write_text(text)
    with pytest.raises(InputError) as raised:
        read_prices(path)
    assert raised.value.where == str(tmp_path / where)
    assert what in raised.value.what
    assert '{"input": 2.5, "output": 10}' in raised.value.fix


def test_a_missing_file_of_prices_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file of prices"):
        read_prices(tmp_path / "none.json")
