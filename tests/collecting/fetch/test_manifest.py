"""The manifest file: last line per id, torn ends, locks, and failing writes."""

import errno
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from deadpan.collecting.fetch.records import (
    FetchError,
    FetchRecord,
    FetchStatus,
    Manifest,
    read_manifest,
)


def record(item_id: str, status: FetchStatus = "failed") -> FetchRecord:
    return FetchRecord(
        id=item_id,
        url="http://127.0.0.1/",
        status=status,
        fetched_at=datetime(2026, 1, 2, tzinfo=UTC),
        error="an error",
    )


def test_the_last_line_of_an_id_wins(tmp_path: Path) -> None:
    with Manifest(tmp_path) as manifest:
        for one in (record("a"), record("b"), record("a", "gone")):
            manifest.append(one)
    contents = read_manifest(tmp_path / "manifest.jsonl")
    assert contents.records == {"a": record("a", "gone"), "b": record("b")}
    assert contents.torn is None
    assert len((tmp_path / "manifest.jsonl").read_text().splitlines()) == 3


@pytest.mark.parametrize("tail", ['{"id":"c","url":"ht', "\x00\x00\x00", '{"id":"c"}\n', "{"])
def test_a_torn_last_line_is_reported_and_cut_off(tmp_path: Path, tail: str) -> None:
    with Manifest(tmp_path) as manifest:
        manifest.append(record("a"))
    path = tmp_path / "manifest.jsonl"
    with path.open("a") as file:
        file.write(tail)
    with Manifest(tmp_path) as manifest:
        assert manifest.torn == f"{path}:2: torn last line of {len(tail)} bytes dropped"
        manifest.append(record("b"))
    assert list(read_manifest(path).records) == ["a", "b"]


def test_a_whole_last_line_without_its_newline_counts(tmp_path: Path) -> None:
    path = tmp_path / "manifest.jsonl"
    path.write_text(record("a").model_dump_json())
    with Manifest(tmp_path) as manifest:
        assert manifest.torn is None
        manifest.append(record("b"))
    assert list(read_manifest(path).records) == ["a", "b"]


def test_a_bad_line_in_the_middle_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "manifest.jsonl"
    good = record("a").model_dump_json()
    path.write_text(f"{good}\n{good.replace('failed', 'finished')}\n{good}\n")
    with pytest.raises(FetchError, match=r"manifest\.jsonl:2 status: Input should be"):
        read_manifest(path)


def test_two_runs_do_not_share_a_folder(tmp_path: Path) -> None:
    with Manifest(tmp_path), pytest.raises(FetchError, match="another fetch is writing here"):
        Manifest(tmp_path).__enter__()
    with Manifest(tmp_path) as again:
        assert again.records == {}


def test_a_failing_write_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "manifest.jsonl"
    with Manifest(tmp_path) as manifest:
        manifest.append(record("a"))
        before = path.read_bytes()
        real = os.write

        def short_write(handle: int, data: bytes) -> int:
            if len(data) < 50:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return real(handle, data[: len(data) // 2])

        monkeypatch.setattr(os, "write", short_write)
        with pytest.raises(FetchError, match=r"manifest\.jsonl: cannot write: No space left"):
            manifest.append(record("b"))
    assert path.read_bytes() == before
