"""Shells complete commands, options and names, by the table alone; and it is what they are."""

from __future__ import annotations

import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from deadpan.cli import WORDS, completing
from tests.cli.conftest import Deadpan

ROOT = Path(__file__).resolve().parents[2]
TASKS = ["style,panel", "style,panel_order", "style,panel_text"]
CASES = {
    "deadpan ru": ["run", "runs"],
    "deadpan data g": ["get"],
    "deadpan data fe": [],
    "deadpan resources get mini": ["minilm"],
    "deadpan run pix": ["pixelhumor"],
    "deadpan run cfms pix": ["pixelhumor"],
    "deadpan run pixelhumor/sty": ["pixelhumor/style"],
    "deadpan run pixelhumor/style,pa": [f"pixelhumor/{one}" for one in TASKS],
    "deadpan run nothing/": [],
    "deadpan run pixelhumor --judge ": ["judge/lexical"],
    "deadpan run pixelhumor --model base": [f"baseline/{n}" for n in ("majority", "random", "ocr")],
    "deadpan run pixelhumor --model=baseline/r": ["--model=baseline/random"],
    "deadpan run pixelhumor --model = baseline/r": ["baseline/random"],
    "deadpan run pixelhumor --judge-e": ["--judge-epochs"],
    "deadpan run --model baseline/random vi": ["vimu"],
    "deadpan run --self-judge vi": ["vimu"],
    "deadpan run --engine ": ["auto", "vllm", "ray"],
    "deadpan report answers --task pre": ["presence"],
    "deadpan run --out-of-nowhere vi": ["vimu"],
    "deadpan run -- --mod": [],
    "deadpan run --store an": [],
    "deadpan 'run' vi": ["vimu"],
    "deadpan run 'vi": ["vimu"],
    "deadpan doctor text o": ["ocr"],
    "deadpan nonsense x": [],
    "deadpan data get merbench pix": [],
    "deadpan --vers": ["--version"],
}


def _builder() -> Any:
    path = ROOT / "scripts" / "build_completion.py"
    spec = importlib.util.spec_from_file_location("build_completion", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_table_is_what_the_commands_are() -> None:
    made = _builder().text()
    assert completing.TABLE.read_text("utf-8") == made, "run: python scripts/build_completion.py"


@pytest.mark.parametrize("line", CASES)
def test_bash_is_told_what_goes_on(
    line: str, deadpan: Deadpan, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = line.replace("'vi", "vi").split(" ")
    monkeypatch.setenv(completing.VARIABLE, "complete_bash")
    for joined in (" ", "\n"):
        monkeypatch.setenv("COMP_WORDS", joined.join(words))
        monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
        done = deadpan()
        assert (done.code, done.out.split()) == (0, CASES[line])


@pytest.mark.parametrize("line", [line for line in CASES if " = " not in line])
def test_other_shells_are_told_with_the_help(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", line)
    monkeypatch.setenv("_TYPER_COMPLETE_FISH_ACTION", "get-args")
    told = completing.answer("complete_fish", WORDS) or ""
    assert [one.partition("\t")[0] for one in told.splitlines()] == CASES[line]
    told = completing.answer("complete_powershell", WORDS) or ""
    assert [one.partition(":::")[0] for one in told.splitlines()] == CASES[line]
    told = completing.answer("complete_zsh", WORDS) or ""
    assert all(f'"{one}"' in told for one in CASES[line])
    assert told.startswith("_arguments") if CASES[line] else told == "_files"


def test_help_says_nothing_to_a_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    odd = {"commands": {"run": 'It\'s $(touch x) `y` "z" \\n; a: and more'}, "shared": {}}
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", "deadpan run")
    monkeypatch.setattr(completing, "_outside", lambda: ["$(touch x)"])
    told = completing.answer("complete_zsh", odd) or ""
    assert '"run":"It s (touch x) y z n a"' in told
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", "deadpan audit published ")
    assert "touch" not in str(completing.answer("complete_zsh", WORDS))


@pytest.mark.parametrize(
    "odd",
    ["", "\n", "deadpan", "deadpan run \x00'\"\\", "deadpan " + "a " * 5000, "deadpan run \\"],
)
def test_odd_lines_are_no_fault(odd: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "environ", {"COMP_WORDS": odd, "_TYPER_COMPLETE_ARGS": odd})
    for at in ("", "x", "-3", "0", "1", "99999"):
        os.environ["COMP_CWORD"] = at
        for shell in ("bash", "zsh", "fish", "powershell"):
            assert isinstance(completing.answer(f"complete_{shell}", WORDS), str)


def test_the_benchmarks_of_other_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(completing, "_outside", lambda: ["haiku"])
    found = [one.value for one in completing.choices(["run"], "h", WORDS)]
    assert found == ["haiku"]


def test_only_what_parses_the_table_is_imported() -> None:
    code = (
        "import sys, os; os.environ.update(_DEADPAN_COMPLETE='complete_bash', COMP_CWORD='2',"
        "COMP_WORDS='deadpan run pix'); import deadpan.cli; deadpan.cli.main();"
        "print(sorted({'polars', 'pydantic', 'inspect_ai', 'rich'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["pixelhumor", "[]"]


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """`deadpan` on the path, as it is in an environment, and a home of its own."""
    shim = tmp_path / "bin" / "deadpan"
    shim.parent.mkdir()
    path = shlex.quote(str(ROOT / "src"))
    python = shlex.quote(sys.executable)
    shim.write_text(f'#!/bin/sh\nPYTHONPATH={path} exec {python} -m deadpan "$@"\n')
    shim.chmod(0o755)
    monkeypatch.setenv("PATH", f"{shim.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("ZDOTDIR", raising=False)
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return shim


def said_by(shell: str, script: str, *options: str) -> list[str]:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not on this machine")
    done = subprocess.run(
        [shell, *options, "-c", script], capture_output=True, text=True, timeout=100, check=False
    )
    return done.stdout.split()


def install(shell: str) -> None:
    """What `--install-completion` does in that shell."""
    from typer.completion import install as install_script

    install_script(shell, "deadpan", completing.VARIABLE)


def test_in_bash(command: Path) -> None:
    install("bash")
    asked = "COMP_WORDS=(deadpan run pix); COMP_CWORD=2; _deadpan_completion deadpan"
    asked += '; echo "${COMPREPLY[@]}"'
    assert said_by("bash", f"source ~/.bashrc; {asked}") == ["pixelhumor"]
    asked = asked.replace("run pix", "data ''")
    assert said_by("bash", f"source ~/.bashrc; {asked}") == [
        "anonymise",
        "verify",
        "stats",
        "get",
        "mini",
    ]
    assert said_by("bash", "source ~/.bashrc; complete -p deadpan")[-1] == "deadpan"


def test_in_fish(command: Path) -> None:
    install("fish")
    assert said_by("fish", "complete -C 'deadpan run pix'") == ["pixelhumor"]
    assert "--judge-epochs" in said_by("fish", "complete -C 'deadpan run --judge'")


def test_in_zsh(command: Path, tmp_path: Path) -> None:
    install("zsh")
    script = (
        "compdef() { }; _arguments() { print -rl -- $@ }; _files() { print files };"
        "source ~/.zfunc/_deadpan;"
        "words=(deadpan run pix); CURRENT=3; _deadpan_completion;"
        "words=(deadpan run nothing); CURRENT=3; _deadpan_completion"
    )
    assert said_by("zsh", script, "-f") == ["*:", ':(("pixelhumor"))', "files"]
