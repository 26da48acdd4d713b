"""Every reader where no usable file is: told at once, and nothing is waited for."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from deadpan.base.errors import DeadpanError, InputError
from deadpan.base.files import is_file, is_folder, is_there, read_text
from deadpan.base.rows import json_document, json_lines, json_object, read_csv
from deadpan.benchmarks import find
from deadpan.benchmarks.merbench.records import read_memes
from tests.benchmarks.reader_samples import Sample, samples

MANY = 100_000
OPTIONAL = (
    *("pixelhumor-human_explanation.csv", "pixelhumor-metadata.csv"),
    *("pixelhumor-subjective_label.csv", "chat-chat.jsonl"),
)
"""Files that the data may lack, or that may be anything."""


@pytest.fixture(autouse=True)
def impatient() -> Iterator[None]:
    """Ends a test that waits, such as one that opens a pipe."""

    def end(*_: object) -> None:
        raise AssertionError("a reader waits for something")  # which no reader catches

    before = signal.signal(signal.SIGALRM, end)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def _in_circles(path: Path) -> None:
    path.symlink_to(path.name)


def _nothing(path: Path) -> None:
    path.write_bytes(b"")


def _nul_bytes(path: Path) -> None:
    path.write_bytes(b"\0" * 1000)


STAND_INS: dict[str, Callable[[Path], object]] = {
    "a folder": Path.mkdir,
    "a pipe": os.mkfifo,
    "a link in circles": _in_circles,
    "an empty file": _nothing,
    "NUL bytes": _nul_bytes,
}


@pytest.mark.parametrize("stand_in", STAND_INS)
@pytest.mark.parametrize("sample", samples(), ids=lambda sample: sample.name)
def test_what_is_no_file_is_told(sample: Sample, stand_in: str, tmp_path: Path) -> None:
    sample.write(tmp_path)
    (tmp_path / sample.spoilt).unlink()
    STAND_INS[stand_in](tmp_path / sample.spoilt)
    try:
        sample.read(tmp_path)
    except DeadpanError as error:
        assert Path(sample.spoilt).name in str(error) or str(tmp_path) in str(error)
    else:
        assert sample.name in OPTIONAL or (sample.name, stand_in) in {
            ("manifest-m.jsonl", "an empty file"),
            ("manifest-m.jsonl", "NUL bytes"),
        }


def test_names_that_no_file_system_takes_are_told() -> None:
    for path in (Path("x" * 300), Path("a/" * 3000), Path("nul\0"), Path("好" * 100)):
        for look in (is_file, is_folder, is_there, read_text):
            with pytest.raises(InputError, match=r"File name too long|no name of a file"):
                look(path)
    for name in ("pixelhumor", "janusmm", "merbench", "cfms", "vimu"):
        with pytest.raises(InputError, match="File name too long"):
            find(name).read(Path("x" * 300))


def test_links_in_circles_are_told(tmp_path: Path) -> None:
    _in_circles(tmp_path / "loop")
    for look in (is_file, is_folder, is_there, read_text):
        with pytest.raises(InputError, match="symbolic links"):
            look(tmp_path / "loop")


class TestSize:
    """Once, in processor seconds, as 100,000 names took nearly two minutes."""

    def test_a_key_twice_among_many(self, tmp_path: Path) -> None:
        keys = ", ".join(f'"k{number}": 1' for number in range(MANY))
        text = f'{{{keys}, "k{MANY - 1}": 2}}'
        began = time.process_time()
        with pytest.raises(InputError, match=f"k{MANY - 1} is there twice"):
            json_object(text, "a.jsonl:1")
        (tmp_path / "index_final.json").write_text(f"[{text}]")
        with pytest.raises(InputError, match="is there twice"):
            read_memes(tmp_path)
        assert time.process_time() - began < 30

    def test_an_id_twice_among_many_records(self, tmp_path: Path) -> None:
        row = {"item": "deadpan_1", "task": "presence", "answer": "Yes"}
        lines = [json.dumps(row | {"item": f"c{number}"}) for number in range(MANY)]
        path = tmp_path / "p.jsonl"
        path.write_text("\n".join([json.dumps(row), *lines, json.dumps(row)]))
        benchmark = find("pixelhumor")
        from deadpan.core.predictions import read_predictions

        began = time.process_time()
        with pytest.raises(InputError, match=f"p.jsonl:{MANY + 2}: deadpan_1 is answered twice"):
            read_predictions(
                path, benchmark, benchmark.read(None), {"presence": {"deadpan_1"}}, "m"
            )
        assert time.process_time() - began < 60

    def test_many_columns(self, tmp_path: Path) -> None:
        path = tmp_path / "wide.csv"
        names = [f"c{number}" for number in range(20_000)]
        path.write_text(",".join([*names, "c19999"]) + "\n")
        began = time.process_time()
        with pytest.raises(InputError, match=r"wide\.csv:1: column c19999 is there twice"):
            read_csv(path, ("c1",))
        with pytest.raises(InputError, match=r"no column id\. Found: c0, .* and 19,981 more"):
            read_csv(path, ("id",))
        assert time.process_time() - began < 20

    def test_a_cell_of_ten_megabytes(self, tmp_path: Path) -> None:
        path = tmp_path / "big.csv"
        path.write_text('id,text\n1,a\n2,"' + "x" * 10_000_000 + '"\n')
        with pytest.raises(InputError, match=r"big\.csv:3: has a cell of more than 131,072"):
            list(read_csv(path, ("id",)).rows)


class TestJson:
    @pytest.mark.parametrize(
        ("text", "what"),
        [
            ('{"a": NaN}', "NaN is no number"),
            ('{"a": [-Infinity]}', "-Infinity is no number"),
            ('{"a": 1e999}', "1e999 is too large"),
            ('{"a": ' + "9" * 5000 + "}", "a number has 5,000 digits"),
            ('{"a": {"b": 1, "b": 1}}', "b is there twice"),
            ('{"a":' * 100_000, "nested too deeply"),
            ('{"a": ' + "[" * 70 + "]" * 70 + "}", "nested too deeply"),
            ('{"a": "\\ud83d"}', "half of a surrogate pair"),
            ('{"\\ud83d": 1}', "half of a surrogate pair"),
            ("[1]", r"got \[1\]; expected a JSON object"),
            ('{"a": 1} x', "is not JSON"),
        ],
    )
    def test_what_python_would_take_is_told(self, text: str, what: str) -> None:
        with pytest.raises(InputError, match=what):
            json_object(text, "a.jsonl:1")

    def test_whole_characters_pass_and_halves_where_they_are_allowed(self) -> None:
        assert json_object('{"a": "\\ud83d\\ude42"}', "x") == {"a": "🙂"}
        assert json_object('{"a": "\\ud83d"}', "x", halves=True) == {"a": "\ud83d"}

    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    @pytest.mark.parametrize("mark", ["", "\ufeff"])
    def test_lines_end_in_any_way(self, tmp_path: Path, end: str, mark: str) -> None:
        path = tmp_path / "a.jsonl"
        path.write_bytes(f'{mark}{{"a": 1}}{end}{end}{{"a": "好"}}{end}'.encode())
        assert [value for _, value in json_lines(path)] == [{"a": 1}, {"a": "好"}]
        assert [where for where, _ in json_lines(path, "a")] == ["a:1", "a:3"]
        path.write_bytes(f'{mark}{{"a": 1}}{end}oops'.encode())
        with pytest.raises(InputError, match=r"a\.jsonl:2: is not JSON"):
            list(json_lines(path))

    def test_a_document_tells_its_line(self, tmp_path: Path) -> None:
        path = tmp_path / "a.json"
        path.write_text('{"a": 1,\n "b": oops}')
        with pytest.raises(InputError, match=r"a\.json:2: is not JSON .*\. Mend it\."):
            json_document(path, "Mend it.")


class TestCsv:
    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    def test_rows_have_the_line_they_begin_in(self, tmp_path: Path, end: str) -> None:
        path = tmp_path / "a.csv"
        path.write_bytes(f'\ufeffid,text{end}1,"a{end}b"{end}{end}2,c{end}'.encode())
        table = read_csv(path, ("id",))
        assert table.header == ("id", "text")
        assert [(line, cells[0]) for line, cells in table.rows] == [(2, "1"), (5, "2")]

    def test_an_open_quotation_is_told_where_it_opens(self, tmp_path: Path) -> None:
        path = tmp_path / "a.csv"
        path.write_text('id,text\n1,a\n2,"b\n3,c\n')
        with pytest.raises(InputError, match=r"a\.csv:3: is not CSV"):
            list(read_csv(path, ()).rows)
