"""Checksums of media: right, remembered, and never remembered too long."""

import hashlib
import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from deadpan.base.files import cache_folder
from deadpan.core.dataset import Dataset
from deadpan.media import checksums
from deadpan.media.checksums import MISSING, data_checksum, file_checksum, file_checksums

HOUR_AGO = 3600 * 10**9


@pytest.fixture(autouse=True)
def forgetful(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that has read nothing yet, and a cache of its own."""
    monkeypatch.setattr(checksums, "_known", {})
    monkeypatch.setenv("DEADPAN_CACHE", str(tmp_path / "cache"))


def written(path: Path, data: bytes, age: int = HOUR_AGO) -> str:
    path.write_bytes(data)
    then = path.stat().st_mtime_ns - age
    os.utime(path, ns=(then, then))
    return str(path)


def no_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise AssertionError("a file was read again")

    monkeypatch.setattr(checksums, "_known", {})
    monkeypatch.setattr(checksums, "open_media", fail)


def test_checksums_are_sha256_in_order(tmp_path: Path) -> None:
    files = [written(tmp_path / f"{n}.png", bytes([n]) * 1000) for n in range(40)]
    expected = [hashlib.sha256(bytes([n]) * 1000).hexdigest() for n in range(40)]
    assert file_checksums(files) == expected
    assert file_checksums(reversed(files)) == expected[::-1]
    assert file_checksum(files[3]) == expected[3]


def test_a_later_run_reads_nothing_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = [written(tmp_path / f"图{n}.png", bytes([n % 256])) for n in range(1200)]
    first = file_checksums(files)
    no_reading(monkeypatch)
    assert file_checksums(files) == first


def test_a_changed_file_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path / "a.png", b"one")
    before = file_checksum(path)
    written(tmp_path / "a.png", b"two", HOUR_AGO // 2)  # the same size and inode
    monkeypatch.setattr(checksums, "_known", {})
    assert file_checksum(path) != before
    state = os.stat(path)
    other = Path(written(tmp_path / "b.png", b"thr"))
    os.utime(other, ns=(state.st_mtime_ns, state.st_mtime_ns))
    os.replace(other, path)  # the same size and time, another inode
    assert file_checksum(path) == hashlib.sha256(b"thr").hexdigest()


def test_a_file_just_written_is_not_remembered(tmp_path: Path) -> None:
    path = written(tmp_path / "a.png", b"one", age=0)
    assert file_checksum(path) == hashlib.sha256(b"one").hexdigest()
    assert not (cache_folder("checksums") / "1.sqlite").exists() or not rows()


def rows() -> list[Any]:
    with sqlite3.connect(cache_folder("checksums") / "1.sqlite") as memory:
        return memory.execute("select * from files").fetchall()


def test_what_cannot_be_read_is_missing_and_not_remembered(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    names = ["none.png", "pipe", ".", "a\0b"]
    assert file_checksums(f"{tmp_path}/{name}" for name in names) == [MISSING] * 4


@pytest.mark.parametrize("spoiled", [b"no data base", None])
def test_a_spoiled_memory_only_costs_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spoiled: bytes | None
) -> None:
    path = written(tmp_path / "a.png", b"one")
    place = cache_folder("checksums")
    if spoiled is None:
        place.parent.mkdir(parents=True)
        place.write_text("a file in the folder's place")
    else:
        place.mkdir(parents=True)
        (place / "1.sqlite").write_bytes(spoiled)
    assert file_checksum(path) == hashlib.sha256(b"one").hexdigest()


def dataset(*media: str) -> Dataset[Any]:
    return Dataset((), "here", "7afd9730", media=media)


def test_the_checksum_of_data_says_what_is_there(tmp_path: Path) -> None:
    one, two = (written(tmp_path / f"{n}.png", n.encode()) for n in "12")
    whole = data_checksum(dataset(one, two))
    assert whole.startswith("7afd9730+media:") and len(whole) == len("7afd9730+media:") + 8
    part = data_checksum(dataset(one, str(tmp_path / "gone.png")))
    assert part.endswith("(1/2)") and part.split("(")[0] != whole
    assert data_checksum(dataset(str(tmp_path / "gone.png"))) == "7afd9730"
    assert data_checksum(dataset()) == "7afd9730"
    assert data_checksum(dataset(), [one, two, one]) == whole  # what questions show


def test_where_media_lie_and_how_they_are_called_makes_no_difference(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    here = written(tmp_path / "a.png", b"one")
    there = written(tmp_path / "there" / "b.jpg", b"one")
    assert data_checksum(dataset(here)) == data_checksum(dataset(there))
