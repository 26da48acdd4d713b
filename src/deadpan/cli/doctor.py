"""`deadpan doctor`: what is installed, what is missing, what answers, and what to do."""

from __future__ import annotations

import json as documents
import os
import shutil
import sys
import textwrap
from collections.abc import Sequence
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import Annotated, TextIO

import typer

from deadpan.base.counting import count_noun
from deadpan.base.errors import DeadpanError, meant
from deadpan.base.extras import EXTRAS
from deadpan.base.printable import visible
from deadpan.base.version import __version__
from deadpan.checkup import Finding, examine, fails

_WIDEST = 100
_TITLES = {
    "core": "core",
    "extras": 'extras, as in pip install "deadpan[text]"',
    "machine": "this machine",
    "resources": "lexicons and models",
    "data": "released data",
    "keys": "keys (never shown)",
    "servers": "servers",
}
_COLOURS = {"ok": "green", "missing": "yellow", "broken": "red", "note": "blue"}


def doctor(
    extras: Annotated[list[str] | None, typer.Argument()] = None,
    online: bool = False,
    json: Path | None = None,
) -> None:
    """What is installed, missing, broken or out of reach on this machine, and what to do about it.

    Ends with 0 when the core works and the extras that are named are there, else with 1.
    """
    asked = list(dict.fromkeys(extras or []))
    for name in asked:
        if name not in EXTRAS:
            known = ", ".join(EXTRAS)
            raise DeadpanError(
                f"{visible(name)}: no such extra{meant(name, EXTRAS)}; there are {known}"
            )
    findings = examine(EXTRAS, online)
    wrong = fails(findings, asked)
    stream = sys.stderr if json == Path("-") else sys.stdout
    _print(findings, wrong, asked, stream)
    if json is not None:
        _write(json, findings, not wrong)
    if wrong:
        raise typer.Exit(1)


def _print(
    findings: Sequence[Finding], wrong: Sequence[Finding], asked: Sequence[str], stream: TextIO
) -> None:
    width = min(shutil.get_terminal_size((80, 24)).columns, _WIDEST)
    for section, found in groupby(sorted(findings, key=_place), key=lambda one: one.section):
        _say(_TITLES[section], stream, bold=True)
        for one in found:
            head = f"  {one.state:<8} "
            shown = f"[{one.name}]" if section == "extras" else one.name
            text = one.text if one.text.startswith(shown) else f"{shown}: {one.text}"
            lines = textwrap.wrap(text, max(width - len(head), 30), break_on_hyphens=False)
            for number, line in enumerate(lines or [""]):
                state = typer.style(head, fg=_COLOURS[one.state]) if not number else " " * len(head)
                _say(state + line, stream)
            # A command stands in a line of its own, whole, so that it can be copied.
            for command in one.fix:
                _say(" " * (len(head) + 2) + command, stream)
    _say(_verdict(findings, wrong, asked), stream, bold=True)


def _place(one: Finding) -> int:
    return list(_TITLES).index(one.section)


def _verdict(findings: Sequence[Finding], wrong: Sequence[Finding], asked: Sequence[str]) -> str:
    """The last line: whether it works."""
    if wrong:
        names = ", ".join(dict.fromkeys(one.name for one in wrong))
        return f"Not in order: {names}."
    what = f"The core and {', '.join(asked)} work" if asked else "The core works"
    broken = sum(one.state == "broken" for one in findings)
    return f"{what}; {count_noun(broken, 'other thing')} broken." if broken else f"{what}."


def _say(text: str, stream: TextIO, bold: bool = False) -> None:
    is_plain = bool(os.environ.get("NO_COLOR")) or not stream.isatty()
    try:
        typer.echo(typer.style(text, bold=True) if bold else text, stream, color=not is_plain)
    except UnicodeEncodeError:
        encoding = stream.encoding or "ascii"
        typer.echo(text.encode(encoding, "backslashreplace").decode(encoding), stream)


def _write(path: Path, findings: Sequence[Finding], is_sound: bool) -> None:
    """The findings as JSON; `-` is standard output."""
    from deadpan.base.files import write_text

    listed = [asdict(one) for one in findings]
    document = {"deadpan": __version__, "works": is_sound, "findings": listed}
    text = documents.dumps(document, ensure_ascii=False, indent=1) + "\n"
    if path == Path("-"):
        typer.echo(text, nl=False)
    else:
        write_text(path, text)
        typer.echo(f"wrote {visible(str(path))}")
