"""Answers made elsewhere: both forms, what is wrong with them, and `deadpan score` end to end."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from deadpan.base.errors import DeadpanError, InputError
from deadpan.benchmarks.pixelhumor import PIXELHUMOR
from deadpan.cli import app
from deadpan.core.capabilities import Predictions
from deadpan.core.predictions import NO_ANSWER, read_predictions
from deadpan.pipeline.table import results_of_predictions
from deadpan.pipeline.table_files import read_table

DATASET = PIXELHUMOR.read(None)
IDS = [comic.comic_id for comic in DATASET.records]
QUESTIONS = {spec.name: set(IDS) for spec in PIXELHUMOR.tasks}
DEEP = 100_000
MANY_DIGITS = "9" * 5000


def released(path: Path, document: object) -> Predictions:
    path.write_text(document if isinstance(document, str) else json.dumps(document))
    return PIXELHUMOR.predictions.read(path, DATASET, "stem")["stem"]


def from_lines(path: Path, *lines: dict[str, Any] | str) -> dict[str, Predictions]:
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join(texts) + "\n", "utf-8")
    return read_predictions(path, PIXELHUMOR, DATASET, QUESTIONS, "stem")


def line(**changes: Any) -> dict[str, Any]:
    return {"item": IDS[0], "task": "presence", "answer": "Yes", **changes}


class TestReleasedForm:
    @pytest.mark.parametrize(
        ("field", "value", "task", "text"),
        [
            ("Q1", "Yes", "presence", "Yes"),
            ("Q1", ["Yes"], "presence", "Yes"),
            ("Q1", True, "presence", "Yes"),
            ("Q2", ["Present, contribute"], "sound_effect", "Present, contribute"),
            ("Q3", 2, "panel", "2"),
            ("Q3", 2.0, "panel", "2"),
            ("Q3", "Panel 2", "panel", "Panel 2"),
            ("Q4", "", "modality", ""),
            ("Q5", ["Pun", "Dark"], "style", "Pun, Dark"),
            ("Q6", "It is funny.", "interpretation", "It is funny."),
            ("panel_sequence", [2, 1.0, "3"], "panel_order", "2, 1, 3"),
            ("panel_sequence", "2, 1, 3", "panel_order", "2, 1, 3"),
            ("text", ["1: A", "2: B"], "panel_text", "1: A\n2: B"),
            ("text", "1: A \n 2: B", "panel_text", "1: A \n 2: B"),
        ],
    )
    def test_each_type_becomes_text(
        self, tmp_path: Path, field: str, value: object, task: str, text: str
    ) -> None:
        found = released(tmp_path / "a.json", {IDS[0]: {field: value}})
        assert {t: {i: r.text for i, r in items.items()} for t, items in found.replies.items()} == {
            task: {IDS[0]: text}
        }

    def test_null_is_no_answer(self, tmp_path: Path) -> None:
        found = released(tmp_path / "a.json", {IDS[0]: {"Q1": None, "Q3": 1}})
        assert list(found.replies) == ["panel"]

    def test_unknown_ids_are_named_in_order(self, tmp_path: Path) -> None:
        document = {"xkcd_9": {"Q1": "Yes"}, IDS[0]: {"Q1": "Yes"}, "xkcd_1": {}}
        assert released(tmp_path / "a.json", document).unknown == ("xkcd_9", "xkcd_1")

    @pytest.mark.parametrize(
        ("document", "what"),
        [
            ("", "empty"),
            ("{", r"a\.json:1: is not JSON"),
            ('{\n "deadpan_1": {"Q1": }}', r"a\.json:2: is not JSON"),
            ("[]", "holds no comics"),
            ("{}", "holds no comics"),
            ('"Yes"', "holds no comics"),
            ("[" * DEEP, "nested too deeply"),
            (f'{{"deadpan_1": {{"Q3": {MANY_DIGITS}}}}}', "cannot be read"),
            ('{"deadpan_1": {"Q1": "Yes"}, "deadpan_1": {}}', "deadpan_1 is there twice"),
            ('{"deadpan_1": {"Q1": "Yes", "Q1": "No"}}', "Q1 is there twice"),
            ({"deadpan_1": "Yes"}, "deadpan_1: got str; expected an object"),
            ({"deadpan_1": {"Q9": "Yes"}}, 'deadpan_1: unknown field "Q9"'),
            ({"deadpan_1": {"Q1": {"a": 1}}}, r"deadpan_1\.Q1: got dict"),
            ({"deadpan_1": {"Q5": ["Pun", None]}}, r"deadpan_1\.Q5: got list"),
        ],
    )
    def test_what_is_wrong_is_named(self, tmp_path: Path, document: object, what: str) -> None:
        with pytest.raises(InputError, match=what):
            released(tmp_path / "a.json", document)

    def test_another_encoding_is_named(self, tmp_path: Path) -> None:
        path = tmp_path / "a.json"
        path.write_bytes('{"deadpan_1": {"Q1": "是"}}'.encode("gb18030"))
        with pytest.raises(InputError, match=r"a\.json:1: byte 0xca is not UTF-8"):
            PIXELHUMOR.predictions.read(path, DATASET, "stem")


class TestLines:
    def test_all_fields(self, tmp_path: Path) -> None:
        found = from_lines(
            tmp_path / "a.jsonl",
            line(model="one"),
            line(model="two", answer="No"),
            line(model="two", task="style", answer=None, error="timeout"),
            "",
            line(task="panel", answer="3"),
        )
        assert list(found) == ["one", "two", "stem"]
        assert found["two"].replies["presence"][IDS[0]].text == "No"
        assert found["two"].replies["style"][IDS[0]].error == "timeout"
        assert found["stem"].replies["panel"][IDS[0]].text == "3"

    def test_unknown_ids_are_named_once_per_model(self, tmp_path: Path) -> None:
        lines = [line(item="xkcd_1"), line(item="xkcd_1", task="style"), line()]
        assert from_lines(tmp_path / "a.jsonl", *lines)["stem"].unknown == ("xkcd_1",)

    @pytest.mark.parametrize("task", [spec.name for spec in PIXELHUMOR.tasks])
    def test_no_answer_is_not_given_and_an_empty_one_is_invalid(
        self, tmp_path: Path, task: str
    ) -> None:
        lines = [line(task=task, answer=None), line(task=task, answer="", item=IDS[1])]
        answers = from_lines(tmp_path / "a.jsonl", *lines)["stem"]
        rows = results_of_predictions(PIXELHUMOR, DATASET, answers, "m").head(2)
        first, second = rows["outcome"]
        assert first == "not_given" and rows["reason"][0] == NO_ANSWER
        assert second == ("answered" if task == "panel_text" else "invalid")

    @pytest.mark.parametrize(
        ("second", "what"),
        [
            ('{"item": ', r"a\.jsonl:2: is not JSON \(.*column 10\)"),
            ("Yes", r"a\.jsonl:2: is not JSON"),
            ("5", r"a\.jsonl:2: got 5; expected a JSON object"),
            ("null", r"a\.jsonl:2: got null; expected a JSON object"),
            ("[" * DEEP, r"a\.jsonl:2: is nested too deeply"),
            (f'{{"item": {MANY_DIGITS}}}', r"a\.jsonl:2: cannot be read"),
            (line(answer=2), r"a\.jsonl:2: answer: Input should be a valid string"),
            (line(answer=["Pun"]), r"a\.jsonl:2: answer: Input should be a valid string"),
            (line(item=1), r"a\.jsonl:2: item: Input should be a valid string"),
            (line(score=1), r"a\.jsonl:2: score: Extra inputs"),
            ({"item": "deadpan_1"}, r"a\.jsonl:2: task: Field required"),
            (line(task="Q1"), r'a\.jsonl:2: unknown task "Q1"\. Expected presence, sound_effect'),
            (line(answer="No"), r"a\.jsonl:2: deadpan_1 is answered twice for presence"),
        ],
    )
    def test_what_is_wrong_is_named_with_its_line(
        self, tmp_path: Path, second: dict[str, Any] | str, what: str
    ) -> None:
        with pytest.raises(InputError, match=what):
            from_lines(tmp_path / "a.jsonl", line(), second)

    @pytest.mark.parametrize(
        ("data", "what"),
        [
            (b"", "empty"),
            (b"\n \n", "empty"),
            (b'{"item": "deadpan_1"}\n"\xff"', r"a\.jsonl:2: byte 0xff is not UTF-8"),
            ("\n{}".encode("utf-16"), r"a\.jsonl:1: byte 0xff is not UTF-8"),
        ],
    )
    def test_an_unusable_file_is_named(self, tmp_path: Path, data: bytes, what: str) -> None:
        path = tmp_path / "a.jsonl"
        path.write_bytes(data)
        with pytest.raises(InputError, match=what):
            read_predictions(path, PIXELHUMOR, DATASET, QUESTIONS, "m")


def deadpan(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    """The first thirty comics' gold for two tasks, one of them wrong; an unknown id."""
    document: dict[str, dict[str, Any]] = {
        comic.comic_id: {"Q1": comic.presence, "Q5": list(comic.styles)}
        for comic in DATASET.records[:30]
    }
    document[IDS[0]]["Q1"] = "perhaps"
    document["xkcd_1"] = {"Q1": "Yes"}
    path = tmp_path / "somebody.json"
    path.write_text(json.dumps(document))
    return path


