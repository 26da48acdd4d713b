"""Whole studies in Chromium: everybody at a browser of their own, from the invitation to what comes
out."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import krippendorff
import pytest

from deadpan.core.study.templates import MadeStudy
from deadpan.studies.making.catalogue import own_template
from deadpan.studies.making.creating import create_study
from deadpan.studies.results.agreement import study_agreement
from deadpan.studies.results.export_files import write_export
from deadpan.studies.results.gathering import gather
from deadpan.studies.storage.opened import OpenStudy
from tests.benchmarks.pixelhumor.test_studies import make as make_pixelhumor
from tests.studies import template_world
from tests.studies.browsing import PHONE, Person, served

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
SHOTS = os.environ.get("DEADPAN_SCREENSHOTS")
"""A folder for pictures of every page, to be looked at."""


def shoot(person: Person, name: str) -> None:
    if SHOTS:
        person.page.screenshot(path=f"{SHOTS}/{name}.png", full_page=False)


def a_study(folder: Path, made: MadeStudy, items: int, practice: int = 0) -> OpenStudy:
    main = [item for item in made.items if item.kind == "main"][:items]
    tried = [item for item in made.items if item.kind == "practice"][:practice]
    return create_study(folder / "study", made.study, [*tried, *main]).opened


def alpha_of(export: Any, question: str, level: str) -> float:
    """Krippendorff's alpha by another library, from the exported rows alone."""
    rows = [one for one in export.independent if one.question.name == question]
    people, units = ({getattr(one, name): None for one in rows} for name in ("person", "unit"))
    said = {(one.person, one.unit): one.value for one in rows}
    values = sorted({str(value) for value in said.values()})
    table = [
        [
            float("nan")
            if (who, unit) not in said
            else float(
                said[who, unit] if level == "interval" else values.index(str(said[who, unit]))
            )
            for unit in units
        ]
        for who in people
    ]
    return float(krippendorff.alpha(reliability_data=table, level_of_measurement=level))


def test_five_raters_rate_blind_and_two_justifications_come_back(
    chromium: Browser, tmp_path: Path
) -> None:
    made = template_world.make("janusmm/rating", justification="yes", sample="2")
    study = a_study(tmp_path, made, 2)
    scales = [one.name for one in made.study.stages[0].questions if one.kind == "likert"]
    with served(study) as address:
        raters = [
            Person.at(
                chromium, address, study, f"rater {at}", **({"viewport": PHONE} if at == 4 else {})
            )
            for at in range(5)
        ]
        for at, rater in enumerate(raters):
            shoot(rater, f"rating-{at}")
            turn = 0
            while rater.has_task:
                points = {name: 1 + (at + turn + len(name)) % 5 for name in scales}
                words = (
                    "It quotes the last line and says what it missed."
                    if at != 1
                    else "I simply liked this one a lot."
                )
                rater.answer({**points, "note": words})
                rater.submit()
                turn += 1
            assert turn
        reviewer = Person.at(chromium, address, study, "reviewer", "adjudicator")
        shoot(reviewer, "rating-review")
        returned = 0
        while reviewer.has_task:
            poor = "simply liked" in reviewer.page.locator("#review blockquote").inner_text()
            returned += poor
            for box in [] if poor else reviewer.page.locator("#review [name=point]").all()[:2]:
                box.check()
            reviewer.page.fill("#review-comment", "Say what is right or wrong." if poor else "")
            with reviewer.page.expect_response(lambda found: found.url.endswith("/review")):
                reviewer.page.click(f'[form=review][value="{"return" if poor else "accept"}"]')
            reviewer.look()
        assert returned == 2
        again = raters[1]
        again.look()
        shoot(again, "rating-returned")
        assert "Say what is right or wrong." in again.page.inner_text("main")
        while again.has_task:
            again.answer({"note": "The reply misses that the boss is meant."})
            again.submit()
        reviewer.look()
        while reviewer.has_task:
            for box in reviewer.page.locator("#review [name=point]").all()[:2]:
                box.check()
            with reviewer.page.expect_response(lambda found: found.url.endswith("/review")):
                reviewer.page.click('[form=review][value="accept"]')
            reviewer.look()
        for person in (*raters, reviewer):
            assert SHOTS or not person.problems  # taking pictures puts styles into pages
            person.close()
    export = gather(study)
    assert len({one.person for one in export.independent}) == 5
    scores = {(one.task, one.group, one.metric): one.value for one in study_agreement(export)}
    name = scales[0]
    ours = [value for key, value in scores.items() if key[2] == "alpha" and name in "".join(key)]
    assert any(value == pytest.approx(alpha_of(export, name, "interval")) for value in ours)


