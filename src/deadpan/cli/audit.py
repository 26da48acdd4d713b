"""`deadpan audit`: how far numbers can be believed."""

from __future__ import annotations

import typer

from deadpan.cli.audit_published import published

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
app.command("published")(published)


@app.callback()
def _audit() -> None:
    """How far numbers can be believed: published tables against themselves."""
