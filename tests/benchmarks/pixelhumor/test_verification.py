"""Every kind of anomaly made once in a small folder and reported; nothing of it is fatal."""

import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from deadpan.benchmarks.pixelhumor.data_reports import OTHER_FILES, anomalies
from tests.cli.data_folder import change, edit, small_folder, write

Spoil = Callable[[Path], object]
FULL = "full_label.csv"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return small_folder(tmp_path / "data", pictures=True)


def found(folder: Path) -> set[tuple[str, str, str]]:
    return {(anomaly.where, anomaly.kind, anomaly.what) for anomaly in anomalies(folder)}


def both(name: str, **cells: str) -> Spoil:
    """Changes a row of full_label.csv and of the file that repeats its cells."""

    def spoil(folder: Path) -> None:
        change(folder / FULL, **cells)
        change(folder / name, **cells)

    return spoil


def boxes(*numbers: int, right: int = 100, bottom: int = 90) -> Spoil:
    corners = {"x1": 0, "y1": 0, "x2": right, "y2": bottom}
    cell = [{**corners, "panel_number": str(number)} for number in numbers]
    return lambda folder: change(folder / "metadata.csv", metadata=str(cell))


CASES: list[tuple[Spoil, tuple[str, str, str]]] = [
    (
        lambda folder: change(folder / FULL, Q2="['Loud']"),
        (
            "full_label.csv:2 Q2",
            "unusable row",
            'got "Loud"; expected one of Absent, Present, contribute, Present, do not contribute',
        ),
    ),
    (
        lambda folder: (folder / "metadata.csv").write_text("comic_id,metadata\ndeadpan_1,[],x\n"),
        ("metadata.csv:2", "unusable row", "3 cells; expected 2"),
    ),
    (
        lambda folder: edit(folder / FULL, lambda rows: rows.append(rows[0])),
        ("full_label.csv:13 comic_id", "repeated id", "deadpan_1 is there twice"),
    ),
    (
        lambda folder: edit(folder / "comic_url.csv", lambda rows: rows.append(rows[0])),
        ("comic_url.csv:5 comic_id", "repeated id", "deadpan_1 is there twice"),
    ),
    (
        lambda folder: change(folder / "annotation.csv", comic_id="deadpan_1 "),
        ("annotation.csv:2 comic_id", "unknown id", "deadpan_1  is not in full_label.csv"),
    ),
    (
        lambda folder: edit(folder / "objective_label.csv", lambda rows: rows.pop()),
        ("objective_label.csv", "missing id", "deadpan_3 is only in full_label.csv"),
    ),
    (
        lambda folder: change(folder / "subjective_label.csv", 1, Q4="['Text']"),
        ("subjective_label.csv:3 Q4", "differs", "deadpan_2: not what full_label.csv has"),
    ),
    (
        lambda folder: (folder / "harm_annotation.csv").write_text("comic_id\n"),
        (
            "harm_annotation.csv:1",
            "unusable file",
            "no column potentially_harmful",
        ),
    ),
    (
        lambda folder: (folder / "annotation.csv").write_bytes(b"\xff\xfe"),
        ("annotation.csv:1", "unusable file", "byte 0xff is not UTF-8"),
    ),
    (
        both("objective_label.csv", panel_sequence="1, 1, 3"),
        ("deadpan_1 panel_sequence", "repeated panel", "1, 1, 3"),
    ),
    (
        both("objective_label.csv", panel_sequence="1, 2, 4"),
        ("deadpan_1 panel_sequence", "not a permutation", "1, 2, 4 for 3 panels"),
    ),
    (
        both("subjective_label.csv", Q3="['5']"),
        ("deadpan_1 Q3", "gold panel out of range", "panel 5 of 3"),
    ),
    (
        both("subjective_label.csv", Q3="['1']"),
        ("deadpan_1 Q3", "gold not from votes", "votes give ['2']; full_label.csv has ['1']"),
    ),
    (
        boxes(1, 2, 2),
        ("deadpan_1 metadata", "panel numbers not 1..N", "1, 2, 2; expected 1 to 3"),
    ),
    (boxes(1, 2), ("deadpan_1 metadata", "box count", "2 boxes for 3 panels")),
    (
        both("objective_label.csv", text="1: A \n 7: B"),
        ("deadpan_1 text", "text panel out of range", "panel 7 of 3"),
    ),
    (
        both("objective_label.csv", text="TITLE \n 1: A"),
        (
            "deadpan_1 text",
            "text outside panels",
            "text before the first panel number is in no panel",
        ),
    ),
    (
        lambda folder: change(folder / "annotation.csv", A3Q1="['Sure']"),
        ("annotation.csv:2 A3Q1", "vote not counted", 'got "Sure"; expected one of Yes, No'),
    ),
    (
        lambda folder: (folder / "images" / "deadpan_1.png").unlink(),
        ("deadpan_1 image", "missing picture", "run `deadpan data get pixelhumor`"),
    ),
    (
        boxes(1, 2, 3, right=1061, bottom=368),
        (
            "deadpan_1 image",
            "box outside the picture",
            "panel 1 (0,0)–(1061,368) in a picture of 1060 × 368",
        ),
    ),
    (
        boxes(1, 2, 3, right=2120, bottom=736),
        ("deadpan_1 image", "picture of another size", "panel boxes were scaled by 0.5"),
    ),
    (
        boxes(1, 2, 3, right=1061),
        (
            "deadpan_1 image",
            "picture of another form",
            "the picture has 1060 × 368 pixels and the panel boxes fill (0,0)–(1061,90): "
            "no one scale puts them on its panels; left out of runs",
        ),
    ),
    (
        boxes(1, 2, 3, right=0),
        ("deadpan_1 image", "box outside the picture", "panel 2 (0,0)–(0,90) is empty"),
    ),
]


