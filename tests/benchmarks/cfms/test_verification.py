"""What is odd in a folder, above all leaks between splits."""

import shutil
from pathlib import Path

from deadpan.benchmarks.cfms import CFMS
from tests.benchmarks.cfms.pair_folder import Row, plain_row, row, write


def whole(**changes: str) -> list[Row]:
    rows = [
        row("t"),
        plain_row("a", split="train"),
        plain_row("v", split="validation"),
        plain_row("m", split="metaphor", metaphor=False),
    ]
    return [{**one, **changes} for one in rows]


def kinds(folder: Path) -> list[tuple[str, str]]:
    return [(odd.where, odd.kind) for odd in CFMS.verify(folder)]


def test_a_good_folder_has_nothing_odd(tmp_path: Path) -> None:
    assert kinds(write(tmp_path, whole())) == []


def test_an_image_in_two_splits_is_a_leak(tmp_path: Path) -> None:
    folder = write(tmp_path, whole())
    shutil.copy(folder / "images/t.png", folder / "images/a.png")
    (odd,) = CFMS.verify(folder)
    assert (odd.where, odd.kind) == ("t (test) image", "leak")
    assert odd.what == "a (train) has the same image"


def test_words_in_two_splits_are_a_leak_and_within_one_a_hard_negative(tmp_path: Path) -> None:
    rows = [*whole(), plain_row("n", text=row("t")["text"])]
    assert kinds(write(tmp_path / "within", rows)) == []
    rows[1] |= {"text": rows[0]["text"].upper() + "!"}
    found = kinds(write(tmp_path / "across", rows))
    assert found == [("t (test) text", "leak"), ("n (test) text", "leak")]


def test_what_else_is_odd(tmp_path: Path) -> None:
    rows = [
        row("t", text="It is all about unpaid overtime", ocr_text=""),
        row("u", text="", ocr_text=" ", target="x" * 41),
        plain_row("m", split="metaphor", metaphor=True, image="images/none.png"),
    ]
    folder = write(tmp_path, rows)
    (folder / "images/none.png").unlink()
    (folder / "images/u.png").write_bytes(b"no picture")
    assert kinds(folder) == [
        ("pairs.jsonl", "empty split"),
        ("pairs.jsonl", "empty split"),
        ("t target", "gold in the post"),
        ("u text", "no words"),
        ("u target", "long target"),
        ("u image", "unusable image"),
        ("m image", "missing image"),
    ]


def test_no_image_at_all_is_told_once(tmp_path: Path) -> None:
    found = kinds(write(tmp_path, whole(), images=False))
    assert found == [("pairs.jsonl", "no images")]
