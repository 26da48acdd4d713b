"""The benchmark that CONTRIBUTING.md shows, installed beside the package as it stands."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

PAGE = Path(__file__).parents[1] / "CONTRIBUTING.md"
BLOCK = re.compile(r"```(?:python|text|yaml)\n# (haiku/\S+)\n(.*?)```", re.S)
ENTRY = re.compile(r"```toml\n(\[project\.entry-points.*?)```", re.S)


@dataclass(frozen=True)
class Haiku:
    """Where it is installed, and a command line that knows it."""

    folder: Path

    @property
    def code(self) -> Path:
        return self.folder / "site" / "haiku" / "__init__.py"

    def change(self, old: str, new: str) -> None:
        """Writes its code otherwise."""
        text = self.code.read_text(encoding="utf-8")
        assert old in text
        self.code.write_text(text.replace(old, new), encoding="utf-8")

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Python, where it is installed."""
        path = os.pathsep.join([str(self.folder / "site"), os.environ.get("PYTHONPATH", "")])
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
    """Puts it into a folder, with its entry point."""
    site = folder / "site"
    text = PAGE.read_text(encoding="utf-8")
    for name, content in BLOCK.findall(text):
        path = site / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    info = site / "haiku-1.0.dist-info"
    info.mkdir()
    entry = ENTRY.findall(text)[0].replace("[project.entry-points.", "[").replace('"', "")
    (info / "entry_points.txt").write_text(entry)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: haiku\nVersion: 1.0\n")
    return Haiku(folder)
