"""The mini-set: what is committed is what the code makes, and its records keep their promises."""

import json
import re
from collections import Counter
from importlib.resources import files
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from deadpan.benchmarks.merbench.checks import check_edit
from deadpan.benchmarks.merbench.records import PAIRS, read_memes
from deadpan.media.ocr import read_text
from minisets.janusmm.stage import Panel
from minisets.merbench.build import EDITORS, build, write_index
from minisets.merbench.layouts import film, grid, over, rows
from minisets.merbench.meme import Meme, Row, meme
from minisets.merbench.scripts import MEMES
from tests.conftest import SHARED

DATA = Path(str(files("deadpan.benchmarks.merbench"))) / "data"
FIELDS = [
    "id", "det_emo", "img_desc", "pos_txt", "spec", "tgt_emo", "gen_id", "text", "visual_type",
    "sentiment_polarity", "layout_type",
]  # fmt: skip
FOLDERS = ["Original", *(f"EditedResults/{editor.name}" for editor in EDITORS)]
REMADE = ("14.png", "106.png")
READ = ("3.png", "8.png", "10.png", "103.png", "106.png", "114.png")

ROWS: list[Row] = json.loads((DATA / "index_final.json").read_text(encoding="utf-8"))


def chosen(names: tuple[str, ...]) -> list[Meme]:
    return [each for each in MEMES if each.name in names]


def folded(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())


def read(path: Path) -> str:
    return folded("".join(box.text for box in read_text(path)))


def differing(one: Path, other: Path) -> float:
    """The share of pixels that differ clearly."""
    with Image.open(one) as first, Image.open(other) as second:
        difference = ImageChops.difference(first.convert("L"), second.convert("L"))
    clearly = difference.point(lambda value: 255 if value > 48 else 0)
    return ImageStat.Stat(clearly).mean[0] / 255


def test_the_index_is_what_the_scripts_give(tmp_path: Path) -> None:
    write_index(tmp_path / "index_final.json")
    assert (tmp_path / "index_final.json").read_bytes() == (DATA / "index_final.json").read_bytes()


def test_pictures_and_edits_are_the_same_bytes_every_time(tmp_path: Path) -> None:
    for folder in ("once", "twice"):
        build(tmp_path / folder, chosen(REMADE))
    for folder in FOLDERS:
        for name in REMADE:
            once, kept = tmp_path / "once" / folder / name, DATA / folder / name
            assert once.read_bytes() == (tmp_path / "twice" / folder / name).read_bytes()
            # Another Pillow may letter a pixel to the side; a changed picture differs far more.
            assert differing(once, kept) < 0.005, (folder, name)


def test_seven_memes_for_each_emotion_and_each_visual_type_half_of_them_chinese() -> None:
    assert Counter(row["det_emo"] for row in ROWS) == dict.fromkeys(PAIRS, 7)
    assert set(Counter(row["visual_type"] for row in ROWS).values()) == {7}
    assert len({(row["det_emo"], row["visual_type"]) for row in ROWS}) == 16
    assert Counter(each.language for each in MEMES) == {"en": 14, "zh": 14}
    seen = Counter((each.language, each.polarity) for each in MEMES)
    assert len(seen) == 6 and min(seen.values()) >= 1


def test_twelve_memes_have_two_to_four_panels() -> None:
    panels = Counter(len(each.layout.frames) for each in MEMES)
    assert panels == {1: 16, 2: 9, 3: 2, 4: 1}
    multi = [row["id"] for row in ROWS if row["layout_type"] == "MultiPanel_Meme"]
    assert multi == [each.name for each in MEMES if len(each.layout.frames) > 1]


def test_the_records_are_read_as_released_ones_are_and_nothing_is_odd() -> None:
    memes, anomalies = read_memes(DATA)
    assert len(memes) == len(MEMES) == 28
    assert anomalies == ()
    for row, record, each in zip(ROWS, memes, MEMES, strict=True):
        assert list(row) == FIELDS
        assert row["id"] == row["gen_id"] == each.name
        assert record.language == each.language
        assert record.new_caption == row["pos_txt"], "no quotation marks are taken off"


def test_every_caption_has_a_kind_one_and_not_all_stay() -> None:
    for row in ROWS:
        old, new = row["text"].split("\n"), row["pos_txt"].split("\n")
        assert len(old) == len(new)
        assert all(old) and all(new)
        assert old != new
        assert old[-1] != new[-1], "the punch line changes"


