"""Word clouds: sizes by weight, no overlaps, the same every time, Chinese included."""

import numpy as np
import pytest
from PIL import Image

from deadpan.reports.word_cloud import word_cloud

CHINESE = {"加班": 20, "文化": 19, "手机": 18, "依赖": 17, "排队": 16, "会议": 15}


def inked(image: Image.Image) -> int:
    return int((np.asarray(image).min(axis=2) < 250).sum())


def test_the_same_words_give_the_same_picture() -> None:
    first, second = word_cloud(CHINESE), word_cloud(dict(reversed(CHINESE.items())))
    assert first.image.tobytes() == second.image.tobytes()
    assert first.unlettered == first.crowded_out == ()


def test_a_heavier_word_is_larger() -> None:
    light = inked(word_cloud({"加班": 1, "文化文化文化": 9}).image)
    heavy = inked(word_cloud({"加班": 9, "文化文化文化": 9}).image)
    assert heavy > light


def test_words_do_not_overlap() -> None:
    """Each word has a colour of its own: what is inked is what the words have alone."""
    words = {"overtime": 5, "meetings": 5, "加班": 5}
    colours = word_cloud(words).image.getcolors(1_000_000)
    assert colours is not None
    solid = {colour for count, colour in colours if count > 500} - {(255, 255, 255)}
    assert len(solid) == 3


def test_a_word_without_a_glyph_is_left_out_and_told() -> None:
    cloud = word_cloud({"龘": 9, "手机": 1})
    assert (cloud.unlettered, cloud.crowded_out) == (("龘",), ())
    assert inked(cloud.image) > 0


def test_what_finds_no_room_is_told() -> None:
    cloud = word_cloud({f"word{number}": 1 for number in range(60)}, size=(120, 80))
    assert 0 < len(cloud.crowded_out) < 60 and not cloud.unlettered


@pytest.mark.parametrize("weights", [{}, {" ": 3}, {"word": 0}])
def test_no_word_raises(weights: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="no words"):
        word_cloud(weights)
