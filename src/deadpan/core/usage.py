"""What a run used: calls, tokens and their price, of tested models and of judges apart."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Literal

import polars as pl
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from deadpan.base.errors import InputError
from deadpan.base.files import is_file
from deadpan.base.json_lines import json_document

Role = Literal["model", "judge"]
HOW_TO_PRICE = (
    'Name missing prices with --prices FILE or $DEADPAN_PRICES: {"model name or prefix*": '
    '{"input": 2.5, "output": 10}}, in US dollars per million tokens.'
)
_EXPECTED = 'Expected {"model name or prefix*": {"input": 2.5, "output": 10}}.'
_MILLION = 1_000_000


class Price(BaseModel):
    """US dollars per million tokens read and written; `as_of` says when that was the list price."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    input: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    output: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    as_of: str = ""

    @property
    def free(self) -> bool:
        """Whether nothing costs anything, however many tokens there are."""
        return self.input == 0 and self.output == 0

    def of(self, input_tokens: int, output_tokens: int) -> float:
        """What so many tokens cost."""
        return (self.input * input_tokens + self.output * output_tokens) / _MILLION


@dataclass(frozen=True)
class Prices:
    """Prices by model name or `prefix*`, those that go first in front; the longest match wins."""

    tables: tuple[Mapping[str, Price], ...] = ()

    def of(self, name: str) -> Price | None:
        """The price of a model; None where no entry matches its name."""
        for table in self.tables:
            if name in table:
                return table[name]
            prefixes = [
                pattern
                for pattern in table
                if pattern.endswith("*") and name.startswith(pattern[:-1])
            ]
            if prefixes:
                return table[max(prefixes, key=len)]
        return None


@dataclass(frozen=True)
class Usage:
    """What one model or judge used for one task; `cost` is None where no price is known for it or
    none of its calls told their tokens. Calls that did not are in no sum."""

    role: Role
    name: str
    task: str
    calls: int
    known: int
    input_tokens: int
    output_tokens: int
    cost: float | None
    priced: bool = field(default=False)


def read_prices(path: Path | None = None) -> Prices:
    """The package's list prices, with those of a user's file in front."""
    return Prices((_user_prices(path), _packaged())) if path else Prices((_packaged(),))


@cache
def _packaged() -> Mapping[str, Price]:
    text = files("deadpan.core").joinpath("prices.json").read_text("utf-8")
    models = json.loads(text)["models"]
    return {name: Price.model_validate_json(json.dumps(value)) for name, value in models.items()}


def _user_prices(path: Path) -> dict[str, Price]:
    if not is_file(path):
        raise InputError(path, "no such file of prices", _EXPECTED)
    document = json_document(path, _EXPECTED)
    if not isinstance(document, dict):
        raise InputError(path, f"got a {type(document).__name__}", _EXPECTED)
    prices: dict[str, Price] = {}
    for name, value in document.items():
        try:
            prices[name] = Price.model_validate_json(json.dumps(value))
        except ValidationError as error:
            problem = error.errors(include_url=False)[0]
            where = ".".join([name, *map(str, problem["loc"])])
            raise InputError(f"{path}: {where}", problem["msg"], _EXPECTED) from None
    return prices


def usage_of(table: pl.DataFrame, prices: Prices) -> tuple[Usage, ...]:
    """One usage for each role, name and task of a results table, models first: what its answers and
    judgements took, whenever they were made. Answers made elsewhere took no call of ours."""
    used: list[Usage] = []
    for (name, task), rows in _asked_by_us(table).group_by(["model", "task"], maintain_order=True):
        used.append(_usage("model", str(name), str(task), [1] * len(rows), rows, "", prices))
    if "judge" not in table.columns:
        return tuple(used)
    asked = table.filter(pl.col("judge").is_not_null() & _was_judged(table))
    for (name, task), rows in asked.group_by(["judge", "task"], maintain_order=True):
        calls = _judge_calls(rows)
        used.append(_usage("judge", str(name), str(task), calls, rows, "judge_", prices))
    return tuple(used)


