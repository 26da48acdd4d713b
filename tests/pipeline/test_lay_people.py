"""People's answers from a file: read, scored as models are, and shown beside them."""

import json
from pathlib import Path

import polars as pl
import pytest

from deadpan.base.errors import DeadpanError, InputError
from deadpan.core.parts import parts_of
from deadpan.core.score import ScoringOptions
from deadpan.core.signature import parse_signature
from deadpan.pipeline.lay_people import from_people, rater_scores, read_replies
from deadpan.pipeline.results import Results
from deadpan.reports.marking import all_notes, brief_notes, marked
from deadpan.reports.samples import browser
from tests.benchmarks.janusmm.meme_folder import answered, chinese_row, data, plain_row, row, write

CSV = """item,rater,answer
a,ann,self-mockery
b,ann,He is proud
zh,ann,自嘲
plain,ann,just joy
a,bo,making fun of himself
zh,bo,炫耀
b,bo,
"""


def folder(path: Path) -> Path:
    return write(path / "data", [row("a"), row("b"), chinese_row("zh"), plain_row("plain")])


def file(path: Path, text: str = CSV, name: str = "lay.csv") -> Path:
    (path / name).write_text(text, "utf-8")
    return path / name


def people(path: Path, *files: Path) -> pl.DataFrame:
    subject = "janusmm/recognition"
    return from_people(subject, files or [file(path)], folder(path), path / "store").answers


def test_accuracy_is_over_all_answers_and_by_language(tmp_path: Path) -> None:
    """ann has a and zh of three, bo a of two; his empty answer is not given."""
    table = people(tmp_path)
    scores = Results(table).by_benchmark["janusmm"]
    accuracy = {one.group: one for one in scores if one.metric == "accuracy"}
    assert accuracy["all"].value == pytest.approx(100 * 3 / 5)
    counts = (accuracy["all"].n, accuracy["all"].unscored, accuracy["all"].not_given)
    assert counts == (5, 0, 1)
    assert accuracy["language=zh"].value == 50.0
    assert accuracy["language=en"].value == pytest.approx(100 * 2 / 3)
    (alarms,) = [one for one in scores if (one.metric, one.group) == ("false_alarms", "all")]
    assert (alarms.value, alarms.n) == (0.0, 1)


def test_each_rater_is_scored_too(tmp_path: Path) -> None:
    found = {
        one.model: one.value
        for one in rater_scores(people(tmp_path), ScoringOptions())
        if (one.metric, one.group) == ("accuracy", "all")
    }
    assert found == {"people: ann": pytest.approx(100 * 2 / 3), "people: bo": 50.0}


def test_the_signature_says_who_answered(tmp_path: Path) -> None:
    (text,) = set(people(tmp_path)["signature"])
    signature = parse_signature(text)
    assert signature.is_of_people and signature.settings["raters"] == "2"
    assert signature.n == 4 and signature.prompts == "external"


def test_people_stand_beside_models_asked_in_another_way(tmp_path: Path) -> None:
    model = answered(
        data(tmp_path / "data", [row("a"), row("b"), chinese_row("zh"), plain_row("plain")]),
        {"recognition": {"a": "self-mockery", "b": "self-mockery", "zh": "自嘲", "plain": "joy"}},
    )
    signature = parse_signature(model["signature"][0]).with_settings(temperature="0.1")
    model = model.with_columns(signature=pl.lit(str(signature)))
    results = Results(pl.concat([model, people(tmp_path)], how="diagonal_relaxed"))
    report = results.report(tmp_path / "report.md").read_text("utf-8")
    lay = report[report.index("### Lay people") :]
    ours = [line.replace("\\", "") for line in lay.splitlines() if line.startswith("| **")]
    assert ours[:2] == [
        "| **m** | 100.0 [20.7, 100.0] | 100.0 [34.2, 100.0] |",
        "| **2 people** | 50.0 | 66.7 |",
    ]
    assert "| Human (published, table 6) | 90.8 | 88.4 |" in lay.replace("**", "")


def test_people_are_people_in_a_report(tmp_path: Path) -> None:
    """They are counted apart from models, named on answers, and who skipped items is told."""
    section = marked(Results(people(tmp_path)).sections()[0])
    assert section.models == ["2 people"]
    left_out = "People who answered the questions left some out: bo answered 2 of 4"
    assert all_notes(section) == [left_out]
    assert brief_notes(section, {"recognition"}, {"2 people", "m"}) == [left_out]
    assert brief_notes(section, {"recognition"}, {"m"}) == []
    assert brief_notes(section, {"reasoning"}, {"2 people"}) == []
    chapter = Results(people(tmp_path)).report(tmp_path / "r.html").read_text("utf-8")
    assert "<dt>people</dt><dd>2</dd>" in chapter and "<dt>model" not in chapter
    shown = browser(section).data
    assert shown["epochs"] is False
    (card,) = [one for one in shown["cards"] if one["item"] == "a"]
    assert [answer["rater"] for answer in card["answers"]] == ["ann", "bo"]
    assert all(name != "rater" for name, _ in card["attributes"])


def test_a_rater_who_skipped_items_is_marked(tmp_path: Path) -> None:
    scores = rater_scores(people(tmp_path), ScoringOptions())
    assert parts_of(scores) == {"people: bo": {"recognition": (2, 4)}}


def test_several_files_and_forms_unite(tmp_path: Path) -> None:
    lines = [{"item": "a", "rater": "cy", "answer": "自嘲", "task": "recognition", "note": "easy"}]
    more = file(tmp_path, "".join(json.dumps(one) + "\n" for one in lines), "more.jsonl")
    found = read_replies([file(tmp_path), more], "recognition")
    assert list(found) == ["ann", "bo", "cy"]
    other = [{**lines[0], "task": "reasoning"}]
    with pytest.raises(InputError, match="holds no answer to recognition"):
        read_replies([file(tmp_path, json.dumps(other[0]), "o.jsonl")], "recognition")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("item,rater,answer\na,ann,x\na,ann,y\n", r"csv:3: ann answers a twice \(first in .*:2\)"),
        ("item,rater,reply\na,ann,x\n", r'csv:2 reply: got the column "reply"'),
        ("item,answer\na,x\n", "csv:2 rater: is missing"),
        ("item,rater\na,ann\n", "csv:2 answer: is missing"),
        ("item,rater,answer\n,ann,x\n", "csv:2 item: is empty"),
    ],
)
def test_a_wrong_line_is_told_with_its_place(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        read_replies([file(tmp_path, text)], "recognition")


def test_the_task_is_named_and_the_data_fits(tmp_path: Path) -> None:
    with pytest.raises(DeadpanError, match="name one task, janusmm/TASK; there are recognition"):
        from_people("janusmm", [file(tmp_path)], folder(tmp_path), tmp_path)
    with pytest.raises(DeadpanError, match="no answer is about this data"):
        from_people("janusmm/recognition", [file(tmp_path)], None, tmp_path)