def test_descriptions_and_specifications_are_in_the_language_of_the_meme() -> None:
    for row, each in zip(ROWS, MEMES, strict=True):
        for text in (row["img_desc"], row["spec"], row["text"], row["pos_txt"]):
            assert bool(re.search(r"[\u4e00-\u9fff]", text)) == (each.language == "zh"), text
    assert len({row["img_desc"] for row in ROWS}) == len({row["spec"] for row in ROWS}) == 28


def test_pictures_are_small_and_edits_have_the_size_of_their_source() -> None:
    names = {row["id"] for row in ROWS}
    for folder in FOLDERS:
        assert {path.name for path in (DATA / folder).iterdir()} == names
        for each in MEMES:
            with Image.open(DATA / folder / each.name) as image:
                image.load()
                assert (image.format, image.mode) == ("PNG", "P")
                assert image.size == (each.layout.width, each.layout.height)
                assert 480 <= image.width <= 640 and not image.info.get("exif")
            assert (DATA / folder / each.name).stat().st_size < 60_000
    assert sum(path.stat().st_size for path in DATA.rglob("*.*")) < 3_000_000


def test_the_words_in_the_pictures_are_those_of_the_index() -> None:
    for row in ROWS:
        if row["id"] in READ:
            source = read(DATA / "Original" / row["id"])
            edited = read(DATA / "EditedResults" / "caption" / row["id"])
            for old, new in zip(row["text"].split("\n"), row["pos_txt"].split("\n"), strict=True):
                assert folded(old) in source
                assert folded(new) in edited


def test_the_flawed_edits_are_worse_in_what_they_are_made_for() -> None:
    for row in ROWS:
        if row["id"] in READ:
            source = DATA / "Original" / row["id"]
            spoilt = read(DATA / "EditedResults" / "flawed-text" / row["id"])
            assert folded(row["pos_txt"].split("\n")[-1]) not in spoilt
            kept = differing(source, DATA / "EditedResults" / "caption" / row["id"])
            broken = differing(source, DATA / "EditedResults" / "flawed-layout" / row["id"])
            assert broken > 2 * kept, row["id"]


def test_the_checks_tell_a_broken_layout_from_a_kept_one() -> None:
    """Of the flawed ones half have their panels exchanged in place, which their shapes do not
    tell."""
    for row in ROWS:
        if row["id"] in READ:
            source = DATA / "Original" / row["id"]
            kept = {
                editor.name: check_edit(
                    source,
                    DATA / "EditedResults" / editor.name / row["id"],
                    row["pos_txt"],
                    read_text,
                    row["text"],
                ).layout_kept
                for editor in EDITORS
            }
            assert kept == {"caption": True, "flawed-layout": False, "flawed-text": True}, row["id"]


def test_no_text_is_taken_from_the_released_data() -> None:
    path = SHARED / "data" / "merbench" / "index_final.json"
    if not path.is_file():
        pytest.skip("the released MER-Bench annotations are not on this machine")
    released = json.loads(path.read_text(encoding="utf-8"))
    fields = ("img_desc", "spec", "text", "pos_txt")
    known = {_runs(row[field]) for row in released for field in fields}
    seen = frozenset().union(*known)
    for row in ROWS:
        for text in (row["img_desc"], row["spec"], row["text"], row["pos_txt"]):
            assert not _runs(text) & seen, text


def _runs(text: str) -> frozenset[tuple[str, ...]]:
    """Every run of seven words."""
    words = re.findall(r"\w+", text.casefold())
    return frozenset(tuple(words[i : i + 7]) for i in range(len(words) - 6))


def test_a_meme_whose_kind_words_do_not_match_its_captions_raises() -> None:
    @meme(
        99, "sad", "Cartoon_Anime", "Neutral", over("TOP", "BOTTOM"), ("ONE",), "A dot.", "A line."
    )
    def dot(panel: Panel) -> None:
        panel.pen.ellipse(280, 230, 30, 30, "white")

    with pytest.raises(ValueError, match=r"99\.png: 1 kind captions for 'TOP\\nBOTTOM'"):
        dot.row()


def test_layouts_leave_room_between_their_panels() -> None:
    column = rows(3, 500, 100)
    assert [frame.top for frame in column.frames] == [0, 108, 216]
    assert (column.width, column.height) == (500, 316)
    stills = film(("One", "Two"), 480, 200)
    assert [(frame.top, frame.under) for frame in stills.frames] == [(0, "One"), (208, "Two")]
    four = grid(("a", "b", "c", "d"), 600, 150, 20)
    assert [frame.left for frame in four.frames] == [12, 306, 12, 306]
    assert four.frames[0].top == four.frames[1].top
    assert four.frames[2].top == four.frames[0].top + 150 + four.frames[2].bar_height + 4
