"""Writes src/deadpan/cli/completion.json: what shells complete, so that nothing is imported then.

python scripts/build_completion.py      # after a command, an option or a task came or went
"""

from __future__ import annotations

import json
import re
from enum import Enum
from pathlib import Path
from typing import Any, get_args

from deadpan import cli, editing
from deadpan.base.extras import EXTRAS
from deadpan.base.resources import catalogue
from deadpan.benchmarks import BUILT_IN, find
from deadpan.engine import baselines
from deadpan.metrics import lexical

FLAT = re.compile(r"\[\s*\n\s*([^\[\]{}]*(?:\[[^\[\]{}\n]*\][^\[\]{}]*)*)\n\s*\]")
TABLE = Path(cli.__file__).parent / "completion.json"
KINDS = {
    "argument benchmark": "benchmarks",
    "argument benchmarks": "benchmarks",
    "argument extras": "extras",
    "argument selection": "tasks",
    "argument subject": "tasks",
    "argument task": "tasks",
    "option benchmark": "benchmarks",
    "option judge": "judges",
    "option model": "models",
    "option on": "tasks",
    "option task": "names of tasks",
    "resources get argument names": "resources",
}
"""What stands for a parameter, by what it is called; by its command too where that matters."""


def table() -> dict[str, Any]:
    """Commands with their options and arguments, and the names that may stand for them."""
    commands = {name: _command(name, cli.load_command(name)) for name in cli.COMMANDS}
    root = cli.typer.main.get_command(cli.app)
    tasks = {name: [spec.name for spec in find(name).tasks] for name in BUILT_IN}
    editors = [f"{editing.EDITOR}{name}" for name in editing.NAMES if name.islower()]
    values = {
        "benchmarks": list(BUILT_IN),
        "tasks": tasks,
        "names of tasks": list(dict.fromkeys(one for own in tasks.values() for one in own)),
        "models": [*(f"baseline/{name}" for name in baselines.NAMES), *editors],
        "judges": [lexical.MODEL],
        "extras": list(EXTRAS),
        "resources": [resource.name for resource in catalogue()],
    }
    return {"values": values, **_command("", root), "commands": commands}


def _command(path: str, command: Any) -> dict[str, Any]:
    below = getattr(command, "commands", {})
    if below:
        shown = {name: one for name, one in below.items() if not getattr(one, "hidden", False)}
        found = {name: _command(f"{path} {name}", one) for name, one in shown.items()}
        return {"options": {"--help": ["help", None]}, "commands": found}
    options: dict[str, list[Any]] = {"--help": ["help", None]}
    arguments: list[list[Any]] = []
    for one in command.params:
        if getattr(one, "hidden", False):
            continue
        if one.param_type_name == "argument":
            arguments.append([one.name, _kind(path, one), one.nargs == -1])
        else:
            takes = None if one.is_flag else _kind(path, one)
            options |= {name: [one.name, takes] for name in (*one.opts, *one.secondary_opts)}
    return {"options": options} | ({"arguments": arguments} if arguments else {})


def _kind(path: str, one: Any) -> str | list[str]:
    """The name of the values of a parameter, or these themselves where they are a few words."""
    about = f"{one.param_type_name} {one.name}"
    if (kind := KINDS.get(f"{path} {about}", KINDS.get(about))) is not None:
        return kind
    wanted = getattr(getattr(one, "type_descriptor", None), "annotation", None)
    if isinstance(wanted, type) and issubclass(wanted, Enum):
        return [str(member.value) for member in wanted]
    words = get_args(wanted)
    return list(words) if words and all(isinstance(word, str) for word in words) else ""


def text() -> str:
    """The table as it is written: a list a line, so that changes can be read."""
    whole = json.dumps(table(), ensure_ascii=False, indent=1)
    for _ in range(2):  # a list may hold one
        whole = FLAT.sub(lambda found: f"[{' '.join(found[1].split())}]", whole)
    return whole + "\n"


if __name__ == "__main__":
    TABLE.write_text(text(), encoding="utf-8")
