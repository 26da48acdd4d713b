"""What the judge's options come to on the command line."""

from __future__ import annotations

from collections.abc import Iterable

import typer

from deadpan.cli.output import say
from deadpan.cli.typed import refuse
from deadpan.pipeline.judging import is_judged


def tell_unjudged(
    context: typer.Context, tasks: Iterable[tuple[str, str]], judge: str | None
) -> None:
    """Where a judge grades none of the tasks: says that the one who was named has nothing to do,
    and raises for options that say how."""
    if not is_judged(tasks):
        refuse(context, "where nothing is judged", ("judge_epochs", "self_judge"))
        if judge is not None:
            say(f"nothing here is judged: {judge} is not asked", "yellow")
