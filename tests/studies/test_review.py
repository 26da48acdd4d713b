"""ViMU's review from the experts' verdicts over the adjudicator's to the next review."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from deadpan.base.errors import InputError
from deadpan.benchmarks.vimu.records import MINI_SET, read_videos
from deadpan.benchmarks.vimu.studies.gold import write_review
from deadpan.benchmarks.vimu.studies.review import TASKS
from deadpan.core.study.exports import Said, SettledItem, StudyExport
from deadpan.core.study_rows import study_rows
from deadpan.studies.making.catalogue import make_study, own_template
from deadpan.studies.results.export_files import write_export
from deadpan.studies.results.gathering import gather
from tests.studies.study_room import Person, Room, left, served

NAME = "vimu/review"
SEEN = {"implicit": "yes", "difficulty": "easy", "supported": "yes", "options_right": "yes"}
WORDS = "Names the boss."


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    made = make_study(NAME, (), None, {"videos": "1", "people": "3"})
    yield from left(served(tmp_path / "study", made.study, made.items))


def said(verdict: str, words: str = WORDS) -> dict[str, Any]:
    why = {} if verdict == "accept" else {"feedback": words}
    why |= {"reason": "ambiguous"} if verdict == "reject" else {}
    return {**SEEN, "verdict": verdict, **why}


def reviewed(room: Room, *verdicts: str, third: str = "") -> None:
    """Experts review what is there, and where they differ an adjudicator does."""
    experts = [room.person(f"Expert {at}") for at in range(len(verdicts))]
    for expert, verdict in zip(experts, verdicts, strict=True):
        done(expert, verdict)
    if third:
        for expert in experts:
            done(expert)
        room.person("Chen", "adjudicator").work(most=len(TASKS), **said(third, "Says too much."))


def done(expert: Person, verdict: str = "") -> None:
    """An expert reviews what is there, and does not give way in a discussion."""
    for _ in range(2 * len(TASKS)):
        if (task := expert.task()) is None:
            return
        if "Talk it over" in expert.get(f"/t/{task}").text:
            expert.post(f"/t/{task}/disagree")
        else:
            expert.submit(task, **said(verdict))


def exported(room: Room, folder: Path) -> list[tuple[str, str]]:
    """State and reason of each question in gold, once everything is written."""
    write_export(gather(room.study), folder, "csv", own_template(room.study.study))
    rows = [row for _, row in study_rows(folder / "gold.csv")]
    assert all(row["state"] == "settled" or not row.get("value") for row in rows)
    return sorted({(str(row["state"]), str(row.get("reason", ""))) for row in rows})


@pytest.mark.parametrize(
    ("third", "expected"),
    [
        ("reject", ("discarded", f"ambiguous; Says too much.; ambiguous; {WORDS}")),
        ("major", ("returned", f"Says too much.; {WORDS}")),
        ("minor", ("settled", "")),
    ],
)
def test_the_adjudicators_verdict_is_what_becomes_of_it(
    room: Room, tmp_path: Path, third: str, expected: tuple[str, str]
) -> None:
    reviewed(room, "accept", "major", "reject", third=third)
    assert exported(room, tmp_path / "out") == [expected]
    rows = [row for _, row in study_rows(tmp_path / "out" / "gold.csv")]
    by = {row["by"] for row in rows if row.get("question") == "verdict"}
    assert by == ({"third"} if third == "minor" else set())
    if third == "minor":
        changes = json.loads((tmp_path / "out" / "changes.json").read_text("utf-8"))
        assert changes[0]["verdict"] == "minor"
        assert {
            (one["when"], one["verdict"], one["feedback"]) for one in changes[0]["comments"]
        } == {
            ("after discussion", "major", WORDS),
            ("after discussion", "reject", WORDS),
            ("adjudication", "minor", "Says too much."),
        }


def test_changes_say_what_was_withdrawn_and_what_was_asked_for_in_the_end(tmp_path: Path) -> None:
    """Of four questions one is discussed to accept, one to a minor change, one is accepted against
    a minor change, and one by all."""
    made = make_study(NAME, (), None, {"videos": "1"})
    rounds: list[dict[str, tuple[str, ...]]] = [
        {"answer": ("accept", "major", "reject"), "discuss": ("accept",) * 3},
        {"answer": ("accept", "major", "reject"), "discuss": ("minor",) * 3},
        {"answer": ("accept", "accept", "minor")},
        {"answer": ("accept",) * 3},
    ]
    ends = ("accept", "minor", "accept", "accept")
    heard = [
        Said(unit, item, "review", question, f"rater-{at}", "rater", kind, answers[question.name])
        for unit, (item, kinds) in enumerate(zip(made.items, rounds, strict=True))
        for kind, verdicts in kinds.items()
        for at, verdict in enumerate(verdicts)
        for answers in (said(verdict, f"{verdict} {at}"),)
        for question in made.study.stages[0].questions
        if question.name in answers
    ]
    became = [
        SettledItem(unit, item, "review", "settled", {"verdict": end}, "")
        for unit, (item, end) in enumerate(zip(made.items, ends, strict=True))
    ]
    write_review(StudyExport(made.study, 1, heard, became, [], []), tmp_path)
    found = json.loads((tmp_path / "changes.json").read_text("utf-8"))
    assert [(row["id"], row["verdict"]) for row in found] == [
        (made.items[1].key, "minor"),
        (made.items[2].key, "accept"),
    ]
    first, second = ([tuple(one.values()) for one in row["comments"]] for row in found)
    assert first == [
        ("before discussion", "major", "major 1"),
        ("before discussion", "reject", "reject 2"),
        *(("after discussion", "minor", f"minor {at}") for at in range(3)),
    ]
    assert second == [("alone", "minor", "minor 2")]


def test_the_experts_read_labels_in_their_own_language() -> None:
    items = make_study(NAME, (), None, {"tasks": "oe"}).items
    chinese = next(item for item in items if item.language == "zh" and item.part("evidence"))
    evidence = next(part for part in chinese.parts if part.name == "evidence")
    assert not evidence.text_in("en").startswith(("frames", "text", "transcript"))
    first = {language: evidence.text_in(language)[:6] for language in ("en", "zh")}
    assert first["en"].isascii() and not first["zh"].isascii()


def test_what_is_kept_is_data_again(room: Room, tmp_path: Path) -> None:
    reviewed(room, "accept", "accept", "minor")
    out = tmp_path / "out"
    assert exported(room, out) == [("settled", "")]
    assert not (out / "left_out.json").exists()
    shutil.copy(MINI_SET / "metadata" / "video_evidence.jsonl", out / "metadata")
    (found,) = read_videos(out).records
    (before,) = (one for one in read_videos(None).records if one.video_id == found.video_id)
    own = {"path", "found_frames", "frames"}
    assert found.model_dump(exclude=own) == before.model_dump(exclude=own)


def test_what_was_returned_is_reviewed_again(room: Room, tmp_path: Path) -> None:
    reviewed(room, "accept", "major", "major")
    out = tmp_path / "out"
    assert exported(room, out) == [("returned", WORDS)]
    assert not (out / "metadata").exists()
    left_out = json.loads((out / "left_out.json").read_text("utf-8"))
    assert {(one["state"], one["reason"]) for one in left_out} == {("returned", WORDS)}
    (out / "left_out.json").write_text(
        json.dumps([*left_out, {"id": "gone/oe", "state": "returned", "reason": WORDS}]), "utf-8"
    )
    made = make_study(NAME, (), None, {"only": str(out)})
    assert {item.key for item in made.items} == {one["id"] for one in left_out}
    assert [item.part("feedback").text for item in made.items] == [WORDS] * len(left_out)  # type: ignore[union-attr]
    assert made.study.name != room.study.study.name, "both may be in one database"
    assert made.notes == ["returned, and not among these: 1 question"]


class TestWrongFolders:
    @pytest.mark.parametrize(
        ("text", "what"),
        [
            (None, "holds no left_out.json"),
            ("{}", "expected a list"),
            ("[]", "names no question that was returned"),
            ('[{"id": "a/oe", "state": "discarded", "reason": ""}]', "names no question that was"),
            ('[{"id": "a/oe"}]', "state: is missing"),
            ('[{"id": "a/oe", "state": "returned", "reason": "b"}]', "has none of the questions"),
        ],
    )
    def test_is_told(self, tmp_path: Path, text: str | None, what: str) -> None:
        if text is not None:
            (tmp_path / "left_out.json").write_text(text, "utf-8")
        with pytest.raises(InputError, match=what):
            make_study(NAME, (), None, {"only": str(tmp_path)})
