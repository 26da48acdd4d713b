"""`--reader`: what a named model read is counted apart in the terminal, in tables and reports."""

import json
from pathlib import Path

import pytest

from deadpan import load
from tests.cli.conftest import Deadpan
from tests.model_server import ModelServer

READER = "openai-api/loopback/reader"
READ = "Sarcasm drips off this fence in all its rows."
DECLINED = "There is a dog in it."


def _answer(picture: str, prompt: str) -> str:
    if READ in prompt:
        return json.dumps({"quote": "Sarcasm drips off this fence", "answer": "yes"})
    return json.dumps({"quote": "", "answer": None})


def test_what_was_read_is_told_and_reported(
    deadpan: Deadpan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def call(*arguments: str, status: int = 0) -> str:
        done = deadpan(*arguments)
        assert done.code == status, done
        return " ".join((done.out + done.err).split())

    texts = iter([READ, DECLINED])
    path, store, table = (tmp_path / name for name in ("mine.jsonl", "answers", "t.parquet"))
    rows = [
        {"item": one.item, "task": "identification", "answer": next(texts, "no")}
        for one in load("cfms").questions("identification")
    ]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    command = ("score", "cfms/identification", "--predictions", str(path))
    with ModelServer(_answer) as server:
        server.offer(monkeypatch)
        told = call(*command, "--reader", READER, "--table", str(table), "--store", str(store))
        assert server.total == 2
    assert f"23/24 answered, 1 invalid, 1 read by {READER}" in told
    assert f"reader {READER}: 2 calls" in told
    for suffix in (".html", ".md", ".tex", ".csv", ".json"):
        call("report", str(table), "--out", str(tmp_path / f"r{suffix}"))
    assert "1 of 2 answers that no rule could read were read by" in (tmp_path / "r.md").read_text()
    assert ",read," in (tmp_path / "r.csv").read_text().splitlines()[0]
    rows = json.loads((tmp_path / "r.json").read_text())["rows"]
    assert {row["read"] for row in rows if row["group"] == "all"} == {1}
    plain = call(*command)
    assert "read by" not in plain and "22/24 answered, 2 invalid" in plain
    assert "--reader judge/lexical: it only compares words" in call(
        *command, "--reader", "judge/lexical", status=2
    )


@pytest.mark.parametrize(
    ("fault", "says", "kind"),
    [("malformed!", "could not be asked", "call failed"), ("", "cannot be used", "not JSON")],
)
def test_a_reader_that_fails_on_every_reply_ends_as_failed_calls_do(
    deadpan: Deadpan,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    fault: str,
    says: str,
    kind: str,
) -> None:
    path, store, table = (tmp_path / name for name in ("mine.jsonl", "answers", "t.parquet"))
    texts = iter([READ, DECLINED])
    rows = [
        {"item": one.item, "task": "identification", "answer": next(texts, "no")}
        for one in load("cfms").questions("identification")
    ]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    command = ["score", "cfms/identification", "--predictions", str(path), "--reader", READER]
    command += ["--table", str(table), "--store", str(store), "--max-retries", "0"]
    with ModelServer(lambda picture, prompt: "I would say yes.") as server:
        server.offer(monkeypatch)
        server.faults = dict.fromkeys(range(50), fault) if fault else {}
        done = deadpan(*command)
    told = " ".join((done.out + done.err).split())
    assert done.code == 1, told
    assert f"0 of 2 unread answers read by {READER}: 2 {kind}" in told
    assert f"2 replies were not read by {READER}, which failed on them" in told and says in told
    assert deadpan("report", str(table), "--out", str(tmp_path / "r.md")).code == 0
    assert f"; 2 {kind}, for example" in (tmp_path / "r.md").read_text()
