"""`deadpan fewshot compare`: the ways to choose demonstrations side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import polars as pl
import typer

from deadpan.benchmarks import find
from deadpan.cli.fewshot_options import (
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
from deadpan.cli.flags import (
    CallFlags,
    DataOption,
    JudgeFlags,
    LimitOption,
    MetricModelOption,
    PromptsOption,
)
from deadpan.cli.grouping import grouped
from deadpan.cli.judging import tell_unjudged
from deadpan.cli.output import JsonOption
from deadpan.cli.printing import PricesOption, reporter, write_json
from deadpan.pipeline.judging import check_judge, judge_results
from deadpan.pipeline.options import scoring_options


@grouped
def compare(
    context: typer.Context,
    task: TaskArgument,
    model: ModelOption,
    judged_by: JudgeFlags,
    calls: CallFlags,
    policy: Annotated[
        Path | None, typer.Option("--policy", help="A trained policy's folder.")
    ] = None,
    shots: ShotsOption = 1,
    metric_model: MetricModelOption = None,
    data: DataOption = None,
    prompts: PromptsOption = None,
    limit: LimitOption = None,
    seed: Annotated[
        int, typer.Option(min=0, help="Draws the random arm and the bootstrap of the intervals.")
    ] = 0,
    text: TextOption = None,
    image: ImageOption = None,
    weights: WeightsOption = None,
    reward_model: LikenessOption = None,
    prices: PricesOption = None,
    json: JsonOption = None,
) -> None:
    """Zero-shot, random, retrieval and PGDS side by side: differences with intervals, and cost."""
    from deadpan.cli.fewshot_printing import print_comparison, told_bar
    from deadpan.core.usage import read_prices
    from deadpan.learning.fewshot.rewards import likeness_of
    from deadpan.learning.fewshot.runs import Comparison, arm_names, arm_tables, compared_arms

    known = read_prices(prices)
    benchmark, name = one_task(task)
    how = Comparison(
        weights_for(weights, policy),
        likeness_of(reward_model),
        scoring_options([benchmark], models=metric_model),
        seed,
    )
    tell_unjudged(context, [(benchmark, name)], judged_by.judge)
    check_judge({benchmark: [name]}, model, judged_by.judge, judged_by.self_judge)
    settings = calls.settings(data=data, prompts=prompts, limit=limit)
    judging = judged_by.judging(settings)

    def graded(results: pl.DataFrame) -> pl.DataFrame:
        if judging is None:
            return results
        return judge_results(results, judging, how.options, known, reporter())

    arms = arm_names(shots, seed, policy, text, image)
    with reporter().asking(model, known) as events:
        tables = arm_tables(benchmark, name, model, settings, arms, graded, events)
    with told_bar("resamples") as told:
        found = compared_arms(benchmark, name, tables, how, told)
    print_comparison(found, known, find(benchmark).metric)
    write_json(json, {benchmark: found.rows(name, known)})
