"""The container file: what it copies is there, and what it runs is a command that we have."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import typer.main

from deadpan.cli.study import app

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "containers/study/Containerfile").read_text("utf-8")
COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]


def _lines(name: str) -> list[str]:
    whole = TEXT.replace("\\\n", " ")
    return [line.partition(" ")[2] for line in whole.splitlines() if line.startswith(f"{name} ")]


def test_it_copies_what_is_there_and_runs_as_an_ordinary_user() -> None:
    for line in _lines("COPY"):
        assert all((ROOT / source).exists() for source in shlex.split(line)[:-1]), line
    assert _lines("USER") == ["deadpan"] and _lines("VOLUME") == ["/study"]
    assert TEXT.index("USER deadpan") < TEXT.index("ENTRYPOINT")


def test_it_serves_with_options_that_there_are() -> None:
    assert json.loads(_lines("ENTRYPOINT")[0]) == ["deadpan", "study"]
    name, *arguments = json.loads(_lines("CMD")[0])
    known = {option for one in COMMANDS[name].params for option in one.opts}
    assert {one for one in arguments if one.startswith("--")} <= known
    page = (ROOT / "docs/guides/study-server.md").read_text("utf-8")
    for command, given in re.findall(
        r"^(?:.*/)?deadpan study (create|serve|invite) (.*)$", page, re.M
    ):
        known = {option for one in COMMANDS[command].params for option in one.opts}
        assert set(re.findall(r"--[a-z-]+", given)) <= known, given
