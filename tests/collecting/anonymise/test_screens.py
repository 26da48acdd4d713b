"""What pictures show: chats told from memes, faces and telling text flagged, never decided."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw

from deadpan.collecting import anonymise as running
from deadpan.collecting.anonymise import Options, anonymise, screens
from deadpan.collecting.anonymise.screens import Seen, is_chat_screenshot
from deadpan.media.ocr import TextBox
from tests.collecting.anonymise import planted


def line(text: str, x1: int, y1: int, x2: int, height: int = 30) -> TextBox:
    return TextBox(text=text, confidence=0.9, x1=x1, y1=y1, x2=x2, y2=y1 + height)


CHAT = [
    line("14:10", 20, 10, 80), line("Kim", 250, 60, 320), line("hey you up?", 60, 200, 300),
    line("no", 520, 300, 580), line("21:03", 270, 380, 330), line("why tho", 60, 460, 400),
    line("lol idk", 420, 560, 580),
]  # fmt: skip
MEME = [line("WHEN THE CODE", 40, 10, 560, 70), line("WORKS AT 21:03", 60, 900, 540, 70)]


def test_a_chat_is_told_from_a_meme() -> None:
    assert is_chat_screenshot(CHAT, (600, 1100))
    assert not is_chat_screenshot(MEME, (600, 1000))
    assert not is_chat_screenshot(CHAT, (1100, 600))
    assert not is_chat_screenshot([], (600, 1100))


def test_flags_say_what_was_seen() -> None:
    assert Seen().flags == []
    seen = Seen(faces=2, lines=7, is_chat=True, kinds=("phone",))
    assert [shown.may_be for shown in seen.flags] == [
        "face", "screenshot of a chat", "text that leads to a person"
    ]  # fmt: skip


def test_a_drawn_number_is_flagged_by_ocr() -> None:
    pytest.importorskip("rapidocr", reason="OCR needs the [ocr] extra")
    image = Image.new("RGB", (700, 200), "white")
    ImageDraw.Draw(image).text((40, 60), "call 415-555-2671", fill="black", font_size=56)
    stream = io.BytesIO()
    image.save(stream, "PNG")
    assert screens.look_at(stream.getvalue(), "x.png").kinds == ("phone",)


def test_names_in_a_pictures_words_are_flagged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screens, "_can_read", lambda: True)
    monkeypatch.setattr(screens, "_cascade", lambda: None)
    told = {
        ("my friend", "Jorvel cried"): ("name",),
        ("今天梁思远请客", "地址朝阳区望京SOHO"): ("address", "name"),
        ("WHEN THE CODE", "WORKS AT 21:03"): (),
        ("王者荣耀又掉段了",): (),
    }
    for words, kinds in told.items():
        boxes = [line(text, 10, 10, 90) for text in words]
        monkeypatch.setattr(screens, "read_text", lambda data, boxes=boxes: boxes)
        assert screens.look_at(planted.png_bytes(), "x.png").kinds == kinds, words


def test_faces_are_counted_by_the_cascade(monkeypatch: pytest.MonkeyPatch) -> None:
    class Cascade:
        def detectMultiScale(self, pixels: np.ndarray, **settings: object) -> np.ndarray:
            assert pixels.ndim == 2 and pixels.dtype == np.uint8
            return np.array([[1, 2, 30, 30]])

    monkeypatch.setattr(screens, "_cascade", Cascade)
    monkeypatch.setattr(screens, "read_text", lambda data: ())
    assert screens.look_at(planted.png_bytes(), "x.png").faces == 1


def test_what_is_missing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screens, "_cascade", lambda: None)
    monkeypatch.setattr(screens, "find_spec", lambda name: None)
    assert len(screens.missing_parts()) == 2
    stream = io.BytesIO()
    Image.new("RGB", (300, 200), "white").save(stream, "PNG")
    assert screens.look_at(stream.getvalue(), "x.png") == Seen()


def test_without_an_ocr_what_looks_like_words_is_for_people(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(screens, "_cascade", lambda: None)
    monkeypatch.setattr(screens, "_can_read", lambda: False)
    image = Image.new("RGB", (700, 200), "white")
    ImageDraw.Draw(image).text((40, 60), "call 415-555-2671", fill="black", font_size=56)
    stream = io.BytesIO()
    image.save(stream, "PNG")
    seen = screens.look_at(stream.getvalue(), "x.png")
    assert seen.unread and seen.flags[0][0] == "text"


def test_a_flagged_picture_stays_until_somebody_decides(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "look_at", lambda data, where: Seen(faces=1))
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.png").write_bytes(planted.png_bytes())
    sheet, told = tmp_path / "sheet.jsonl", tmp_path / "report.json"
    options = Options(review=sheet, earlier=told)
    report = anonymise(tmp_path / "in", tmp_path / "out", options=options)
    told.write_text(report.model_dump_json(), encoding="utf-8")
    assert report.media_written == 1 and report.flags[0].may_be == "face"
    row = json.loads(sheet.read_text("utf-8"))
    assert (row["place"], row["suggestion"]) == ("picture", "keep")
    sheet.write_text(json.dumps(row | {"decision": "leave out"}) + "\n", encoding="utf-8")
    report = anonymise(tmp_path / "in", tmp_path / "out", options=options)
    assert report.media_written == 0 and not report.problems
    assert report.notes[0].what == "left out, as the review sheet has it"
    assert not (tmp_path / "out").exists()


def test_a_picture_with_a_telephone_number_is_left_out_unless_somebody_keeps_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = Seen(lines=1, kinds=("phone",), quoted=("415-555-2671",))
    monkeypatch.setattr(running, "look_at", lambda data, where: seen)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.png").write_bytes(planted.png_bytes())
    text = '{"image": "a.png", "text": "lol"}\n{"text": "ok"}\n'
    (tmp_path / "in" / "c.jsonl").write_text(text, encoding="utf-8")
    sheet, told = tmp_path / "sheet.jsonl", tmp_path / "report.json"
    options = Options(review=sheet, earlier=told)
    report = anonymise(tmp_path / "in", tmp_path / "out", options=options)
    told.write_text(report.model_dump_json(), encoding="utf-8")
    assert (report.media_written, report.records_written, report.problems) == (0, 1, [])
    assert {note.where for note in report.notes} == {"a.png", "c.jsonl:1"}
    assert "415" not in report.model_dump_json()
    row = json.loads(sheet.read_text("utf-8"))
    assert (row["suggestion"], row["text"]) == ("leave out", "phone: 415-555-2671")
    sheet.write_text(json.dumps(row | {"decision": "keep"}) + "\n", encoding="utf-8")
    report = anonymise(tmp_path / "in", tmp_path / "out", options=options)
    assert (report.media_written, report.records_written) == (1, 2)


def test_names_in_capitals_and_codes_in_pictures_are_quoted() -> None:
    kinds, quoted = screens._telling(["GRETA LINDQVIST IS MY BOSS", "CODE a7Xk29Qp"])
    assert kinds == ("name", "number") and {"GRETA LINDQVIST", "a7Xk29Qp"} <= set(quoted)
    assert screens._telling(["WHEN THE CODE", "WORKS AT 21:03"]) == ((), ())
