"""The mini-set: what is committed is what the code draws, and its records keep their promises."""

import json
import re
from collections import Counter
from importlib.resources import files
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from deadpan.media.fonts import lettering
from minisets.janusmm.build import MINI_SET
from minisets.janusmm.layouts import over
from minisets.janusmm.meme import Row, meme, shares
from minisets.janusmm.scripts import MEMES
from minisets.janusmm.stage import Panel

DATA = Path(str(files("deadpan.benchmarks.janusmm"))) / "data"
FIELDS = [
    "meme_id", "image", "language", "source", "self_deprecating", "text", "dialogue", "emotion",
    "thinking", "sender_reasoning", "receiver_reasoning", "receiver_reply",
    "cultural_symbols",
]  # fmt: skip
REDRAWN = ("janus_000007", "janus_000016", "janus_000114", "janus_000121")
SENTENCE = re.compile(r"[.!?](?=\s|$)|[。！？](?!”)")

ROWS: list[Row] = [
    json.loads(line) for line in (DATA / "memes.jsonl").read_text(encoding="utf-8").splitlines()
]


def test_the_records_are_what_the_scripts_give(tmp_path: Path) -> None:
    MINI_SET.write_records(tmp_path)
    assert (tmp_path / "memes.jsonl").read_bytes() == (DATA / "memes.jsonl").read_bytes()


def test_pictures_are_what_the_code_draws_the_same_every_time(tmp_path: Path) -> None:
    for folder in ("once", "twice"):
        MINI_SET.build(tmp_path / folder, [each for each in MEMES if each.meme_id in REDRAWN])
    for meme_id in REDRAWN:
        name = f"images/{meme_id}.png"
        once = tmp_path / "once" / name
        assert once.read_bytes() == (tmp_path / "twice" / name).read_bytes()
        with Image.open(once) as drawn, Image.open(DATA / name) as kept:
            difference = ImageChops.difference(drawn.convert("L"), kept.convert("L"))
        clearly = difference.point(lambda value: 255 if value > 48 else 0)
        # Another Pillow may letter a pixel to the side; a changed drawing differs far more.
        assert ImageStat.Stat(clearly).mean[0] / 255 < 0.005, meme_id


def test_half_are_chinese_and_every_source_is_well_represented() -> None:
    mocking = Counter((row["language"], row["source"]) for row in ROWS if row["self_deprecating"])
    assert len(mocking) == 6
    assert set(mocking.values()) == {8}
    others = Counter(row["language"] for row in ROWS if not row["self_deprecating"])
    assert others == {"en": 24, "zh": 24}
    for language in ("en", "zh"):
        plain = [row for row in ROWS if row["language"] == language and not row["self_deprecating"]]
        assert min(Counter(row["source"] for row in plain).values()) >= 6


def test_every_record_has_its_fields_in_order_and_its_own_id() -> None:
    for row in ROWS:
        assert list(row) == FIELDS
        assert re.fullmatch(r"janus_\d{6}", row["meme_id"])
        assert row["image"] == f"images/{row['meme_id']}.png"
        assert row["text"].strip()
    assert len({row["meme_id"] for row in ROWS}) == len(ROWS) == len(MEMES)


def test_words_that_two_memes_share_do_not_tell_which_is_self_deprecating() -> None:
    kinds: dict[str, list[bool]] = {}
    headed: dict[str, set[bool]] = {}
    for row in ROWS:
        kinds.setdefault(row["text"], []).append(row["self_deprecating"])
        headed.setdefault(row["text"].split("\n")[0], set()).add(row["self_deprecating"])
    assert all(sorted(same) in ([False], [True], [False, True]) for same in kinds.values())
    assert sum(len(same) == 2 for same in kinds.values()) >= 10
    assert sum(len(same) == 2 for same in headed.values()) >= 22


def test_gold_is_complete_for_self_mockery_and_null_otherwise() -> None:
    for row in ROWS:
        gold = [row["sender_reasoning"], row["receiver_reasoning"], row["receiver_reply"]]
        if row["self_deprecating"]:
            assert all(gold), row["meme_id"]
        else:
            assert gold == [None, None, None], row["meme_id"]


