"""What a shell completes, by a table of commands, options and names: nothing else is imported."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

VARIABLE = "_DEADPAN_COMPLETE"
"""By which a shell asks; the scripts that ask are Typer's."""
TABLE = Path(__file__).with_name("completion.json")
_PLAIN = re.compile(r"[\w./@+-]+")
_LONGEST_HELP = 60


@dataclass(frozen=True)
class Choice:
    """A word that may stand where the cursor is, and what it is."""

    value: str
    help: str = ""


def answer(instruction: str, words: Mapping[str, Any]) -> str | None:
    """What a shell is told, by what the help says (`words`); None where it does not ask for words
    to complete with."""
    what, _, shell = instruction.partition("_")
    form = _FORMS.get(shell)
    if what != "complete" or form is None:
        return None
    line, unfinished = _from_bash() if shell == "bash" else _from_line()
    return form(list(choices(line, unfinished, words)))


def choices(line: list[str], unfinished: str, words: Mapping[str, Any]) -> Iterator[Choice]:
    """The words that go on with what stands on the line before the cursor."""
    table = json.loads(TABLE.read_text("utf-8"))
    place, node, given, waits = "", table, 0, None
    are_over = False
    for word in line:
        if waits is not None:
            waits = waits if word == "=" else None
        elif word == "--":
            are_over = True
        elif word.startswith("-") and not are_over:
            name, equals, _ = word.partition("=")
            waits = None if equals else _takes(node, name)
        elif "commands" in node:
            if word not in node["commands"]:
                return
            place, node = f"{place} {word}".strip(), node["commands"][word]
        else:
            given += 1
    before, found = "", list[Choice]()
    if waits is not None:
        found = _values(table, waits, "" if unfinished == "=" else unfinished)
        unfinished = "" if unfinished == "=" else unfinished
    elif unfinished.startswith("-") and "=" in unfinished:
        name, _, unfinished = unfinished.partition("=")
        before, found = f"{name}=", _values(table, _takes(node, name) or "", unfinished)
    elif unfinished.startswith("-") and not are_over:
        found = [Choice(name, _said(words, place, one[0])) for name, one in node["options"].items()]
    elif "commands" in node:
        said = {} if place else words["commands"]
        found = [Choice(name, said.get(name, "")) for name in node["commands"]]
    elif arguments := node.get("arguments"):
        _, kind, repeats = arguments[min(given, len(arguments) - 1)]
        if given < len(arguments) or repeats:
            found = _values(table, kind, unfinished)
    for one in found:
        if one.value.startswith(unfinished) and _PLAIN.fullmatch(one.value.replace(",", "")):
            yield Choice(before + one.value, one.help)


def _takes(node: Mapping[str, Any], name: str) -> str | list[str] | None:
    """What an option takes; None for a flag."""
    _, kind = node["options"].get(name, ("", None))
    return kind  # type: ignore[no-any-return]


def _values(table: Mapping[str, Any], kind: str | list[str], unfinished: str) -> list[Choice]:
    """The names of a kind; nothing for files and words of the user's own."""
    if isinstance(kind, list):
        return [Choice(one) for one in kind]
    if kind == "benchmarks":
        return [Choice(one) for one in (*table["values"][kind], *_outside())]
    if kind == "tasks":
        return _tasks(table["values"], unfinished)
    return [Choice(one) for one in table["values"].get(kind, [])]


def _tasks(values: Mapping[str, Any], unfinished: str) -> list[Choice]:
    """Benchmarks; behind the slash their tasks, and behind a comma those not yet named."""
    benchmark, slash, named = unfinished.partition("/")
    if not slash:
        return [Choice(one) for one in (*values["benchmarks"], *_outside(), "all")]
    done, comma, _ = named.rpartition(",")
    left = [one for one in values["tasks"].get(benchmark, []) if one not in done.split(",")]
    return [Choice(f"{benchmark}/{done}{comma}{one}") for one in left]


def _outside() -> list[str]:
    """The benchmarks of other packages by name; none is imported."""
    from importlib.metadata import entry_points

    with suppress(Exception):
        return sorted({point.name for point in entry_points(group="deadpan.benchmarks")})
    return []


def _said(words: Mapping[str, Any], place: str, name: str) -> str:
    """What the help says of an option."""
    said = words.get(place, {}).get(name) or words["shared"].get(name) or ""
    return said if isinstance(said, str) else str(said[-1])


def _from_bash() -> tuple[list[str], str]:
    """The words before the cursor and the one that it is in, as bash tells them."""
    told = os.environ.get("COMP_WORDS", "")
    words = told.split("\n") if "\n" in told else _split(told)
    try:
        at = int(os.environ.get("COMP_CWORD", ""))
    except ValueError:
        at = len(words)
    unfinished = words[at] if 0 <= at < len(words) else ""
    return [word.strip("'\"") for word in words[1 : max(at, 1)]], unfinished.lstrip("'\"")


def _from_line() -> tuple[list[str], str]:
    """The same from the line up to the cursor, as the other shells tell it."""
    line = os.environ.get("_TYPER_COMPLETE_ARGS", "")
    words = _split(line)[1:]
    if words and not line.endswith(" "):
        return words[:-1], words[-1]
    return words, ""


def _split(line: str) -> list[str]:
    """A line's words; an open quote is closed by its end."""
    for end in ("", "'", '"', "\\"):
        with suppress(ValueError):
            return shlex.split(line + end)
    return line.split()


def _help(one: Choice) -> str:
    """The first words of the help, without what means something to a shell."""
    text = re.sub(r"[^\w\s.,()/×–-]", " ", one.help.partition(": ")[0])
    short = " ".join(text.split())
    return short if len(short) <= _LONGEST_HELP else f"{short[:_LONGEST_HELP].rsplit(' ', 1)[0]} …"


def _bash(found: list[Choice]) -> str:
    return "\n".join(one.value for one in found)


def _zsh(found: list[Choice]) -> str:
    listed = (f'"{one.value}"' + (f':"{_help(one)}"' if one.help else "") for one in found)
    joined = "\n".join(listed)
    return f"_arguments '*: :(({joined}))'" if found else "_files"


def _fish(found: list[Choice]) -> str:
    if os.environ.get("_TYPER_COMPLETE_FISH_ACTION") == "is-args":
        raise SystemExit(0 if found else 1)  # 1: files are completed
    return "\n".join(f"{one.value}\t{_help(one)}" if one.help else one.value for one in found)


def _powershell(found: list[Choice]) -> str:
    return "\n".join(f"{one.value}:::{_help(one) or ' '}" for one in found)


_FORMS: Mapping[str, Callable[[list[Choice]], str]] = {
    "bash": _bash,
    "zsh": _zsh,
    "fish": _fish,
    "powershell": _powershell,
    "pwsh": _powershell,
}
