"""The answer store: what is written counts once, in the order of its places, and never leaves."""

import asyncio
import errno
import json
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import polars as pl
import pytest

from deadpan.base.errors import InputError
from deadpan.engine import segments, store
from deadpan.engine.answers import COLUMNS, Answer, read_segment
from deadpan.engine.segments import Place, SegmentWriter, place_of
from deadpan.engine.store import ABOUT, AnswerStore, compact

TASK = "toy-task.model"
HERE, THERE = "http://127.0.0.1:1/v1", "http://127.0.0.1:2/v1"


def answer(key: str, text: str | None = "是 yes", server: str = HERE, **more: object) -> Answer:
    return Answer(key, "model", server, "2026-01-01T00:00:00.000+00:00", text=text, **more)  # type: ignore[arg-type]


def failure(key: str, error: str = "broken") -> Answer:
    return answer(key, None, error=error)


def written(folder: Path, answers: Sequence[Answer], complete: bool = False) -> None:
    """Writes answers as one run does, all at once."""

    async def write() -> None:
        writer = AnswerStore(folder).writer(TASK)
        writer.acquire()
        await asyncio.gather(*(writer.append(one) for one in answers))
        await writer.close(complete)

    asyncio.run(write())


def segment(folder: Path, number: int, answers: Sequence[Answer], tag: str = "00000000") -> Path:
    """A segment at a place of its own, whole."""
    AnswerStore(folder).create()
    path = folder / f"{Place(number, tag, TASK).stem}.jsonl"
    path.write_bytes(b"".join(one.line for one in answers))
    return path


def texts(folder: Path) -> dict[str, str | None]:
    frame = AnswerStore(folder).answers()
    return dict(frame.select("key", "text").iter_rows())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "answers"


def test_nothing_is_made_before_the_first_answer(folder: Path) -> None:
    kept = AnswerStore(folder)
    assert kept.known("model", "a", HERE) is None and kept.answers().is_empty()
    assert not folder.exists()


