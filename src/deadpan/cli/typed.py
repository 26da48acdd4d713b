"""Options that were typed and would do nothing: told, and never ignored."""

from __future__ import annotations

from collections.abc import Collection

import typer

from deadpan.base.errors import DeadpanError


def typed(context: typer.Context) -> dict[str, str]:
    """How the options on the command line are spelled, by parameter; neither defaults nor what the
    environment says, which holds for other commands too."""
    found: dict[str, str] = {}
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name or "")
        if parameter.param_type_name == "option" and source and source.name == "COMMANDLINE":
            found[parameter.name or ""] = parameter.opts[0]
    return found


def refuse(context: typer.Context, when: str, useless: Collection[str]) -> None:
    """Raises for parameters that were typed and are of no use `when` ("without --judge")."""
    if named := [option for name, option in typed(context).items() if name in useless]:
        it = "it" if len(named) == 1 else "them"
        raise DeadpanError(f"{', '.join(named)}: no use {when}; leave {it} out")


def refuse_others(context: typer.Context, when: str, taken: Collection[str]) -> None:
    """Raises for every option that was typed and is not among those taken."""
    refuse(context, when, [name for name in typed(context) if name not in taken])
