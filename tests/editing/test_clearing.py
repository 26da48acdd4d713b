"""Memes lettered by other code: nothing of the old lettering remains, or it is said."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from deadpan.core.editors import Instruction
from deadpan.editing import clearing
from deadpan.editing.caption import CaptionEditor
from deadpan.editing.choosing import fold
from deadpan.editing.clearing import ROUNDS, clear, hard_share, still_read
from deadpan.editing.erasing import Ink, find_ink
from deadpan.media.boxes import Box, Pixels, Region
from deadpan.media.images import png_bytes
from deadpan.media.ocr import TextBox, read_text
from deadpan.metrics.text_errors import character_errors
from tests.editing.strange_memes import MAKERS, Strange, slanted_thick, thick_outline

pytest.importorskip("rapidocr")


@pytest.mark.parametrize("maker", MAKERS, ids=lambda maker: maker.__name__)
def test_lettering_of_others_is_taken_out_and_replaced(
    maker: Callable[[], Strange], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    strange = maker()
    Image.fromarray(strange.meme).save(tmp_path / "meme.png")
    wish = Instruction(tmp_path / "meme.png", strange.new)
    done = CaptionEditor().edit(wish)
    said = fold("".join(line.text for line in read_text(png_bytes(done.image))))
    assert character_errors(fold("".join(strange.new)), said) <= 0.1
    untouched = np.ones(strange.meme.shape[:2], bool)
    rows = np.flatnonzero(strange.lettered.any(axis=1))
    untouched[max(0, rows[0] - 45) : rows[-1] + 46] = False
    assert (np.asarray(done.image)[untouched] == strange.meme[untouched]).all()
    monkeypatch.setattr("deadpan.editing.caption._write", lambda *_: [])
    assert strange.remains(np.asarray(CaptionEditor().edit(wish).image)) <= 0.01


def region(strange: Strange) -> Region:
    """Where the lettering stands, as a reader of text would box it."""
    rows, columns = (np.flatnonzero(strange.lettered.any(axis=axis)) for axis in (1, 0))
    box = {"x1": columns[0] + 4, "x2": columns[-1] - 4, "y1": rows[0] + 4, "y2": rows[-1] - 4}
    return Region((TextBox(text=strange.old[0], confidence=1, **box),))


def test_what_remains_is_erased_again_and_wider(monkeypatch: pytest.MonkeyPatch) -> None:
    strange, asked = thick_outline(), []

    def poor(pixels: Pixels, lines: list[Box], others: list[Box], wider: int) -> Ink:
        asked.append(wider)
        found = find_ink(pixels, lines, others, wider)
        half = found.covered.copy()
        if wider < 1:
            half[:, : half.shape[1] // 2] = False
        return replace(found, covered=half)

    monkeypatch.setattr(clearing, "find_ink", poor)
    picture = strange.meme.copy()
    assert not clear(picture, region(strange), ()).remains
    assert asked == [0, 1] and strange.remains(picture) < 0.02


def test_what_remains_after_all_rounds_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    strange, asked = slanted_thick(), []

    def blind(pixels: Pixels, lines: list[Box], others: list[Box], wider: int) -> Ink:
        asked.append(wider)
        found = find_ink(pixels, lines, others, wider)
        half = found.covered.copy()
        half[:, : half.shape[1] // 2] = False
        return replace(found, covered=half)

    monkeypatch.setattr(clearing, "find_ink", blind)
    Image.fromarray(strange.meme).save(tmp_path / "meme.png")
    done = CaptionEditor().edit(Instruction(tmp_path / "meme.png", strange.new))
    assert asked == [*range(ROUNDS)]
    assert "something of the old lettering may still be seen" in done.notes[0]


def test_hard_edges_are_counted_in_the_lines_alone() -> None:
    ground = np.full((120, 300, 3), 120, np.uint8)
    line = Box(60, 40, 240, 80)
    assert hard_share(ground, [line]) == 0
    drawn = ground.copy()
    drawn[:, 100:103] = 0  # a line of the drawing runs through
    assert hard_share(drawn, [line]) == 0
    left = ground.copy()
    left[50:70, 100:140] = 0
    assert hard_share(left, [line]) > 0.01
    assert hard_share(left, [line], [Box(95, 45, 145, 75)]) == 0, "what stays is no remains"


def test_letters_that_are_still_read_are_remains() -> None:
    strange = slanted_thick()
    lines = [Box(line.x1, line.y1, line.x2, line.y2) for line in region(strange).lines]
    assert still_read(strange.meme, strange.old, lines)
    assert not still_read(strange.meme, ["ZEBRA"], lines)
    assert not still_read(strange.meme, strange.old, [Box(0, 300, 200, 350)])
    assert not still_read(strange.ground, strange.old, lines)