def test_from_practice_to_gold_with_a_lead_who_checks(chromium: Browser, tmp_path: Path) -> None:
    made = make_pixelhumor(
        "annotation", teams="1", batch="3", checked="1", practice="1", sessions="1"
    )
    study = a_study(tmp_path, made, 3, practice=1)
    (tried,) = [item for item in made.items if item.kind == "practice"][:1]

    def gold() -> dict[str, Any]:
        return {name: value for name, value in tried.gold.items() if value != "NA"}

    with served(study) as address:
        pair = [Person.at(chromium, address, study, name) for name in ("Ann", "Bo")]
        for at, person in enumerate(pair):
            person.answer(gold())
            person.submit()
            for turn in range(3):
                answers = {"Q1": "Yes", "Q2": "Absent", "Q3": "1", "Q4": "Both", "Q5": ["Pun"]}
                # Ann says that the second comic she sees is no joke.
                no_joke = at == 0 and turn == 1
                person.answer({"Q1": "No", "Q2": "Absent"} if no_joke else answers)
                shoot(person, f"annotation-{at}-{turn}")
                person.submit()
            assert not person.has_task
        lead = Person.at(chromium, address, study, "Dana", "lead")
        shoot(lead, "lead")
        lead.page.goto(f"{address}/lead/batches")
        lead.page.click("a[href^='/lead/batch/']")
        shoot(lead, "lead-batch")
        with lead.page.expect_navigation():
            lead.page.click("form[action$='/accept'] button")
        third = Person.at(chromium, address, study, "Chen", "adjudicator", viewport=PHONE)
        shoot(third, "third")
        assert third.has_task
        third.answer({"Q1": "Yes", "Q2": "Absent", "Q3": "1", "Q4": "Text", "Q5": ["Pun"]})
        third.submit()
        assert not third.has_task
        lead.page.goto(f"{address}/lead")
        shoot(lead, "lead-done")
        assert not [one for person in (*pair, lead, third) for one in person.problems] or SHOTS
    export = gather(study)
    assert [one.state for one in export.settled] == ["settled"] * 3
    write_export(export, tmp_path / "out", "csv", own_template(made.study))
    labels = (tmp_path / "out/subjective_label.csv").read_text("utf-8")
    assert labels.count("['Yes'],['Absent'],['1'],") == 3 and labels.count("['Pun']") == 3
    scores = {
        (one.task, one.metric): one.value for one in study_agreement(export) if one.group == "all"
    }
    assert scores["Q1", "alpha_nominal"] == pytest.approx(alpha_of(export, "Q1", "nominal"))


def test_choosers_who_differ_and_a_third_who_chooses_among_theirs(
    chromium: Browser, tmp_path: Path
) -> None:
    made = make_pixelhumor("preference")
    study = a_study(tmp_path, made, 1)
    (item,) = [one for one in made.items if one.kind == "main"][:1]
    texts = [output.parts[0].text for output in item.outputs]

    def choose(wanted: int) -> Any:
        def click(form: Any) -> None:
            form.locator(".card-choice", has_text=texts[wanted]).locator("input").check()

        return click

    with served(study) as address:
        first, second = (Person.at(chromium, address, study, name) for name in ("one", "two"))
        shoot(first, "preference")
        for person, wanted in ((first, 0), (second, 1)):
            assert person.page.locator(".card-choice").count() == len(texts)
            person.answer({"preferred": choose(wanted)})
            person.submit()
            assert not person.has_task
        third = Person.at(chromium, address, study, "third", "adjudicator")
        shoot(third, "preference-third")
        assert third.page.locator(".card-choice").count() == 2
        third.answer({"preferred": choose(1)})
        third.submit()
        assert not third.has_task
    export = gather(study)
    (settled,) = export.settled
    assert (settled.state, settled.result) == ("settled", {"preferred": 1})
    written = write_export(export, tmp_path / "out", "jsonl")
    rows = [json.loads(line) for line in (tmp_path / "out/ratings.jsonl").open()]
    assert written and sum(row["rating"] for row in rows) == 3
    best = {row["model"] for row in rows if row["rating"] and row["rater"] == "adjudicator-1"}
    assert best == {item.outputs[1].source}


def test_stages_are_verified_one_after_another_and_a_meme_is_removed(
    chromium: Browser, tmp_path: Path
) -> None:
    made = template_world.make("merbench/stages")
    study = a_study(tmp_path, made, 2)
    with served(study) as address:
        person = Person.at(chromium, address, study, "verifier")
        shoot(person, "stages")
        removed = False
        for _ in range(9):
            if not person.has_task:
                break
            verdict = person.page.locator("form[data-question$=_verdict]").first
            stage = str(verdict.get_attribute("data-question")).removesuffix("_verdict")
            if stage == "emotion" and not removed:
                words = "It shows somebody who can be recognised."
                person.answer({"emotion_verdict": "remove", "emotion_reason": words})
                removed = True
            else:
                person.answer({f"{stage}_verdict": "accept"})
            shoot(person, f"stages-{stage}")
            person.submit()
        assert not person.has_task
    export = gather(study)
    states = [(one.stage, one.state) for one in export.settled]
    assert states.count(("perceive", "discarded")) == 1
    assert ("edit", "settled") in states or ("plan", "settled") in states
    (gone,) = [one for one in export.settled if one.state == "discarded"]
    assert "recognised" in gone.reason
    write_export(export, tmp_path / "out", "csv", own_template(made.study))
    assert "recognised" in (tmp_path / "out/gold.csv").read_text("utf-8")


def test_a_draft_is_accepted_in_part_and_corrected_in_part(
    chromium: Browser, tmp_path: Path
) -> None:
    made = template_world.make("cfms/annotation", teams="1")
    study = a_study(tmp_path, made, 1)
    item = next(one for one in made.items if one.kind == "main")
    with served(study) as address:
        people = [Person.at(chromium, address, study, name) for name in ("one", "two")]
        for person in people:
            shoot(person, "draft")
            assert item.draft_by and item.draft_by not in person.page.content()
            person.answer(
                {
                    "sarcastic": "yes",
                    "target": _typed("the boss"),
                    "target_type": "interpersonal_relations",
                    "explanation": "Thanks are not meant.",
                }
            )
            for button in person.page.locator("[data-accept]:visible").all():
                button.click()
            person.saved()
            shoot(person, "draft-corrected")
            person.submit()
    export = gather(study)
    said = {(one.person, one.question.name): one for one in export.independent}
    assert said["rater-1", "target"].value == {"text": "the boss"}
    assert said["rater-2", "explanation"].value == "Thanks are not meant."


def _typed(words: str) -> Any:
    def type_it(form: Any) -> None:
        form.locator("[data-typed]").fill(words)
        form.locator("[data-typed]").blur()

    return type_it
