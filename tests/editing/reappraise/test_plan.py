"""Plans as files: what they hold, who made each stage, and what is told of a wrong one."""

import json
from pathlib import Path
from typing import Any

import pytest

from deadpan.base.errors import InputError
from deadpan.core.signature import checksum
from deadpan.editing.reappraise.plan import Described, Origin, Plan, Proposed, read_plan, write_plan

SHA = "ab" * 32


def plan() -> Plan:
    return Plan(
        source=Origin(file="猫.png", sha256=SHA),
        language="zh",
        status="planned",
        described=Described(
            emotion="sad", description="一只猫。", captions=("周一",), by="openai/m"
        ).with_seal(),
        proposed=Proposed(
            target="happy", captions=("周五",), specification="猫笑了。", by="openai/m"
        ).with_seal(),
    )


def changed(path: Path, *keys: str, value: Any) -> None:
    """Writes a plan in which a person has changed one value."""
    write_plan(path, plan())
    whole = json.loads(path.read_text(encoding="utf-8"))
    inner = whole
    for key in keys[:-1]:
        inner = inner[key]
    inner[keys[-1]] = value
    path.write_text(json.dumps(whole, ensure_ascii=False), encoding="utf-8")


def test_a_plan_comes_back_as_it_was_written_and_can_be_read_by_people(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    write_plan(path, plan())
    assert read_plan(path) == plan() and not read_plan(path).changed_by_hand
    assert '"captions": [\n      "周五"\n    ]' in path.read_text(encoding="utf-8")


def test_a_change_by_hand_is_seen_and_said(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    changed(path, "proposed", "captions", value=["周六"])
    found = read_plan(path)
    assert found.changed_by_hand
    taken = found.with_seal()
    assert taken.proposed and taken.described and not taken.changed_by_hand
    assert taken.proposed.by == "openai/m, changed by hand" and taken.described.by == "openai/m"
    assert taken.with_seal() == taken, "once is enough"


def test_what_an_editor_is_told(tmp_path: Path) -> None:
    told = plan().instruction(tmp_path / "猫.png")
    assert (told.emotion, told.target, told.captions) == ("sad", "happy", ("周五",))
    assert (told.old_caption, told.specification, told.language) == ("周一", "猫笑了。", "zh")
    with pytest.raises(ValueError, match="nothing is proposed"):
        plan().model_copy(update={"proposed": None}).instruction(tmp_path)


@pytest.mark.parametrize(
    ("keys", "value", "where", "what"),
    [
        (("described", "emotion"), "gloomy", "described.emotion", 'got "gloomy"; expected'),
        (("proposed", "target"), "sad", "proposed.target", "expected 'happy', 'calm'"),
        (("proposed", "captions"), "one text", "proposed.captions", "expected a valid array"),
        (("described", "captions"), ["a", " "], "described.captions.1", "it is empty"),
        (("proposed", "captions"), ["x" * 501], "proposed.captions.0", "at most 500"),
        (("proposed", "captions"), ["a\u202eb"], "proposed.captions.0", "U+202E"),
        (("proposed", "captoins"), [], "proposed.captoins", "is no field of a plan"),
        (("language",), "fr", "language", "expected 'en' or 'zh'"),
        (("plan",), 2, "plan", "expected 1"),
        (("source", "sha256"), "zz", "source.sha256", "match pattern"),
    ],
)
def test_a_wrong_value_is_told_with_its_place(
    tmp_path: Path, keys: tuple[str, ...], value: Any, where: str, what: str
) -> None:
    path = tmp_path / "plan.json"
    changed(path, *keys, value=value)
    with pytest.raises(InputError) as caught:
        read_plan(path)
    assert caught.value.where == f"{path} {where}" and what in caught.value.what


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "the file is empty"),
        ("{", "is not JSON"),
        ("[]", "expected a JSON object"),
        ('{"plan": 1, "plan": 1}', "plan is there twice"),
        ("{}", "is missing"),
    ],
)
def test_what_is_no_plan_is_told(tmp_path: Path, text: str, what: str) -> None:
    path = tmp_path / "plan.json"
    path.write_text(text)
    with pytest.raises(InputError, match=what):
        read_plan(path)


def test_a_plan_from_before_there_were_labels_keeps_its_seal() -> None:
    seen = Described(emotion="sad", description="A cat.", captions=("Monday",))
    assert seen.content == checksum(
        {"emotion": "sad", "description": "A cat.", "captions": ["Monday"]}
    )
    labelled = seen.model_copy(update={"layout_type": "SinglePanel_Meme"})
    assert labelled.content != seen.content
