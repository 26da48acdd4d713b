"""`--demos`, as an option that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

from deadpan.engine.fewshot.specification import demos_of

DemosOption = Annotated[
    str | None,
    typer.Option(
        "--demos",
        metavar="none|random:K|retrieval:K|pgds:POLICY:K",
        help="Worked examples shown before each question, from the training split; then any of "
        ",seed=N ,text=MODEL ,image=MODEL|plain|none ,layout=turns|interleaved.",
    ),
]


def checked_demos(text: str | None) -> str | None:
    """The option as given; one that cannot be read raises before anything is asked."""
    if text is not None:
        demos_of(text)
    return text
