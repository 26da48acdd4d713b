"""The command line's reference, made of what the commands themselves know."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import typer

from deadpan.cli import COMMANDS, load_command

NAMES = tuple(COMMANDS)


def place(name: str) -> str:
    """Where the page of a command lies."""
    return f"reference/cli/{name}.md"


def listed(_: str) -> str:
    """A table of all commands."""
    rows = (f"| [`deadpan {name}`](cli/{name}.md) | {_cell(COMMANDS[name])} |" for name in NAMES)
    return "\n".join(["| command | what it does |", "| --- | --- |", *rows])


def page(name: str) -> str:
    """A command and those below it: usage, what it does, arguments, options."""
    return "\n\n".join(_sections(name, load_command(name), 1)) + "\n"


def _sections(path: str, command: Any, level: int) -> Iterator[str]:
    yield f"{'#' * level} deadpan {path}"
    yield _words(command.help)
    context = typer.Context(command, info_name=f"deadpan {path}")
    yield f"```text\n{command.get_usage(context).removeprefix('Usage: ')}\n```"
    known = [one for one in command.params if one.name != "help" and not one.hidden]
    for title, own in _panels(known).items():
        rows = (_row(one, context) for one in own)
        yield "\n".join([f"| {title} | | default |", "| --- | --- | --- |", *rows])
    for name, below in getattr(command, "commands", {}).items():
        yield from _sections(f"{path} {name}", below, level + 1)


def _panels(parameters: Sequence[Any]) -> dict[str, list[Any]]:
    """Parameters under the headings that `--help` has for them."""
    found: dict[str, list[Any]] = {}
    for one in parameters:
        kind = "Options" if one.param_type_name == "option" else "Arguments"
        found.setdefault(getattr(one, "rich_help_panel", None) or kind, []).append(one)
    return found


def _row(parameter: Any, context: Any) -> str:
    kind = parameter.param_type_name
    names = ", ".join(f"`{one}`" for one in (*parameter.opts, *parameter.secondary_opts))
    if kind == "argument":
        names = f"`{parameter.metavar or parameter.name.upper()}`"
    said = [parameter.help or ""]
    shown = str(parameter.display_type_rich(context))
    if not parameter.metavar and "|" in shown:
        names += " `NAME`"
        said.append(f"One of {', '.join(f'`{one}`' for one in shown.strip('<[]>').split('|'))}.")
    elif kind == "option" and not parameter.is_flag:
        names += f" `{parameter.metavar or _value(shown)}`"
    if parameter.envvar:
        said.append(f"Else `${parameter.envvar}`.")
    default = parameter.default
    shown = (
        "" if callable(default) or default in (None, False, "", (), []) else f"`{_said(default)}`"
    )
    if parameter.required:
        shown = "required"
    return f"| {names} | {_cell(' '.join(filter(None, said)))} | {shown} |"


def _value(shown: str) -> str:
    """What stands for an option's value: what kind it is of."""
    kinds = {"int": "INT", "float": "FLOAT", "path": "PATH", "date": "DATE"}
    return next((name for kind, name in kinds.items() if kind in shown), "TEXT")


def _said(default: Any) -> str:
    value = getattr(default, "value", default)
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _words(text: str | None) -> str:
    paragraphs = re.split(r"\n\s*\n", (text or "").strip())
    return "\n\n".join(_escaped(" ".join(one.split())) for one in paragraphs)


def _cell(text: str) -> str:
    return _escaped(" ".join(text.split())).replace("|", "\\|")


def _escaped(text: str) -> str:
    """Text in which nothing is markup but what stands between backticks."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(
        one if one.startswith("`") else re.sub(r"([*_<\[{#])", r"\\\1", one) for one in parts
    )
