"""The benchmark of the plug-in tutorial, installed beside the package as it stands there."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.docs.blocks import blocks_of
from tests.docs.packages import SITE, put_package

PAGE = Path(__file__).parents[1] / "docs/tutorials/plugin.md"
PROJECT = "haiku-benchmark"


@dataclass(frozen=True)
class Haiku:
    """Where it is installed, and a command line that knows it."""

    folder: Path

    def holding(self, words: str) -> Path:
        """The one module of its code that holds these words."""
        every = (self.folder / PROJECT / "haiku").glob("*.py")
        (found,) = (path for path in every if words in path.read_text("utf-8"))
        return found

    def change(self, old: str, new: str) -> None:
        """Writes its code otherwise."""
        path = self.holding(old)
        path.write_text(path.read_text("utf-8").replace(old, new), encoding="utf-8")

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Python, where it is installed."""
        path = os.pathsep.join([str(self.folder / SITE), os.environ.get("PYTHONPATH", "")])
        return subprocess.run(
            [sys.executable, *arguments],
            env={**os.environ, "PYTHONPATH": path, "COLUMNS": "200", "DEADPAN_DEBUG": ""},
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=120,
        )

    def deadpan(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """The command line."""
        return self.run("-c", "from deadpan.cli import main; main()", *arguments)

    def __call__(self, *arguments: str) -> str:
        """What a command prints that must succeed."""
        done = self.deadpan(*arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout


def install(folder: Path) -> Haiku:
    """Puts it into a folder, as the tutorial ends, with its entry point."""
    for block in blocks_of(PAGE):
        if block.title.startswith(f"{PROJECT}/"):
            path = folder / block.title
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.body, encoding="utf-8")
    put_package(folder / PROJECT, folder / SITE)
    return Haiku(folder)
