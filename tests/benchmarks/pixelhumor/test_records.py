"""Folders that are not as released: what cannot be used is named, what can be used is."""

from pathlib import Path

import pytest

from deadpan.base.errors import InputError
from deadpan.benchmarks.pixelhumor.records import FULL_LABEL_COLUMNS, read_comics
from tests.cli.data_folder import change, edit, small_folder, table, write

FULL = "full_label.csv"
HEADER = ",".join(FULL_LABEL_COLUMNS).encode() + b"\n"
DEEP = 50_000
MANY_DIGITS = "9" * 5000
BOX = "{'x1': 0, 'y1': 0, 'x2': 9, 'y2': 9, 'panel_number': '1'}"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return small_folder(tmp_path / "data")


def ids(folder: Path) -> list[str]:
    return [comic.comic_id for comic in read_comics(folder).records]


def the_anomaly(folder: Path) -> tuple[str, str, str]:
    (found,) = read_comics(folder).anomalies
    return found.where, found.kind, found.what


class TestFiles:
    @pytest.mark.parametrize(
        ("data", "where", "what"),
        [
            (b"", FULL, "the file is empty"),
            (b" \r\n\n", FULL, "the file is empty"),
            (b"\xef\xbb\xbf", FULL, "the file is empty"),
            (HEADER + b'"deadpan_1,', f"{FULL}:2", "is not CSV"),
            (HEADER + b'"deadpan_1"x,', f"{FULL}:2", "is not CSV"),
            (b"comic_id,Q1\ndeadpan_1,\0", f"{FULL}:2", "holds a NUL byte"),
            (b"comic_id,Q1\n", f"{FULL}:1", "no column comic_url"),
            (b"\ncomic_id,Q1\n", f"{FULL}:1", "no column comic_id"),
            ("好笑".encode("gb18030"), f"{FULL}:1", "byte 0xba is not UTF-8"),
            ("comic_id\n".encode("utf-16"), f"{FULL}:1", "byte 0xff is not UTF-8"),
            ("comic_id\n".encode("utf-16-le"), f"{FULL}:1", "holds a NUL byte"),
        ],
    )
    def test_an_unusable_file_is_named(
        self, folder: Path, data: bytes, where: str, what: str
    ) -> None:
        (folder / FULL).write_bytes(data)
        with pytest.raises(InputError) as caught:
            read_comics(folder)
        assert caught.value.where == str(folder / where)
        assert caught.value.what.startswith(what)
        assert caught.value.fix

    def test_the_encoding_to_convert_from_is_named(self, folder: Path) -> None:
        for encoding, named in (("utf-16", "UTF-16"), ("gb18030", "GB18030")):
            (folder / FULL).write_bytes("漫画,笑\n".encode(encoding))
            with pytest.raises(InputError, match=f"iconv -f {named} -t UTF-8"):
                read_comics(folder)

    def test_a_marked_utf8_file_with_windows_lines_reads_alike(self, folder: Path) -> None:
        plain = read_comics(folder)
        text = (folder / "metadata.csv").read_text("utf-8").replace("\n", "\r\n")
        (folder / "metadata.csv").write_bytes(b"\xef\xbb\xbf" + text.encode())
        assert read_comics(folder).checksum == plain.checksum

    def test_a_column_there_twice_is_named(self, folder: Path) -> None:
        (folder / FULL).write_text((folder / FULL).read_text().replace("language", "Q1", 1))
        with pytest.raises(InputError, match="column Q1 is there twice"):
            read_comics(folder)

    def test_a_missing_folder_and_a_missing_file_are_named(self, folder: Path) -> None:
        with pytest.raises(InputError, match="nowhere: no such folder"):
            read_comics(folder / "nowhere")
        (folder / FULL).unlink()
        with pytest.raises(InputError, match=r"full_label\.csv: no such file"):
            read_comics(folder)

    def test_a_folder_in_place_of_the_file_is_named(self, folder: Path) -> None:
        (folder / FULL).unlink()
        (folder / FULL).mkdir()
        with pytest.raises(InputError, match=r"full_label\.csv: is a folder"):
            read_comics(folder)

    def test_comics_without_boxes_still_load(self, folder: Path) -> None:
        (folder / "metadata.csv").unlink()
        assert the_anomaly(folder)[:2] == ("metadata.csv", "missing file")
        assert [comic.boxes for comic in read_comics(folder).records] == [(), (), ()]


