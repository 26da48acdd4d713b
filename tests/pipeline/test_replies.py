"""Replies that the rules cannot read, put to a model that is named: read, declined, invented."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import deadpan
from deadpan.base.errors import DeadpanError
from deadpan.benchmarks import find
from deadpan.cli.output import read_by
from deadpan.core.judge import BrokenReply, Judgement
from deadpan.core.signature import parse_signature
from deadpan.engine.calls import CallOptions
from deadpan.engine.task_questions import RunSettings
from deadpan.parsing.judgements import read_judgement
from deadpan.parsing.reader import read_as_told, reader_of
from deadpan.pipeline.replies import ReplyReading, read_replies, reading_lines
from deadpan.pipeline.results import Results
from tests.model_server import ModelServer

READER = "openai-api/loopback/reader"
PUZZLES = {
    "read": "Sarcasm drips off this fence in all its rows.",
    "declined": "There is a dog in it.",
    "invented": "One may wonder what the poster had for breakfast.",
    "foreign": "Call it banana.",
    "lying": "Somebody walks a cat there, and a kettle boils over.",
    "opposite": "Some call it sarcastic, others do not, and I leave it at that.",
    "broken": "The sky is rather blue in this picture.",
}
"""Replies that say neither yes nor no by any rule."""
SAID: dict[str, Any] = {
    "read": {"quote": "SARCASM drips off\nthis fence", "answer": "yes"},
    "declined": {"quote": "", "answer": None},
    "invented": {"quote": "the poster is sarcastic", "answer": "yes"},
    "foreign": {"quote": "banana", "answer": "banana"},
    "lying": {"quote": "walks a cat there", "answer": "yes"},
    "opposite": {"quote": "call it sarcastic, others do not", "answer": "no"},
}


def _answer(picture: str, prompt: str) -> str:
    name = next((one for one, text in PUZZLES.items() if text in prompt), "broken")
    return json.dumps(SAID[name]) if name in SAID else "I would say yes."


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., ModelServer]]:
    with ExitStack() as running:

        def start(**how: Any) -> ModelServer:
            server = running.enter_context(ModelServer(_answer, **how))
            server.offer(monkeypatch)
            return server

        yield start


def _score(store: Path, reader: str | None = READER, **more: str) -> Results:
    cfms = deadpan.load("cfms")
    items = [question.item for question in cfms.questions("identification")]
    texts = [*PUZZLES.values(), *["yes"] * (len(items) - len(PUZZLES) - 2), "", "no"]
    answers = dict(zip(items, texts, strict=True)) | more
    return cfms.score(answers, task="identification", model="mine", reader=reader, store=store)


def test_a_named_model_reads_what_the_rules_cannot_and_is_told_apart(
    serve: Callable[..., ModelServer], tmp_path: Path
) -> None:
    server = serve()
    results = _score(tmp_path)
    rows = {row["answer"]: row for row in results.table.iter_rows(named=True)}
    read = rows[PUZZLES["read"]]
    assert (read["outcome"], json.loads(read["parsed"])) == ("answered", {"sarcastic": True})
    assert (read["reader"], read["read_as"], read["reason"]) == (READER, "yes", None)
    for name, why in (
        ("declined", "finds no answer in it"),
        ("invented", "quotes words that are not in it"),
        ("foreign", "reads no answer of the task"),
        ("lying", "reads what is not said there (True)"),
        ("opposite", "reads what is not said there (False)"),
        ("broken", "the reader's reply cannot be used, asked 3 times"),
    ):
        row = rows[PUZZLES[name]]
        assert (row["outcome"], row["read_as"]) == ("invalid", None)
        assert why in row["reason"], name
    # Neither what the rules read nor an empty reply is put to it; pictures and gold are not shown.
    assert server.total == 6 + 3
    assert {seen["images"] for seen in server.requests} == {0}
    assert read_by(results.table) == f", 1 read by {READER}"
    score = results.scores().filter(pl.col("metric") == "accuracy", pl.col("group") == "all")
    assert score.select("read", "invalid").row(0) == (1, 7)
    for text in results.table["signature"].unique():
        assert parse_signature(text).settings["reader"].startswith(f"{READER}@reader.1.")


def test_what_was_read_is_kept_and_asked_for_once(
    serve: Callable[..., ModelServer], tmp_path: Path
) -> None:
    server = serve()
    first = _score(tmp_path)
    asked = server.total
    again = _score(tmp_path)
    # Only what broke the form is asked for in another round.
    assert server.total == asked + 3
    same = ["item", "outcome", "parsed", "reader", "read_as", "signature"]
    assert again.table.select(same).equals(first.table.select(same))
    plain = _score(tmp_path, reader=None)
    assert "reader" not in plain.table["signature"][0]
    assert set(plain.table["read_as"]) == {None}
    assert (plain.table["outcome"] == "invalid").sum() == 8


def test_a_reader_that_fails_leaves_the_reply_invalid_and_is_asked_again(
    serve: Callable[..., ModelServer], tmp_path: Path
) -> None:
    server = serve()
    server.faults = {0: "malformed!"}
    quick = RunSettings(tmp_path, calls=CallOptions(max_retries=0))
    table = _score(tmp_path / "plain", reader=None).table
    row = read_replies(table, ReplyReading(READER, quick)).row(0, named=True)
    assert row["outcome"] == "invalid" and "the reader could not be asked" in row["reason"]
    server.faults = {}
    row = read_replies(table, ReplyReading(READER, quick)).row(0, named=True)
    assert (row["outcome"], row["read_as"]) == ("answered", "yes")


def test_a_model_does_not_read_itself_and_words_alone_do_not_read(tmp_path: Path) -> None:
    cfms = deadpan.load("cfms")
    items = [question.item for question in cfms.questions("identification")]
    answers = dict.fromkeys(items, PUZZLES["read"])
    with pytest.raises(DeadpanError, match="would read its own answers"):
        cfms.score(answers, task="identification", model="reader", reader=READER, store=tmp_path)


@pytest.mark.parametrize(
    ("name", "task", "language", "text", "told", "parsed"),
    [
        ("vimu", "eg", "en", "frames, and the tone", {"selected_options": ["A", "E"]}, ["A", "E"]),
        ("pixelhumor", "panel", "zh", "中间那一格（编号是三）", "3", ["3"]),
        ("pixelhumor", "style", "en", "wordplay all over", "Pun", ["Pun"]),
        ("pixelhumor", "panel_order", "en", "2 at first, by 3 to 1", "2, 3, 1", [2, 3, 1]),
        ("pixelhumor", "modality", "en", "half words, half pictures", "Both", ["Both"]),
        (
            "pixelhumor",
            "panel_text",
            "en",
            "one says Hi, two Bye",
            "1: Hi\n2: Bye",
            [[1, "Hi"], [2, "Bye"]],
        ),
        ("cfms", "target", "en", "well, the bus, who else", "the bus", {"target": "the bus"}),
    ],
)
def test_what_a_reader_writes_is_read_by_the_task_s_own_rules(
    name: str, task: str, language: Any, text: str, told: Any, parsed: Any
) -> None:
    judgement = Judgement(parts={"quote": text, "answer": told})
    made = read_as_told(find(name), task, language, text, judgement)
    assert (made.grade.outcome, made.grade.parsed) == ("answered", parsed)
    assert made.written and made.reading == "read"


@pytest.mark.parametrize(
    ("name", "task", "text", "told"),
    [
        ("vimu", "eg", "frames, and the tone", {"selected_options": ["B"]}),
        ("pixelhumor", "panel", "the one with the dog", "3"),
        ("pixelhumor", "style", "wordplay all over", "Dark"),
        ("pixelhumor", "style", "Pun, not Dark", "Dark"),
        ("pixelhumor", "presence", "a dog sits there", "Yes"),
        ("pixelhumor", "sound_effect", "a dog sits there", "Absent"),
        ("pixelhumor", "panel_order", "start at 2, end at 1", "2, 3, 1"),
        ("pixelhumor", "interpretation", "a dog sits there", "The dog thinks it is a lawyer."),
        ("pixelhumor", "panel_text", "a dog sits there", "1: Hello"),
        ("cfms", "identification", "it rains", "yes"),
        ("cfms", "identification", "it is not sarcastic", "yes"),
        ("cfms", "target", "it rains", "the bus company"),
        ("cfms", "joint", "it rains", {"sarcastic": True, "target": None, "explanation": None}),
        ("janusmm", "recognition", "it rains", "self-mockery"),
        ("janusmm", "reasoning", "it rains", "Emotion: sad\nReasoning: He is sad as it rains."),
    ],
)
def test_a_reader_that_lies_is_not_believed(name: str, task: str, text: str, told: Any) -> None:
    judgement = Judgement(parts={"quote": text, "answer": told})
    made = read_as_told(find(name), task, "en", text, judgement)
    assert (made.grade.outcome, made.reading) == ("invalid", "answer not in the quote")


@pytest.mark.parametrize(
    ("task", "text", "quote", "told", "is_read"),
    [
        ("cfms/metaphor", "这里的锅比喻责任。", "这里的锅比喻责任", "是", True),
        ("cfms/metaphor", "这里的锅比喻责任。", "这里的锅比喻责任", "否", False),
        ("cfms/metaphor", "锅就是锅，字面意思而已，不像比喻", "不像比喻", "否", True),
        ("cfms/metaphor", "锅就是锅，字面意思而已，不像比喻", "比喻", "是", False),
        ("cfms/metaphor", "比喻？看不出", "比喻", "是", False),
        ("cfms/metaphor", "Perhaps a metaphor, perhaps none", "a metaphor", "Yes", False),
        (
            "cfms/identification",
            "It could be sarcastic, but without context it is hard to tell.",
            "It could be sarcastic",
            "Yes",
            False,
        ),
        ("pixelhumor/presence", "The cat gets the gag, ha!", "gets the gag", "No", False),
        ("pixelhumor/panel", "Either panel 1 or panel 2.", "panel 2", "2", False),
        (
            "pixelhumor/panel",
            "Either panel 1 or panel 2.",
            "Either panel 1 or panel 2.",
            "2",
            False,
        ),
        ("pixelhumor/panel", "要么第1格，要么第2格。", "第2格", "2", False),
        ("pixelhumor/modality", "Text or Visual", "Text", "Text", False),
        ("pixelhumor/modality", "Text, Visual", "Text", "Text", False),
    ],
)
def test_a_quote_is_read_in_its_sentence(
    task: str, text: str, quote: str, told: str, is_read: bool
) -> None:
    name, _, task = task.partition("/")
    judgement = Judgement(parts={"quote": quote, "answer": told})
    made = read_as_told(find(name), task, "en" if text.isascii() else "zh", text, judgement)
    assert (made.grade.outcome == "answered") is is_read, made.grade


def test_an_object_in_a_string_is_the_object() -> None:
    reader = reader_of(find("vimu").task("eg"))
    inner = json.dumps({"selected_options": ["B"]})
    told = read_judgement(reader, json.dumps({"quote": "B", "answer": inner}))
    assert told.parts["answer"] == {"selected_options": ["B"]}
    for answer, why in (("B", "answer: expected an object"), (inner[:-1], "expected an object")):
        with pytest.raises(BrokenReply, match=why):
            read_judgement(reader, json.dumps({"quote": "B", "answer": answer}))


def test_what_became_of_replies_is_counted_apart(
    serve: Callable[..., ModelServer], tmp_path: Path
) -> None:
    serve()
    table = _score(tmp_path).table
    counts = dict(table["reader_outcome"].drop_nulls().value_counts().iter_rows())
    assert counts == {
        "read": 1,
        "declined": 1,
        "quote not found": 1,
        "no answer of the task": 1,
        "answer not in the quote": 2,
        "not JSON": 1,
    }
    (line,) = reading_lines(table)
    assert line.startswith(f"1 of 7 unread answers read by {READER}: 1 declined, 1 quote not found")
    assert "for example" in line and "the reader's reply cannot be used" in line


def test_every_task_has_a_reader_with_prompts_in_both_languages() -> None:
    for name in ("pixelhumor", "janusmm", "cfms", "vimu"):
        for task in find(name).tasks:
            reader = reader_of(task)
            reader.require_prompts(("en", "zh"))
            assert "answer" in reader.reply.model_json_schema()["properties"]
