"""Lines of a caption that a new text leaves as they are."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from deadpan.core.editors import Edited, Instruction
from deadpan.editing.caption import CaptionEditor
from deadpan.editing.keeping import changes_of, squeeze
from deadpan.media.boxes import Region
from deadpan.media.images import png_bytes
from deadpan.media.ocr import TextBox, read_text
from tests.editing.drawn_memes import saved, textured, write


def region(*lines: str) -> Region:
    boxes = [
        TextBox(text=text, confidence=1, x1=100, y1=20 + 50 * i, x2=300, y2=60 + 50 * i)
        for i, text in enumerate(lines)
    ]
    return Region(tuple(boxes))


def changed(old: tuple[str, ...], new: str, said: str | None = None) -> list[tuple[str, str]]:
    """What goes and what comes in its place."""
    found = changes_of([region(*old)], [new], said)
    return [(change.region.text, change.text) for change in found.changes]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (("MONDAY",), "MONDAY", []),
        (("MONDAY",), "Monday", [("MONDAY", "Monday")]),
        (("WHY?",), "WHY!", [("WHY?", "WHY!")]),
        (("ATLAST",), "AT LAST", []),
        (("今天，好累！",), "今天,好累!", []),
        (("A LINE", "BAD END"), "A LINE\nGOOD END", [("BAD END", "GOOD END")]),
        (("A LINE", "BAD END"), "A LINE GOOD END", [("BAD END", "GOOD END")]),
        (("BAD START", "THE END"), "GOOD START THE END", [("BAD START", "GOOD START")]),
        (("今天很", "难过"), "今天很开心", [("难过", "开心")]),
        (("ONE", "SAD", "THREE"), "ONE GLAD THREE", [("SAD", "GLAD")]),
        (("A", "B", "C"), "X\nB\nY", [("A", "X"), ("C", "Y")]),
        (("ONE", "TWO"), "ONE", [("TWO", "")]),
        (("ONE", "TWO"), "", [("ONE\nTWO", "")]),
        # Not at a word's end, nowhere to put it, or far too long for what goes.
        (("ON", "TWO"), "ONCE AGAIN TWO MORE", [("ON\nTWO", "ONCE AGAIN TWO MORE")]),
        (("ONE", "TWO"), "ONE AND A HALF TWO", [("ONE\nTWO", "ONE AND A HALF TWO")]),
        (("ONE", "A"), "ONE VERY LONG LINE MORE", [("ONE\nA", "ONE VERY LONG LINE MORE")]),
    ],
)
def test_what_goes_and_what_comes(
    old: tuple[str, ...], new: str, expected: list[tuple[str, str]]
) -> None:
    assert changed(old, new) == expected


def test_a_line_is_what_the_old_caption_says_where_it_was_misread() -> None:
    assert changed(("M0NDAY AGAlN",), "MONDAY AGAIN") == [("M0NDAY AGAlN", "MONDAY AGAIN")]
    assert changed(("M0NDAY AGAlN",), "MONDAY AGAIN", "MONDAY AGAIN\nALAS") == []


def test_marks_and_widths_do_not_count() -> None:
    assert squeeze("It’s  “ＯＫ”！") == squeeze('It\'s "OK"!')


def test_a_line_that_stays_is_spared_up_to_half_way_to_one_that_goes() -> None:
    (box,) = changes_of([region("ONE", "TWO")], ["ONE\nNEW"]).stays
    assert (box.y1, box.y2) == (15, 65) and box.x1 < 100 and box.x2 > 300


class TestPictures:
    @pytest.fixture
    def meme(self, tmp_path: Path) -> Path:
        pytest.importorskip("rapidocr")
        picture = textured(seed=8)
        write(picture, "I LOST MY KEYS", (320, 40), 40)
        write(picture, "AND MY TEMPER", (320, 92), 40)
        write(picture, "今天又要加班", (320, 375), 40)
        return saved(picture, tmp_path / "meme.png")

    def edited(self, meme: Path, *captions: str) -> tuple[np.ndarray, np.ndarray, Edited]:
        done = CaptionEditor().edit(Instruction(meme, captions))
        return np.asarray(Image.open(meme)), np.asarray(done.image), done

    def test_lines_that_do_not_change_keep_their_bytes(self, meme: Path) -> None:
        before, after, done = self.edited(meme, "I LOST MY KEYS\nAND A GRUDGE", "今天又要加班")
        stays = [line for line in read_text(meme) if "TEMPER" not in line.text]
        assert len(stays) == 2
        for line in stays:
            place = slice(line.y1, line.y2), slice(line.x1, line.x2)
            assert (before[place] == after[place]).all()
        assert (before[70:115] != after[70:115]).any()
        read = " ".join(line.text for line in read_text(png_bytes(done.image)))
        assert not done.notes and "GRUDGE" in read and "TEMPER" not in read and "加班" in read

    def test_a_caption_that_says_so_already_is_not_touched(self, meme: Path) -> None:
        before, after, done = self.edited(meme, "I LOST MY KEYS AND MY TEMPER", "今天又要加班")
        assert (before == after).all()
        assert done.notes == ("the caption says so already: nothing is changed",)

    def test_words_without_room_between_lines_that_stay_letter_the_whole_anew(
        self, tmp_path: Path
    ) -> None:
        pytest.importorskip("rapidocr")
        picture = textured(seed=8)
        for i, line in enumerate(("I LOST MY KEYS", "AND MY TEMPER", "ON A MONDAY")):
            write(picture, line, (320, 40 + 46 * i), 40)
        meme = saved(picture, tmp_path / "meme.png")
        long = "AND EVERY SINGLE THING I EVER OWNED IN MY WHOLE LONG AND HAPPY LIFE "
        before, after, _ = self.edited(meme, f"I LOST MY KEYS\n{3 * long}\nON A MONDAY")
        assert (before[20:60] != after[20:60]).mean() > 0.2
