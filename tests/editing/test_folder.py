"""Already edited pictures: found by name, kept as they are, told where there is none."""

from pathlib import Path

import pytest

from deadpan.base.errors import InputError
from deadpan.core.editors import Instruction, NotEdited
from deadpan.editing.received import FolderEditor
from tests.editing.loopback_images import picture


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "0.png"
    path.write_bytes(picture())
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "edits"
    path.mkdir()
    return path


def edited(folder: Path, source: Path) -> tuple[tuple[int, int], tuple[str, ...]]:
    found = FolderEditor(folder).edit(Instruction(source, ()))
    assert found.image.mode == "RGB"
    return found.image.size, found.notes


def test_the_file_of_the_same_name_comes_first(folder: Path, source: Path) -> None:
    (folder / "0.png").write_bytes(picture((60, 40)))
    (folder / "0.jpg").write_bytes(picture((10, 10), kind="JPEG"))
    assert edited(folder, source) == ((60, 40), ())


def test_else_the_only_picture_of_that_stem(folder: Path, source: Path) -> None:
    (folder / "0.webp").write_bytes(picture(kind="WEBP"))
    (folder / "0.txt").write_text("no picture")
    (folder / "00.png").write_bytes(picture((9, 9)))
    assert edited(folder, source) == ((60, 40), ())


def test_two_candidates_are_not_guessed_between(folder: Path, source: Path) -> None:
    (folder / "0.jpg").write_bytes(picture(kind="JPEG"))
    (folder / "0.gif").write_bytes(picture(kind="GIF"))
    with pytest.raises(NotEdited, match=r"several pictures for 0\.png: 0\.gif, 0\.jpg"):
        edited(folder, source)


def test_none_is_told(folder: Path, source: Path) -> None:
    with pytest.raises(NotEdited, match=r"has no picture named 0\.png or 0\.\*"):
        edited(folder, source)


def test_another_size_is_kept_and_noted(folder: Path, source: Path) -> None:
    (folder / "0.png").write_bytes(picture((100, 100)))
    size, notes = edited(folder, source)
    assert size == (100, 100)
    assert notes == ("the edited picture is 100 × 100, the source 60 × 40",)


@pytest.mark.parametrize("data", [b"", b"<html>sorry</html>", picture((300, 300))[:-40]])
def test_what_is_no_whole_picture_is_not_edited(folder: Path, source: Path, data: bytes) -> None:
    (folder / "0.png").write_bytes(data)
    with pytest.raises(NotEdited, match="cannot be read"):
        edited(folder, source)


def test_a_missing_folder_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder of edited pictures"):
        FolderEditor(tmp_path / "nowhere")
