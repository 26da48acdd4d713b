"""Files are written whole, and are for those to read whom the umask lets."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from deadpan.base.errors import InputError
from deadpan.base.files import leftovers, require_file, write_bytes
from deadpan.base.resources.storage import staging_folder
from deadpan.benchmarks import find

Masked = Callable[[int], None]


@pytest.fixture
def umask() -> Iterator[Masked]:
    before = os.umask(0o022)
    yield lambda mask: os.umask(mask) and None
    os.umask(before)


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


@pytest.mark.parametrize(
    ("mask", "usual", "private"),
    [(0o022, 0o644, 0o600), (0o002, 0o664, 0o600), (0o077, 0o600, 0o600), (0o277, 0o400, 0o400)],
)
def test_a_new_file_keeps_to_the_umask(
    tmp_path: Path, umask: Masked, mask: int, usual: int, private: int
) -> None:
    umask(mask)
    write_bytes(tmp_path / "usual", b"one")
    write_bytes(tmp_path / "private", b"two", 0o600)
    assert (mode(tmp_path / "usual"), mode(tmp_path / "private")) == (usual, private)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["private", "usual"]


def test_a_folder_of_resources_keeps_to_the_umask(tmp_path: Path, umask: Masked) -> None:
    umask(0o077)
    with staging_folder(tmp_path / "resource") as folder:
        (folder / "words").write_text("none")
    assert mode(tmp_path / "resource") == 0o700
    assert [one.name for one in tmp_path.iterdir()] == ["resource"]


def test_what_a_killed_process_left_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    def killed(*_: object, **__: object) -> None:
        raise Killed

    monkeypatch.setattr("os.fsync", killed)
    monkeypatch.setattr(Path, "unlink", killed)
    with pytest.raises(Killed):
        write_bytes(tmp_path / "table", b"half")
    assert len(leftovers(tmp_path / "table")) == 1


def test_what_is_there_in_a_file_s_place_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    require_file(tmp_path / "file")
    for name, what in (
        ("nothing", "no such file. Look again"),
        ("folder", "is a folder"),
        ("pipe", "is no plain file"),
    ):
        with pytest.raises(InputError, match=f"{name}: {what}"):
            require_file(tmp_path / name, "Look again.")


@pytest.mark.parametrize(
    ("benchmark", "name"),
    [
        ("cfms", "pairs.jsonl"),
        ("merbench", "index_final.json"),
        ("vimu", "metadata/video_evidence.jsonl"),
    ],
)
def test_a_pipe_in_the_place_of_records_is_told(tmp_path: Path, benchmark: str, name: str) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    os.mkfifo(tmp_path / name)
    with pytest.raises(InputError, match="is no plain file"):
        find(benchmark).read(tmp_path)
