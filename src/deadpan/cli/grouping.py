"""Commands whose parameters are groups of options, and options that are gone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from functools import wraps
from inspect import Parameter, signature
from typing import Any, get_type_hints

import typer


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """A command whose parameters may be groups of options: each field is an option of its own."""
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
    spread: list[Parameter] = []
    for parameter in signature(command).parameters.values():
        if parameter.name not in groups:
            typed = parameter.replace(annotation=hints[parameter.name])
            spread.append(typed.replace(kind=Parameter.KEYWORD_ONLY))
            continue
        types = get_type_hints(groups[parameter.name], include_extras=True)
        for one in fields(groups[parameter.name]):
            default = Parameter.empty if one.default is MISSING else one.default
            spread.append(
                Parameter(
                    one.name, Parameter.KEYWORD_ONLY, default=default, annotation=types[one.name]
                )
            )

    @wraps(command)
    def run(**given: Any) -> None:
        made = {
            name: group(**{one.name: given.pop(one.name) for one in fields(group)})
            for name, group in groups.items()
        }
        command(**given, **made)

    run.__signature__ = signature(command).replace(parameters=spread)  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in spread}
    return run


def gone(name: str, instead: str) -> Any:
    """An option that is gone: whoever types it is told what took its place."""

    def tell(value: object) -> None:
        if value:
            raise typer.BadParameter(f"is gone; {instead}")

    return typer.Option(name, hidden=True, callback=tell)
