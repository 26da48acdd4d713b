"""`deadpan generate`, and the words drawn by `deadpan data stats`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from deadpan import benchmarks
from deadpan.editing import Illustrator
from tests.benchmarks.cfms.pair_folder import chinese_row, plain_row, row, write
from tests.cli.conftest import Deadpan
from tests.editing.generation.painter import Painter


@pytest.fixture(autouse=True)
def painter(monkeypatch: pytest.MonkeyPatch) -> Painter:
    """The one illustrator there is; CFMS is registered."""
    found = Painter()
    known: dict[str, Illustrator] = {"painter": found}
    monkeypatch.setattr("deadpan.editing.find_illustrator", known.__getitem__)
    monkeypatch.setitem(benchmarks.BUILT_IN, "cfms", "deadpan.benchmarks.cfms:CFMS")
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = [row("a", description="A desk"), chinese_row("b"), plain_row("n")]
    return write(tmp_path / "data", rows)


def test_pictures_are_drawn_and_rated(
    deadpan: Deadpan, folder: Path, tmp_path: Path, painter: Painter
) -> None:
    out, told = tmp_path / "out", tmp_path / "told.jsonl"
    told.write_text('{"id": "b", "description": "办公室"}\n', "utf-8")
    drawing = ("generate", "cfms", "--data", folder, "--illustrator", "painter", "--out", out)
    run = deadpan(*drawing, "--descriptions", told)
    assert run.code == 0 and "2 pictures: 2 drawn" in run.out, run
    again = deadpan(*drawing, "--descriptions", told)
    assert "2 pictures: 2 drawn (2 of them by an earlier run)" in again.out
    assert len(painter.prompts) == 2
    sheet = out / "rating_sheet.csv"
    text = sheet.read_text("utf-8").replace("a,,,", "a,Li,1,").replace("b,,,", "b,Li,0,")
    sheet.write_text(text, "utf-8")
    counting = ("generate", "cfms", "--ratings", sheet, "--illustrator", "painter")
    assert deadpan(*counting, "--json", tmp_path / "f.json").code == 0
    rows = json.loads((tmp_path / "f.json").read_text("utf-8"))["rows"]
    shares = {one["group"]: one["value"] for one in rows if one["metric"] == "met_share"}
    assert shares == {"all": 50.0, "judge=Li": 50.0}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("vimu", "--illustrator", "painter"), "vimu has no generation study"),
        (("cfms",), "say who draws with --illustrator"),
        (("cfms", "--illustrator", "painter"), "nobody says what is to be drawn"),
        (("cfms", "--illustrator", "painter", "--split", "train"), "no sarcastic pair to draw"),
    ],
)
def test_what_cannot_be_drawn_is_told(
    deadpan: Deadpan, folder: Path, arguments: tuple[str, ...], message: str
) -> None:
    run = deadpan("generate", *arguments, "--data", folder)
    assert run.code == 2 and message in " ".join(run.err.split())


def test_a_refused_picture_ends_with_status_1(
    deadpan: Deadpan, folder: Path, tmp_path: Path
) -> None:
    told = tmp_path / "told.jsonl"
    told.write_text('{"id": "b", "description": "NO"}\n', "utf-8")
    out = tmp_path / "out"
    given = ("--illustrator", "painter", "--descriptions", told, "--out", out)
    run = deadpan("generate", "cfms", "--data", folder, *given)
    assert run.code == 1 and "b: refused: stand-in/painter: NO" in run.out


def test_unrated_sheets_have_no_scores(deadpan: Deadpan, tmp_path: Path) -> None:
    sheet = tmp_path / "s.csv"
    sheet.write_text("item,judge,met\n1,A,\n", "utf-8")
    run = deadpan("generate", "cfms", "--ratings", sheet)
    assert run.code == 2 and "every rating is missing" in run.err


def test_words_of_targets_are_drawn(deadpan: Deadpan, folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("jieba", reason="Chinese words need jieba")
    run = deadpan("data", "stats", "cfms", "--data", folder, "--word-cloud", tmp_path / "clouds")
    assert run.code == 0, run
    names = sorted(path.name for path in (tmp_path / "clouds").iterdir())
    assert names == ["cfms_targets_en.png", "cfms_targets_zh.png"]
    with Image.open(tmp_path / "clouds" / names[1]) as image:
        assert image.size == (1200, 700)


def test_a_benchmark_without_targets_has_no_words_to_draw(deadpan: Deadpan, tmp_path: Path) -> None:
    run = deadpan("data", "stats", "janusmm", "--word-cloud", tmp_path)
    assert run.code == 2 and "has no targets to draw the words of" in " ".join(run.err.split())
