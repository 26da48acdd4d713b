"""A study that is changed: what may be before anybody is asked, and what later."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from sqlalchemy import select

from deadpan.base.errors import InputError
from deadpan.core.study.changes import changes
from deadpan.core.study.files import study_of, study_text
from deadpan.core.study.items import StudyItem
from deadpan.studies.lead.updating import update_study
from deadpan.studies.storage.tables import ItemRow, PersonRow
from tests.studies.study_room import Room, left, served, words

STUDY = """
name: made
title: {en: A study}
practice: {pass_mark: 0.5}
checks_every: 2
stages:
- name: first
  title: {en: First}
  people: 2
  settling: {rule: equal, otherwise: [discuss]}
  review: {question: why, points: [{en: clear}, {en: true}], needed: 1}
  questions:
  - {kind: single, name: funny, title: {en: "Funny?"}, options: [Yes, No], help: {en: Is it}}
  - kind: multiple
    name: styles
    title: {en: "How?"}
    options: [pun, irony]
  - {kind: text, name: why, title: {en: "Why?"}, compared: false}
  - {kind: likert, name: taste, title: {en: "Good?"}, required: false}
- name: second
  title: {en: Second}
  people: 1
  questions:
  - {kind: text, name: note, title: {en: "Note"}}
"""
Edit = Callable[[dict[str, Any]], Any]


def room_here(folder: Path) -> Room:
    gold = {"funny": "Yes", "styles": ["pun", "irony"]}
    items = [
        StudyItem(key="one", parts=(words("A joke."),)),
        StudyItem(key="try", kind="practice", gold=gold, parts=(words("A try."),)),
        StudyItem(key="check", kind="check", gold={"funny": "No"}, parts=(words("A check."),)),
    ]
    return served(folder, study_of(STUDY, "study.yaml"), items)


def edited(folder: Path, edit: Edit) -> Path:
    """The study's file, changed."""
    said = yaml.safe_load(study_text(study_of(STUDY, "study.yaml")))
    edit(said)
    path = folder / "changed.yaml"
    path.write_text(yaml.safe_dump(said, allow_unicode=True), "utf-8")
    return path


