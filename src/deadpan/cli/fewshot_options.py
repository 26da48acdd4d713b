"""The options and arguments that the commands of `deadpan fewshot` share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks import find
from deadpan.engine.fewshot.specification import Weights, weights_of
from deadpan.pipeline.selecting import chosen_tasks

TaskArgument = Annotated[str, typer.Argument(metavar="BENCHMARK/TASK", help="One task.")]
ModelOption = Annotated[str, typer.Option("--model", help="An Inspect model name.")]
WEIGHED = "format=W,classification=W,target=W,explanation=W with a sum of 1"
WeightsOption = Annotated[
    str | None,
    typer.Option(
        "--weights",
        help=f"{WEIGHED}; when left out, those that the policy was trained with, or {Weights()}.",
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
TextOption = Annotated[
    str | None, typer.Option("--text", help="Text encoder: bge, minilm or a model.")
]
ImageOption = Annotated[
    str | None, typer.Option("--image", help="Image encoder: clip, a model, plain or none.")
]
ShotsOption = Annotated[int, typer.Option("--k", min=1, max=32, help="Demonstrations shown.")]


def one_task(selection: str) -> tuple[str, str]:
    """The benchmark and task of an argument; the only task needs no name."""
    chosen = chosen_tasks([selection], every=False)
    ((benchmark, tasks),) = chosen.items()
    every = [spec.name for spec in find(benchmark).tasks]
    if not tasks and len(every) == 1:
        return benchmark, every[0]
    if len(tasks) != 1:
        raise DeadpanError(f"{selection}: name one task: {benchmark}/{'|'.join(every)}")
    return benchmark, tasks[0]


def weights_for(named: str | None, policy: Path | None) -> Weights:
    """The weights that were named, else those of the policy, else the usual ones."""
    from deadpan.engine.fewshot.policy import read_policy

    if named is not None:
        return weights_of(named)
    return read_policy(policy).card.weights if policy else Weights()
