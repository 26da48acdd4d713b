"""`deadpan demos compare`: the ways to choose demonstrations side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import polars as pl
import typer

from deadpan.benchmarks import find
from deadpan.cli.asking import (
    STORE,
    AnyServerOption,
    ConnectionsOption,
    GiveUpOption,
    GoneLogsOption,
    LimitOption,
    PromptsOption,
    RetriesOption,
    StoreOption,
    TimeoutOption,
)
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
from deadpan.cli.judging import (
    JudgeOption,
    Judging,
    SelfJudgeOption,
    check_judge,
    judged,
    tell_unjudged,
)
from deadpan.cli.printing import DataOption, JsonOption, PricesOption, write_json
from deadpan.cli.progress import asking_progress
from deadpan.cli.scoring import MetricModelOption, scoring_options
from deadpan.engine import ATTEMPT_SECONDS, GIVE_UP_SECONDS, MAX_RETRIES
from deadpan.learning.fewshot.rewards import likeness_of


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
    store: StoreOption = STORE,
    any_server: AnyServerOption = False,
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
    give_up: GiveUpOption = GIVE_UP_SECONDS,
    prices: PricesOption = None,
    json: JsonOption = None,
    logs: GoneLogsOption = None,
) -> None:
    """Zero-shot, random, retrieval and PGDS side by side: differences with intervals, and cost."""
    from deadpan.cli.fewshot_printing import print_comparison, told_bar
    from deadpan.core.usage import read_prices
    from deadpan.engine.calls import CallOptions
    from deadpan.engine.task_questions import RunSettings
    from deadpan.learning.fewshot.runs import Comparison, arm_names, arm_tables, compared_arms

    known = read_prices(prices)
    benchmark, name = one_task(task)
    how = Comparison(
        weights_for(weights, policy),
        likeness_of(reward_model),
        scoring_options([benchmark], models=metric_model),
        seed,
    )
    tell_unjudged(context, [(benchmark, name)], judge)
    check_judge({benchmark: [name]}, model, judge, self_judge)
    settings = RunSettings(
        store=store,
        data=data,
        prompts=prompts,
        limit=limit,
        calls=CallOptions(max_connections, max_retries, timeout, give_up, any_server),
    )
    judging = Judging(judge, settings, 1, self_judge) if judge else None

    def graded(results: pl.DataFrame) -> pl.DataFrame:
        return judged(results, judging, how.options, known) if judging else results

    arms = arm_names(shots, seed, policy, text, image)
    with asking_progress(model, known) as events:
        tables = arm_tables(benchmark, name, model, settings, arms, graded, events)
    with told_bar("resamples") as told:
        found = compared_arms(benchmark, name, tables, how, told)
    print_comparison(found, known, find(benchmark).metric)
    write_json(json, {benchmark: found.rows(name, known)})
