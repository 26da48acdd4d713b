"""A model's second look: exact spans only, certain ones go, others are for a person, once asked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from deadpan.collecting.anonymise import Options, Report, anonymise
from deadpan.engine.run import simple_asker
from tests.model_server import ModelServer

MODEL = "openai-api/loopback/reader"
TEXT = "blue heron owes me money, meet at the old mill, call 13812345678"


def listing(picture: str, prompt: str) -> str:
    spans = [
        {"text": "blue heron", "kind": "name", "certain": True},
        {"text": "the old mill", "kind": "address", "certain": False},
        {"text": "13812345678", "kind": "number", "certain": True},
        {"text": "money", "kind": "name", "certain": True},
    ]
    return json.dumps({"spans": spans if "heron" in prompt else []})


def call(tmp_path: Path, out: str, review: bool = True) -> Report:
    options = Options(
        review=tmp_path / "sheet.jsonl" if review else None,
        asker=simple_asker(MODEL, tmp_path / "answers"),
        looks=False,
    )
    return anonymise(tmp_path / "in", tmp_path / out, options=options)


def written(folder: Path) -> set[str]:
    (path,) = folder.glob("*.jsonl")
    return {json.loads(line)["text"] for line in path.read_text("utf-8").splitlines()}


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    lines = [{"text": TEXT}, {"text": "我没事"}]
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    (tmp_path / "in" / "c.jsonl").write_text(text, encoding="utf-8")
    return tmp_path


def test_certain_spans_go_and_the_rest_is_for_a_person(
    chat: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prompts: list[str] = []

    def answer(picture: str, prompt: str) -> str:
        prompts.append(prompt)
        return listing(picture, prompt)

    with ModelServer(answer) as server:
        server.offer(monkeypatch)
        report = call(chat, "one")
        assert server.total == 2 and all(one["schema"] for one in server.requests)
        call(chat, "two")
        assert server.total == 2  # the store has them
    assert not any("13812345678" in prompt for prompt in prompts)
    assert report.model is not None
    assert (report.model.asked, report.model.dropped, report.model.unanswered) == (2, 1, 0)
    expected = "[name 1] owes me [name 2], meet at [address], call [phone]"
    assert written(chat / "one") == {expected, "我没事"}
    rows = [json.loads(line) for line in (chat / "sheet.jsonl").read_text("utf-8").splitlines()]
    assert {(row["found"], row["may_be"]) for row in rows} == {
        ("the old mill", "address"), ("money", "name")
    }  # fmt: skip


def test_replies_that_break_the_form_are_counted(
    chat: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ModelServer(lambda picture, prompt: '{"spans": [{"text": "me"}]}') as server:
        server.offer(monkeypatch)
        report = call(chat, "out", review=False)
    assert report.model is not None and report.model.unanswered == 2
    assert "spans" in report.model.reason
    assert "blue heron owes me money, meet at the old mill, call [phone]" in written(chat / "out")
