"""A mini-set of drawn pictures with a file of records, written the same every time."""

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from PIL import Image


class Drawn(Protocol):
    """Something drawn with its gold; `image` of its row says where its picture lies."""

    def picture(self) -> Image.Image:
        """The finished page."""
        ...

    def row(self) -> Mapping[str, object]:
        """Its line in the file of records."""
        ...


@dataclass(frozen=True)
class MiniSet:
    """Everything drawn, the folder it is committed in, and the name of its file of records."""

    drawn: Sequence[Drawn]
    data: Path
    file: str

    def build(self, folder: Path, chosen: Sequence[Drawn] | None = None) -> None:
        """Writes the pictures of what is chosen, or of all, and the records of all."""
        for each in self.drawn if chosen is None else chosen:
            path = folder / str(each.row()["image"])
            path.parent.mkdir(parents=True, exist_ok=True)
            each.picture().save(path, optimize=True)
        self.write_records(folder)

    def write_records(self, folder: Path) -> None:
        """Writes one JSON object a line for everything drawn."""
        folder.mkdir(parents=True, exist_ok=True)
        lines = (json.dumps(each.row(), ensure_ascii=False) + "\n" for each in self.drawn)
        (folder / self.file).write_text("".join(lines), encoding="utf-8")

    def build_as_told(self, description: str | None) -> None:
        """Builds into the folder named on the command line, or into the package."""
        by_name = {Path(str(each.row()["image"])).stem: each for each in self.drawn}
        parser = argparse.ArgumentParser(description=description)
        parser.add_argument("out", nargs="?", type=Path, default=self.data)
        parser.add_argument("--only", nargs="*", metavar="ID", default=list(by_name))
        told = parser.parse_args()
        self.build(told.out, [each for name, each in by_name.items() if name in told.only])
