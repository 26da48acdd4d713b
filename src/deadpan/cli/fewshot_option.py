"""`--fewshot`, as an option that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

from deadpan.cli.grouping import gone


def _checked(text: str | None) -> str | None:
    """The option as given; one that cannot be read raises before anything is asked."""
    if text is not None:
        from deadpan.engine.fewshot.specification import demos_of

        demos_of(text)
    return text


FewshotOption = Annotated[
    str | None,
    typer.Option(
        "--fewshot",
        callback=_checked,
        metavar="none|random:K|retrieval:K|pgds:POLICY:K",
        help="Worked examples shown before each question, from the training split; then any of "
        ",seed=N ,text=MODEL ,image=MODEL|plain|none ,layout=turns|interleaved.",
    ),
]
GoneDemosOption = Annotated[str | None, gone("--demos", "it is --fewshot now")]
