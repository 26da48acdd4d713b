"""Every check of a pair of pictures, odd pictures included."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from deadpan.base.errors import InputError
from deadpan.benchmarks.merbench.checks import check_edit
from tests.benchmarks.merbench.checks.drawn import SIZE, Reader, line, meme


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A meme that says MONDAY AGAIN."""
    path = tmp_path / "source.png"
    meme().save(path)
    return path


def saved(tmp_path: Path, image: Image.Image, name: str = "edited.png") -> Path:
    image.save(tmp_path / name)
    return tmp_path / name


def test_a_good_edit_keeps_everything_but_the_words(tmp_path: Path, source: Path) -> None:
    edited = saved(tmp_path, meme("FREE AGAIN"))
    reader = Reader({source: [line("MONDAY AGAIN")], edited: [line("FREE AGAlN")]})
    found = check_edit(source, edited, "Free\nagain", reader)
    assert (found.layout_source, found.layout_edited, found.panels_kept) == ("1", "1", True)
    assert (found.regions_source, found.regions_edited, found.regions_iou) == (1, 1, 1.0)
    assert found.legibility == pytest.approx(0.9)
    assert found.caption_cer == pytest.approx(1 / 9)
    assert found.preserved_ssim == pytest.approx(1.0)
    assert found.edited and not found.resized
    assert 0 < found.changed_share < 0.2


def test_the_same_file_is_not_edited(source: Path) -> None:
    reader = Reader({source: [line("MONDAY AGAIN")]})
    found = check_edit(source, source, "Free again", reader)
    assert not found.edited
    assert (found.changed_share, found.largest_change) == (0, 0)
    assert found.preserved_ssim == pytest.approx(1.0)
    assert found.caption_cer is not None and found.caption_cer > 0.5


def test_a_caption_elsewhere_is_not_kept(tmp_path: Path, source: Path) -> None:
    edited = saved(tmp_path, meme("FREE AGAIN", moved=270))
    reader = Reader(
        {source: [line("MONDAY AGAIN")], edited: [line("FREE AGAIN", (40, 290, 440, 340))]}
    )
    assert check_edit(source, edited, "FREE AGAIN", reader).regions_iou == 0.0


def test_a_picture_cut_into_panels_has_lost_its_layout(tmp_path: Path, source: Path) -> None:
    broken = Image.new("RGB", SIZE, "white")
    for left in (0, 250):
        broken.paste(meme("FREE").resize((230, 360)), (left, 0))
    edited = saved(tmp_path, broken)
    found = check_edit(source, edited, "FREE", Reader({source: [line("MONDAY")], edited: []}))
    assert (found.layout_source, found.layout_edited) == ("1", "1|1")
    assert (found.panels_source, found.panels_edited, found.panels_kept) == (1, 2, False)


def test_words_that_cannot_be_read_are_not_legible(tmp_path: Path, source: Path) -> None:
    edited = saved(tmp_path, meme("%&#§§ ~~^"))
    found = check_edit(source, edited, "Free", Reader({source: [line("MONDAY")], edited: []}))
    assert (found.legibility, found.caption_cer, found.regions_iou) == (0.0, 1.0, 0.0)


def test_a_source_without_text_has_no_regions_to_keep(tmp_path: Path, source: Path) -> None:
    edited = saved(tmp_path, meme("", sun="#d62f6b"))
    found = check_edit(source, edited, "", Reader({source: [], edited: []}))
    assert (found.regions_iou, found.legibility, found.caption_cer) == (None, None, None)
    assert found.preserved_ssim is not None
    assert found.edited


def test_text_everywhere_leaves_nothing_to_preserve(tmp_path: Path, source: Path) -> None:
    edited = saved(tmp_path, meme("FREE"))
    rows = [line("wall of text", (0, y, 480, y + 40)) for y in range(0, 360, 40)]
    found = check_edit(source, edited, "FREE", Reader({source: rows, edited: rows}))
    assert found.preserved_ssim is None
    assert found.caption_cer is not None and found.caption_cer > 1


def test_a_picture_of_another_size_is_flagged_and_measured_at_the_sources(
    tmp_path: Path, source: Path
) -> None:
    edited = saved(tmp_path, meme("FREE AGAIN").resize((960, 720)))
    reader = Reader(
        {source: [line("MONDAY AGAIN")], edited: [line("FREE AGAIN", (80, 40, 880, 140))]}
    )
    found = check_edit(source, edited, "FREE AGAIN", reader)
    assert found.resized
    assert found.regions_iou == 1.0
    assert found.preserved_ssim is not None and found.preserved_ssim > 0.95


def test_signs_in_the_scene_count_only_where_the_old_caption_is_not_known(
    tmp_path: Path, source: Path
) -> None:
    edited = saved(tmp_path, meme("FREE"))
    sign = line("EXIT", (20, 330, 80, 350))
    reader = Reader({source: [line("MONDAY"), sign], edited: [line("FREE"), sign]})
    assert check_edit(source, edited, "FREE", reader).caption_cer == 1.0
    known = check_edit(source, edited, "FREE", reader, replaced="Monday")
    assert (known.caption_cer, known.regions_source) == (0.0, 1)


