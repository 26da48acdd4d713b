"""A whole folder: what comes out, in what order, what is left out; crashes leave nothing."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from deadpan.base.errors import InputError
from deadpan.collecting import anonymise as running
from deadpan.collecting.anonymise import Limits, anonymise
from deadpan.collecting.anonymise.folder import FIXED_TIME
from tests.collecting.anonymise import planted
from tests.collecting.anonymise.planted import SECRET


def chat(folder: Path) -> Path:
    """A folder with a chat of twelve records, two pictures and a sub-folder."""
    (folder / "pics").mkdir(parents=True)
    (folder / "pics" / "IMG_20240501.jpg").write_bytes(planted.jpeg_bytes())
    (folder / "wrong-suffix.gif").write_bytes(planted.png_bytes())
    lines = [
        {
            "id": f"jane-{number}",
            "image": "pics/IMG_20240501.jpg",
            "dialogue": [{"speaker": "Jane Roe", "text": f"{number} cats, says Jane at 12:30"}],
        }
        for number in range(12)
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "jane-roe.jsonl").write_text(text, encoding="utf-8")
    return folder


def state(folder: Path) -> dict[str, tuple[bytes, float]]:
    return {
        str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def records(out: Path) -> list[dict[str, object]]:
    (path,) = out.glob("*.jsonl")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


class TestFolder:
    def test_everything_is_written_anonymously(self, tmp_path: Path) -> None:
        source, out = chat(tmp_path / "in"), tmp_path / "out"
        before = state(source)
        report = anonymise(source, out)
        assert state(source) == before
        assert not report.problems and (report.media_written, report.records_written) == (2, 12)
        names = sorted(path.suffix for path in out.iterdir())
        assert names == [".jpg", ".jsonl", ".png"]
        for path in out.iterdir():
            data = path.read_bytes()
            assert SECRET not in data and b"Jane" not in data and b"IMG_" not in data
            assert len(path.stem) == 32 and int(path.stem, 16) >= 0
            assert path.stat().st_mtime == FIXED_TIME
        assert out.stat().st_mtime == FIXED_TIME
        (picture,) = out.glob("*.jpg")
        assert {record["image"] for record in records(out)} == {picture.name}
        texts = {record["dialogue"][0]["text"] for record in records(out)}  # type: ignore[index]
        assert texts == {f"{number} cats, says [name 1] at [time]" for number in range(12)}
        assert len({record["id"] for record in records(out)}) == 12

    def test_order_and_names_differ_from_run_to_run(self, tmp_path: Path) -> None:
        source = chat(tmp_path / "in")
        orders, names = set(), set()
        for number in range(3):
            anonymise(source, tmp_path / str(number))
            texts = [record["dialogue"][0]["text"] for record in records(tmp_path / str(number))]  # type: ignore[index]
            orders.add(tuple(texts))
            names |= {path.name for path in (tmp_path / str(number)).iterdir()}
        assert len(orders) > 1 and len(names) == 9

    def test_the_report_counts_by_kind_and_place_and_leads_nowhere(self, tmp_path: Path) -> None:
        report = anonymise(chat(tmp_path / "in"), tmp_path / "out")
        assert report.replaced_by_kind == {"name": 24, "id": 12, "file name": 12, "time": 12}
        assert report.removed_by_kind["exif"] == 2
        place = next(one for one in report.replaced if one.kind == "time")
        assert place.where.startswith("jane-roe.jsonl:") and place.field == "dialogue[0].text"
        told = report.model_dump_json()
        assert "12:30" not in told and "Jane Roe" not in told and SECRET.decode() not in told
        assert not any(path.stem in told for path in (tmp_path / "out").iterdir())

    def test_a_second_run_changes_nothing_but_names_and_order(self, tmp_path: Path) -> None:
        anonymise(chat(tmp_path / "in"), tmp_path / "one")
        report = anonymise(tmp_path / "one", tmp_path / "two")
        assert set(report.replaced_by_kind) == {"id", "file name"} and not report.removed
        pictures = [
            {path.read_bytes() for path in (tmp_path / out).glob("*.[jp][pn]g")}
            for out in ("one", "two")
        ]
        assert pictures[0] == pictures[1]

    def test_one_file_brings_what_it_refers_to(self, tmp_path: Path) -> None:
        source = chat(tmp_path / "in")
        report = anonymise(source / "jane-roe.jsonl", tmp_path / "out")
        assert (report.media_written, report.records_written) == (1, 12) and not report.problems

    def test_one_picture(self, tmp_path: Path) -> None:
        report = anonymise(chat(tmp_path / "in") / "wrong-suffix.gif", tmp_path / "out")
        assert report.media_written == 1 and len(list((tmp_path / "out").glob("*.png"))) == 1

    def test_a_film_in_the_folder(self, tmp_path: Path) -> None:
        pytest.importorskip("av", reason="films need the [video] extra")
        source = chat(tmp_path / "in")
        planted.film(source / "clip.bin.mp4").rename(source / "clip")
        report = anonymise(source, tmp_path / "out")
        (film,) = (tmp_path / "out").glob("*.mp4")
        assert not report.problems and SECRET not in film.read_bytes()

    def test_a_turned_picture_is_noted(self, tmp_path: Path) -> None:
        source = chat(tmp_path / "in")
        (source / "t.jpg").write_bytes(planted.jpeg_bytes(6))
        (note,) = anonymise(source, tmp_path / "out").notes
        assert note.where == "t.jpg" and "encoded again" in note.what


class TestBadInput:
    def test_bad_files_are_named_and_the_rest_is_written(self, tmp_path: Path) -> None:
        source = chat(tmp_path / "in")
        outside = tmp_path / "outside.png"
        outside.write_bytes(planted.png_bytes())
        (source / "cut.png").write_bytes(planted.png_bytes()[:200])
        (source / "notes.pdf").write_bytes(b"%PDF-1.7 " + SECRET)
        (source / "empty.jpg").write_bytes(b"")
        (source / "utf16.jsonl").write_bytes('{"text": "hi"}'.encode("utf-16"))
        (source / "link.png").symlink_to(outside)
        (source / "folder").symlink_to(tmp_path)
        (source / "loop").symlink_to(source / "loop")
        os.mkfifo(source / "pipe")
        report = anonymise(source, tmp_path / "out")
        found = {problem.where: problem.what for problem in report.problems}
        assert set(found) == {
            "cut.png", "notes.pdf", "empty.jpg", "utf16.jsonl", "link.png", "folder", "loop", "pipe"
        }  # fmt: skip
        assert "truncated" in found["cut.png"] and "no known type" in found["notes.pdf"]
        assert "empty" in found["empty.jpg"] and "UTF-16" in found["utf16.jsonl"]
        assert "out of the folder" in found["link.png"] and "no plain file" in found["pipe"]
        assert (report.media_written, report.records_written) == (2, 12)
        assert not any(SECRET in path.read_bytes() for path in (tmp_path / "out").iterdir())

    def test_bad_lines_are_named_and_the_rest_is_written(self, tmp_path: Path) -> None:
        source = tmp_path / "in"
        source.mkdir()
        lines = [
            b'{"text": "fine"}',
            b'{"text": "cut',
            b"",
            b'{"text": "\xc4\xe3"}',
            b'["a list"]',
            b'{"image": "missing.png"}',
            b'{"image": "../../etc/passwd"}',
            b'{"text": "\\ud83d"}',
            b'{"n": NaN}',
            b'{"a": ' + b"[" * 5000 + b"]" * 5000 + b"}",
            b'{"text": "' + b"x" * 2000 + b'"}',
            b'{"text": "also fine"}',
        ]
        (source / "c.jsonl").write_bytes(b"\xef\xbb\xbf" + b"\r\n".join(lines))
        report = anonymise(source, tmp_path / "out", Limits(record=12_000))
        found = {problem.where: problem.what for problem in report.problems}
        assert set(found) == {f"c.jsonl:{number}" for number in (2, 4, 5, 6, 7, 8, 9, 10)}
        assert "not JSON" in found["c.jsonl:2"] and "0xc4 is not UTF-8" in found["c.jsonl:4"]
        assert "missing or was left out" in found["c.jsonl:6"] and "deeply" in found["c.jsonl:10"]
        assert (report.records_read, report.records_written) == (11, 3)

    def test_a_record_whose_picture_is_broken_is_left_out(self, tmp_path: Path) -> None:
        source = chat(tmp_path / "in")
        (source / "pics" / "IMG_20240501.jpg").write_bytes(planted.jpeg_bytes()[:300])
        report = anonymise(source, tmp_path / "out")
        assert (report.media_written, report.records_written) == (1, 0)
        assert len(report.problems) == 13

    def test_huge_files_are_named(self, tmp_path: Path) -> None:
        source = chat(tmp_path / "in")
        report = anonymise(source, tmp_path / "out", Limits(picture=100, records=100))
        assert len(report.problems) == 3 and all("too large" in one.what for one in report.problems)
        assert not (tmp_path / "out").exists()

    def test_a_link_inside_of_the_folder_is_the_file_it_means(self, tmp_path: Path) -> None:
        source = chat(tmp_path / "in")
        (source / "again.jpg").symlink_to(source / "pics" / "IMG_20240501.jpg")
        (source / "more.jsonl").write_text('{"image": "again.jpg", "text": "ok"}\n')
        report = anonymise(source, tmp_path / "out")
        assert not report.problems and report.media_written == 2 and report.records_written == 13


class TestOutput:
    def test_a_folder_with_something_in_it_is_refused(self, tmp_path: Path) -> None:
        source, out = chat(tmp_path / "in"), tmp_path / "out"
        out.mkdir()
        (out / "mine").write_text("x")
        with pytest.raises(InputError, match="not an empty folder"):
            anonymise(source, out)
        assert [path.name for path in out.iterdir()] == ["mine"]

    def test_an_empty_folder_will_do(self, tmp_path: Path) -> None:
        (tmp_path / "out").mkdir()
        assert anonymise(chat(tmp_path / "in"), tmp_path / "out").records_written == 12

    def test_inside_of_the_input_is_refused(self, tmp_path: Path) -> None:
        source = chat(tmp_path / "in")
        with pytest.raises(InputError, match="inside the input"):
            anonymise(source, source / "out")

    def test_nothing_there_is_told(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="no such file"):
            anonymise(tmp_path / "nowhere", tmp_path / "out")

    @pytest.mark.parametrize("error", [KeyboardInterrupt, OSError(28, "No space left on device")])
    def test_a_crash_leaves_nothing(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
    ) -> None:
        source = chat(tmp_path / "in")

        def fail(*_: object) -> None:
            raise error

        monkeypatch.setattr(running, "clean_lines", fail)
        with pytest.raises((KeyboardInterrupt, InputError)):
            anonymise(source, tmp_path / "out")
        assert [path.name for path in tmp_path.iterdir()] == ["in"]

    def test_records_that_are_not_anonymous_stop_everything(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(running, "leftover_lines", lambda data, names: 1)
        with pytest.raises(InputError, match="would not be anonymous"):
            anonymise(chat(tmp_path / "in"), tmp_path / "out")
        assert [path.name for path in tmp_path.iterdir()] == ["in"]
