"""Mini-sets: pictures of what is chosen, records of everything."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from PIL import Image

from minisets.drawing.mini_set import MiniSet


@dataclass(frozen=True)
class Square:
    name: str

    def picture(self) -> Image.Image:
        return Image.new("L", (4, 4))

    def row(self) -> dict[str, str]:
        return {"image": f"images/{self.name}.png", "text": "一块"}


def squares(folder: Path) -> MiniSet:
    return MiniSet([Square("a"), Square("b")], folder, "squares.jsonl")


def drawn(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("images/*"))


def test_what_is_not_chosen_is_not_drawn_but_recorded(tmp_path: Path) -> None:
    made = squares(tmp_path)
    made.build(tmp_path / "one", [made.drawn[1]])
    made.build(tmp_path / "all")
    assert drawn(tmp_path / "one") == ["b.png"] and drawn(tmp_path / "all") == ["a.png", "b.png"]
    for folder in ("one", "all"):
        text = (tmp_path / folder / "squares.jsonl").read_text("utf-8")
        assert [json.loads(line)["text"] for line in text.splitlines()] == ["一块", "一块"]
        assert "一块" in text and text.endswith("\n")


def test_the_command_line_names_folder_and_pictures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["build", str(tmp_path / "out"), "--only", "a"])
    squares(tmp_path / "data").build_as_told("Makes squares.")
    assert drawn(tmp_path / "out") == ["a.png"]
    monkeypatch.setattr(sys, "argv", ["build"])
    squares(tmp_path / "data").build_as_told("Makes squares.")
    assert drawn(tmp_path / "data") == ["a.png", "b.png"]
