"""The choices made when a table was scored, kept with it: who reads it later scores it alike."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

import polars as pl
from pydantic import TypeAdapter, ValidationError

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks import find
from deadpan.core.benchmark import Benchmark
from deadpan.core.score import Draws, ScoringOptions

_Choices = dict[str, str | int]
"""Each choice that was made, by the option that makes it; of a model `--metric-model bertscore`."""
_READER = TypeAdapter(_Choices)


def keep_options(table: pl.DataFrame, options: ScoringOptions) -> pl.DataFrame:
    """The table with the choices in its column `scoring`: in each row those that its task takes,
    and nothing where all of them are the usual ones."""
    made = _choices(options)
    tasks = table.select("benchmark", "task").unique()
    texts = [_text(find(name), task, made) for name, task in tasks.iter_rows()]
    kept = tasks.with_columns(pl.Series("scoring", texts, dtype=pl.String))
    bare = table.drop("scoring", strict=False)
    joined = bare.join(kept, on=["benchmark", "task"], how="left", maintain_order="left")
    order = table.columns if "scoring" in table.columns else joined.columns
    return joined.select(order)


def with_kept(
    options: ScoringOptions, table: pl.DataFrame, say: Callable[[str], None] = lambda line: None
) -> ScoringOptions:
    """The choices with those that a table was scored by, where none is made now, which are said;
    rows that were scored by unequal ones raise, but for those of tasks that take no such choice."""
    if "scoring" not in table.columns or table["scoring"].null_count() == len(table):
        return options
    found: dict[str, dict[str | int | None, None]] = {}
    rows = table.select("benchmark", "task", "scoring").unique(maintain_order=True).rows()
    read = [(find(name), task, scoring_choices(text)) for name, task, text in rows]
    for option in dict.fromkeys(option for *_, made in read for option in made):
        found[option] = {
            made.get(option): None for name, task, made in read if _takes(name, task, option)
        }
    now = _choices(options)
    kept: _Choices = {}
    for option, values in found.items():
        if option in now:
            continue
        if len(values) > 1:
            listed = " and ".join("without it" if one is None else str(one) for one in values)
            raise DeadpanError(f"{option}: these tables were scored with {listed}; name one")
        kept.update((option, one) for one in values if one is not None)
    if kept:
        say(f"scored with {', '.join(map(_spelled, kept.items()))}, as the table was")
    return _options({**kept, **now})


def _spelled(choice: tuple[str, str | int]) -> str:
    option, value = choice
    return f"{option}{'=' if ' ' in option else ' '}{value}"


def _choices(options: ScoringOptions) -> _Choices:
    """What was chosen, by option."""
    draws = asdict(options.draws)
    made = {
        "--gate": options.gate,
        "--reading": options.reading,
        "--draw-seed": draws["seed"],
        "--draws": draws["runs"],
        "--draw-size": draws["size"],
        **{f"--metric-model {name}": model for name, model in options.models.items()},
        **{f"--lexicon {code}": name for code, name in options.lexicons.items()},
    }
    return {option: value for option, value in made.items() if value is not None}


def _options(made: Mapping[str, Any]) -> ScoringOptions:
    """The choices as scoring takes them."""

    def of(option: str) -> dict[Any, str]:
        start = f"{option} "
        return {name.removeprefix(start): one for name, one in made.items() if start in name}

    return ScoringOptions(
        gate=made.get("--gate"),
        models=of("--metric-model"),
        draws=Draws(made.get("--draw-seed"), made.get("--draws"), made.get("--draw-size")),
        lexicons=of("--lexicon"),
        reading=made.get("--reading"),
    )


def _takes(benchmark: Benchmark[Any], task: str, option: str) -> bool:
    """Whether a choice means anything to a task of a benchmark."""
    name, _, value = option.partition(" ")
    uses_models = benchmark.task(task).uses_models
    takes: Mapping[str, Callable[[], bool]] = {
        "--gate": lambda: bool(benchmark.gates),
        "--reading": lambda: bool(benchmark.readings),
        "--metric-model": lambda: (
            uses_models and value.partition(":")[0] in benchmark.metric_models
        ),
        "--lexicon": lambda: uses_models and value in benchmark.lexicons,
    }
    return takes.get(name, lambda: benchmark.draws_samples)()


def _text(benchmark: Benchmark[Any], task: str, made: _Choices) -> str | None:
    own = {option: value for option, value in made.items() if _takes(benchmark, task, option)}
    return json.dumps(own, ensure_ascii=False, sort_keys=True) if own else None


def scoring_choices(text: str | None) -> _Choices:
    """The choices of a cell; one that holds none raises ValueError."""
    if text is None:
        return {}
    try:
        made = _READER.validate_json(text)
    except ValidationError:
        raise ValueError("expected scoring options as an object") from None
    _options(made)
    return made
