"""`deadpan` as its entry point runs it, a small disk, and one finished run for the module."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from deadpan import cli


@dataclass(frozen=True)
class Finished:
    """How a command ended and what it printed."""

    code: int
    out: str
    err: str


Deadpan = Callable[..., Finished]


@pytest.fixture
def deadpan(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Deadpan:
    """Runs `deadpan ARGUMENTS…` in this process, through the entry point of the command."""

    def run(*arguments: object) -> Finished:
        monkeypatch.setattr(sys, "argv", ["deadpan", *map(str, arguments)])
        capfd.readouterr()
        code = 0
        try:
            cli.main()
        except SystemExit as left:
            code = left.code if isinstance(left.code, int) else int(left.code is not None)
        return Finished(code, *capfd.readouterr())

    return run


class SmallDisk:
    """A file system in memory that can be made larger."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def hold(self, kilobytes: int) -> None:
        """Sets how much it holds."""
        mounted = ["-o", f"remount,size={kilobytes}k", str(self.folder)]
        subprocess.run(["mount", *mounted], check=True, capture_output=True)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[SmallDisk]:
    """An empty disk of 60 kB; skips where none can be mounted."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=60k", "tmpfs", str(folder)]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"a small disk cannot be mounted here ({error})")
    yield SmallDisk(folder)
    with suppress(subprocess.CalledProcessError):
        subprocess.run(["umount", "--lazy", str(folder)], check=True, capture_output=True)


@pytest.fixture
def mixed_store(deadpan: Deadpan, tmp_path: Path) -> Path:
    """Answers to two benchmarks; one of them asked twice, at two temperatures."""
    folder = tmp_path / "answers"
    asked = ("--model", "baseline/random", "--limit", 6, "-q", "--store", folder)
    for what in (
        ("pixelhumor/presence,style",),
        ("cfms/identification", "--temperature", 0),
        ("cfms/identification", "--temperature", 1),
    ):
        assert deadpan("run", *what, *asked).code == 0
    return folder