def test_the_second_time_is_read_from_the_cache_and_a_broken_entry_made_again(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEADPAN_CACHE", str(tmp_path / "cache"))
    edited = saved(tmp_path, meme("FREE"))
    reader = Reader({source: [line("MONDAY")], edited: [line("FREE")]})
    first = check_edit(source, edited, "FREE", reader)
    (entry,) = (tmp_path / "cache" / "checks").iterdir()
    entry.write_text(entry.read_text().replace('"layout_edited":"1"', '"layout_edited":"kept"'))
    assert check_edit(source, edited, "FREE", reader).layout_edited == "kept"
    entry.write_text("{half an ent")
    assert check_edit(source, edited, "FREE", reader) == first
    assert check_edit(source, edited, "OTHER", reader).caption_cer != first.caption_cer


def _cmyk(path: Path) -> Path:
    meme("FREE").convert("CMYK").save(path.with_suffix(".jpg"), quality=95)
    return path.with_suffix(".jpg")


def _sixteen_bit(path: Path) -> Path:
    grey = np.asarray(meme("FREE").convert("L"), np.uint16) * 257
    Image.fromarray(grey).save(path)
    return path


def _animated(path: Path) -> Path:
    frames = [meme("FREE").quantize(), meme("LATER").quantize()]
    frames[0].save(path.with_suffix(".gif"), save_all=True, append_images=frames[1:])
    return path.with_suffix(".gif")


def _transparent(path: Path) -> Path:
    image = meme("FREE").convert("RGBA")
    image.paste((0, 0, 0, 0), (0, 250, 480, 360))
    image.save(path)
    return path


def _turned(path: Path) -> Path:
    exif = Image.Exif()
    exif[0x0112] = 6
    turned = meme("FREE").transpose(Image.Transpose.ROTATE_90)
    turned.save(path.with_suffix(".jpg"), exif=exif, quality=95)
    return path.with_suffix(".jpg")


@pytest.mark.parametrize("made", [_cmyk, _sixteen_bit, _animated, _transparent, _turned])
def test_odd_pictures_are_measured_like_others(tmp_path: Path, source: Path, made: object) -> None:
    assert callable(made)
    edited: Path = made(tmp_path / "odd.png")
    found = check_edit(
        source, edited, "FREE", Reader({source: [line("MONDAY")], edited: [line("FREE")]})
    )
    assert not found.resized and found.edited
    assert (found.regions_iou, found.caption_cer, found.panels_kept) == (1.0, 0.0, True)
    assert found.preserved_ssim is not None and found.preserved_ssim > 0.6


def test_a_tiny_picture_has_defined_results(tmp_path: Path, source: Path) -> None:
    tiny = saved(tmp_path, Image.new("RGB", (1, 1), "red"), "tiny.png")
    reader = Reader({source: [line("MONDAY")], tiny: []})
    found = check_edit(source, tiny, "FREE", reader)
    assert found.resized and found.edited and found.caption_cer == 1.0
    alone = check_edit(tiny, tiny, "", reader)
    assert (alone.preserved_ssim, alone.panels_source, alone.edited) == (None, 1, False)


def test_a_huge_picture_is_refused_and_so_is_none(tmp_path: Path, source: Path) -> None:
    huge = tmp_path / "huge.png"
    Image.new("1", (10_000, 8_500)).save(huge)
    with pytest.raises(InputError, match="enormous"):
        check_edit(source, huge, "FREE", Reader({source: [], huge: []}))
    text = tmp_path / "no.png"
    text.write_text("no picture")
    with pytest.raises(InputError, match="not a picture"):
        check_edit(source, text, "FREE", Reader({source: [], text: []}))
    missing = tmp_path / "missing.png"
    with pytest.raises(InputError, match="missing"):
        check_edit(source, missing, "FREE", Reader({source: [], missing: []}))


def test_real_ocr_tells_a_good_edit_from_a_garbled_and_a_moved_one(
    tmp_path: Path, source: Path
) -> None:
    pytest.importorskip("rapidocr")
    from deadpan.media.ocr import read_text

    good = saved(tmp_path, meme("SUNDAY AGAIN"), "good.png")
    garbled = saved(tmp_path, meme("SVNQAY /\\GXZN"), "garbled.png")
    moved = saved(tmp_path, meme("SUNDAY AGAIN", moved=250), "moved.png")
    best, worse, away = (
        check_edit(source, path, "Sunday again", read_text) for path in (good, garbled, moved)
    )
    assert best.caption_cer is not None and worse.caption_cer is not None
    assert best.caption_cer < 0.15 < worse.caption_cer
    assert best.regions_iou is not None and away.regions_iou is not None
    assert best.regions_iou > 0.7 > 0.1 > away.regions_iou
