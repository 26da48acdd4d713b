"""`deadpan compare A B --until-decided`: asks two models no more than it takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from deadpan.base.errors import DeadpanError
from deadpan.cli import flags, output
from deadpan.cli.json_output import write_document
from deadpan.cli.run import SamplingFlags
from deadpan.core.selection import exclusions
from deadpan.core.usage import read_prices
from deadpan.editing.answering import choose_answerer
from deadpan.pipeline.deciding import OPTION, decide_between
from deadpan.pipeline.evaluating import Evaluation
from deadpan.pipeline.judging import Judging
from deadpan.pipeline.scoring_choices import scoring_options

_asking = partial(typer.Option, rich_help_panel="Asking until it is decided")


@dataclass(frozen=True)
class DecideFlags:
    """What two models are asked until it is decided which is better."""

    until_decided: Annotated[bool, _asking(OPTION)] = False
    on: Annotated[list[str] | None, _asking()] = None
    order_seed: Annotated[int, _asking(min=0)] = 0
    data: Annotated[Path | None, _asking()] = None
    limit: Annotated[int | None, _asking(min=1)] = None
    exclude: Annotated[list[str] | None, _asking()] = None
    epochs: Annotated[int, _asking(min=1)] = 1
    temperature: Annotated[float | None, _asking(min=0.0)] = None
    max_tokens: Annotated[int | None, _asking(min=1)] = None
    reasoning_effort: Annotated[str | None, _asking()] = None
    self_judge: Annotated[bool, _asking("--self-judge")] = False
    prices: Annotated[Path | None, _asking(envvar="DEADPAN_PRICES")] = None


ASKING = (
    *("on", "order_seed", "data", "limit", "exclude", "epochs", "self_judge", "prices"),
    *("max_retries", "timeout", "give_up", "max_connections", "any_server"),
    *("temperature", "max_tokens", "reasoning_effort"),
)
"""Options of no use where nothing is asked."""
COMPARING = (
    *("benchmark", "task", "latest", "group", "difference", "reader"),
    *("draw_seed", "draws", "draw_size"),
)
"""Options of no use where models are asked."""


def decide(
    subjects: Sequence[str],
    deciding: DecideFlags,
    calls: flags.CallFlags,
    scoring: flags.ScoreFlags,
    metrics: Sequence[str],
    judge: str | None,
    json: Path | None,
) -> None:
    """Asks two models about the same items until it is decided, and prints which is better."""
    if len(subjects) != 2 or any(Path(one).exists() for one in subjects):
        what = f"got {' '.join(subjects)}; expected the names of two models to ask"
        raise DeadpanError(f"{OPTION}: {what} (a store or table is compared as it is)")
    if not deciding.on:
        raise DeadpanError(f"{OPTION}: name what to ask with --on BENCHMARK[/TASK,…]")
    if len(metrics) > 1:
        raise DeadpanError(f"{OPTION}: got {len(metrics)} metrics; expected one --metric")
    settings = calls.settings(
        data=deciding.data,
        limit=deciding.limit,
        exclude=exclusions(deciding.exclude or ()),
        epochs=deciding.epochs,
        sampling=SamplingFlags(
            deciding.temperature,
            max_tokens=deciding.max_tokens,
            reasoning_effort=deciding.reasoning_effort,
        ).sampling,
    )
    judging = Judging(judge, settings, allow_self=deciding.self_judge) if judge else None
    known = read_prices(deciding.prices)
    made: list[Evaluation] = []
    for model in subjects:
        chosen, answerer = choose_answerer(deciding.on, model, settings, output.reporter())
        how: dict[str, Any] = {"lexicons": scoring.lexicon, "reading": scoring.reading}
        options = scoring_options(chosen, scoring.gate, scoring.metric_model, **how)
        made.append(Evaluation(chosen, model, settings, judging, options, known, answerer))
    if made[0].chosen != made[1].chosen:
        raise DeadpanError(f"{OPTION}: {' and '.join(subjects)} cannot be asked the same tasks")
    named = metrics[0] if metrics else ""
    pair = (made[0], made[1])
    decided = decide_between(pair, named, deciding.order_seed, output.reporter())
    for one in decided.decisions:
        output.print_line(str(one))
    for line in decided.notes:
        output.say(line)
    write_document(json, {"decisions": [one.row for one in decided.decisions]})
    failed = output.say_failed(decided.table)
    output.print_usage(decided.table, known)
    output.say(f"answers: {calls.store} (deadpan report {calls.store})")
    if failed:
        raise typer.Exit(1)