def totals(used: Iterable[Usage]) -> tuple[Usage, ...]:
    """The usages with the tasks of each role and name added up; their task is empty."""
    parts: dict[tuple[Role, str], list[Usage]] = {}
    for usage in used:
        parts.setdefault((usage.role, usage.name), []).append(usage)
    return tuple(_total(role, name, group) for (role, name), group in parts.items())


def usage_lines(table: pl.DataFrame, prices: Prices) -> list[str]:
    """One line for each model and judge of a table, and how to name a price that is missing."""
    whole = totals(usage_of(table, prices))
    lines = [
        f"{usage.role} {usage.name}: {usage.calls:,} call{'s' if usage.calls != 1 else ''}, "
        f"{tokens_text(usage)}, {cost_text(usage)}"
        for usage in whole
    ]
    unpriced = [usage for usage in whole if not usage.priced and not _is_own(usage.name)]
    return [*lines, HOW_TO_PRICE] if unpriced else lines


def _is_own(model: str) -> bool:
    """Whether a model is likely to run on a machine of one's own, where no price is missed."""
    return model.startswith(("openai-api/", "vllm/", "sglang/", "ollama/", "local/", "hf/"))


def tokens_text(usage: Usage) -> str:
    """The tokens in words; says of how many calls they are known where not of all."""
    if not usage.known:
        return "tokens unknown"
    part = f" (of {usage.known:,} calls)" if usage.known < usage.calls else ""
    return f"{usage.input_tokens:,} tokens in, {usage.output_tokens:,} out{part}"


def cost_text(usage: Usage) -> str:
    """The cost in words; an unknown one is never a number."""
    if usage.cost is None:
        return "cost unknown" if usage.priced else "no price known"
    if usage.cost == 0:
        return "$0"
    least = "at least " if usage.known < usage.calls else ""
    return f"{least}{'under $0.01' if usage.cost < 0.005 else f'${usage.cost:,.2f}'}"


def _total(role: Role, name: str, parts: Sequence[Usage]) -> Usage:
    costs = [usage.cost for usage in parts if usage.cost is not None]
    return Usage(
        role,
        name,
        "",
        sum(usage.calls for usage in parts),
        sum(usage.known for usage in parts),
        sum(usage.input_tokens for usage in parts),
        sum(usage.output_tokens for usage in parts),
        sum(costs) if costs else None,
        parts[0].priced,
    )


def _usage(
    role: Role,
    name: str,
    task: str,
    calls: Sequence[int],
    rows: pl.DataFrame,
    prefix: str,
    prices: Prices,
) -> Usage:
    read, written = _tokens(rows, f"{prefix}input"), _tokens(rows, f"{prefix}output")
    # A call that used no token at all did not tell: every prompt has some.
    told = [
        (count, tokens_in or 0, tokens_out or 0)
        for count, tokens_in, tokens_out in zip(calls, read, written, strict=True)
        if tokens_in or tokens_out
    ]
    known, given, got = (sum(part[i] for part in told) for i in range(3))
    price = prices.of(name)
    counted = price is not None and (price.free or known > 0)
    cost = price.of(given, got) if price is not None and counted else None
    return Usage(role, name, task, sum(calls), known, given, got, cost, price is not None)


def _asked_by_us(table: pl.DataFrame) -> pl.DataFrame:
    """The rows whose answers were not made elsewhere."""
    if "signature" not in table.columns:
        return table
    return table.filter(~pl.col("signature").str.contains("|prompts:external", literal=True))


def _was_judged(table: pl.DataFrame) -> pl.Expr:
    """Whether a judge was asked about a row: it said something, used something or failed."""
    present = [n for n in ("judgements", "judge_input_tokens") if n in table.columns]
    said = [pl.col(name).is_not_null() for name in present]
    return pl.any_horizontal(*said, pl.col("outcome") == "judge_failed")


def _judge_calls(rows: pl.DataFrame) -> list[int]:
    """How often a judge was asked about each row, at least once."""
    if "judge_calls" not in rows.columns:
        return [1] * len(rows)
    return [max(1, calls or 1) for calls in rows["judge_calls"]]


def _tokens(rows: pl.DataFrame, kind: str) -> list[int | None]:
    name = f"{kind}_tokens"
    return rows[name].cast(pl.Int64).to_list() if name in rows.columns else [None] * len(rows)