@pytest.mark.parametrize(("spoil", "expected"), CASES, ids=[case[1][1] for case in CASES])
def test_each_kind_is_reported(folder: Path, spoil: Spoil, expected: tuple[str, str, str]) -> None:
    spoil(folder)
    reported = {(where.removeprefix(f"{folder}/"), *rest) for where, *rest in found(folder)}
    assert expected in reported


@pytest.mark.parametrize("name", OTHER_FILES)
def test_a_missing_file_is_reported_and_the_rest_is_checked(folder: Path, name: str) -> None:
    (folder / name).unlink()
    change(folder / FULL, number_of_panels="9")
    reported = found(folder)
    assert (name, "missing file") in {(where, kind) for where, kind, _ in reported}
    assert ("deadpan_1 panel_sequence", "not a permutation", "1, 3, 2 for 9 panels") in reported


def test_no_pictures_at_all_are_one_anomaly(tmp_path: Path) -> None:
    assert found(small_folder(tmp_path / "data")) == {
        ("images/", "no pictures", "run `deadpan data get pixelhumor`")
    }


def forged(path: Path) -> None:
    """A picture of one pixel whose header claims thirty thousand by thirty thousand."""
    Image.new("RGB", (1, 1)).save(path)
    data = path.read_bytes()
    header = b"IHDR" + struct.pack(">II", 30_000, 30_000) + data[24:29]
    path.write_bytes(data[:12] + header + struct.pack(">I", zlib.crc32(header)) + data[33:])


def cut(path: Path, share: float) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])


@pytest.mark.parametrize(
    ("spoil", "what"),
    [
        (forged, "the picture is enormous"),
        (lambda path: Image.new("1", (30_000, 5_000)).save(path), "enormous (30000 × 5000)"),
        (lambda path: cut(path, 0.5), "truncated"),
        (lambda path: cut(path, 0.99), "truncated"),
        (lambda path: cut(path, 0), "is not a picture"),
        (lambda path: path.write_text("<html>404</html>"), "is not a picture"),
    ],
    ids=["forged", "huge", "half", "nearly whole", "empty", "page"],
)
@pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
def test_pictures_that_cannot_be_used_are_reported(folder: Path, spoil: Spoil, what: str) -> None:
    spoil(folder / "images" / "deadpan_2.png")
    ((where, kind, said),) = found(folder)
    assert (where, kind) == ("deadpan_2 image", "unusable picture")
    assert what in said


def test_a_folder_as_released_has_none(folder: Path) -> None:
    assert found(folder) == set()


def test_the_mini_set_has_none() -> None:
    assert anomalies(None) == []


def test_the_order_of_reports_is_always_the_same(folder: Path) -> None:
    write(folder / "comic_url.csv", [{"comic_id": "x_1", "comic_url": "u"}])
    reported = [a.what.split()[0] for a in anomalies(folder) if a.kind == "missing id"]
    assert reported == ["deadpan_1", "deadpan_2", "deadpan_3"]
