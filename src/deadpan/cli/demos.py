"""`deadpan demos`: train a policy that chooses demonstrations, try one, compare the ways."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from deadpan.benchmarks import find
from deadpan.cli.demonstrated import DemosOption
from deadpan.cli.printing import (
    DataOption,
    JsonOption,
    PricesOption,
    chosen_tasks,
    console,
    say,
    write_json,
)
from deadpan.demonstrations.rewards import Weights, likeness_of, weights_of
from deadpan.demonstrations.specification import ZERO_SHOT, Layout, demos_of
from deadpan.engine import ATTEMPT_SECONDS, MAX_RETRIES
from deadpan.errors import DeadpanError

if TYPE_CHECKING:
    from deadpan.engine.rewarding import ModelEnvironment

TUNE = "tune"
"""`--weights tune`."""

app = typer.Typer(
    help="Which worked examples a prompt shows: train, try, compare.", no_args_is_help=True
)

TaskArgument = Annotated[str, typer.Argument(metavar="BENCHMARK/TASK", help="One task.")]
ModelOption = Annotated[str, typer.Option("--model", help="An Inspect model name.")]
_WEIGHED = "format=W,classification=W,target=W,explanation=W with a sum of 1"
TunedWeightsOption = Annotated[
    str,
    typer.Option(
        "--weights",
        help=f"{TUNE} (on validation, to follow the mean of label, target and explanation scores), "
        f"or {_WEIGHED}.",
    ),
]
WeightsOption = Annotated[
    str | None,
    typer.Option(
        "--weights",
        help=f"{_WEIGHED}; when left out, those that the policy was trained with, or {Weights()}.",
    ),
]
LikenessOption = Annotated[
    str | None,
    typer.Option(
        "--reward-model",
        help="BERTScore model that targets and explanations are compared with; by their spelling "
        "when left out.",
    ),
]
ConnectionsOption = Annotated[
    int, typer.Option("--max-connections", min=1, help="Calls in flight at once.")
]
RetriesOption = Annotated[
    int, typer.Option("--max-retries", min=0, help="Times a failing call is tried again.")
]
TimeoutOption = Annotated[
    int, typer.Option("--timeout", min=1, help="Seconds one attempt at a call may take.")
]
PromptsOption = Annotated[
    Path | None, typer.Option("--prompts", help="Folder of prompts that replace ours.")
]


@app.command("train")
def train(
    task: TaskArgument,
    model: ModelOption,
    out: Annotated[Path, typer.Option("--out", metavar="POLICY", help="The policy's folder.")],
    data: DataOption = None,
    prompts: PromptsOption = None,
    shots: Annotated[int, typer.Option("--k", min=1, max=32, help="Demonstrations shown.")] = 1,
    updates: Annotated[int, typer.Option(min=1, help="Updates at the most.")] = 200,
    batch: Annotated[int, typer.Option(min=1, help="Questions of an update.")] = 8,
    rollouts: Annotated[int, typer.Option(min=1, help="Draws for each, all in flight.")] = 4,
    learning_rate: Annotated[float, typer.Option(min=1e-9, help="Adam's step.")] = 3e-3,
    entropy: Annotated[float, typer.Option(min=0, help="Weight of the entropy bonus.")] = 0.05,
    gradient_norm: Annotated[float, typer.Option(min=1e-9, help="Longest gradient.")] = 1.0,
    hidden: Annotated[int, typer.Option(min=1, max=4096, help="Hidden units.")] = 128,
    prior: Annotated[
        bool, typer.Option("--prior/--no-prior", help="Begin as retrieval, or from nothing.")
    ] = True,
    seed: Annotated[int, typer.Option(min=0)] = 0,
    validate_every: Annotated[int, typer.Option(min=1, help="Updates between validations.")] = 10,
    patience: Annotated[int, typer.Option(min=1, help="Validations without a better one.")] = 10,
    weights: TunedWeightsOption = TUNE,
    reward_model: LikenessOption = None,
    text: Annotated[str | None, typer.Option(help="Text encoder: bge, minilm or a model.")] = None,
    image: Annotated[
        str | None, typer.Option(help="Image encoder: clip, a model, plain or none.")
    ] = None,
    interleaved: Annotated[
        bool, typer.Option("--interleaved", help="One message instead of turns.")
    ] = False,
    max_connections: ConnectionsOption = 10,
    max_retries: RetriesOption = MAX_RETRIES,
    timeout: TimeoutOption = ATTEMPT_SECONDS,
    prices: PricesOption = None,
) -> None:
    """Train a policy by what a model makes of its choices; the same command again goes on."""
    from deadpan.cli.demos_printing import print_spent, print_trained, training_bar
    from deadpan.demonstrations.learning import course_of, learned
    from deadpan.demonstrations.training import Settings
    from deadpan.engine.rewarding import Asking, environment_of
    from deadpan.usage import read_prices

    known = read_prices(prices)
    benchmark, name = _one_task(task)
    course = course_of(find(benchmark), name, data, _prompts(benchmark, name, prompts), text, image)
    settings = Settings(
        shots=shots,
        rollouts=rollouts,
        batch=batch,
        updates=updates,
        learning_rate=learning_rate,
        entropy=entropy,
        gradient_norm=gradient_norm,
        hidden=hidden,
        prior=prior,
        seed=seed,
        validate_every=validate_every,
        patience=patience,
    )
    layout: Layout = "interleaved" if interleaved else "turns"
    asking = Asking(model, reward_model, layout, max_connections, max_retries, timeout)
    with environment_of(
        course.benchmark, name, course.space.pool, course.questions, asking
    ) as environment:
        environment.weights = _tuned(environment, shots) if weights == TUNE else weights_of(weights)
        with training_bar(updates) as told:
            saved, done = learned(course, environment, settings, out, model, told)
    print_trained(done)
    print_spent(environment.asker.spent, model, known)
    say(f"policy {saved.card.checksum}: {out} (deadpan run {task} --demos pgds:{out}:{shots})")


@app.command("eval")
def evaluate(
    task: TaskArgument,
    model: ModelOption,
    demos: DemosOption = None,
    data: DataOption = None,
    prompts: PromptsOption = None,
    weights: WeightsOption = None,
    reward_model: LikenessOption = None,
    max_connections: ConnectionsOption = 10,
    max_retries: RetriesOption = MAX_RETRIES,
    timeout: TimeoutOption = ATTEMPT_SECONDS,
    seed: Annotated[int, typer.Option(min=0, help="Of the intervals.")] = 0,
    prices: PricesOption = None,
    json: JsonOption = None,
) -> None:
    """Mean reward of one way to choose, on the validation split; the test split is not touched."""
    from deadpan.cli.demos_printing import print_trial
    from deadpan.demonstrations.demonstration import pool_of
    from deadpan.demonstrations.learning import choices_of
    from deadpan.demonstrations.selection import selector
    from deadpan.demonstrations.trial import Trial
    from deadpan.engine.rewarding import Asking, environment_of
    from deadpan.usage import read_prices

    known = read_prices(prices)
    benchmark, name = _one_task(task)
    wording = _prompts(benchmark, name, prompts)
    wanted = demos_of(demos) if demos else None
    found = find(benchmark)
    chooser = selector(found, name, data, wording, wanted) if wanted else None
    pool = chooser.pool if chooser else pool_of(found, name, data, wording)
    questions = found.examples(data, name, wording, "validation")
    layout = wanted.layout if wanted else "turns"
    asking = Asking(model, reward_model, layout, max_connections, max_retries, timeout)
    with environment_of(found, name, pool, {"validation": questions}, asking) as environment:
        environment.weights = _weights(weights, wanted.policy if wanted else None)
        choices = choices_of(chooser, pool, questions)
        replies = environment.replies("validation", choices)
        parts = environment.graded("validation", choices, replies)
    trial = Trial(
        benchmark=found,
        task=name,
        model=model,
        demos=environment.described(chooser.name if chooser else ZERO_SHOT),
        data=found.read(data).checksum,
        prompts=wording.checksum,
        questions=questions,
        replies=replies,
        parts=parts,
        weights=environment.weights,
        seed=seed,
    )
    print_trial(trial, known)
    write_json(json, {benchmark: trial.rows(known)})


@app.command("compare")
def compare(
    task: TaskArgument,
    model: ModelOption,
    policy: Annotated[
        Path | None, typer.Option("--policy", help="A trained policy's folder.")
    ] = None,
    shots: Annotated[int, typer.Option("--k", min=1, max=32, help="Demonstrations shown.")] = 1,
    data: DataOption = None,
    prompts: PromptsOption = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Ask the first N items only.")] = None,
    logs: Annotated[Path, typer.Option(help="Where logs are kept.")] = Path("logs"),
    seed: Annotated[int, typer.Option(min=0, help="Of chance and of the intervals.")] = 0,
    text: Annotated[str | None, typer.Option(help="Text encoder: bge, minilm or a model.")] = None,
    image: Annotated[
        str | None, typer.Option(help="Image encoder: clip, a model, plain or none.")
    ] = None,
    weights: WeightsOption = None,
    reward_model: LikenessOption = None,
    max_connections: ConnectionsOption = 10,
    max_retries: RetriesOption = MAX_RETRIES,
    timeout: TimeoutOption = ATTEMPT_SECONDS,
    prices: PricesOption = None,
    json: JsonOption = None,
) -> None:
    """Zero-shot, random, retrieval and PGDS side by side: differences with intervals, and cost."""
    from deadpan.cli.demos_printing import print_comparison
    from deadpan.cli.run import log_folder
    from deadpan.engine.demonstrated_runs import arm_names, compared_arms
    from deadpan.engine.run import RunSettings
    from deadpan.usage import read_prices

    known = read_prices(prices)
    benchmark, name = _one_task(task)
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
    arms = arm_names(shots, seed, policy, text, image)
    weighed, likeness = _weights(weights, policy), likeness_of(reward_model)
    found = compared_arms(benchmark, name, model, settings, arms, weighed, likeness, seed)
    print_comparison(found, known)
    write_json(json, {benchmark: found.rows(name, known)})


def _one_task(selection: str) -> tuple[str, str]:
    chosen = chosen_tasks([selection], every=False)
    ((benchmark, tasks),) = chosen.items()
    every = [spec.name for spec in find(benchmark).tasks]
    if not tasks and len(every) == 1:
        return benchmark, every[0]
    if len(tasks) != 1:
        raise DeadpanError(f"{selection}: name one task: {benchmark}/{'|'.join(every)}")
    return benchmark, tasks[0]


def _prompts(benchmark: str, task: str, override: Path | None) -> Any:
    return find(benchmark).prompts(task, override)


def _weights(named: str | None, policy: Path | None) -> Weights:
    """The weights that were named, else those of the policy, else the usual ones."""
    from deadpan.demonstrations.saved import read_policy

    if named is not None:
        return weights_of(named)
    return read_policy(policy).card.weights if policy else Weights()


def _tuned(environment: ModelEnvironment, shots: int) -> Weights:
    """The weights whose reward follows the answers' scores best."""
    from deadpan.demonstrations.learning import tuned_weights

    weights = tuned_weights(environment, shots)
    say(f"weights tuned on the mean of label, target and explanation: {weights}")
    return weights
