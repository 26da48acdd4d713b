"""Who writes a task's answers: one process at a time, told by name, and free once it is gone."""

import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from deadpan.base.errors import InputError
from deadpan.engine.segments import Busy, WriterLock

HOLDER = """
import sys
from pathlib import Path
from deadpan.engine.segments import WriterLock
WriterLock(Path(sys.argv[1])).acquire()
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "toy-task.model.lock"


@pytest.fixture
def holder(place: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds the lock until it is killed."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(place)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None and process.stdout.readline() == "held\n"
    yield process
    process.kill()
    process.communicate()


def test_a_second_process_is_refused_with_who_and_since_when(
    place: Path, holder: subprocess.Popen[str]
) -> None:
    with pytest.raises(Busy) as told:
        WriterLock(place).acquire()
    said = str(told.value)
    assert f"{place.with_suffix('')} is being written by process {holder.pid}" in said
    assert f"on {socket.gethostname()} since 20" in said and "--store DIR" in said


def test_the_lock_of_a_killed_process_is_free(place: Path, holder: subprocess.Popen[str]) -> None:
    os.kill(holder.pid, signal.SIGKILL)
    holder.wait()
    assert place.is_file(), "its file is left behind"
    lock = WriterLock(place).acquire()
    assert f'"pid": {os.getpid()}' in place.read_text("utf-8")
    lock.release()
    assert not place.exists()


def test_a_copied_lock_file_is_no_lock(
    place: Path, holder: subprocess.Popen[str], tmp_path: Path
) -> None:
    copy = tmp_path / "copy.lock"
    shutil.copy2(place, copy)
    WriterLock(copy).acquire().release()
    with pytest.raises(Busy):
        WriterLock(place).acquire()


@pytest.mark.parametrize("content", [b"", b"\xff\x00", b"[]", b'{"pid": 1}'])
def test_a_lock_whose_owner_cannot_be_read_is_one_all_the_same(place: Path, content: bytes) -> None:
    lock = WriterLock(place).acquire()
    place.write_bytes(content)
    with pytest.raises(Busy, match="is being written by another process"):
        WriterLock(place).acquire()
    lock.release()
    WriterLock(place).acquire().release()


def test_a_file_taken_away_between_opening_and_locking_is_made_anew(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fcntl

    flock, taken = fcntl.flock, []

    def late(file: int, how: int) -> None:
        if not taken:
            taken.append(file)
            place.unlink()  # its owner released it in this very moment
        flock(file, how)

    monkeypatch.setattr(fcntl, "flock", late)
    lock = WriterLock(place).acquire()
    with pytest.raises(Busy):
        WriterLock(place).acquire()
    lock.release()


def test_a_link_in_the_lock_s_place_is_not_followed(place: Path, tmp_path: Path) -> None:
    other = tmp_path / "precious"
    other.write_text("precious")
    place.symlink_to(other)
    with pytest.raises(InputError, match="cannot be locked"):
        WriterLock(place).acquire()
    assert other.read_text() == "precious"


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot be locked .*--store"):
        WriterLock(tmp_path / "no" / "a.lock").acquire()
