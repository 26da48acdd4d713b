"""The caption editor: old text gone, new text in its place, everything else untouched."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from deadpan.base.errors import DeadpanError, InputError
from deadpan.core.editors import Edited, Instruction, NotEdited
from deadpan.editing import find_editor
from deadpan.editing.caption import CaptionEditor
from deadpan.media.images import png_bytes
from deadpan.media.ocr import read_text
from deadpan.metrics.text_errors import character_errors
from tests.editing.drawn_memes import saved, textured, with_bar, write

pytest.importorskip("rapidocr")


def edited(source: Path, *captions: str, old: str | None = None) -> Edited:
    return CaptionEditor().edit(Instruction(source, captions, old_caption=old))


def read(image: Image.Image) -> str:
    return " ".join(line.text for line in read_text(png_bytes(image)))


def errors(wanted: str, image: Image.Image) -> float:
    """How many characters are read otherwise, spaces and case aside."""
    return character_errors("".join(wanted.lower().split()), "".join(read(image).lower().split()))


@pytest.fixture
def bar(tmp_path: Path) -> Path:
    return saved(with_bar("Everything is terrible"), tmp_path / "bar.png")


@pytest.fixture
def classic(tmp_path: Path) -> Path:
    meme = textured()
    write(meme, "I LOST MY KEYS", (320, 40))
    write(meme, "AND MY TEMPER", (320, 380))
    return saved(meme, tmp_path / "classic.png")


class TestOneBar:
    def test_the_bar_says_the_new_caption_and_nothing_else(self, bar: Path) -> None:
        assert errors("Everything is wonderful", edited(bar, "Everything is wonderful").image) == 0

    def test_the_picture_below_is_the_same_to_the_pixel(self, bar: Path) -> None:
        before, after = np.asarray(Image.open(bar)), np.asarray(edited(bar, "All is well").image)
        assert (before[80:] == after[80:]).all()

    def test_the_erased_ground_is_perfectly_white(self, bar: Path) -> None:
        after = np.asarray(edited(bar, "Hi").image)[:80]
        columns = np.flatnonzero((after < 250).any(axis=(0, 2)))
        assert columns[-1] - columns[0] < 80
        assert (after[:, : columns[0]] == 255).all() and (after[:, columns[-1] + 1 :] == 255).all()

    def test_a_longer_caption_wraps_inside_the_bar(self, bar: Path) -> None:
        text = "Everything went so well today that I walked home singing to all the dogs"
        after = edited(bar, text).image
        assert errors(text, after) < 0.05
        assert (np.asarray(after)[80:] == np.asarray(Image.open(bar))[80:]).all()

    def test_the_same_again_gives_the_same_picture(self, bar: Path) -> None:
        one, other = (np.asarray(edited(bar, "Again").image) for _ in range(2))
        assert (one == other).all()


class TestOutlinedText:
    def test_top_and_bottom_share_one_caption(self, classic: Path) -> None:
        after = edited(classic, "I FOUND MY KEYS AND MY SMILE").image
        assert errors("I FOUND MY KEYS AND MY SMILE", after) < 0.05

    def test_colour_and_outline_are_kept(self, classic: Path) -> None:
        after = np.asarray(edited(classic, "I FOUND MY KEYS", "AND MY SMILE").image)[15:65]
        assert (after == 255).all(axis=-1).sum() > 1000
        assert (after <= 2).all(axis=-1).sum() > 1000

    def test_no_white_or_black_remains_where_an_empty_text_is_given(self, classic: Path) -> None:
        after = np.asarray(edited(classic, "", "AND MY SMILE").image)[:70].astype(int)
        assert (after.min(axis=-1) > 245).sum() == 0
        assert (after.max(axis=-1) < 8).sum() == 0

    def test_the_middle_of_the_picture_is_untouched(self, classic: Path) -> None:
        before = np.asarray(Image.open(classic))
        after = np.asarray(edited(classic, "ONE", "TWO").image)
        assert (before[110:310] == after[110:310]).all()

    def test_chinese_in_yellow(self, tmp_path: Path) -> None:
        meme = textured(seed=5)
        write(meme, "今天又要加班", (320, 370), fill=(255, 230, 20))
        after = edited(saved(meme, tmp_path / "a.png"), "今天早点回家", old="今天又要加班").image
        assert errors("今天早点回家", after) == 0
        band = np.asarray(after)[330:410].reshape(-1, 3)
        assert (np.abs(band - np.array([255, 230, 20])).max(axis=-1) <= 3).sum() > 800


class TestWhatIsCaption:
    def test_a_sign_stays_where_the_old_caption_does_not_name_it(self, tmp_path: Path) -> None:
        meme = with_bar("Nobody came today", Image.new("RGB", (560, 300), (150, 200, 230)))
        write(meme, "SHOP", (150, 300), 30, (200, 30, 30), 0)
        found = edited(saved(meme, tmp_path / "a.png"), "Everybody came", old="Nobody came today")
        assert errors("Everybody came SHOP", found.image) == 0
        assert found.notes == ('left alone: "SHOP"',)

    def test_a_mark_of_a_site_stays_even_where_the_old_caption_has_it(self, tmp_path: Path) -> None:
        meme = with_bar("Nobody came today", Image.new("RGB", (560, 300), (40, 60, 80)))
        write(meme, "imgflip.com", (60, 365), 16, outline=0)
        old = "Nobody came today\nimgflip.com\n"
        found = edited(saved(meme, tmp_path / "a.png"), "Everybody came", old=old)
        assert errors("Everybody came imgflip.com", found.image) == 0

    def test_an_old_caption_that_is_not_there(self, bar: Path) -> None:
        with pytest.raises(NotEdited, match=r'not in the picture.*"Everything is terrible"'):
            edited(bar, "New", old="Something quite different")

    def test_four_panels_one_text_each_in_reading_order(self, tmp_path: Path) -> None:
        meme = Image.new("RGB", (820, 620), "white")
        for i, word in enumerate(("FIRST", "SECOND", "THIRD", "FOURTH")):
            x, y = 5 + 410 * (i % 2), 5 + 310 * (i // 2)
            meme.paste(textured(400, 300, i), (x, y))
            write(meme, f"{word} PANEL", (x + 200, y + 260), 36)
        new = ("GOOD DAY", "BETTER DAY", "BEST DAY", "HAPPY END")
        after = edited(saved(meme, tmp_path / "a.png"), *new).image
        for i, text in enumerate(new):
            x, y = 5 + 410 * (i % 2), 5 + 310 * (i // 2)
            assert errors(text, after.crop((x, y + 200, x + 400, y + 300))) <= 0.1


class TestRefusals:
    def test_a_picture_without_text(self, tmp_path: Path) -> None:
        with pytest.raises(NotEdited, match="no caption found"):
            edited(saved(textured(), tmp_path / "a.png"), "Hello")

    def test_more_captions_than_regions(self, bar: Path) -> None:
        with pytest.raises(NotEdited, match="2 new captions for 1 caption regions"):
            edited(bar, "one", "two")

    @pytest.mark.parametrize("captions", [(), ("",), (" \n",)])
    def test_no_new_caption(self, bar: Path, captions: tuple[str, ...]) -> None:
        with pytest.raises(NotEdited, match="there is no new caption"):
            edited(bar, *captions)

    def test_a_text_too_short_for_its_regions(self, classic: Path) -> None:
        with pytest.raises(NotEdited, match="too short to be spread over 2"):
            edited(classic, "Yes")

    def test_a_text_too_long_for_its_region(self, bar: Path) -> None:
        with pytest.raises(NotEdited, match="too long for its region"):
            edited(bar, "far too many words " * 45)

    def test_thousands_of_characters_are_not_even_tried(self, bar: Path) -> None:
        with pytest.raises(NotEdited, match="has 5000 characters"):
            edited(bar, "x" * 5000)

    def test_a_character_that_no_font_has_is_named(self, bar: Path) -> None:
        with pytest.raises(NotEdited, match=r"U\+E000"):
            edited(bar, "What is \ue000?")

    def test_text_everywhere(self, tmp_path: Path) -> None:
        page = Image.new("RGB", (800, 800), "white")
        for i in range(7):
            for j in range(3):
                write(page, f"word {i} {j}", (130 + 260 * j, 60 + 110 * i), 24, (0, 0, 0), 0)
        words = " ".join(f"word {i} {j}" for i in range(7) for j in range(3))
        with pytest.raises(NotEdited, match="text is everywhere: 21 regions"):
            edited(saved(page, tmp_path / "a.png"), "a new caption " * 20, old=words)

    def test_an_unknown_editor(self) -> None:
        with pytest.raises(DeadpanError, match=r'no editor "paint"; expected one of caption'):
            find_editor("paint")

    def test_the_editor_is_found_by_name(self) -> None:
        assert find_editor("caption").name == "caption"


class TestOddFiles:
    def test_of_an_animation_the_first_frame(self, bar: Path, tmp_path: Path) -> None:
        path = tmp_path / "a.gif"
        first = Image.open(bar)
        others = [Image.new("RGB", first.size, colour) for colour in ("red", "blue")]
        first.save(path, save_all=True, append_images=others)
        found = edited(path, "Everything is fine")
        assert found.notes[0] == "animated: only the first of 3 frames is edited"
        assert errors("Everything is fine", found.image) == 0

    @pytest.mark.parametrize(("mode", "name"), [("CMYK", "a.jpg"), ("L", "a.png"), ("P", "a.png")])
    def test_other_colour_modes(self, bar: Path, tmp_path: Path, mode: str, name: str) -> None:
        path = saved(Image.open(bar).convert(mode), tmp_path / name)
        found = edited(path, "Everything is fine").image
        assert (found.mode, found.size) == ("RGB", (560, 380))
        assert errors("Everything is fine", found) == 0

    def test_sixteen_bits(self, bar: Path, tmp_path: Path) -> None:
        grey = np.asarray(Image.open(bar).convert("L")).astype(np.uint16) * 257
        path = saved(Image.fromarray(grey), tmp_path / "a.png")
        assert errors("Everything is fine", edited(path, "Everything is fine").image) == 0

    def test_transparent_ground_becomes_white(self, tmp_path: Path) -> None:
        meme = Image.new("RGBA", (500, 200), (0, 0, 0, 0))
        write(meme, "So very sad", (250, 100), 40, (10, 10, 10), 0)  # type: ignore[arg-type]
        after = edited(saved(meme, tmp_path / "a.png"), "So very happy").image
        assert errors("So very happy", after) == 0
        assert after.getpixel((2, 2)) == (255, 255, 255)

    def test_turned_by_exif(self, bar: Path, tmp_path: Path) -> None:
        exif = Image.Exif()
        exif[0x0112] = 6
        path = tmp_path / "a.jpg"
        Image.open(bar).rotate(90, expand=True).save(path, exif=exif, quality=95)
        after = edited(path, "Everything is fine").image
        assert after.size == (560, 380)
        assert errors("Everything is fine", after) == 0

    def test_tiny(self, tmp_path: Path) -> None:
        with pytest.raises(NotEdited, match="no caption found"):
            edited(saved(Image.new("RGB", (8, 8), "white"), tmp_path / "a.png"), "Hello")

    def test_large(self, bar: Path, tmp_path: Path) -> None:
        path = saved(Image.open(bar).resize((2800, 1900)), tmp_path / "a.png")
        after = edited(path, "Everything is fine").image
        assert after.size == (2800, 1900)
        assert errors("Everything is fine", after.resize((700, 475))) == 0

    @pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
    def test_enormous(self, tmp_path: Path) -> None:
        path = saved(Image.new("1", (10_000, 9_000)), tmp_path / "a.png")
        with pytest.raises(InputError, match="enormous"):
            edited(path, "Hello")

    def test_no_picture_at_all(self, tmp_path: Path) -> None:
        path = tmp_path / "a.png"
        path.write_text("not a picture")
        with pytest.raises(InputError, match="not a picture"):
            edited(path, "Hello")