class TestScore:
    def test_missing_answers_are_not_given_and_counted(self, answers: Path, tmp_path: Path) -> None:
        out = tmp_path / "scores.json"
        result = deadpan("score", "pixelhumor", "--predictions", answers, "--json", out)
        assert result.exit_code == 0
        assert "1 unknown id, not scored: xkcd_1" in result.stdout
        said = "somebody: no answer is given to 5 items, counted as not given (presence 5, style 5)"
        assert said in result.stdout
        document = json.loads(out.read_text())
        assert list(document) == ["benchmark", "metrics", "signature", "rows"]
        assert document["benchmark"] == "pixelhumor"
        assert document["signature"].startswith("pixelhumor/presence+style|v5|n:30/35|data:")
        assert "|gate:na|" in document["signature"]
        columns = ["model", "task", "metric", "group", "value"]
        columns += ["low", "high", "interval", "n"]
        columns += ["invalid", "truncated", "refused", "unscored"]
        columns += ["not_given", "read", "items", "of_items"]
        assert all(list(row) == columns for row in document["rows"])
        rows = {(r["task"], r["metric"], r["group"]): r for r in document["rows"]}
        recall = rows["presence", "recall", "all"]
        assert recall["model"] == "somebody"
        assert recall["value"] == pytest.approx(29 / 30)
        assert (recall["n"], recall["invalid"], recall["not_given"]) == (30, 1, 5)
        assert (recall["items"], recall["of_items"]) == (30, 35)
        groups = {group.partition("=")[0] for _, _, group in rows}
        assert groups == {"all", "source", "panels", "harm", "language", "style", "styles"}

    @pytest.mark.parametrize("gate", ["na", "skip", "none"])
    def test_gates(self, answers: Path, tmp_path: Path, gate: str) -> None:
        comics, out = DATASET.records[:30], tmp_path / "scores.json"
        labels = sum(len(comic.styles) for comic in comics)
        understood = sum(comic.presence == "Yes" for comic in comics[1:])
        expected = {
            "na": (30, 1 - len(comics[0].styles) / labels),  # its first answer was invalid
            "skip": (understood, 1.0),
            "none": (30, 1 - (29 - understood) / labels),  # NA is no answer a model can give
        }[gate]
        deadpan("score", "pixelhumor", "--predictions", answers, "--gate", gate, "--json", out)
        document = json.loads(out.read_text())
        assert f"|gate:{gate}|" in document["signature"]
        (style,) = [
            row
            for row in document["rows"]
            if (row["task"], row["metric"], row["group"]) == ("style", "recall", "all")
        ]
        assert (style["n"], style["value"]) == (expected[0], pytest.approx(expected[1]))

    def test_an_unknown_gate_is_named(self, answers: Path) -> None:
        result = deadpan("score", "pixelhumor", "--predictions", answers, "--gate", "maybe")
        assert isinstance(result.exception, DeadpanError)
        assert str(result.exception) == "--gate maybe: expected one of na, skip, none"

    @pytest.mark.parametrize("suffix", [".parquet", ".jsonl"])
    def test_the_table_goes_round_through_report(
        self, answers: Path, tmp_path: Path, suffix: str
    ) -> None:
        table, first = tmp_path / f"results{suffix}", tmp_path / "first.json"
        deadpan("score", "pixelhumor", "--predictions", answers, "--table", table, "--json", first)
        assert len(read_table(table)) == 2 * len(IDS)
        again, report = tmp_path / "again.json", tmp_path / "report.json"
        assert deadpan("score", table, "--json", again).exit_code == 0
        assert json.loads(again.read_text()) == json.loads(first.read_text())
        assert deadpan("report", table, "--out", report).exit_code == 0
        assert json.loads(report.read_text())["rows"] == json.loads(first.read_text())["rows"]

    def test_two_models_in_one_file(self, tmp_path: Path) -> None:
        path, out = tmp_path / "a.jsonl", tmp_path / "scores.json"
        lines = [
            line(item=name, model=model, answer=answer)
            for model, answer in (("yes/man", "Yes"), ("no/man", "No"))
            for name in IDS
        ]
        path.write_text("\n".join(map(json.dumps, lines)))
        result = deadpan("score", "pixelhumor", "--predictions", path, "--json", out)
        assert result.exit_code == 0
        values = {
            row["model"]: row["value"]
            for row in json.loads(out.read_text())["rows"]
            if (row["metric"], row["group"]) == ("recall", "all")
        }
        assert list(values) == ["yes/man", "no/man"]
        assert sum(values.values()) == pytest.approx(1.0)

    @pytest.mark.parametrize(
        ("arguments", "what"),
        [
            (("score", "pixelhumor"), "give --predictions FILE"),
            (("score", "nowhere.eval"), "no such answer store, log or table"),
            (("score", "nowhere.parquet"), "no such table"),
            (("score", "chess", "--predictions", "a.json"), "chess: no such benchmark"),
            (("score", "pixelhumor", "--predictions", "gone.json"), "gone.json: no such file"),
            (("score", "pixelhumor", "x", "--predictions", "a.json"), "name one benchmark"),
        ],
    )
    def test_what_cannot_be_scored_is_named(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], what: str
    ) -> None:
        monkeypatch.chdir(tmp_path)
        result = deadpan(*arguments)
        assert isinstance(result.exception, DeadpanError)
        assert what in str(result.exception)

    def test_answers_about_other_data_are_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "a.json"
        path.write_text('{"xkcd_1": {"Q1": "Yes"}}')
        result = deadpan("score", "pixelhumor", "--predictions", path)
        assert "no answer of a is about this data" in str(result.exception)

    def test_half_characters_and_controls_are_printed_harmlessly(self, tmp_path: Path) -> None:
        path = tmp_path / "a.jsonl"
        path.write_text(
            '{"item": "x\\ud800\\u001b[2J", "task": "presence", "answer": "Yes"}\n'
            '{"item": "deadpan_1", "task": "presence", "answer": "Yes\\udfff"}\n'
        )
        result = deadpan("score", "pixelhumor", "--predictions", path)
        assert result.exit_code == 0
        assert "not scored: x⟦U+D800⟧⟦U+001B⟧[2J" in result.stdout


