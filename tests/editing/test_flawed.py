"""The flawed editors: each spoils what it is made for, always in the same way."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw

from deadpan.core.editors import Instruction
from deadpan.editing.caption import FlawedLayout, FlawedText, garble
from deadpan.media.fonts import lettering
from deadpan.media.ocr import TextBox, read_text


def page(path: Path, captions: tuple[str, str], colours: tuple[str, str]) -> Path:
    """Two panels side by side, each under its caption; with one colour, a single panel."""
    image = Image.new("RGB", (600, 340), "white")
    draw = ImageDraw.Draw(image)
    for i, (text, colour) in enumerate(zip(captions, colours, strict=True)):
        left = 10 + 300 * i
        draw.text((left + 140, 30), text, "black", lettering(28, text or " "), "mm")
        draw.rectangle((left, 60, left + (280 if colours[0] != colours[1] else 300), 330), colour)
    image.save(path)
    return path


def said(path: Path) -> list[TextBox]:
    return sorted(read_text(path), key=lambda box: box.x1)


@pytest.mark.parametrize("text", ["My worries on payday", "到我，刚出笼", "AB", "It is 5:29"])
def test_garbled_text_is_wrong_and_the_same_every_time(text: str) -> None:
    spoilt = garble(text)
    assert spoilt != text
    assert spoilt == garble(text)
    assert not Counter(spoilt) - Counter(text), "letters are swapped or dropped, never made up"


def test_a_text_without_two_different_letters_stays() -> None:
    assert garble("5") == "5"
    assert garble("aa") in ("aa", "a")


def test_panels_change_places_with_their_captions(tmp_path: Path) -> None:
    source = page(tmp_path / "a.png", ("GRIM DAY", "WORSE NIGHT"), ("#c03030", "#3050c0"))
    edited = FlawedLayout().edit(Instruction(source, ("FINE DAY", "GOOD NIGHT")))
    assert edited.image.size == (600, 340)
    edited.image.save(tmp_path / "b.png")
    assert [box.text for box in said(tmp_path / "b.png")] == ["GOOD NIGHT", "FINE DAY"]
    pixels = np.asarray(edited.image)
    assert tuple(pixels[200, 100]) == (0x30, 0x50, 0xC0)
    assert tuple(pixels[200, 400]) == (0xC0, 0x30, 0x30)


def test_a_single_picture_is_mirrored_and_its_caption_moved(tmp_path: Path) -> None:
    source = page(tmp_path / "a.png", ("GRIM DAY", ""), ("#c03030", "#c03030"))
    edited = FlawedLayout().edit(Instruction(source, ("FINE DAY",)))
    assert edited.image.size == (600, 340)
    edited.image.save(tmp_path / "b.png")
    (line,) = said(tmp_path / "b.png")
    assert line.text == "FINE DAY"
    assert line.y1 > 100, "it stood over the picture"


def test_the_old_text_shows_through_the_spoilt_one_and_the_rest_is_kept(tmp_path: Path) -> None:
    source = page(tmp_path / "a.png", ("GRIM DAY", "WORSE NIGHT"), ("#c03030", "#3050c0"))
    before = np.asarray(Image.open(source)).astype(int)
    edited = FlawedText().edit(Instruction(source, ("FINE DAY", "GOOD NIGHT")))
    after = np.asarray(edited.image).astype(int)
    assert (after[80:] == before[80:]).all()
    old_ink = before[:60].max(axis=-1) < 40
    assert after[:60].max(axis=-1)[old_ink].max() < 200, "white paper would be 255"
    edited.image.save(tmp_path / "b.png")
    assert not {"FINE DAY", "GOOD NIGHT"} & {box.text for box in said(tmp_path / "b.png")}
