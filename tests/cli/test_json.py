"""`--json -`: of every command that takes it, a document on standard output and nothing else."""

import json
from pathlib import Path
from typing import Any

import pytest

from deadpan.cli import COMMANDS, load_command
from deadpan.cli.output import console
from tests.cli.conftest import Deadpan

RUN = ("run", "cfms/identification", "--model", "baseline/random", "--limit", "2")


def with_json() -> dict[str, Any]:
    """The option of each command that has it. `doctor` writes by itself, as it has to work where
    what prints for the others cannot be imported; its own tests hold what it writes."""
    found = {}
    for name in (one for one in COMMANDS if one != "doctor"):
        command = load_command(name)
        below = getattr(command, "commands", {name: command})
        for sub, one in below.items():
            found |= {f"{name} {sub}": option for option in one.params if option.name == "json"}
    return found


def test_every_command_s_option_is_the_same() -> None:
    options = with_json()
    assert {"list list", "runs runs", "resources list", "failures report"} <= options.keys()
    for name, option in options.items():
        assert option.callback is not None, f"{name} --json - would write a file"
        assert "standard output" in option.help, name


@pytest.mark.parametrize(
    "command",
    [
        ("list",),
        ("resources", "list"),
        ("data", "stats", "cfms"),
        ("data", "verify", "cfms"),
        ("agreement", "pixelhumor"),
        ("irc", "--metric-model", "encoder=lexical"),
        RUN,
    ],
    ids=" ".join,
)
def test_standard_output_holds_the_document_alone(
    deadpan: Deadpan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    done = deadpan(*command, "--json", "-")
    assert done.code == 0, done.err
    assert json.loads(done.out) and done.out.endswith("\n")
    assert done.err, "what is said goes to stderr"
    assert not console.stderr, "and to stdout again afterwards"
    assert not (tmp_path / "-").exists()


def test_a_file_is_named(deadpan: Deadpan, tmp_path: Path) -> None:
    path = tmp_path / "all.json"
    assert f"wrote {path}" in deadpan("list", "--json", path).out
    assert json.loads(path.read_text(encoding="utf-8"))["benchmarks"]