class TestTables:
    @pytest.mark.parametrize("suffix", [".parquet", ".jsonl"])
    @pytest.mark.parametrize("data", [b"", b"not a table", b'{"item": 1}\n', b"PAR1"])
    def test_what_is_no_table_is_named(self, tmp_path: Path, suffix: str, data: bytes) -> None:
        path = tmp_path / f"results{suffix}"
        path.write_bytes(data)
        with pytest.raises(InputError, match="results"):
            read_table(path)

    @pytest.mark.parametrize(
        ("changes", "what"),
        [
            ({"signature": "none"}, 'signature: got "none"'),
            ({"signature": None}, "signature: got null"),
            ({"outcome": "lost"}, 'outcome: got "lost"'),
            ({"gold": "[1"}, 'gold: got "[1"'),
            ({"parsed": "Yes"}, 'parsed: got "Yes"'),
            ({"benchmark": "chess"}, "chess: no such benchmark"),
        ],
    )
    def test_a_spoilt_table_is_named(
        self, answers: Path, tmp_path: Path, changes: dict[str, Any], what: str
    ) -> None:
        table = tmp_path / "results.jsonl"
        deadpan("score", "pixelhumor", "--predictions", answers, "--table", table)
        rows = [json.loads(text) | changes for text in table.read_text().splitlines()]
        table.write_text("\n".join(map(json.dumps, rows)))
        result = deadpan("score", table)
        assert isinstance(result.exception, DeadpanError)
        assert what in str(result.exception)