def test_texts_are_as_long_as_promised_and_in_their_language() -> None:
    for row in ROWS:
        texts = [(row["thinking"], 2, 4)]
        if row["sender_reasoning"] and row["receiver_reasoning"] and row["receiver_reply"]:
            texts += [(row["sender_reasoning"], 2, 4), (row["receiver_reasoning"], 2, 4)]
            texts.append((row["receiver_reply"], 1, 2))
        for text, fewest, most in texts:
            count = len(SENTENCE.findall(text))
            assert fewest <= count <= most, (row["meme_id"], count, text)
            assert bool(re.search(r"[\u4e00-\u9fff]", text)) == (row["language"] == "zh"), text
        word = r"[\u4e00-\u9fff]+" if row["language"] == "zh" else r"[a-z]+"
        assert re.fullmatch(word, row["emotion"])


def test_one_turn_of_the_sender_shares_the_meme() -> None:
    for row in ROWS:
        dialogue = row["dialogue"]
        assert 1 <= len(dialogue) <= 5
        sharing = [turn for turn in dialogue if "shares_meme" in turn]
        assert [(turn["speaker"], turn["shares_meme"]) for turn in sharing] == [("sender", True)]
        assert all(str(turn["text"]).strip() for turn in dialogue)
        assert dialogue[-1]["speaker"] != "receiver", "the reply is gold, not part of the dialogue"
        if row["source"] == "private_dialogue":
            assert {turn["speaker"] for turn in dialogue} <= {"sender", "receiver"}


def test_images_are_small_and_have_the_size_of_their_layout() -> None:
    assert {path.stem for path in (DATA / "images").iterdir()} == {row["meme_id"] for row in ROWS}
    total = 0
    for each in MEMES:
        path = DATA / "images" / f"{each.meme_id}.png"
        with Image.open(path) as image:
            image.load()
            assert image.format == "PNG"
            assert image.size == (each.layout.width, each.layout.height)
            assert 480 <= image.width <= 640 and not image.info.get("exif")
        assert path.stat().st_size < 60_000
        total += path.stat().st_size
    assert total < 3_000_000


def test_all_layouts_occur_in_both_languages() -> None:
    seen = Counter((each.language, each.layout.name) for each in MEMES)
    names = {"top and bottom text", "caption bar", "two panels", "card"}
    assert set(seen) == {(language, name) for language in ("en", "zh") for name in names}
    assert min(seen.values()) >= 2


def test_every_lettered_character_has_a_glyph() -> None:
    for row in ROWS:
        for piece in row["text"].split("\n"):
            assert lettering(20, piece).getlength(piece) > 0


def test_words_over_the_picture_come_in_reading_order() -> None:
    @meme(99, "group_chat", over("TOP", "BOTTOM"), (shares("Look."),), "joy", "Plain.")
    def lettered(panel: Panel) -> None:
        panel.sign("MIDDLE\nLINES", 280, 230, 30)

    assert lettered.text == "TOP\nMIDDLE LINES\nBOTTOM"
    assert lettered.row()["self_deprecating"] is False


def test_lettering_on_a_face_outside_or_on_other_lettering_raises() -> None:
    face = Panel(300, 300, "white")
    face.pen.note_face(150, 150, 30, 30)
    face.sign("BOO", 150, 150, 20)
    with pytest.raises(ValueError, match="on a face"):
        face.check("here")
    outside = Panel(300, 300, "white")
    outside.sign("TOO FAR", 290, 150, 30)
    with pytest.raises(ValueError, match="leaves the picture"):
        outside.check("here")
    twice = Panel(300, 300, "white")
    twice.sign("ONE", 150, 150, 30)
    twice.sign("TWO", 150, 150, 30)
    with pytest.raises(ValueError, match="'TWO' overlaps 'ONE'"):
        twice.check("here")
