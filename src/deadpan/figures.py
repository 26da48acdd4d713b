"""Figures: the numbers that commands print, each with its count of questions and its signature."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from deadpan.outcomes import Coverage
from deadpan.signature import combined


class Figure(BaseModel):
    """One number. `group` is `all` or `key=value`; a value of None means nothing was scored."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str
    task: str
    metric: str
    group: str = "all"
    value: float | None
    n: int
    invalid: int = 0
    unscored: int = 0
    signature: str = ""

    @classmethod
    def over(
        cls,
        coverage: Coverage,
        *,
        model: str,
        task: str,
        metric: str,
        group: str = "all",
        value: float | None,
        signature: str,
    ) -> Figure:
        """A figure whose counts come from the coverage of the questions it was computed over."""
        return cls(
            model=model,
            task=task,
            metric=metric,
            group=group,
            value=value,
            n=coverage.scored,
            invalid=coverage.wrong_by_outcome,
            unscored=coverage.unscored,
            signature=signature,
        )


def figures_json(benchmark: str, figures: Sequence[Figure], signature: str | None = None) -> str:
    """The JSON document of the design page: benchmark, signature, rows."""
    signature = signature or combined(f.signature for f in figures if f.signature)
    rows = [figure.model_dump(exclude={"signature"}) for figure in figures]
    document = {"benchmark": benchmark, "signature": signature, "rows": rows}
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def write_figures(
    path: Path, benchmark: str, figures: Sequence[Figure], signature: str | None = None
) -> None:
    """Writes `figures_json` in one step, so that a reader never sees half a file."""
    from deadpan.files import write_text

    write_text(path, figures_json(benchmark, figures, signature))


def select(
    figures: Iterable[Figure],
    *,
    task: str | None = None,
    metric: str | None = None,
    group: str | None = None,
    model: str | None = None,
) -> list[Figure]:
    """The figures that match every given field."""
    wanted = {"task": task, "metric": metric, "group": group, "model": model}
    return [
        f
        for f in figures
        if all(value is None or getattr(f, name) == value for name, value in wanted.items())
    ]
