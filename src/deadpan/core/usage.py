"""What a run used: calls, tokens and their price, of tested models and of judges apart."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Literal

import polars as pl
from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from deadpan.base.errors import InputError
from deadpan.base.files import is_file
from deadpan.base.rows import json_document

Role = Literal["model", "judge", "reader"]
HOW_TO_PRICE = (
    'Name missing prices with --prices FILE or $DEADPAN_PRICES: {"model name or prefix*": '
    '{"input": 2.5, "output": 10}}, in US dollars per million tokens.'
)
_EXPECTED = 'Expected {"model name or prefix*": {"input": 2.5, "output": 10}}.'


Dollars = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Price(BaseModel, frozen=True, extra="forbid", strict=True):
    """US dollars per million tokens read and written; `as_of` says when that was the list price."""

    input: Dollars
    output: Dollars
    as_of: str = ""

    @property
    def free(self) -> bool:
        """Whether nothing costs anything, however many tokens there are."""
        return self.input == 0 and self.output == 0

    def of(self, input_tokens: int, output_tokens: int) -> float:
        """What so many tokens cost."""
        return (self.input * input_tokens + self.output * output_tokens) / 1_000_000


_BY_NAME = TypeAdapter(dict[str, Price])


@dataclass(frozen=True)
class Prices:
    """Prices by model name or `prefix*`, those that go first in front; the longest match wins."""

    tables: tuple[Mapping[str, Price], ...] = ()

    def of(self, name: str) -> Price | None:
        """The price of a model; None where no entry matches its name."""
        for table in self.tables:
            fits = [p for p in table if p == name or (p[-1:] == "*" and name.startswith(p[:-1]))]
            if fits:
                return table[max(fits, key=lambda pattern: (pattern == name, len(pattern)))]
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
    priced: bool = False


def read_prices(path: Path | None = None) -> Prices:
    """The package's list prices, with those of a user's file in front."""
    return Prices((_user_prices(path), _package_prices())) if path else Prices((_package_prices(),))


@cache
def _package_prices() -> Mapping[str, Price]:
    text = files("deadpan.core").joinpath("prices.json").read_text("utf-8")
    return _BY_NAME.validate_json(json.dumps(json.loads(text)["models"]))


def _user_prices(path: Path) -> Mapping[str, Price]:
    if not is_file(path):
        raise InputError(path, "no such file of prices", _EXPECTED)
    document = json_document(path, _EXPECTED)
    if not isinstance(document, dict):
        raise InputError(path, f"got a {type(document).__name__}", _EXPECTED)
    try:
        return _BY_NAME.validate_json(json.dumps(document))
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        where = ".".join(map(str, problem["loc"]))
        raise InputError(f"{path}: {where}", problem["msg"], _EXPECTED) from None


def usage_of(table: pl.DataFrame, prices: Prices) -> tuple[Usage, ...]:
    """One usage for each role, name and task of a results table, models first: what its answers and
    judgements took, whenever they were made. Answers made elsewhere took no call of ours."""
    elsewhere = pl.col("signature").str.contains("|prompts:external", literal=True)
    models = table.filter(~elsewhere) if "signature" in table.columns else table
    used = _usages("model", models, "", prices)
    if "judge" in table.columns:
        # A judge was asked about a row where it said something, used something or failed.
        present = [n for n in ("judgements", "judge_input_tokens") if n in table.columns]
        said = [pl.col(name).is_not_null() for name in present]
        asked = pl.any_horizontal(*said, pl.col("outcome") == "judge_failed")
        judged = table.filter(pl.col("judge").is_not_null() & asked)
        used += _usages("judge", judged, "judge_", prices)
    if "reader" in table.columns:
        read = table.filter(pl.col("reader").is_not_null())
        used += _usages("reader", read, "reader_", prices)
    return tuple(used)


def _usages(role: Role, rows: pl.DataFrame, prefix: str, prices: Prices) -> list[Usage]:
    """The usage of each name and task; a row is one call, of a judge as many as were counted."""

    def column(name: str, least: int) -> pl.Expr:
        known = pl.col(name).cast(pl.Int64) if name in rows.columns else pl.lit(least)
        return known.fill_null(least)

    # A judgement that several answers share, failed or not, counts with the first of them.
    counted = rows.select(
        role,
        "task",
        calls=pl.lit(1) if role == "model" else column(f"{role}_calls", 1),
        read=column(f"{prefix}input_tokens", 0),
        written=column(f"{prefix}output_tokens", 0),
    )
    # A call that used no token at all did not tell: every prompt has some.
    told = (pl.col("read") != 0) | (pl.col("written") != 0)
    by_task = counted.group_by(role, "task", maintain_order=True)
    known_calls = pl.col("calls").filter(told).sum().alias("known")
    sums = by_task.agg(pl.sum("calls"), known_calls, pl.sum("read", "written"))
    used = []
    for name, task, calls, known, read, written in sums.iter_rows():
        price = prices.of(str(name))
        cost = price.of(read, written) if price and (price.free or known > 0) else None
        whose = (role, str(name), str(task))
        used.append(Usage(*whose, calls, known, read, written, cost, price is not None))
    return used


def totals(used: Iterable[Usage]) -> tuple[Usage, ...]:
    """The usages with the tasks of each role and name added up; their task is empty."""
    parts: dict[tuple[Role, str], list[Usage]] = {}
    for usage in used:
        parts.setdefault((usage.role, usage.name), []).append(usage)
    whole = []
    for group in parts.values():
        costs = [usage.cost for usage in group if usage.cost is not None]
        names = ("calls", "known", "input_tokens", "output_tokens")
        sums = {name: sum(getattr(usage, name) for usage in group) for name in names}
        whole.append(replace(group[0], task="", cost=sum(costs) if costs else None, **sums))
    return tuple(whole)


def usage_lines(table: pl.DataFrame, prices: Prices) -> list[str]:
    """One line for each model and judge of a table, and how to name a price that is missing."""
    return usage_words(usage_of(table, prices))


def usage_words(used: Iterable[Usage]) -> list[str]:
    """One line for each role and name, and how to name a price that is missing."""
    whole = totals(used)
    lines = [
        f"{usage.role} {usage.name}: {usage.calls:,} call{'s' if usage.calls != 1 else ''}, "
        f"{tokens_text(usage)}, {cost_text(usage)}"
        for usage in whole
    ]
    # Where a model is likely to run on a machine of one's own, no price is missed.
    own = ("openai-api/", "vllm/", "sglang/", "ollama/", "local/", "hf/")
    missing = any(not usage.priced and not usage.name.startswith(own) for usage in whole)
    return [*lines, HOW_TO_PRICE] if missing else lines


def tokens_text(usage: Usage) -> str:
    """The tokens in words; says of how many calls they are known where not of all."""
    if not usage.known:
        return "tokens unknown"
    part = f" (told by {usage.known:,} of them)" if usage.known < usage.calls else ""
    return f"{usage.input_tokens:,} tokens in, {usage.output_tokens:,} out{part}"


def cost_text(usage: Usage) -> str:
    """The cost in words; an unknown one is never a number."""
    if usage.cost is None:
        return "cost unknown" if usage.priced else "no price known"
    if usage.cost == 0:
        return "$0"
    least = "at least " if usage.known < usage.calls else ""
    return f"{least}{'under $0.01' if usage.cost < 0.005 else f'${usage.cost:,.2f}'}"