class TestRows:
    def test_an_unknown_label_says_where_and_what_was_expected(self, folder: Path) -> None:
        change(folder / FULL, 1, Q4="['Txt']")
        where, kind, what = the_anomaly(folder)
        text = f"{where}: {what}"
        assert text == 'full_label.csv:5 Q4: got "Txt"; expected one of Text, Visual, Both, NA'
        assert kind == "unusable row"
        assert ids(folder) == ["deadpan_1", "deadpan_3"]

    @pytest.mark.parametrize(
        ("column", "cell"),
        [
            ("Q1", "Yes"),
            ("Q1", "['Yes', 'No']"),
            ("Q1", "['yes']"),
            ("Q1", "[]"),
            ("Q1", ""),
            ("Q2", "('Absent',)"),
            ("Q2", "[None]"),
            ("Q2", "[['Absent']]"),
            ("Q3", "[2]"),
            ("Q3", "['two']"),
            ("Q3", f"['{MANY_DIGITS}']"),
            ("Q4", "{'Text'}"),
            ("Q5", "{[]: 1}"),
            ("Q5", "['Pun', 'Irony']"),
            ("Q5", "['Pun'"),
            ("Q5", f"[0x{'f' * 20_000}]"),
            ("number_of_panels", "0"),
            ("number_of_panels", "-3"),
            ("number_of_panels", "3.0"),
            ("number_of_panels", ""),
            ("number_of_panels", "1000000000"),
            ("number_of_panels", MANY_DIGITS),
            ("panel_sequence", ""),
            ("panel_sequence", "1, b"),
            ("panel_sequence", "1, , 2"),
            ("panel_sequence", MANY_DIGITS),
            ("potentially_harmful", "no"),
            ("language", "fr"),
            ("comic_id", ""),
            ("comic_id", "xkcd"),
            ("comic_id", "xkcd_"),
            ("comic_id", "../../secret_1"),
            ("comic_id", "..\\secret_1"),
        ],
    )
    def test_a_bad_cell_costs_its_row_alone(self, folder: Path, column: str, cell: str) -> None:
        change(folder / FULL, **{column: cell})
        where, kind, what = the_anomaly(folder)
        assert (where, kind) == (f"full_label.csv:2 {column}", "unusable row")
        assert "; expected " in what
        assert len(what) < 250, "a long cell is cut short"
        assert ids(folder) == ["deadpan_2", "deadpan_3"]

    @pytest.mark.parametrize(
        "cell",
        [
            "__import__('os').system('touch executed')",
            "[__import__('os').system('touch executed')]",
            "[open('executed', 'w')]",
            "(lambda: open('executed', 'w'))()",
            f"[{'9' * 10}**{'9' * 10}]",
            "['Pun'] * 1000000000",
            "[" * DEEP,
            "-" * DEEP + "1",
            "1+" * DEEP + "1",
            "[" * 150 + "]" * 150,
        ],
    )
    @pytest.mark.parametrize("name", ["Q3", "Q5", "metadata"])
    def test_a_hostile_literal_is_never_executed(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, cell: str
    ) -> None:
        monkeypatch.chdir(folder)
        file = "metadata.csv" if name == "metadata" else FULL
        change(folder / file, **{name: cell})
        where, kind, _ = the_anomaly(folder)
        assert where == f"{file}:2 {name}"
        assert kind == ("unusable boxes" if name == "metadata" else "unusable row")
        assert not (folder / "executed").exists()

    @pytest.mark.parametrize("line", ["deadpan_9,only three,cells\n", "a," * 40 + "b\n"])
    def test_a_ragged_row_costs_itself_alone(self, folder: Path, line: str) -> None:
        with (folder / FULL).open("a", encoding="utf-8") as stream:
            stream.write(line)
        where, kind, what = the_anomaly(folder)
        assert (where, kind) == ("full_label.csv:13", "unusable row")
        assert what == f"{line.count(',') + 1} cells; expected 12"
        assert len(ids(folder)) == 3

    def test_blank_lines_are_nothing(self, folder: Path) -> None:
        with (folder / FULL).open("a", encoding="utf-8") as stream:
            stream.write("\n\n")
        assert read_comics(folder).anomalies == ()

    def test_a_repeated_id_counts_once(self, folder: Path) -> None:
        edit(folder / FULL, lambda rows: rows.append({**rows[0], "Q4": "['Both']"}))
        where, kind, what = the_anomaly(folder)
        assert (where, kind) == ("full_label.csv:13 comic_id", "repeated id")
        assert what == "deadpan_1 is there twice"
        assert read_comics(folder).records[0].modality == "Text", "the first one stays"

    def test_only_bad_rows_raise(self, folder: Path) -> None:
        bad = [{**row, "Q1": "['Maybe']"} for row in table(folder / FULL)]
        write(folder / FULL, bad)
        with pytest.raises(InputError, match=r"full_label\.csv: holds no usable comic"):
            read_comics(folder)


class TestBoxes:
    @pytest.mark.parametrize(
        "cell",
        [
            "",
            "nonsense",
            "{}",
            "''",
            "5",
            BOX,
            "[1]",
            "[{}]",
            f"[{BOX.replace('9', '9.5')}]",
            f"[{BOX.replace('9', '1e400')}]",
            f"[{BOX.replace('9', '9' * 4000)}]",
            f"[{BOX.replace('9', 'None')}]",
            f"[{BOX}]".replace("'1'", "-1"),
            f"[{BOX.replace('panel_number', 'number')}]",
        ],
    )
    def test_bad_boxes_leave_the_comic_without(self, folder: Path, cell: str) -> None:
        change(folder / "metadata.csv", metadata=cell)
        where, kind, what = the_anomaly(folder)
        assert (where, kind) == ("metadata.csv:2 metadata", "unusable boxes")
        assert "expected a list of boxes" in what
        boxes = [len(comic.boxes) for comic in read_comics(folder).records]
        assert boxes == [0, 4, 4]

    def test_no_boxes_are_no_boxes(self, folder: Path) -> None:
        change(folder / "metadata.csv", metadata="[]")
        dataset = read_comics(folder)
        assert dataset.anomalies == () and dataset.records[0].boxes == ()


def test_the_checksum_follows_content_and_not_pictures(tmp_path: Path) -> None:
    bare, drawn = (small_folder(tmp_path / n, pictures=n == "drawn") for n in ("bare", "drawn"))
    assert read_comics(bare).checksum == read_comics(drawn).checksum
    assert read_comics(drawn).records[0].image is not None
    change(bare / FULL, text="1: OTHER WORDS")
    assert read_comics(bare).checksum != read_comics(drawn).checksum