def _first(said: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = said["stages"][0]
    return found


def _asked(said: dict[str, Any], at: int) -> dict[str, Any]:
    found: dict[str, Any] = _first(said)["questions"][at]
    return found


WORDS: dict[str, Edit] = {
    "title": lambda said: said.update(title={"en": "Another", "zh": "另一个"}),
    "guidelines": lambda said: said.update(guidelines={"en": "# Read"}),
    "about": lambda said: said.update(about={"en": "Jokes"}),
    "consent": lambda said: said.update(consent={"text": {"en": "We keep nothing."}}),
    "pay": lambda said: said.update(pay={"en": "10 an hour"}),
    "minutes": lambda said: said.update(minutes=2),
    "claim_hours": lambda said: said.update(claim_hours=2),
    "stages.first.about": lambda said: _first(said).update(about={"en": "Look"}),
    "stages.first.questions.funny.help": lambda said: _asked(said, 0).update(help={"en": "Is?"}),
    "stages.first.questions.funny.options.Yes.title": lambda said: _asked(said, 0).update(
        options=[{"value": "Yes", "title": {"en": "Yes!"}}, "No"]
    ),
    "stages.first.questions.taste.labels.1": lambda said: _asked(said, 3).update(
        labels={1: {"en": "bad"}}
    ),
    "stages.first.review.points.1": lambda said: _first(said)["review"].update(
        points=[{"en": "plain"}, {"en": "true"}]
    ),
}
RULES: dict[str, Edit] = {
    "produces: annotations → ratings": lambda said: said.update(produces="ratings"),
    "skipping: true → false": lambda said: said.update(skipping=False),
    "by_language: true → false": lambda said: said.update(by_language=False),
    "checks_every: 2 → 3": lambda said: said.update(checks_every=3),
    "practice.pass_mark: 0.5 → 0.9": lambda said: said["practice"].update(pass_mark=0.9),
    "practice.rounds: 3 → 1": lambda said: said["practice"].update(rounds=1),
    "stages.first.people: 2 → 3": lambda said: _first(said).update(people=3),
    "stages.first.role: rater → lead": lambda said: _first(said).update(role="lead"),
    "stages.first.settling.rule: equal → votes": lambda said: _first(said)["settling"].update(
        rule="votes"
    ),
    "stages.first.settling.otherwise: discuss → third": lambda said: _first(said)[
        "settling"
    ].update(otherwise=["third"]),
    "stages.first.review.needed: 1 → 2": lambda said: _first(said)["review"].update(needed=2),
    "stages.first.questions.funny.required: true → false": lambda said: _asked(said, 0).update(
        required=False
    ),
    "stages.first.questions.funny.options: Yes, No → Yes, No, Maybe": lambda said: _asked(
        said, 0
    ).update(options=["Yes", "No", "Maybe"]),
    "stages.first.questions.taste.highest: 5 → 7": lambda said: _asked(said, 3).update(highest=7),
    "stages.first.questions.why.most: 2000 → 50": lambda said: _asked(said, 2).update(most=50),
    "stages.second.builds_on: nothing → first": lambda said: said["stages"][1].update(
        builds_on=["first"]
    ),
    "stages.first.questions: funny, styles, why, taste → funny, styles, why": lambda said: said[
        "stages"
    ][1]["questions"].append(_first(said)["questions"].pop()),
    "stages: first, second → first": lambda said: said["stages"].pop(),
}
DEALT: dict[str, Edit] = {
    "name: made → other": lambda said: said.update(name="other"),
    "teams: 1 → 2": lambda said: said.update(teams=2),
    "batches: nothing → ": lambda said: said.update(batches={"size": 10}),
    "benchmark: nothing → cfms": lambda said: said.update(benchmark="cfms"),
    "stages: first, second → other, second": lambda said: _first(said).update(name="other"),
}


def weights(folder: Path, edit: Edit) -> dict[str, str]:
    """How much each change of an edit weighs."""
    changed = study_of(edited(folder, edit).read_text("utf-8"), "changed.yaml")
    return {str(one): one.weight for one in changes(study_of(STUDY, "study.yaml"), changed)}


@pytest.mark.parametrize("path", WORDS)
def test_words_change_at_any_time(path: str, tmp_path: Path) -> None:
    ((change, weight),) = weights(tmp_path, WORDS[path]).items()
    assert change.startswith(f"{path}: ") and weight == "free"


@pytest.mark.parametrize("change", RULES)
def test_rules_change_while_nobody_was_asked(change: str, tmp_path: Path) -> None:
    found = weights(tmp_path, RULES[change])
    assert found[change] == "asked" and set(found.values()) == {"asked"}


@pytest.mark.parametrize("change", DEALT)
def test_what_items_were_dealt_by_never_changes(change: str, tmp_path: Path) -> None:
    ((found, weight),) = weights(tmp_path, DEALT[change]).items()
    assert found.startswith(change) and weight == "fixed"


def test_a_stage_may_be_called_as_a_field_is(tmp_path: Path) -> None:
    found = weights(tmp_path, lambda said: _first(said).update(joined={"code": ["why", "styles"]}))
    assert list(found.values()) == ["asked"]


def test_languages_are_added_and_not_taken_away(tmp_path: Path) -> None:
    one = study_of(STUDY.replace("stages:", "languages: [en]\nstages:"), "study.yaml")
    both = study_of(STUDY, "study.yaml")
    assert [found.weight for found in changes(one, both)] == ["free"]
    assert [found.weight for found in changes(both, one)] == ["asked"]


def test_words_change_while_people_answer(tmp_path: Path) -> None:
    room = room_here(tmp_path / "study")
    assert room.person("Ann").task()
    found = update_study(room.study, edited(tmp_path, WORDS["guidelines"]))
    assert found.version == 2 and [one.path for one in found.changes] == ["guidelines"]
    written = tmp_path / "study" / "study.yaml"
    assert study_of(written.read_text("utf-8"), "") == room.study.study
    written.write_text("cut off", "utf-8")
    again = update_study(room.study, edited(tmp_path, WORDS["guidelines"]))
    assert (again.version, again.changes) == (2, ())
    assert study_of(written.read_text("utf-8"), "") == room.study.study
    list(left(room))


def test_who_agreed_to_another_consent_is_asked_again(tmp_path: Path) -> None:
    room = room_here(tmp_path / "study")
    ann = room.person("Ann")
    task = ann.task()
    update_study(room.study, edited(tmp_path, WORDS["guidelines"]))
    assert ann.task() == task
    update_study(room.study, edited(tmp_path, WORDS["consent"]))
    assert ann.task() is None
    with room.study.database.read() as session:
        assert session.scalars(select(PersonRow.consented_at)).all() == [None]
    list(left(room))


def test_rules_are_taken_over_before_anybody_is_asked(tmp_path: Path) -> None:
    room = room_here(tmp_path / "study")
    room.person("Ann")
    update_study(room.study, edited(tmp_path, RULES["stages.first.people: 2 → 3"]))
    assert room.study.study.stages[0].people == 3
    with pytest.raises(InputError, match="dealt by: teams: 1 → 2"):
        update_study(room.study, edited(tmp_path, DEALT["teams: 1 → 2"]))
    list(left(room))


def test_every_forbidden_change_is_named_at_once(tmp_path: Path) -> None:
    room = room_here(tmp_path / "study")
    assert room.person("Ann").task()  # of the practice: it was asked too

    def edit(said: dict[str, Any]) -> None:
        for change in list(RULES)[:9]:
            RULES[change](said)
        WORDS["guidelines"](said)

    with pytest.raises(InputError) as refused:
        update_study(room.study, edited(tmp_path, edit))
    assert all(change in refused.value.what for change in list(RULES)[:9])
    assert "guidelines" not in refused.value.what and "new study" in refused.value.fix
    assert room.study.version == 1
    list(left(room))


def test_items_must_fit_what_is_asked_instead(tmp_path: Path) -> None:
    room = room_here(tmp_path / "study")
    path = edited(tmp_path, lambda said: _asked(said, 0).update(options=["No", "Perhaps"]))
    with pytest.raises(InputError, match=r"gold.funny: got \"Yes\""):
        update_study(room.study, path)
    list(left(room))


def test_parts_must_be_there_that_are_shown_instead(tmp_path: Path) -> None:
    room = room_here(tmp_path / "study")
    path = edited(tmp_path, lambda said: _first(said).update(shows=["txt"]))
    with pytest.raises(InputError, match=r"stage first: shows txt, .*did you mean text?"):
        update_study(room.study, path)
    list(left(room))


def test_gold_follows_the_order_of_options(tmp_path: Path) -> None:
    room = room_here(tmp_path / "study")
    update_study(
        room.study, edited(tmp_path, lambda said: _asked(said, 1).update(options=["irony", "pun"]))
    )
    with room.study.database.read() as session:
        rows = [row.content["gold"] for row in session.query(ItemRow).filter_by(kind="practice")]
    assert rows == [{"funny": "Yes", "styles": ["irony", "pun"]}]
    list(left(room))
