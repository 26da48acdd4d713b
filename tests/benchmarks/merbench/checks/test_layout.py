"""Whether a layout is kept: panels, what stands in them, and where captions stand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from deadpan.benchmarks.merbench.checks import check_edit
from deadpan.benchmarks.merbench.checks.layout import captions_kept, panels_kept
from deadpan.media.boxes import Pixels
from deadpan.media.panels import Area, Panels
from tests.benchmarks.merbench.checks.drawn import Reader, line, meme

SIZE = np.zeros((100, 200, 3), np.uint8)
TWO = Panels((Area(0, 0, 100, 100), Area(100, 0, 200, 100)), "1|1")
THREE = Panels(tuple(Area(60 * i, 0, 60 * i + 60, 100) for i in range(3)), "1|1|1")


def strip(*colours: str, width: int = 100) -> Pixels:
    """Panels of one colour each, side by side."""
    image = Image.new("RGB", (width * len(colours), 100))
    for place, colour in enumerate(colours):
        image.paste(colour, (width * place, 0, width * place + width, 100))
    return np.asarray(image)


def test_panels_are_kept_where_each_still_shows_what_it_showed() -> None:
    source = strip("navy", "gold")
    assert panels_kept(source, strip("blue", "khaki"), TWO, TWO), "recoloured, in order"
    assert not panels_kept(source, strip("gold", "navy"), TWO, TWO), "exchanged"
    assert panels_kept(source, strip("white", "white"), TWO, TWO), "nothing tells an exchange"
    one = Panels((Area(0, 0, 200, 100),), "1")
    assert not panels_kept(source, source, TWO, one)


def test_panels_that_move_on_by_one_are_not_in_order() -> None:
    source = strip("navy", "gold", "crimson", width=60)
    assert panels_kept(source, source, THREE, THREE)
    turned = strip("gold", "crimson", "navy", width=60)
    assert not panels_kept(source, turned, THREE, THREE)


def test_panels_of_other_sizes_are_not_kept() -> None:
    source = strip("navy", "gold")
    narrow = Panels((Area(0, 0, 40, 100), Area(40, 0, 200, 100)), "1|1")
    assert not panels_kept(source, source, TWO, narrow)


@pytest.mark.parametrize(
    ("source", "edited", "is_kept"),
    [
        ([(0, 0, 200, 20)], [(0, 0, 200, 20)], True),
        ([(0, 0, 200, 20)], [(80, 0, 120, 20)], True),  # a shorter caption
        ([(80, 0, 120, 20)], [(0, 0, 200, 20)], True),  # a longer one
        ([(0, 0, 200, 20)], [(0, 0, 90, 20), (110, 0, 200, 20)], True),  # read in two parts
        ([(0, 0, 200, 20)], [(0, 80, 200, 100)], False),
        ([(0, 0, 200, 20)], [(0, 12, 200, 32)], False),  # 8 of 20 lines shared
        ([(0, 0, 200, 20)], [], False),
        ([], [(0, 0, 200, 20)], True),  # nothing to keep
    ],
)
def test_captions_are_kept_where_they_stood(
    source: list[tuple[int, ...]], edited: list[tuple[int, ...]], is_kept: bool
) -> None:
    areas = [[Area(*box) for box in boxes] for boxes in (source, edited)]
    assert captions_kept(areas[0], areas[1], SIZE) is is_kept


def test_a_layout_is_kept_where_panels_and_captions_are(tmp_path: Path) -> None:
    source, good, moved = (tmp_path / f"{name}.png" for name in ("source", "good", "moved"))
    meme().save(source)
    meme("FREE AGAIN").save(good)
    meme("FREE AGAIN", moved=270).save(moved)
    low = line("FREE AGAIN", (40, 290, 440, 340))
    reader = Reader({source: [line("MONDAY")], good: [line("FREE AGAIN")], moved: [low]})
    assert check_edit(source, good, "FREE AGAIN", reader).layout_kept is True
    found = check_edit(source, moved, "FREE AGAIN", reader)
    assert (found.panels_kept, found.layout_kept) == (True, False)
