"""The mini-set: what is committed is what the code draws, and its records keep their promises."""

import json
import re
from collections import Counter, defaultdict
from importlib.resources import files
from itertools import combinations
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from deadpan.benchmarks.cfms.records import TARGET_TYPES, read_pairs
from minisets.cfms.build import MINI_SET
from minisets.cfms.pair import Biting, Row, Sincere, twins
from minisets.cfms.scripts import PAIRS
from minisets.janusmm.layouts import card
from minisets.janusmm.stage import Panel

DATA = Path(str(files("deadpan.benchmarks.cfms"))) / "data"
FIELDS = [
    "id", "image", "text", "ocr_text", "language", "split", "sarcastic", "target", "target_type",
    "explanation", "metaphor", "description",
]  # fmt: skip
CHINESE = re.compile(r"[\u4e00-\u9fff]")
REDRAWN = ("accurate_forecast", "just_like_the_picture", "railway", "sea_of_mail")
READ = ("voluntary_outing", "three_signs")

ROWS: list[Row] = [
    json.loads(line) for line in (DATA / "pairs.jsonl").read_text(encoding="utf-8").splitlines()
]
MAIN = [row for row in ROWS if row["split"] != "metaphor"]
METAPHOR = [row for row in ROWS if row["split"] == "metaphor"]


def test_the_records_are_what_the_scripts_give(tmp_path: Path) -> None:
    MINI_SET.write_records(tmp_path)
    assert (tmp_path / "pairs.jsonl").read_bytes() == (DATA / "pairs.jsonl").read_bytes()


def test_the_reader_takes_all_of_it_without_a_complaint() -> None:
    pairs = read_pairs(None)
    assert len(pairs.everything) == 124 and not pairs.anomalies
    assert all(Path(pair.path).is_file() for pair in pairs.everything)


def test_pictures_are_what_the_code_draws_the_same_every_time(tmp_path: Path) -> None:
    chosen = [pair for pair in PAIRS if pair.name in REDRAWN]
    assert len(chosen) == 2 * len(REDRAWN)
    for folder in ("once", "twice"):
        MINI_SET.build(tmp_path / folder, chosen)
    for pair in chosen:
        name = pair.row()["image"]
        once = tmp_path / "once" / name
        assert once.read_bytes() == (tmp_path / "twice" / name).read_bytes()
        with Image.open(once) as drawn, Image.open(DATA / name) as kept:
            difference = ImageChops.difference(drawn.convert("L"), kept.convert("L"))
        clearly = difference.point(lambda value: 255 if value > 48 else 0)
        # Another Pillow may letter a pixel to the side; a changed drawing differs far more.
        assert ImageStat.Stat(clearly).mean[0] / 255 < 0.005, pair.name


def test_every_split_is_balanced_and_two_thirds_are_chinese() -> None:
    counts = Counter((row["split"], row["language"], row["sarcastic"]) for row in MAIN)
    assert counts == {
        ("train", "zh", True): 15, ("train", "zh", False): 15,
        ("train", "en", True): 7, ("train", "en", False): 7,
        ("validation", "zh", True): 5, ("validation", "zh", False): 5,
        ("validation", "en", True): 3, ("validation", "en", False): 3,
        ("test", "zh", True): 8, ("test", "zh", False): 8,
        ("test", "en", True): 4, ("test", "en", False): 4,
    }  # fmt: skip


def test_the_metaphor_part_has_five_of_each_combination_in_each_language() -> None:
    counts = Counter((row["language"], row["sarcastic"], row["metaphor"]) for row in METAPHOR)
    assert len(counts) == 8 and set(counts.values()) == {5}
    assert all(row["metaphor"] is None for row in MAIN)


def test_every_target_type_occurs_in_every_split() -> None:
    seen: dict[str, set[str | None]] = defaultdict(set)
    for row in ROWS:
        if row["sarcastic"]:
            seen[row["split"]].add(row["target_type"])
    assert seen == {
        split: set(TARGET_TYPES) for split in ("train", "validation", "test", "metaphor")
    }


def test_gold_is_complete_for_sarcasm_and_null_otherwise() -> None:
    for row in ROWS:
        assert list(row) == FIELDS
        gold = [row["target"], row["target_type"], row["explanation"]]
        assert all(gold) if row["sarcastic"] else gold == [None, None, None], row["id"]
        assert row["text"].strip() and row["ocr_text"].strip() and row["description"].strip()


