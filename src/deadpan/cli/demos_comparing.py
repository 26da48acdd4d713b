"""`deadpan demos compare`: the ways to choose demonstrations side by side."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import polars as pl
import typer

from deadpan.cli.asking import (
    ConnectionsOption,
    LimitOption,
    LogsOption,
    PromptsOption,
    RetriesOption,
    TimeoutOption,
)
from deadpan.cli.demos_options import (
    ImageOption,
    LikenessOption,
    ModelOption,
    ShotsOption,
    TaskArgument,
    TextOption,
    WeightsOption,
    one_task,
    weights_for,
)
from deadpan.cli.judging import (
    JudgeOption,
    Judging,
    SelfJudgeOption,
    check_judge,
    judge_folder,
    judged,
    tell_unjudged,
)
from deadpan.cli.printing import DataOption, JsonOption, PricesOption, console, write_json
from deadpan.cli.scoring import MetricModelOption, scoring_options
from deadpan.demonstrations.rewards import likeness_of
from deadpan.engine import ATTEMPT_SECONDS, MAX_RETRIES


def compare(
    context: typer.Context,
    task: TaskArgument,
    model: ModelOption,
    policy: Annotated[
        Path | None, typer.Option("--policy", help="A trained policy's folder.")
    ] = None,
    shots: ShotsOption = 1,
    judge: JudgeOption = None,
    self_judge: SelfJudgeOption = False,
    metric_model: MetricModelOption = None,
    data: DataOption = None,
    prompts: PromptsOption = None,
    limit: LimitOption = None,
    logs: LogsOption = Path("logs"),
    seed: Annotated[
        int, typer.Option(min=0, help="Draws the random arm and the bootstrap of the intervals.")
    ] = 0,
    text: TextOption = None,
    image: ImageOption = None,
    weights: WeightsOption = None,
    reward_model: LikenessOption = None,
    max_connections: ConnectionsOption = 10,
    max_retries: RetriesOption = MAX_RETRIES,
    timeout: TimeoutOption = ATTEMPT_SECONDS,
    prices: PricesOption = None,
    json: JsonOption = None,
) -> None:
    """Zero-shot, random, retrieval and PGDS side by side: differences with intervals, and cost."""
    from deadpan.cli.demos_printing import print_comparison, told_bar
    from deadpan.cli.run import log_folder
    from deadpan.engine.demonstrated_runs import Comparison, arm_names, arm_tables, compared_arms
    from deadpan.engine.run import RunSettings
    from deadpan.usage import read_prices

    known = read_prices(prices)
    benchmark, name = one_task(task)
    how = Comparison(
        weights_for(weights, policy),
        likeness_of(reward_model),
        scoring_options([benchmark], models=metric_model),
        seed,
    )
    calls = (max_connections, max_retries, timeout)
    tell_unjudged(context, [(benchmark, name)], judge)
    check_judge({benchmark: [name]}, model, judge, self_judge)
    judging = Judging(judge, logs, 1, self_judge, *calls) if judge else None
    settings = RunSettings(
        log_dir=log_folder(logs, benchmark, model),
        data=data,
        prompts=prompts,
        limit=limit,
        max_connections=max_connections,
        max_retries=max_retries,
        timeout=timeout,
        display="rich" if console.is_terminal else "plain",
    )

    def graded(results: pl.DataFrame, folder: Path) -> pl.DataFrame:
        if judging is None:
            return results
        below = judge_folder(folder, judging.model)
        return judged(results, replace(judging, folder=below), how.options)

    arms = arm_names(shots, seed, policy, text, image)
    tables = arm_tables(benchmark, name, model, settings, arms, graded)
    with told_bar("resamples") as told:
        found = compared_arms(benchmark, name, tables, how, told)
    print_comparison(found, known)
    write_json(json, {benchmark: found.rows(name, known)})
