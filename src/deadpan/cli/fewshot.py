"""`deadpan fewshot`: train a policy that chooses demonstrations, try one, compare the ways."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import polars as pl
import typer

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks import find
from deadpan.cli import flags
from deadpan.cli.json_output import JsonOption, write_json
from deadpan.cli.output import counting_bar, reporter, say
from deadpan.core.dataset import Split
from deadpan.core.questions import Question
from deadpan.core.usage import read_prices
from deadpan.engine.fewshot.specification import (
    ZERO_SHOT,
    Layout,
    Weights,
    fewshot_of,
    weights_of,
)
from deadpan.pipeline.evaluating import check_judge, chosen_benchmark
from deadpan.pipeline.judging import judge_results
from deadpan.pipeline.scoring_choices import scoring_options

app = typer.Typer(no_args_is_help=True, add_completion=False)

TUNE = "tune"
"""`--weights tune`."""
ModelOption = Annotated[str, typer.Option()]
WeightsOption = Annotated[
    str | None,
    typer.Option(
        help="format=W,classification=W,target=W,explanation=W with a sum of 1; when left out, "
        f"those that the policy was trained with, or {Weights()}."
    ),
]
ShotsOption = Annotated[int, typer.Option("--k", min=1, max=32)]


@dataclass(frozen=True)
class TrainingFlags:
    """How a policy is trained."""

    shots: ShotsOption = 1
    updates: Annotated[int, typer.Option(min=1)] = 200
    batch: Annotated[int, typer.Option(min=1)] = 8
    rollouts: Annotated[int, typer.Option(min=1)] = 4
    learning_rate: Annotated[float, typer.Option(min=1e-09)] = 3e-3
    entropy: Annotated[float, typer.Option(min=0)] = 0.05
    gradient_norm: Annotated[float, typer.Option(min=1e-09)] = 1.0
    hidden: Annotated[int, typer.Option(min=1, max=4096)] = 128
    prior: Annotated[bool, typer.Option("--prior/--no-prior")] = True
    seed: Annotated[int, typer.Option(min=0)] = 0
    validate_every: Annotated[int, typer.Option(min=1)] = 10
    patience: Annotated[int, typer.Option(min=1)] = 10


@app.command("train")
@flags.grouped
def train(
    context: typer.Context,
    task: str,
    model: ModelOption,
    out: Annotated[Path, typer.Option()],
    training: TrainingFlags,
    calls: flags.CallFlags,
    data: Path | None = None,
    prompts: Path | None = None,
    weights: str = TUNE,
    reward_model: str | None = None,
    text: str | None = None,
    image: str | None = None,
    interleaved: Annotated[bool, typer.Option("--interleaved")] = False,
    max_calls: Annotated[int | None, typer.Option(min=1)] = None,
    prices: flags.PricesOption = None,
) -> None:
    """Train a policy by what a model makes of its choices; the same command again goes on.

    How many calls it takes is said before the first one. With --max-calls it stops when so many
    were made, with status 1, and the same command again makes as many more.
    """
    from deadpan.cli.fewshot_printing import print_spent, print_trained, training_bar
    from deadpan.learning.fewshot.forecast import forecast
    from deadpan.learning.fewshot.learning import course_of, learn_policy, load_or_tune_weights
    from deadpan.learning.fewshot.rewards import CallsSpent, Rewarding, environment_of
    from deadpan.learning.fewshot.training import Settings

    known = read_prices(prices)
    named = None if weights == TUNE else weights_of(weights)
    benchmark, name = _one_task(task)
    found = find(benchmark)
    course = course_of(found, name, data, found.prompts(name, prompts), text, image)
    layout: Layout = "interleaved" if interleaved else "turns"
    rewarding = Rewarding(reward_model, layout, max_calls)
    settings = Settings(**vars(training))
    asked = (course.space.pool, course.questions, model, rewarding, calls.settings())
    with environment_of(course.benchmark, name, *asked) as environment:
        planned = forecast(course, environment, settings, out, tunes=named is None)
        for line in planned.lines(model, environment.likeness.name, max_calls):
            say(line)
        try:
            if named is None:
                with counting_bar("tuning weights") as progress:
                    named = load_or_tune_weights(environment, training.shots, out, progress)
                say(f"weights tuned on the mean of label, target and explanation: {named}")
            environment.weights = named
            with training_bar(training.updates) as report:
                saved, done = learn_policy(course, environment, settings, out, model, report)
        except CallsSpent as error:
            print_spent(environment.spent, model, known)
            again = flags.pasted_command(context, "fewshot train", task)
            raise CallsSpent(f"{error}. Go on: {again}") from None
    print_trained(done)
    print_spent(environment.spent, model, known)
    shown = f"pgds:{out}:{training.shots}" + (",layout=interleaved" if interleaved else "")
    hint = flags.pasted_command(context, "run", task, keep=flags.ASKING, fewshot=shown)
    say(f"policy {saved.card.checksum}: {out}; ask with it: {hint}")


@app.command("eval")
@flags.grouped
def evaluate(
    task: str,
    model: ModelOption,
    calls: flags.CallFlags,
    fewshot: flags.FewshotOption = None,
    demos: flags.GoneDemosOption = None,
    data: Path | None = None,
    prompts: Path | None = None,
    weights: WeightsOption = None,
    reward_model: str | None = None,
    prices: flags.PricesOption = None,
    json: JsonOption = None,
) -> None:
    """Mean reward of one way to choose, on the validation split; the test split is not touched."""
    from deadpan.cli.fewshot_printing import print_trial
    from deadpan.engine.fewshot.demonstration import pool_of, questions_checksum, split_of
    from deadpan.engine.fewshot.selection import selector
    from deadpan.learning.fewshot.comparison import Trial
    from deadpan.learning.fewshot.learning import choices_of
    from deadpan.learning.fewshot.rewards import Rewarding, environment_of

    known = read_prices(prices)
    benchmark, name = _one_task(task)
    found = find(benchmark)
    wording = found.prompts(name, prompts)
    wanted = fewshot_of(fewshot) if fewshot else None
    chooser = selector(found, name, data, wording, wanted) if wanted else None
    pool = chooser.pool if chooser else pool_of(found, name, data, wording)
    questions = split_of(found, name, data, wording, "validation")
    rewarding = Rewarding(reward_model, wanted.layout if wanted else "turns")
    asked: dict[Split, list[Question]] = {"validation": questions}
    settings = calls.settings()
    with environment_of(found, name, pool, asked, model, rewarding, settings) as environment:
        environment.weights = _weights_for(weights, wanted.policy if wanted else None)
        choices = choices_of(chooser, pool, questions)
        with counting_bar("questions") as progress:
            replies = environment.replies("validation", choices, progress)
        parts = environment.graded("validation", choices, replies)
    trial = Trial(
        benchmark=found,
        task=name,
        model=model,
        demos=environment.describe(chooser.name if chooser else ZERO_SHOT),
        data=questions_checksum(questions),
        prompts=wording.checksum,
        questions=questions,
        replies=replies,
        parts=parts,
        weights=environment.weights,
    )
    print_trial(trial, known)
    write_json(json, {benchmark: trial.rows(known)})


@app.command("compare")
@flags.grouped
def compare(
    context: typer.Context,
    task: str,
    model: ModelOption,
    judged_by: flags.JudgeFlags,
    calls: flags.CallFlags,
    policy: Path | None = None,
    shots: ShotsOption = 1,
    metric_model: list[str] | None = None,
    data: Path | None = None,
    prompts: Path | None = None,
    limit: flags.LimitOption = None,
    seed: Annotated[int, typer.Option(min=0)] = 0,
    text: str | None = None,
    image: str | None = None,
    weights: WeightsOption = None,
    reward_model: str | None = None,
    prices: flags.PricesOption = None,
    json: JsonOption = None,
) -> None:
    """Zero-shot, random, retrieval and PGDS side by side: differences with intervals, and cost."""
    from deadpan.cli.fewshot_printing import print_comparison
    from deadpan.learning.fewshot.reply_parts import likeness_of
    from deadpan.learning.fewshot.runs import Comparison, arm_names, arm_tables, compared_arms

    known = read_prices(prices)
    benchmark, name = _one_task(task)
    options = scoring_options([benchmark], models=metric_model)
    how = Comparison(_weights_for(weights, policy), likeness_of(reward_model), options)
    judged_by.check_use(context, [(benchmark, name)])
    settings = calls.settings(data=data, prompts=prompts, limit=limit)
    judging = judged_by.judging(settings)
    check_judge({benchmark: [name]}, model, judging)

    def graded(results: pl.DataFrame) -> pl.DataFrame:
        if judging is None:
            return results
        return judge_results(results, judging, options, known, reporter())

    arms = arm_names(shots, seed, policy, text, image)
    with reporter().asking(model, known) as events:
        tables = arm_tables(benchmark, name, model, settings, arms, graded, events)
    found = compared_arms(benchmark, name, tables, how)
    print_comparison(found, known, find(benchmark).metric)
    write_json(json, {benchmark: found.rows(name, known)})


def _one_task(selection: str) -> tuple[str, str]:
    """The benchmark and task of an argument; the only task needs no name."""
    benchmark, tasks = chosen_benchmark(selection)
    every = [spec.name for spec in find(benchmark).tasks]
    if not tasks and len(every) == 1:
        return benchmark, every[0]
    if len(tasks) != 1:
        raise DeadpanError(f"{selection}: name one task: {benchmark}/{'|'.join(every)}")
    return benchmark, tasks[0]


def _weights_for(named: str | None, policy: Path | None) -> Weights:
    """The weights that were named, else those of the policy, else the usual ones."""
    from deadpan.engine.fewshot.policy import read_policy

    if named is not None:
        return weights_of(named)
    return read_policy(policy).card.weights if policy else Weights()
