"""`deadpan audit`: whether a number can be believed. Each audit has a file of its own."""

from __future__ import annotations

import typer

from deadpan.cli.audit_judge import judge

audit = typer.Typer(no_args_is_help=True, add_completion=False)


@audit.callback()
def _audit() -> None:
    """Whether numbers can be believed."""


audit.command("judge")(judge)
