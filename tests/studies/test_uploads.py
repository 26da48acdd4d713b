"""Pictures that people send: taken, made anew, shown to few; and everything that is refused."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from sqlalchemy import select

from deadpan.base.errors import InputError
from deadpan.core.study.stages import Review
from deadpan.studies.lead.operations import set_closed
from deadpan.studies.pages import uploading
from deadpan.studies.storage import media
from deadpan.studies.storage.media import MOST_UPLOAD_BYTES, media_path
from deadpan.studies.storage.tables import AnswerRow, MediaRow, TaskRow
from tests.studies.made_study import EDITED, WHY, Browser, Lab, made_lab, made_stage

REVIEW = Review(question="why", points=({"en": "good"},), needed=1)


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return made_lab(tmp_path / "study", [made_stage(questions=(WHY, EDITED), review=REVIEW)])


def encoded(form: str, size: tuple[int, int] = (40, 30), **more: Any) -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", size, "#884422").save(stream, form, **more)
    return stream.getvalue()


def send(browser: Browser, task: str, data: bytes, name: str = "me.png", **fields: str) -> Any:
    return browser.client.post(
        f"{task}/upload/edited",
        data={"csrf": browser.csrf, **fields},
        files={"file": (name, data, "image/png")},
        headers={"hx-request": "true"},
    )


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def bomb(width: int, height: int) -> bytes:
    """A small PNG of very many black pixels."""
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress(b"\0" * ((width + 1) * min(height, 2000)), 9)
    parts = (chunk(b"IHDR", head), chunk(b"IDAT", rows), chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def test_a_picture_is_kept_made_anew_and_shown_to_its_own(lab: Lab) -> None:
    ann = lab.join("Ann")
    task = ann.next_task()
    for at, form in enumerate(("PNG", "JPEG", "WEBP", "GIF")):
        data = encoded(form, (40 + at, 30)) + b"<script>alert(1)</script>"
        for _ in range(2):  # the same request twice counts once
            said = send(ann, task, data, "x.html", key=f"key-0000{at}")
            assert said.status_code == 200 and "Saved" in said.text
        kept = media_path(lab.study.folder, str(lab.values(task)["edited"])).read_bytes()
        assert kept[:4] == b"RIFF" and b"script" not in kept
        shown = ann.get(f"{task}/upload/edited")
        assert shown.content == kept and shown.headers["content-type"] == "image/webp"
        assert "x.html" not in str(shown.headers)
    assert f'src="{task}/upload/edited"' in ann.get(task).text
    with lab.study.database.read() as session:
        assert len(list(session.scalars(select(AnswerRow)))) == 4


WRONG = {
    "html": b"<!doctype html><script>alert(1)</script>",
    "svg": b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
    "empty": b"",
    "pdf": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n",
    "zip": b"PK\x03\x04" + b"\0" * 60,
    "bmp": encoded("BMP"),
    "tiff": encoded("TIFF"),
    "truncated png": encoded("PNG", (400, 300))[:200],
    "truncated jpeg": encoded("JPEG", (400, 300))[:300],
    "bomb": bomb(30_000, 30_000),
    "large bomb": bomb(8_000, 8_000),
    "postscript": b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n",
}


def test_what_is_no_picture_is_refused_in_the_person_s_language(lab: Lab) -> None:
    ann, bob = lab.join("Ann"), lab.join("Bob", language="zh")
    before = sorted((lab.study.folder / "media").rglob("*"))
    task = ann.next_task()
    for name, data in WRONG.items():
        said = send(ann, task, data)
        told = "too many pixels" if "bomb" in name else "no picture that can be read"
        assert (said.status_code, told in said.text) == (422, True), (name, said.text)
    assert "无法识别" in send(bob, bob.next_task(), WRONG["svg"]).text
    assert lab.values(task) == {}
    assert sorted((lab.study.folder / "media").rglob("*")) == before


def test_a_polyglot_is_kept_as_its_pixels_alone(lab: Lab) -> None:
    ann = lab.join("Ann")
    task = ann.next_task()
    comment = b"*/=1;alert(document.domain)/*<script>alert(1)</script>"
    polyglot = encoded("GIF", comment=comment) + b"PK\x05\x06" + b"\0" * 18
    assert comment in polyglot
    assert send(ann, task, polyglot, "../../a.php").status_code == 200
    shown = ann.get(f"{task}/upload/edited").content
    assert b"alert" not in shown and b"PK" not in shown
    assert Image.open(io.BytesIO(shown)).size == (40, 30)


def test_too_much_is_refused_by_its_length_and_while_it_is_read(lab: Lab) -> None:
    ann = lab.join("Ann")
    task = ann.next_task()
    large = send(ann, task, b"\x89PNG\r\n\x1a\n" + b"\0" * 11_000_000)
    assert large.status_code == 413 and "at most 10 MB" in large.text
    head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
    kind = {"content-type": "multipart/form-data; boundary=x", "hx-request": "true"}
    body = head + b"\0" * (MOST_UPLOAD_BYTES + 20_000) + b"\r\n--x--\r\n"
    told = {**kind, "content-length": "1000"}
    address = f"{task}/upload/edited"
    assert ann.client.post(address, content=body, headers=told).status_code == 413

    def pieces() -> Iterator[bytes]:
        yield head

    assert ann.client.post(address, content=pieces(), headers=kind).status_code == 411
    assert ann.client.post(address, content=b"x", headers=kind).status_code == 422
    form = {"csrf": ann.csrf, "file": "not a file"}
    assert ann.client.post(address, data=form).status_code == 422
    assert lab.values(task) == {}


def test_only_one_s_own_open_task_takes_a_picture(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = lab.join("Ann"), lab.join("Bob")
    task, good = ann.next_task(), encoded("PNG")
    assert send(ann, task, good).status_code == 200
    assert send(bob, task, good).status_code == 404
    assert bob.get(f"{task}/upload/edited").status_code == 404
    assert ann.client.post(f"{task}/upload/why", files={"file": ("a", good)}).status_code == 404
    forged = ann.client.post(
        f"{task}/upload/edited", data={"csrf": "forged"}, files={"file": ("a", encoded("GIF"))}
    )
    assert forged.status_code == 404
    own = bob.next_task()
    checksum = str(lab.values(task)["edited"])
    stolen = bob.post(f"{own}/answer/edited", value=checksum)
    assert stolen.status_code == 422 and lab.values(own) == {}
    assert bob.get(f"{own}/upload/edited").status_code == 404
    assert bob.get(f"{own}/upload/why").status_code == 404
    with lab.study.database.read() as session:
        assert len(list(session.scalars(select(MediaRow)))) == 3  # two items', and one that is new
    monkeypatch.setattr(uploading, "MOST_UPLOADS", 1)
    often = send(ann, task, encoded("PNG", (41, 30)))
    assert often.status_code == 422 and "More are not taken" in often.text
    set_closed(lab.study, True)
    assert send(bob, own, good).status_code == 404


def files(lab: Lab) -> list[Path]:
    return sorted(path for path in (lab.study.folder / "media").rglob("*") if path.is_file())


def test_what_is_refused_takes_no_room_on_the_disk(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = lab.join("Ann"), lab.join("Bob")
    task, own = ann.next_task(), bob.next_task()
    assert send(ann, task, encoded("PNG")).status_code == 200
    before = files(lab)

    def refused(words: str, status: int = 422) -> None:
        for at in range(3):
            said = send(ann, task, encoded("PNG", (50 + at, 30)))
            assert (said.status_code, words in said.text) == (status, True), said.text
        assert files(lab) == before

    with monkeypatch.context() as patched:
        patched.setattr(uploading, "MOST_UPLOADS", 1)
        refused("More are not taken")
    with monkeypatch.context() as patched:
        patched.setattr(uploading, "MOST_BYTES", 1)
        refused("as much room as one")
        assert send(bob, own, encoded("PNG")).status_code == 200, "it is each person's own"
    with monkeypatch.context() as patched:
        patched.setattr(uploading, "LEAST_FREE", 1 << 62)
        refused("disk is full", 507)
    ann.post(f"{task}/answer/why", value="better now")
    ann.post(f"{task}/submit")
    with lab.study.database.write() as session:
        for row in session.scalars(select(TaskRow).where(TaskRow.person == ann.person)):
            row.state = "accepted"
    refused("you have submitted this already", 410)


def test_a_disk_that_is_full_is_said_and_nothing_is_stored(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = lab.join("Ann")
    task = ann.next_task()

    def full(path: Path, data: bytes, mode: int = 0o644) -> None:
        raise InputError(path, "cannot be written (No space left on device)", "Free some.")

    monkeypatch.setattr(media, "write_bytes", full)
    said = send(ann, task, encoded("PNG"))
    assert said.status_code == 507 and "disk is full" in said.text
    assert lab.values(task) == {}


def test_who_reviews_a_task_sees_its_picture_and_nobody_else(lab: Lab) -> None:
    ann, eve, zoe = lab.join("Ann"), lab.join("Eve", "adjudicator"), lab.join("Zoe", "adjudicator")
    task = ann.next_task()
    send(ann, task, encoded("PNG"))
    ann.post(f"{task}/answer/why", value="better now")
    assert ann.post(f"{task}/submit").status_code == 200
    review = eve.next_task()
    page = eve.get(review).text
    assert "better now" in page and f'src="{review}/upload/edited"' in page
    assert eve.get(f"{review}/upload/edited").headers["content-type"] == "image/webp"
    assert zoe.get(f"{review}/upload/edited").status_code == 404
    assert eve.get(f"{task}/upload/edited").status_code == 404
    assert send(eve, review, encoded("PNG")).status_code == 404
