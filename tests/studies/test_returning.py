"""What a later stage sends back goes to those who answered an earlier one, and comes again."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from deadpan.core.study.choice_questions import Single
from deadpan.core.study.stages import Review, Settling, Stage
from deadpan.core.study.text_questions import Text
from deadpan.studies.lead.live_agreement import question_agreements
from deadpan.studies.results.datasheet import datasheet
from deadpan.studies.results.export_files import export_tables, write_export
from deadpan.studies.results.gathering import gather
from deadpan.studies.storage.tables import PersonRow
from deadpan.studies.work.returning import MOST_RETURNS
from tests.studies.study_room import Person, Room, a_study, explained, left, quick_passwords, served
from tests.studies.template_world import make, template_of


def _room(folder: Path, **more: Any) -> Room:
    about: dict[str, Any] = {"name": "first", "title": {"en": "First pass"}, "people": 1}
    about |= {"questions": (Text(name="why", title={"en": "Why?"}, alike=0.1),), **more}
    first = Stage(settling=Settling(rule="equal"), **about)
    verdict = Single(name="verdict", title={"en": "Right?"}, options=["accept", "return"])
    reason = Text(
        name="reason",
        title={"en": "What is wrong?"},
        when={"question": "verdict", "values": ["return"]},
    )
    second = Stage(
        name="second",
        title={"en": "Second pass"},
        people=1,
        role="adjudicator",
        builds_on=("first",),
        questions=(verdict, reason),
        settling=Settling(rule="objection", verdict="verdict", returns=("return",)),
    )
    return served(folder, a_study(first, second), [explained("joke", model="A pun.")])


def _first(person: Person, words: str) -> None:
    task = person.task()
    assert task is not None
    person.submit(task, why=words)


def _second(person: Person, **answers: str) -> None:
    task = person.task()
    assert task is not None
    person.submit(task, **answers)


def test_it_is_answered_anew_and_looked_at_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick_passwords(monkeypatch)
    room = _room(tmp_path / "study")
    ann, chen = room.person("Ann"), room.person("Chen", "adjudicator")
    _first(ann, "A joke.")
    _second(chen, verdict="return", reason="Which joke?")
    assert chen.task() is None
    task = ann.task()
    assert task is not None
    assert "Which joke?" in ann.get(f"/t/{task}").text
    ann.submit(task, why="A pun on wit.")
    again = chen.task()
    assert again is not None and "A pun on wit." in chen.get(f"/t/{again}").text
    chen.submit(again, verdict="accept")
    export = gather(room.study)
    assert [(one.stage, one.state) for one in export.settled] == [
        ("first", "settled"),
        ("second", "settled"),
    ]
    assert export.settled[0].result == {"why": "A pun on wit."}
    list(left(room))


def test_what_goes_back_and_forth_is_the_leads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick_passwords(monkeypatch)
    room = _room(tmp_path / "study")
    ann, chen = room.person("Ann"), room.person("Chen", "adjudicator")
    for turn in range(MOST_RETURNS + 1):
        _first(ann, f"Joke {turn}.")
        _second(chen, verdict="return", reason=f"No {turn}.")
    assert ann.task() is None and chen.task() is None
    assert [one.state for one in gather(room.study).settled] == ["settled", "disputed"]
    list(left(room))


def _stage(name: str, **settling: Any) -> Stage:
    verdict = Single(name="verdict", title={"en": "Right?"}, options=["yes", "no"])
    rule = Settling(rule="equal", verdict="verdict", **settling)
    return Stage(name=name, title={"en": name}, questions=(verdict,), settling=rule)


@pytest.mark.parametrize("name", ["third", "second", "nowhere"])
def test_it_goes_back_to_an_earlier_stage_alone(name: str) -> None:
    second = _stage("second", returns={"no": name})
    with pytest.raises(ValidationError, match=f"returns no to {name}, which is not before it"):
        a_study(_stage("first"), second, _stage("third"))
    study = a_study(_stage("first"), _stage("second", returns={"no": "first"}))
    assert study.stages[1].settling.returned_to == {"no": "first"}
    assert _stage("second", returns=("no",)).settling.returned_to == {}
    with pytest.raises(ValidationError, match="settling depends on verdict=maybe"):
        _stage("second", returns={"maybe": "first"})


WHOLE = [{"x1": 0, "y1": 0, "x2": 1, "y2": 1}]
HALVES = [{"x1": 0, "y1": 0, "x2": 0.5, "y2": 1}, {"x1": 0.5, "y1": 0, "x2": 1, "y2": 1}]
CLOSER = [{"x1": 0, "y1": 0, "x2": 0.48, "y2": 1}, {"x1": 0.52, "y1": 0, "x2": 1, "y2": 1}]


class _Comic:
    """A comic whose panels two people mark, read and check."""

    def __init__(self, folder: Path) -> None:
        made = make("pixelhumor/panels", comics="1", people="1", harm_people="1")
        self.room = served(folder / "study", made.study, made.items)
        self.folder = folder
        self.ann, self.chen = self.room.person("Ann"), self.room.person("Chen", "adjudicator")

    def drawn(self, boxes: Any) -> str:
        """The page on which boxes are drawn anew."""
        return self._done(self.ann, boxes=json.dumps(boxes))

    def read(self, *words: str) -> str:
        """The page on which panels are read, in the order of their numbers."""
        text = {str(at): one for at, one in enumerate(words, start=1)}
        return self._done(self.ann, panel_sequence=json.dumps([*text]), text=json.dumps(text))

    def checked(self, verdict: str, **more: str) -> str:
        return self._done(self.chen, verdict=verdict, **more)

    def _done(self, person: Person, **answers: str) -> str:
        task = person.task()
        assert task is not None
        page = person.get(f"/t/{task}").text
        person.submit(task, **answers)
        return page

    def exported(self, name: str) -> list[dict[str, str]]:
        template = template_of("pixelhumor/panels")
        write_export(gather(self.room.study), self.folder / "out", "csv", template)
        with (self.folder / "out" / name).open(encoding="utf-8") as stream:
            return list(csv.DictReader(stream))


def test_wrong_boxes_are_drawn_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    quick_passwords(monkeypatch)
    comic = _Comic(tmp_path)
    comic.drawn(WHOLE)
    comic.read("All in one.")
    assert "Boxes have to be corrected" in comic.checked("wrong_boxes", feedback="Two panels.")
    assert comic.chen.task() is None
    assert [one.state for one in gather(comic.room.study).settled] == ["open", *["returned"] * 2]
    assert not comic.exported("metadata.csv")
    assert "Two panels." in comic.drawn(HALVES)
    task = comic.ann.task()
    assert task is not None
    assert comic.ann.post(f"/t/{task}/submit").status_code == 422  # of panels that are no more
    assert "Two panels." in comic.read("Left.", "Right.")
    comic.checked("right")
    assert [one.state for one in gather(comic.room.study).settled][:3] == ["settled"] * 3
    (metadata,), (label,) = comic.exported("metadata.csv"), comic.exported("objective_label.csv")
    assert metadata["metadata"].count("panel_number") == 2
    assert (label["panel_sequence"], label["number_of_panels"]) == ("1, 2", "2")
    assert label["text"] == "1: Left. \n 2: Right."
    list(left(comic.room))


def test_boxes_drawn_better_keep_their_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick_passwords(monkeypatch)
    comic = _Comic(tmp_path)
    comic.drawn(HALVES)
    comic.read("Left.", "Right.")
    comic.checked("wrong_boxes", feedback="Mind the gutter.")
    comic.drawn(CLOSER)
    assert "Left." in comic._done(comic.ann)
    comic.checked("wrong_reading", feedback="It says left!")
    assert "It says left!" in comic.read("Left!", "Right.")
    comic.checked("right")
    settled = {one.stage: one for one in gather(comic.room.study).settled}
    assert settled["reading"].result["text"] == {"1": "Left!", "2": "Right."}
    assert settled["checking"].item.parts[0].panels == settled["reading"].item.parts[0].panels
    assert settled["boxes"].result["boxes"][0]["x2"] == 0.48
    list(left(comic.room))


def _annotated(room: Room) -> list[tuple[object, ...]]:
    rows = export_tables(gather(room.study))["annotations"]
    return [(row["annotator"], row["question"], row["value"]) for row in rows]


def test_annotations_are_what_was_said_before_and_returns_say_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick_passwords(monkeypatch)
    room = _room(tmp_path / "study", people=2)
    ann, bo, chen = room.person("Ann"), room.person("Bo"), room.person("Chen", "adjudicator")
    _first(ann, "A joke on the king.")
    _first(bo, "A joke.")
    _second(chen, verdict="return", reason="Which joke?")
    _first(ann, "A pun on wit.")
    _first(bo, "A pun on wit.")
    _second(chen, verdict="return", reason="Whose wit?")
    _first(ann, "A pun on the king's wit.")
    _first(bo, "A pun on the king's wit.")
    _second(chen, verdict="accept")
    at_first = [
        ("rater-1", "why", "A joke on the king."),
        ("rater-2", "why", "A joke."),
        ("adjudicator-1", "verdict", "return"),
        ("adjudicator-1", "reason", "Which joke?"),
    ]
    assert _annotated(room) == at_first
    export = gather(room.study)
    tables = export_tables(export)
    settled = {row["question"]: (row["value"], row["by"]) for row in tables["gold"]}
    assert settled["why"] == ("A pun on the king's wit.", "agreed")
    assert settled["verdict"] == ("accept", "alone")
    about = {"item": "joke / model", "stage": "second", "to": "first", "by": "adjudicator-1"}
    about["verdict"] = "return"
    assert tables["returns"] == [
        {**about, "reason": "Which joke?", "round": 1},
        {**about, "reason": "Whose wit?", "round": 2},
    ]
    assert "| `returns` | one item that a stage" in datasheet(export, [], (), list(tables))
    in_the_end = replace(export, first=())
    assert [question_agreements(one)[0].exact for one in (export, in_the_end)] == [0, 1]
    list(left(room))


def test_who_is_left_out_sent_nothing_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    quick_passwords(monkeypatch)
    room = _room(tmp_path / "study")
    ann, chen = room.person("Ann"), room.person("Chen", "adjudicator")
    _first(ann, "A joke.")
    _second(chen, verdict="return", reason="Which joke?")
    with room.study.database.write() as session:
        session.get_one(PersonRow, chen.number).left_out = True
    _first(ann, "A pun on wit.")
    assert not gather(room.study).returns
    assert _annotated(room) == [("rater-1", "why", "A joke.")]
    list(left(room))


def test_words_that_a_reviewer_sent_back_count_as_they_were_rewritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick_passwords(monkeypatch)
    review = Review(question="why", points=({"en": "clear"},), needed=1)
    room = _room(tmp_path / "study", review=review)
    ann, chen = room.person("Ann"), room.person("Chen", "adjudicator")
    _first(ann, "Ha.")
    _reviewed(chen, "return")
    _first(ann, "A joke.")
    _reviewed(chen, "accept")
    assert _annotated(room) == [("rater-1", "why", "A joke.")]
    _second(chen, verdict="return", reason="Which joke?")
    _first(ann, "A pun on wit.")
    assert {who for who, _, _ in _annotated(room)} == {"adjudicator-1"}  # it waits for a reviewer
    _reviewed(chen, "accept")
    assert _annotated(room)[0] == ("rater-1", "why", "A joke.")
    list(left(room))


def _reviewed(person: Person, decision: str) -> None:
    task = person.task()
    assert task is not None
    found = person.post(f"/t/{task}/review", point="0", decision=decision, comment="Say more.")
    assert found.status_code == 303
