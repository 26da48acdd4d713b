"""`deadpan view` as a command: served until Ctrl-C, and its exports."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

import deadpan as package
from deadpan.pipeline.table import read_tables
from deadpan.viewing.marks import Marks
from deadpan.viewing.rows import with_ids
from tests.cli.conftest import Deadpan

pytest.importorskip("fastapi", reason="the [web] extra is not installed")
COMMAND = (sys.executable, "-c", "from deadpan.cli import main; main()", "view")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    folder = tmp_path / "answers"
    about = {"tasks": "style", "limit": 4, "store": folder, "progress": False}
    package.evaluate("pixelhumor", model="baseline/random", **about)
    return folder


def _started(*arguments: object) -> tuple[subprocess.Popen[str], list[str]]:
    """The command as a process, and what it said up to the address."""
    command = [*COMMAND, *map(str, arguments), "--no-browser"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    said: list[str] = []
    assert process.stdout is not None
    for line in process.stdout:
        said.append(line)
        if "Ctrl-C" in line:
            break
    return process, said


def _address(said: list[str]) -> str:
    (found,) = re.findall(r"http://\S+", "".join(said).replace("\n", ""))
    return str(found)


def test_it_is_served_until_ctrl_c(store: Path) -> None:
    process, said = _started(store, "--port", 0)
    try:
        assert "4 answers" in "".join(said)
        where = _address(said).removesuffix("Ctrl-C")
        base, _, token = where.partition("/?token=")
        with httpx.Client(base_url=base, follow_redirects=True, trust_env=False) as client:
            until = time.monotonic() + 30
            while True:
                try:
                    assert client.get("/").status_code == 403
                    break
                except httpx.ConnectError:
                    assert time.monotonic() < until
            page = client.get(where)
            assert page.status_code == 200 and "token" not in str(page.url)
            assert "PixelHumor" in page.text
            assert client.get("/answers").text.count("data-answer=") == 4
    finally:
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=30)
    assert process.returncode == 0, rest
    assert token not in rest and "Traceback" not in rest


def test_an_empty_store_is_waited_for_and_told(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    process, said = _started(tmp_path / "empty", "--port", 0)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    told = "".join(said).replace("\n", " ")
    assert "holds no run yet" in told and "waiting for answers: http" in told
    assert "0 answers" not in told


def test_a_port_in_use_is_told(store: Path, deadpan: Deadpan) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ended = deadpan("view", store, "--port", port, "--no-browser")
    assert ended.code == 2
    assert f"--port {port}: another program listens there" in ended.err.replace("\n", " ")


def test_what_cannot_be_viewed_is_told(tmp_path: Path, deadpan: Deadpan) -> None:
    ended = deadpan("view", tmp_path / "nowhere", "--no-browser", "--port", 0)
    assert ended.code == 2 and "no such answer store" in ended.err.replace("\n", " ")
    (tmp_path / "x.txt").write_text("no table")
    ended = deadpan("view", tmp_path / "x.txt", "--no-browser", "--port", 0)
    assert ended.code == 2 and "is no answer store" in ended.err.replace("\n", " ")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "file").write_text("something else")
    ended = deadpan("view", tmp_path / "folder", "--no-browser", "--port", 0)
    assert ended.code == 2 and "is no answer store, and not empty" in ended.err.replace("\n", " ")


def test_a_missing_extra_is_named(
    store: Path, deadpan: Deadpan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "fastapi", None)
    ended = deadpan("view", store, "--no-browser")
    assert ended.code == 2
    assert 'needs the [web] extra: pip install "deadpan[web]"' in ended.err.replace("\n", " ")


def test_exports(store: Path, tmp_path: Path, deadpan: Deadpan) -> None:
    marks = Marks([store])
    for row in with_ids(read_tables([store])).iter_rows(named=True):
        marks.add({**row, "source": str(store)}, ["AB"], "说明")
    sheet, labels, listed = (tmp_path / name for name in ("p.jsonl", "l.jsonl", "all.csv"))
    ended = deadpan("view", store, "--export", sheet, "--labels", labels)
    assert ended.code == 0
    rows = [json.loads(line) for line in sheet.read_text("utf-8").splitlines()]
    assert rows and {(row["type"], row["note"]) for row in rows} == {("AB", "说明")}
    assert len(labels.read_text("utf-8").splitlines()) == len(rows) < 4
    said = (ended.out + ended.err).replace("\n", " ")
    left = 4 - len(rows)
    noun = "answer" if left == 1 else "answers"
    assert said.count(f"{left} {noun} with a type left out: not wrong by rule") == 2
    assert deadpan("failures", "report", labels).code == 0
    out = tmp_path / "labelled.jsonl"
    judged = ("--judge", "judge/lexical", "--out", out)
    ended = deadpan("failures", "label", store, "--people", sheet, *judged)
    assert ended.code == 0, ended.err
    assert f"{len(rows)} people" in (ended.out + ended.err).replace("\n", " ")
    assert deadpan("view", store, "--export", listed).code == 0
    assert len(listed.read_text("utf-8").splitlines()) == 5
    ended = deadpan("view", store, "--export", tmp_path / "x.txt")
    assert ended.code == 2 and "expected .csv or .jsonl" in ended.err.replace("\n", " ")


def test_nothing_to_export_is_told(store: Path, tmp_path: Path, deadpan: Deadpan) -> None:
    ended = deadpan("view", store, "--export", tmp_path / "x.jsonl")
    assert ended.code == 2 and "there are tags and notes of no benchmark" in ended.err
