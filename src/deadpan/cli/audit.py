"""`deadpan audit`: how far numbers can be believed."""

from __future__ import annotations

import typer

from deadpan.cli.audit_contamination import contamination
from deadpan.cli.audit_judge import judge
from deadpan.cli.audit_published import published
from deadpan.cli.audit_shortcuts import shortcuts

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
app.command("judge")(judge)
app.command("published")(published)
app.command("shortcuts")(shortcuts)
app.command("contamination")(contamination)


@app.callback()
def _audit() -> None:
    """How far numbers can be believed: judges, published tables, what scores need, and what models
    have learnt by heart."""
