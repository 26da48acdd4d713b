"""Whole studies in Chromium: everybody at a browser of their own, from the invitation to what comes
out."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import krippendorff
import pytest

from deadpan.core.study.templates import MadeStudy
from deadpan.studies.agreeing import study_agreement
from deadpan.studies.catalogue import own_writer
from deadpan.studies.creating import create_study
from deadpan.studies.export_files import write_export
from deadpan.studies.gathering import gather
from deadpan.studies.opened import OpenStudy
from tests.studies import template_world
from tests.studies.browsing import CHROMIUM, FLAGS, PHONE, Person, served

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not CHROMIUM.exists(), reason="no Chromium"),
]
SHOTS = os.environ.get("DEADPAN_SCREENSHOTS")
"""A folder for pictures of every page, to be looked at."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield found
        found.close()


def shoot(person: Person, name: str) -> None:
    if SHOTS:
        person.page.screenshot(path=f"{SHOTS}/{name}.png", full_page=False)


def a_study(folder: Path, made: MadeStudy, items: int) -> OpenStudy:
    others = [item for item in made.items if item.kind != "main"]
    main = [item for item in made.items if item.kind == "main"][:items]
    return create_study(folder / "study", made.study, [*others, *main]).opened


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
    browser: Browser, tmp_path: Path
) -> None:
    made = template_world.make("janusmm/rating", justification="yes", sample="2")
    study = a_study(tmp_path, made, 2)
    scales = [one.name for one in made.study.stages[0].questions if one.kind == "likert"]
    with served(study) as address:
        raters = [
            Person.at(
                browser, address, study, f"rater {at}", **({"viewport": PHONE} if at == 4 else {})
            )
            for at in range(5)
        ]
        for at, rater in enumerate(raters):
            shoot(rater, f"rating-{at}")
            turn = 0
            while rater.has_task:
                points = {name: 1 + (at + turn + len(name)) % 5 for name in scales}
                words = "It quotes the last line and says what it missed." if at != 1 else "I simply liked this one a lot."
                rater.answer({**points, "note": words})
                rater.submit()
                turn += 1
            assert turn
        reviewer = Person.at(browser, address, study, "reviewer", "adjudicator")
        shoot(reviewer, "rating-review")
        returned = 0
        while reviewer.has_task:
            poor = "simply liked" in reviewer.page.locator("#review blockquote").inner_text()
            returned += poor
            for box in [] if poor else reviewer.page.locator("#review [name=point]").all()[:2]:
                box.check()
            reviewer.page.fill("#review-comment", "Say what is right or wrong." if poor else "")
            with reviewer.page.expect_response(lambda found: found.url.endswith("/review")):
                reviewer.page.click(f'#review [value="{"return" if poor else "accept"}"]')
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
                reviewer.page.click('#review [value="accept"]')
            reviewer.look()
        for person in (*raters, reviewer):
            assert not person.problems
            person.close()
    export = gather(study)
    assert len({one.person for one in export.independent}) == 5
    scores = {(one.task, one.group, one.metric): one.value for one in study_agreement(export)}
    name = scales[0]
    ours = [value for key, value in scores.items() if key[2] == "alpha" and name in "".join(key)]
    assert any(value == pytest.approx(alpha_of(export, name, "interval")) for value in ours)
