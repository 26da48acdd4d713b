"""The steps as commands, with a judge on loopback that also misbehaves."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from typer.testing import CliRunner, Result

from deadpan.base.errors import DeadpanError, InputError
from deadpan.cli.failures import app
from deadpan.failures.criteria import shipped_text
from deadpan.metrics.lexical import MODEL as LEXICAL
from deadpan.pipeline.table_files import table_of, write_table
from tests.failures.wrong_answers import a_table_file, edited, lines, row
from tests.model_server import ModelServer

JUDGE = "openai-api/loopback/sorter"
ANSWER = re.compile(r"<<<\n(\w+ says (\w+)|\?\?\?)\n>>>")
NEW = {"name": "Echo", "title": "echo", "definition": "It repeats the question."}


def label(kind: str, new_type: Any = None) -> str:
    return json.dumps({"type": kind, "new_type": new_type, "reason": "so it seems"})


class Sorter:
    """Labels English AB and Chinese AF, but for the items named in `odd`; counts what it sorts."""

    def __init__(self) -> None:
        self.odd: dict[str, str] = {}
        self.sorted: list[str] = []
        self.scolded: list[str] = []
        self.server = ModelServer(self._reply)

    def _reply(self, picture: str, prompt: str) -> str:
        found = ANSWER.search(prompt)
        if found is None:
            self.scolded.append(prompt)
            return "I still say XX."
        item = found[2] or "garbled"
        self.sorted.append(item)
        return self.odd.get(item, label("AF" if item.startswith("zh") else "AB"))


@pytest.fixture
def sorter(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Sorter]:
    monkeypatch.setenv("DEADPAN_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    one = Sorter()
    with one.server:
        one.server.offer(monkeypatch)
        yield one


def deadpan(*arguments: object) -> Result:
    """Runs `deadpan failures ARGUMENTS…`; what it raises is raised."""
    return CliRunner().invoke(app, [*map(str, arguments)], catch_exceptions=False)


@pytest.fixture
def sampled(sorter: Sorter, tmp_path: Path) -> Path:
    """A table with its sample in people.jsonl, labelled KD by people."""
    table = a_table_file(tmp_path)
    assert deadpan("sample", table, "--wrong", "unequal").exit_code == 0
    edited(tmp_path / "people.jsonl", "type", ["KD"] * 4)
    return table


def labelled(table: Path, *more: object) -> Result:
    common = ("--people", "people.jsonl", "--wrong", "unequal", "--judge", JUDGE)
    return deadpan("label", table, *common, *more)


def test_the_sample_is_for_people_and_never_overwrites_their_work(
    sampled: Path, tmp_path: Path
) -> None:
    rows = lines(tmp_path / "people.jsonl")
    assert len(rows) == 4 and {row["type"] for row in rows} == {"KD"}
    assert not {"ref1", "ref2"} & {row["item"] for row in rows}
    with pytest.raises(InputError, match=r"people\.jsonl:1: type is filled in here already"):
        deadpan("sample", sampled, "--wrong", "unequal")
    edited(tmp_path / "people.jsonl", "type", [None] * 4)
    assert deadpan("sample", sampled, "--wrong", "unequal", "--seed", 7).exit_code == 0
    with pytest.raises(DeadpanError, match="--share 0 draws nothing"):
        deadpan("sample", sampled, "--wrong", "unequal", "--share", 0)


def test_from_the_sample_to_the_report(sorter: Sorter, sampled: Path, tmp_path: Path) -> None:
    people = {(row["model"], row["item"]) for row in lines(tmp_path / "people.jsonl")}
    result = labelled(sampled)
    assert "4 people, 2 outcome, 29 judge, 0 new, 0 judge_failed" in result.output
    labels = lines(tmp_path / "labels.jsonl")
    assert len(labels) == 35 and len(sorter.sorted) == 29
    assert {(row["model"], row["item"]) for row in labels if row["by"] == "people"} == people
    assert {row["type"] for row in labels if row["by"] == "people"} == {"KD"}
    assert [row["type"] for row in labels if row["outcome"] == "refused"] == ["SM", "SM"]
    assert {request["temperature"] for request in sorter.server.requests} == {0}

    assert "wrote 6 labels" in deadpan("audit", "labels.jsonl").output
    audit = lines(tmp_path / "audit.jsonl")
    right = [row["type"] for row in audit]
    edited(tmp_path / "audit.jsonl", "correct_type", ["TM", *right[1:]])
    deadpan("merge", "labels.jsonl", "audit.jsonl", "--json", "merge.json")
    deadpan("report", "final.jsonl", "--json", "report.json")
    document = json.loads((tmp_path / "report.json").read_text("utf-8"))
    assert document["benchmark"] == "proverbs"
    rows = {(row["model"], row["metric"], row["group"]): row for row in document["rows"]}
    assert rows[JUDGE, "label_accuracy", "all"]["value"] == pytest.approx(5 / 6)
    assert rows["loud", "share", "type=TM"]["value"] == pytest.approx(1 / 32)
    assert rows["loud", "share", "type=SM"]["value"] == pytest.approx(2 / 32)
    assert rows["loud", "share", "type=KD"]["n"] == 32
    assert rows[JUDGE, "corrected_to_TM", f"type={right[0]}"]["value"] == 1


def test_the_model_is_shown_the_picture_unless_it_is_blind(sorter: Sorter, tmp_path: Path) -> None:
    shown = tmp_path / "shown"
    shown.mkdir()
    Image.new("RGB", (40, 40), "red").save(shown / "a.png")
    rows = [row("en00", picture=str(shown / "a.png")), row("en01")]
    write_table(table_of(rows), tmp_path / "table.jsonl")
    assert deadpan("sample", "table.jsonl", "--wrong", "unequal", "--share", 0.5).exit_code == 0
    edited(tmp_path / "people.jsonl", "type", ["KD"])
    (kept,) = lines(tmp_path / "people.jsonl")
    if kept["item"] == "en00":  # the one with the picture is left to the model
        other = {**kept, "item": "en01", "picture": None}
        texts = ("question", "answer")
        other |= {name: kept[name].replace("en00", "en01") for name in texts}
        (tmp_path / "people.jsonl").write_text(json.dumps(other))
    labelled(Path("table.jsonl"))
    labelled(Path("table.jsonl"), "--pictures", shown)
    labelled(Path("table.jsonl"), "--pictures", shown, "--blind")
    # What the blind one is asked is what the first was asked: it is not asked again.
    assert [request["images"] for request in sorter.server.requests] == [0, 1]


def test_the_same_command_asks_nothing_again_and_other_criteria_ask_anew(
    sorter: Sorter, sampled: Path, tmp_path: Path
) -> None:
    labelled(sampled)
    first = (tmp_path / "labels.jsonl").read_bytes()
    labelled(sampled)
    assert (tmp_path / "labels.jsonl").read_bytes() == first
    assert len(sorter.sorted) == 29
    criteria = json.loads(shipped_text())
    criteria["types"].append(NEW)
    (tmp_path / "criteria.json").write_text(json.dumps(criteria))
    sorter.odd = {"zh00": label("Echo"), "zh01": label("Echo")}
    labelled(sampled, "--criteria", "criteria.json")
    assert len(sorter.sorted) == 58
    people = {row["item"] for row in lines(tmp_path / "people.jsonl")}
    found = [row["item"] for row in lines(tmp_path / "labels.jsonl") if row["type"] == "Echo"]
    assert found == [item for item in ("zh00", "zh01") if item not in people] != []
    with pytest.raises(InputError, match=r'labels\.jsonl:\d+ type: got "Echo"; expected one of'):
        deadpan("report", "labels.jsonl")
    assert deadpan("report", "labels.jsonl", "--criteria", "criteria.json").exit_code == 0


def test_new_types_are_collected_with_counts_and_mapped_to_nothing(
    sorter: Sorter, sampled: Path, tmp_path: Path
) -> None:
    asked = [f"en{n:02}" for n in range(2, 20)]
    sorter.odd = {item: label("new", NEW) for item in asked[:9]}
    sorter.odd |= {item: label("new", {**NEW, "name": "echo"}) for item in asked[9:12]}
    sorter.odd |= {item: label("new", {**NEW, "name": "Rant"}) for item in asked[12:15]}
    people = {row["item"] for row in lines(tmp_path / "people.jsonl") if row["model"] == "loud"}
    result = labelled(sampled)
    proposed = json.loads((tmp_path / "labels.new_types.json").read_text("utf-8"))
    echo, rant = len(set(asked[:12]) - people), len(set(asked[12:15]) - people)
    assert [(one["name"], one["count"]) for one in proposed] == [("Echo", echo), ("Rant", rant)]
    assert f"new type Echo (echo): {echo} cases" in result.output
    new = [row for row in lines(tmp_path / "labels.jsonl") if row["status"] == "new"]
    assert len(new) == echo + rant and {row["type"] for row in new} == {None}


@pytest.mark.parametrize(
    "reply",
    ["I say AB.", label("XX"), label("new"), label("AB", NEW), label("AB")[:-4], "", "[]"],
)
def test_a_broken_reply_is_asked_for_again_and_then_stays_failed(
    reply: str, sorter: Sorter, sampled: Path, tmp_path: Path
) -> None:
    sorter.odd = {"garbled": reply, "zh09": reply, "zh08": reply}
    people = {row["item"] for row in lines(tmp_path / "people.jsonl")}
    wanted = sorted({"garbled", "zh08", "zh09"} - people)
    result = labelled(sampled)
    assert f"{len(wanted)} judge_failed" in result.output
    assert result.exit_code == 1
    assert f"{len(wanted)} labels got no usable reply, for example" in result.output
    assert "could not be asked" not in result.output
    failed = [row for row in lines(tmp_path / "labels.jsonl") if row["status"] == "judge_failed"]
    assert sorted(row["item"] for row in failed) == wanted
    assert {row["type"] for row in failed} == {None}
    assert all("asked 3 times" in row["reason"] for row in failed)
    assert len(sorter.scolded) == 2 * len(wanted)
    assert any(text.startswith("上面的回复无法使用") for text in sorter.scolded)

    sorter.odd = {}
    assert "0 judge_failed" in labelled(sampled).output, "the same command asks for them again"
    assert len(sorter.sorted) == 29 + len(wanted)


def test_a_judge_that_cannot_be_asked_is_told_with_its_reason(
    sorter: Sorter, sampled: Path, tmp_path: Path
) -> None:
    sorter.server.faults = {place: "500!" for place in range(2)}
    result = labelled(sampled, "--max-retries", 0)
    assert result.exit_code == 1
    assert "2 labels could not be asked for, for example" in result.output
    assert "the judge could not be asked: " in result.output
    assert "Run the same command again" in result.output
    sorter.server.faults = {}
    assert labelled(sampled).exit_code == 0


def test_the_stand_in_labels_with_no_model(sampled: Path) -> None:
    common = ("--people", "people.jsonl", "--wrong", "unequal", "--judge", LEXICAL)
    result = deadpan("label", sampled, *common)
    assert "compares words only" in result.output and "0 judge_failed" in result.output


def test_a_model_does_not_label_its_own_failures_unasked(sampled: Path) -> None:
    with pytest.raises(DeadpanError, match="would grade its own answers"):
        deadpan(
            "label", sampled, "--people", "people.jsonl", "--wrong", "unequal", "--judge", "x/loud"
        )


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("type", None, r"people\.jsonl:1 type: is empty\. Fill it in, or delete the line"),
        ("type", "Kd", r'people\.jsonl:1 type: got "Kd"; expected one of AB, Cdep'),
        ("type", ["KD"], r'people\.jsonl:1 type: got \["KD"\]'),
        ("item", "nowhere", r"people\.jsonl:1: loud has no failure at meaning nowhere"),
        ("epoch", 2, r"people\.jsonl:1: loud has no failure .* epoch 2"),
        ("table", "deadbeef", r"people\.jsonl:1 table: got deadbeef"),
        ("gold", "no", r"people\.jsonl:1 gold: was changed"),
        ("language", "fr", r'people\.jsonl:1 language: got "fr"'),
    ],
)
def test_a_wrong_row_of_the_people_is_told(
    field: str, value: Any, told: str, sampled: Path, tmp_path: Path
) -> None:
    edited(tmp_path / "people.jsonl", field, [value])
    with pytest.raises(InputError, match=told):
        labelled(sampled)


def test_a_row_twice_or_cut_off_is_told_with_its_line(sampled: Path, tmp_path: Path) -> None:
    path = tmp_path / "people.jsonl"
    text = path.read_text("utf-8")
    path.write_text(text + "\n" + text.splitlines()[0])
    with pytest.raises(InputError, match=r"jsonl:6: says the same row again \(first in .*:1\)"):
        labelled(sampled)
    path.write_text(text[:-20])
    with pytest.raises(InputError, match=r"jsonl:4: is not JSON"):
        labelled(sampled)


def test_a_refusal_is_not_the_peoples_to_label(sampled: Path, tmp_path: Path) -> None:
    labelled(sampled)
    refusal = next(row for row in lines(tmp_path / "labels.jsonl") if row["item"] == "ref1")
    fields = lines(tmp_path / "people.jsonl")[0].keys() - {"note"}
    row = {name: refusal[name] for name in fields} | {"type": "AB"}
    (tmp_path / "people.jsonl").write_text(json.dumps(row))
    with pytest.raises(InputError, match=r"jsonl:1: ref1 was refused: it is SM by its outcome"):
        labelled(sampled)


def test_a_sample_of_another_table_or_rule_is_told(sampled: Path, tmp_path: Path) -> None:
    (tmp_path / "list.jsonl").write_text('{"task":"meaning","model":"loud","item":"right"}')
    with pytest.raises(InputError, match=r"people\.jsonl:1 table: .*--wrong"):
        labelled(sampled, "--wrong", "list.jsonl")


def test_a_deleted_line_is_labelled_with_the_rest(
    sorter: Sorter, sampled: Path, tmp_path: Path
) -> None:
    path = tmp_path / "people.jsonl"
    path.write_text("\n".join(path.read_text("utf-8").splitlines()[1:]))
    assert "3 people, 2 outcome, 30 judge" in labelled(sampled).output


def test_criteria_are_written_once_and_unknown_tasks_told(sampled: Path, tmp_path: Path) -> None:
    deadpan("criteria")
    assert (tmp_path / "criteria.json").read_text("utf-8") == shipped_text()
    with pytest.raises(DeadpanError, match="is there already"):
        deadpan("criteria")
    with pytest.raises(DeadpanError, match="--task poem: there are results of meaning"):
        deadpan("sample", sampled, "--task", "poem", "--out", "other.jsonl")
