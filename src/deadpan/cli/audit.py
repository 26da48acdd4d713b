"""`deadpan audit`: whether numbers can be believed."""

from __future__ import annotations

import typer

from deadpan.cli.audit_shortcuts import shortcuts

app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False)
app.command("shortcuts")(shortcuts)


@app.callback()
def _group() -> None:
    """Whether numbers can be believed: what a score rests on, and what it hangs on."""