def test_an_answer_is_on_the_disk_when_append_returns(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[bytes] = []
    sync = os.fsync

    def seen(file: int) -> None:
        path = Path(os.readlink(f"/proc/self/fd/{file}"))
        if path.suffix == ".jsonl":
            synced.append(path.read_bytes())
        sync(file)

    monkeypatch.setattr(segments.os, "fsync", seen)
    whole = answer("a", input_tokens=3, seconds=0.5, schema=True, reasoning="嗯", calls=2)

    async def write() -> None:
        kept = AnswerStore(folder)
        writer = kept.writer(TASK)
        writer.acquire()
        for one in (whole, answer("b")):
            await writer.append(one)
            assert synced[-1].endswith(one.line)
            assert AnswerStore(folder).known("model", one.key, HERE) == one, (
                "another reader sees it"
            )
        await writer.close(complete=False)

    asyncio.run(write())
    assert AnswerStore(folder).known("model", "a", HERE) == whole
    assert [path.suffix for path in sorted(folder.iterdir())] == [".json", ".jsonl"]


def test_lines_that_come_together_share_a_sync_and_keep_their_offsets(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    syncs: list[int] = []
    monkeypatch.setattr(segments.os, "fsync", syncs.append)
    folder.mkdir()
    place = Place(1, "00000000", TASK)
    writer = SegmentWriter(folder, place)
    lines = [answer(f"k{number}").line for number in range(50)]

    async def write() -> list[int]:
        offsets = await asyncio.gather(*(writer.append(line) for line in lines))
        await writer.close()
        return offsets

    offsets = asyncio.run(write())
    data = writer.path.read_bytes()
    assert [data[start : start + len(lines[0])] for start in offsets[:1]] == lines[:1]
    found, problems = read_segment(writer.path, place)
    assert found["offset"].to_list() == offsets and not problems
    assert len(syncs) < 10, "fifty lines, a few syncs (one of them of the folder)"


def test_a_disk_that_takes_no_more_fails_the_line_and_all_later_ones(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.mkdir()
    writer = SegmentWriter(folder, Place(1, "00000000", TASK))
    write_some = os.write

    def full(file: int, data: memoryview) -> int:
        if b"second" in bytes(data):
            write_some(file, data[:10])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write_some(file, data)

    monkeypatch.setattr(segments.os, "write", full)

    async def write() -> None:
        await writer.append(answer("first").line)
        for key in ("second", "third"):
            with pytest.raises(InputError, match=r"No space left on device.*Free some space"):
                await writer.append(answer(key).line)
        await writer.close()

    asyncio.run(write())
    assert writer.path.read_bytes() == answer("first").line, "what was torn is cut off"


@pytest.mark.parametrize("cut", [1, 30, 10_000])
def test_a_torn_tail_never_counted(
    folder: Path, cut: int, caplog: pytest.LogCaptureFixture
) -> None:
    path = segment(folder, 1, [answer("a"), answer("b")])
    data = path.read_bytes()
    path.write_bytes(data[: max(len(answer("a").line), len(data) - cut)])
    assert texts(folder) == {"a": "是 yes"} and not caplog.records
    written(folder, [answer("b", "anew")], complete=True)
    assert texts(folder) == {"a": "是 yes", "b": "anew"}
    assert not list(folder.glob("*.damaged")), "a torn tail is no damage"


BROKEN = {
    "cut": b'{"key":"b","model":"m"\n',
    "zeros": b"\x00" * 40 + b"\n",
    "no text": b"\xff\xfe\xfd\n",
    "another type": b'{"key":"b","model":"m","server":"s","calls":"two"}\n',
    "no key": b'{"model":"m","server":"s"}\n',
    "a list": b'["b"]\n',
    "deep": b"[" * 100_000 + b"\n",
    "too large": b'{"key":"b","model":"m","server":"s","input_tokens":' + b"9" * 30 + b"}\n",
    "empty": b"\n",
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_damaged_line_is_told_and_costs_no_other(
    kind: str, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = segment(folder, 1, [])
    path.write_bytes(answer("a").line + BROKEN[kind] + answer("c").line)
    assert texts(folder) == {"a": "是 yes", "c": "是 yes"}
    assert f"{path}:2: is not an answer" in caplog.text
    assert compact(AnswerStore(folder), TASK) is not None
    assert texts(folder) == {"a": "是 yes", "c": "是 yes"}
    (damaged,) = folder.glob("*.damaged")
    assert BROKEN[kind] in damaged.read_bytes()


def test_a_complete_task_becomes_one_parquet_file_and_more_are_added(folder: Path) -> None:
    written(folder, [answer("a"), failure("b")], complete=True)
    written(folder, [answer("b", "then")], complete=True)
    assert sorted(path.suffix for path in folder.iterdir()) == [".json", ".parquet", ".parquet"]
    assert texts(folder) == {"a": "是 yes", "b": "then"}
    assert len(AnswerStore(folder).rows()) == 3, "the failure is kept too"
    polars = pl.read_parquet(folder / "*.parquet")
    assert set(COLUMNS) <= set(polars.columns) and len(polars) == 3


def test_what_stands_in_both_a_segment_and_parquet_counts_once(folder: Path) -> None:
    written(folder, [answer("a"), failure("b"), answer("c")])
    (open_segment,) = folder.glob("*.jsonl")
    data = open_segment.read_bytes()
    written(folder, [], complete=True)
    (compacted,) = folder.glob("*.parquet")
    open_segment.write_bytes(data)  # killed after the Parquet file, before its segment went
    assert len(AnswerStore(folder).rows()) == 3
    written(folder, [answer("d")], complete=True)
    assert not list(folder.glob("*.jsonl")) and compacted.is_file()
    assert len(AnswerStore(folder).rows()) == 4


def test_damage_found_by_a_compaction_that_was_killed_is_still_set_aside(folder: Path) -> None:
    path = segment(folder, 1, [answer("a")])
    path.write_bytes(path.read_bytes() + b"damage\n")
    data = path.read_bytes()
    compact(AnswerStore(folder), TASK)
    path.write_bytes(data)
    (folder / f"{path.name}.damaged").unlink()
    compact(AnswerStore(folder), TASK)
    (damaged,) = folder.glob("*.damaged")
    assert damaged.read_bytes() == data


def test_a_compaction_that_cannot_be_written_takes_nothing_away(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = segment(folder, 1, [answer("a")])

    def full(place: Path, data: bytes) -> None:
        raise InputError(place, "cannot be written", "Free some space.")

    monkeypatch.setattr(store, "write_bytes", full)
    with pytest.raises(InputError, match="cannot be written"):
        compact(AnswerStore(folder), TASK)
    assert [path.name for path in folder.glob("*")] != [] and path.is_file()
    assert texts(folder) == {"a": "是 yes"}


def test_only_the_task_s_own_segments_are_compacted(folder: Path) -> None:
    segment(folder, 1, [answer("a")])
    other = folder / f"{Place(2, '00000000', 'toy-other.model').stem}.jsonl"
    other.write_bytes(answer("b").line)
    assert compact(AnswerStore(folder), TASK) is not None
    assert [path for path in folder.glob("*.jsonl")] == [other]
    assert texts(folder) == {"a": "是 yes", "b": "是 yes"}
    assert compact(AnswerStore(folder), TASK) is None, "there is nothing left to do"


def test_the_first_success_by_place_counts_whatever_the_files_times_say(folder: Path) -> None:
    later = segment(folder, 12, [answer("a", "later"), answer("a", "last")])
    first = segment(folder, 7, [failure("a"), answer("a", "first")])
    os.utime(later, (1, 1))
    os.utime(first, (2**31, 2**31))
    assert texts(folder) == {"a": "first"}
    compact(AnswerStore(folder), TASK)
    assert texts(folder) == {"a": "first"}
    same_number = segment(folder, 7, [answer("a", "by tag"), answer("z")], tag="ffffffff")
    assert same_number.is_file() and texts(folder)["a"] == "first"


def test_failures_are_no_answers_and_the_last_one_is_told(folder: Path) -> None:
    written(folder, [failure("a", "one"), failure("a", "two")], complete=True)
    written(folder, [failure("a", "three")])
    kept = AnswerStore(folder)
    assert kept.known("model", "a", HERE) is None and kept.servers("model", "a") == set()
    assert kept.answers()["error"].to_list() == ["three"]


def test_servers_do_not_mix_unasked(folder: Path) -> None:
    written(folder, [answer("a", "there", THERE), answer("b", "here")])
    kept = AnswerStore(folder)
    assert kept.known("model", "a", HERE) is None and kept.servers("model", "a") == {THERE}
    found = kept.known("model", "a", None)
    assert found is not None and found.text == "there"
    written(folder, [answer("a", "here too")], complete=True)
    kept = AnswerStore(folder)
    assert kept.servers("model", "a") == {HERE, THERE}


def test_a_copied_moved_and_touched_store_says_the_same(folder: Path, tmp_path: Path) -> None:
    written(folder, [answer("a", "one"), failure("b")], complete=True)
    written(folder, [answer("b", "two"), answer("a", "never")])
    before = AnswerStore(folder).answers()
    copy = Path(shutil.copytree(folder, tmp_path / "elsewhere" / "copy"))
    for place, path in enumerate(sorted(copy.rglob("*"), reverse=True)):
        os.utime(path, (place, place))
    assert AnswerStore(copy).answers().equals(before)


def test_equal_keys_of_two_copies_in_one_folder_count_once(folder: Path, tmp_path: Path) -> None:
    written(folder, [answer("a", "one")], complete=True)
    other = tmp_path / "other"
    written(other, [answer("a", "other"), answer("b")], complete=True)
    for path in other.glob("*.parquet"):
        shutil.copy(path, folder)
    assert texts(folder).keys() == {"a", "b"}
    assert len(AnswerStore(folder).answers()) == 2


@pytest.mark.parametrize(
    ("about", "what"),
    [
        ('{"schema": 2}', "is a store of form 2; this Deadpan knows 1. Install a newer Deadpan"),
        ("{}", "cannot be read"),
        ("[]", "cannot be read"),
        ("", "cannot be read"),
    ],
)
def test_a_store_of_another_form_is_refused(folder: Path, about: str, what: str) -> None:
    folder.mkdir()
    (folder / ABOUT).write_text(about)
    with pytest.raises(InputError, match=what):
        AnswerStore(folder)


def test_a_foreign_folder_and_a_file_are_refused(folder: Path) -> None:
    folder.mkdir()
    assert AnswerStore(folder).answers().is_empty(), "an empty one is not"
    (folder / "holiday.jpg").write_bytes(b"")
    with pytest.raises(InputError, match="is no answer store, and not empty"):
        AnswerStore(folder)
    with pytest.raises(InputError, match="is a file"):
        AnswerStore(folder / "holiday.jpg")


@pytest.mark.parametrize("data", [b"", b"PAR1 and then nothing", b"\x00" * 500])
def test_a_damaged_parquet_file_is_told_and_not_passed_over(folder: Path, data: bytes) -> None:
    written(folder, [answer("a")], complete=True)
    (compacted,) = folder.glob("*.parquet")
    compacted.write_bytes(data)
    with pytest.raises(InputError, match=r"cannot be read .*Put back a copy") as told:
        AnswerStore(folder).answers()
    assert compacted.name in str(told.value)


def test_a_parquet_file_of_something_else_is_told(folder: Path) -> None:
    written(folder, [answer("a")], complete=True)
    (compacted,) = folder.glob("*.parquet")
    frame = pl.read_parquet(compacted)
    frame.drop("server").write_parquet(compacted)
    with pytest.raises(InputError, match="has no column server"):
        AnswerStore(folder).answers()
    frame.with_columns(calls=pl.lit("many")).write_parquet(compacted)
    with pytest.raises(InputError, match="has a column of another type"):
        AnswerStore(folder).answers()


def test_names_tell_places_and_other_files_are_none() -> None:
    place = Place(3, "0a1b2c3d", "vimu-oe.openai-gpt-4.1")
    assert place_of(f"{place.stem}.jsonl") == place_of(f"{place.stem}.parquet") == place
    for name in ("notes.jsonl", "a.3-0a1b2c3d.jsonl", f"{place.stem}.jsonl.damaged", "x.lock"):
        assert place_of(name) is None


def test_text_that_is_no_unicode_is_written_all_the_same(folder: Path) -> None:
    written(folder, [answer("a", "half \ud800 pair")])
    assert texts(folder) == {"a": "half ? pair"}
    (path,) = folder.glob("*.jsonl")
    assert json.loads(path.read_bytes())["text"] == "half ? pair"


@pytest.mark.parametrize("letter", ["x", "猫"])
def test_a_long_label_fits_into_a_file_name(folder: Path, letter: str) -> None:
    async def write() -> None:
        writer = AnswerStore(folder).writer(letter * 400)
        writer.acquire()
        await writer.append(answer("a"))
        await writer.close(complete=True)

    asyncio.run(write())
    assert texts(folder) == {"a": "是 yes"}