def test_ids_and_order_say_nothing_about_the_label() -> None:
    ids = [row["id"] for row in ROWS]
    assert ids == sorted(set(ids))
    assert all(re.fullmatch(r"[0-9a-f]{12}", one) for one in ids)
    assert all(row["image"] == f"images/{row['id']}.png" for row in ROWS)
    first_half = sum(row["sarcastic"] for row in ROWS[: len(ROWS) // 2])
    assert 0.35 < first_half / (len(ROWS) // 2) < 0.65


def test_texts_are_as_long_as_promised_and_in_their_language() -> None:
    for row in ROWS:
        chinese = row["language"] == "zh"
        written = [row["text"], row["description"], row["target"], row["explanation"]]
        for text in filter(None, written):
            assert bool(CHINESE.search(text)) == chinese, text
        assert not chinese or CHINESE.search(row["ocr_text"])
        if row["explanation"] and chinese:
            assert 40 <= len(row["explanation"]) <= 80, row["explanation"]
        elif row["explanation"]:
            assert 25 <= len(row["explanation"].split()) <= 45, row["explanation"]
        if row["target"]:
            assert len(row["target"]) <= 15 if chinese else len(row["target"].split()) <= 7


def test_every_sarcastic_pair_has_a_sincere_twin_in_its_split() -> None:
    ideas = defaultdict(list)
    for pair in PAIRS:
        ideas[pair.language, pair.name].append(pair)
    for versions in ideas.values():
        assert sorted(pair.gold is None for pair in versions) == [False, True]
        assert len({pair.split for pair in versions}) == 1


def test_neither_text_nor_lettering_alone_tells_the_twins_apart_everywhere() -> None:
    for field in ("text", "ocr_text"):
        labels = defaultdict(set)
        for row in ROWS:
            labels[row[field]].add(row["sarcastic"])
        both = sum(seen == {True, False} for seen in labels.values())
        assert both >= 40, (field, both)


@pytest.mark.parametrize(("split", "ambiguous"), [("test", 11), ("metaphor", 17)])
def test_words_alone_give_little_more_than_chance_where_models_are_tested(
    split: str, ambiguous: int
) -> None:
    labels: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for row in ROWS:
        if row["split"] == split:
            labels[row["text"], row["ocr_text"]].append(row["sarcastic"])
    assert sum(sorted(seen) == [False, True] for seen in labels.values()) == ambiguous
    right = sum(max(seen.count(True), seen.count(False)) for seen in labels.values())
    assert right / sum(map(len, labels.values())) < 0.6


def test_no_text_or_lettering_is_in_two_splits() -> None:
    splits = defaultdict(set)
    for row in ROWS:
        splits[row["text"]].add(row["split"])
        splits["lettered: " + row["ocr_text"]].add(row["split"])
    assert all(len(seen) == 1 for seen in splits.values())


def test_no_picture_occurs_twice_or_looks_alike_in_two_splits() -> None:
    small = {}
    for row in ROWS:
        with Image.open(DATA / row["image"]) as image:
            small[row["id"]] = image.convert("RGB").resize((24, 24))
    for one, two in combinations(ROWS, 2):
        difference = ImageChops.difference(small[one["id"]], small[two["id"]])
        apart = sum(ImageStat.Stat(difference).mean) / 3
        assert apart > (0.5 if one["split"] == two["split"] else 8), (one["id"], two["id"])


def test_images_are_small_and_have_the_size_of_their_layout() -> None:
    assert {path.stem for path in (DATA / "images").iterdir()} == {row["id"] for row in ROWS}
    total = (DATA / "pairs.jsonl").stat().st_size
    for pair in PAIRS:
        path = DATA / "images" / f"{pair.pair_id}.png"
        with Image.open(path) as image:
            assert (image.format, image.mode) == ("PNG", "P")
            assert image.size == (pair.layout.width, pair.layout.height)
            assert 420 <= image.width <= 560
        assert path.stat().st_size < 25_000
        total += path.stat().st_size
    assert total < 2_500_000


@pytest.mark.parametrize("name", READ)
def test_ocr_reads_the_words_that_the_record_holds(name: str) -> None:
    pytest.importorskip("rapidocr", reason="needs the extra [ocr]")
    from deadpan.media.ocr import read_text

    pair = next(pair for pair in PAIRS if pair.name == name and pair.gold)
    found = "".join(box.text for box in read_text(DATA / "images" / f"{pair.pair_id}.png"))
    letters = [Counter(char for char in text if char.isalnum()) for text in (pair.ocr_text, found)]
    assert letters[0] == letters[1]


def test_a_twin_without_a_text_of_its_own_takes_the_sarcastic_one() -> None:
    gold = Biting("So quick.", "A snail.", "slow post", "others", "It is slow.")

    @twins("train", "en", card(300, 200), gold, Sincere("A rocket."))
    def post(panel: Panel, biting: bool) -> None:
        panel.sign("SNAIL\nMAIL" if biting else "ROCKET MAIL", 150, 100, 30)

    sarcastic, sincere = (pair.row() for pair in post)
    assert (sarcastic["text"], sincere["text"]) == ("So quick.", "So quick.")
    assert (sarcastic["ocr_text"], sincere["ocr_text"]) == ("SNAIL MAIL", "ROCKET MAIL")
    assert (sarcastic["sarcastic"], sincere["sarcastic"]) == (True, False)
    assert sarcastic["id"] != sincere["id"]
