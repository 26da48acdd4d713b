"""`deadpan fewshot`: train a policy that chooses demonstrations, try one, compare the ways."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deadpan.benchmarks import find
from deadpan.cli.fewshot_comparing import compare
from deadpan.cli.fewshot_option import FewshotOption, GoneDemosOption
from deadpan.cli.fewshot_options import (
    WEIGHED,
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
from deadpan.cli.flags import CallFlags, DataOption, PromptsOption
from deadpan.cli.grouping import grouped
from deadpan.cli.output import JsonOption, say
from deadpan.cli.printing import PricesOption, write_json
from deadpan.engine.fewshot.specification import ZERO_SHOT, Layout, Weights, demos_of, weights_of

if TYPE_CHECKING:
    from deadpan.learning.fewshot.rewards import ModelEnvironment

TUNE = "tune"
"""`--weights tune`."""

app = typer.Typer(
    help="Which worked examples a prompt shows: train, try, compare.", no_args_is_help=True
)

TunedWeightsOption = Annotated[
    str,
    typer.Option(
        "--weights",
        help=f"{TUNE} (on validation, to follow the mean of label, target and explanation scores), "
        f"or {WEIGHED}.",
    ),
]


@dataclass(frozen=True)
class TrainingFlags:
    """How a policy is trained."""

    shots: ShotsOption = 1
    updates: Annotated[int, typer.Option(min=1, help="Updates at the most.")] = 200
    batch: Annotated[int, typer.Option(min=1, help="Questions of an update.")] = 8
    rollouts: Annotated[int, typer.Option(min=1, help="Draws for each, all in flight.")] = 4
    learning_rate: Annotated[float, typer.Option(min=1e-9, help="Adam's step.")] = 3e-3
    entropy: Annotated[float, typer.Option(min=0, help="Weight of the entropy bonus.")] = 0.05
    gradient_norm: Annotated[float, typer.Option(min=1e-9, help="Longest gradient.")] = 1.0
    hidden: Annotated[int, typer.Option(min=1, max=4096, help="Hidden units.")] = 128
    prior: Annotated[
        bool, typer.Option("--prior/--no-prior", help="Begin as retrieval, or from nothing.")
    ] = True
    seed: Annotated[
        int, typer.Option(min=0, help="Draws the questions, the demonstrations and the weights.")
    ] = 0
    validate_every: Annotated[int, typer.Option(min=1, help="Updates between validations.")] = 10
    patience: Annotated[int, typer.Option(min=1, help="Validations without a better one.")] = 10


@app.command("train")
@grouped
def train(
    task: TaskArgument,
    model: ModelOption,
    out: Annotated[Path, typer.Option("--out", metavar="POLICY", help="The policy's folder.")],
    training: TrainingFlags,
    calls: CallFlags,
    data: DataOption = None,
    prompts: PromptsOption = None,
    weights: TunedWeightsOption = TUNE,
    reward_model: LikenessOption = None,
    text: TextOption = None,
    image: ImageOption = None,
    interleaved: Annotated[
        bool, typer.Option("--interleaved", help="One message instead of turns.")
    ] = False,
    prices: PricesOption = None,
) -> None:
    """Train a policy by what a model makes of its choices; the same command again goes on."""
    from deadpan.cli.fewshot_printing import print_spent, print_trained, training_bar
    from deadpan.core.usage import read_prices
    from deadpan.learning.fewshot.learning import course_of, learned
    from deadpan.learning.fewshot.rewards import Rewarding, environment_of
    from deadpan.learning.fewshot.training import Settings

    known = read_prices(prices)
    named = None if weights == TUNE else weights_of(weights)
    benchmark, name = one_task(task)
    found = find(benchmark)
    course = course_of(found, name, data, found.prompts(name, prompts), text, image)
    settings = Settings(**vars(training))
    layout: Layout = "interleaved" if interleaved else "turns"
    rewarding, settled = Rewarding(reward_model, layout), calls.settings()
    with environment_of(
        course.benchmark,
        name,
        course.space.pool,
        course.questions,
        model,
        rewarding,
        settled,
    ) as environment:
        environment.weights = named or _tuned(environment, training.shots, out)
        with training_bar(training.updates) as told:
            saved, done = learned(course, environment, settings, out, model, told)
    print_trained(done)
    print_spent(environment.spent, model, known)
    shown = f"--fewshot pgds:{out}:{training.shots}"
    say(f"policy {saved.card.checksum}: {out} (deadpan run {task} {shown})")


@app.command("eval")
@grouped
def evaluate(
    task: TaskArgument,
    model: ModelOption,
    calls: CallFlags,
    fewshot: FewshotOption = None,
    demos: GoneDemosOption = None,
    data: DataOption = None,
    prompts: PromptsOption = None,
    weights: WeightsOption = None,
    reward_model: LikenessOption = None,
    seed: Annotated[int, typer.Option(min=0, help="Draws the bootstrap behind the intervals.")] = 0,
    prices: PricesOption = None,
    json: JsonOption = None,
) -> None:
    """Mean reward of one way to choose, on the validation split; the test split is not touched."""
    from deadpan.cli.fewshot_printing import print_trial, told_bar
    from deadpan.core.usage import read_prices
    from deadpan.engine.fewshot.demonstration import pool_of, questions_checksum, split_of
    from deadpan.engine.fewshot.selection import selector
    from deadpan.learning.fewshot.comparison import Trial
    from deadpan.learning.fewshot.learning import choices_of
    from deadpan.learning.fewshot.rewards import Rewarding, environment_of

    known = read_prices(prices)
    benchmark, name = one_task(task)
    found = find(benchmark)
    wording = found.prompts(name, prompts)
    wanted = demos_of(fewshot) if fewshot else None
    chooser = selector(found, name, data, wording, wanted) if wanted else None
    pool = chooser.pool if chooser else pool_of(found, name, data, wording)
    questions = split_of(found, name, data, wording, "validation")
    layout = wanted.layout if wanted else "turns"
    rewarding, settled = Rewarding(reward_model, layout), calls.settings()
    with environment_of(
        found, name, pool, {"validation": questions}, model, rewarding, settled
    ) as environment:
        environment.weights = weights_for(weights, wanted.policy if wanted else None)
        choices = choices_of(chooser, pool, questions)
        with told_bar("questions") as told:
            replies = environment.replies("validation", choices, told)
        parts = environment.graded("validation", choices, replies)
    trial = Trial(
        benchmark=found,
        task=name,
        model=model,
        demos=environment.described(chooser.name if chooser else ZERO_SHOT),
        data=questions_checksum(questions),
        prompts=wording.checksum,
        questions=questions,
        replies=replies,
        parts=parts,
        weights=environment.weights,
        seed=seed,
    )
    print_trial(trial, known)
    write_json(json, {benchmark: trial.rows(known)})


app.command("compare")(compare)


def _tuned(environment: ModelEnvironment, shots: int, folder: Path) -> Weights:
    """The weights whose reward follows the answers' scores best, from the folder where they were
    tuned before."""
    from deadpan.cli.fewshot_printing import told_bar
    from deadpan.learning.fewshot.learning import kept_or_tuned

    with told_bar("tuning weights") as told:
        weights = kept_or_tuned(environment, shots, folder, told)
    say(f"weights tuned on the mean of label, target and explanation: {weights}")
    return weights
