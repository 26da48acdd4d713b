"""What a dashboard counts, and what it keeps sealed."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from deadpan.core.study.exports import StudyExport
from deadpan.core.study.items import StudyItem
from deadpan.metrics.statistics import agreement
from deadpan.studies.lead import dashboard as lead_dashboard
from deadpan.studies.lead.dashboard import Dashboard, Dashboards, dashboard
from deadpan.studies.lead.deciding import close_or_open
from deadpan.studies.lead.live_agreement import (
    Agreement,
    agreement_with_others,
    question_agreements,
)
from deadpan.studies.making.creating import create_study
from deadpan.studies.results.agreement import study_agreement
from deadpan.studies.results.gathering import gather
from deadpan.studies.results.status import study_status
from deadpan.studies.storage.opened import OpenStudy
from tests.studies.filled import (
    DAY,
    Clock,
    filled_study,
    join,
    main_items,
    plain_study,
    says,
    specification,
    tasks,
)
from tests.studies.signed_in import Served

SOURCES = ("model-seven", "model-nine")


def looked(study: OpenStudy) -> Dashboard:
    export = gather(study, names=True)
    with study.database.read() as session:
        return dashboard(session, study, Agreement.of(export))


def later(study: OpenStudy, seconds: float) -> None:
    assert isinstance(study.now, Clock)
    study.now.at += seconds


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> OpenStudy:
    return filled_study(tmp_path_factory.mktemp("filled"), drawn=False, days=5)[0]


def test_items_and_answers_are_counted_by_stage(tmp_path: Path) -> None:
    study = plain_study(tmp_path / "study", main=5)
    first, second, third, *_ = main_items(study)
    for item in (first, second):
        says(study, "Ada", item, sound="adds")
        says(study, "Bo", item, sound="adds" if item == first else "absent")
    says(study, "Ada", third)
    annotate, explain = looked(study).stages
    found = {name: n for name, n in annotate.states.items() if n}
    assert found == {"settled": 1, "discussing": 1, "begun": 1, "untouched": 2}
    assert (annotate.given, annotate.needed) == (5, 10)
    assert dict(explain.states) == {"untouched": 1, "later": 4}
    assert (explain.given, explain.needed) == (0, 10)
    board = looked(study)
    assert (board.answered, board.remaining, board.apart, board.forecast) == (5, 15, 1, None)


def test_where_everybody_answers_everything_people_count(tmp_path: Path) -> None:
    stage = specification().stages[1].model_dump() | {"people": None}
    study = plain_study(tmp_path / "study", main=4, stages=[stage])
    says(study, "Ada", main_items(study)[0], "explain")
    (explain,) = looked(study).stages
    assert (explain.given, explain.needed) == (1, 12)
    Served.of(study).browser("Cy").post("/withdraw")
    assert looked(study).stages[0].needed == 8


def test_where_people_lack_is_told_and_for_how_many_items(tmp_path: Path) -> None:
    study = plain_study(tmp_path / "study", main=4)
    served = Served.of(study)
    assert not looked(study).lacks
    first, *_ = main_items(study)
    says(study, "Bo", first)
    for name in ("Ada", "Cy"):
        served.browser(name).post("/withdraw")
    (lack,) = looked(study).lacks
    assert (lack.items, lack.people, lack.role) == (4, 1, "rater")
    page = served.browser("Lena").get("/lead").text
    assert "1 more person is needed for “" in page and "where items wait: 4." in page
    assert "nobody is left to give them" in served.browser("Lena").get(f"/lead/item/{first}").text
    join(study, "Eve")
    assert not looked(study).lacks


def test_who_skipped_is_told_where_another_has_answered(tmp_path: Path) -> None:
    study = plain_study(tmp_path / "study", main=1)
    served = Served.of(study)
    says(study, "Bo", main_items(study)[0])
    served.browser("Cy").post("/withdraw")
    ada = served.browser("Ada")
    ada.post(f"{ada.get('/work').url.path}/skip", reason="")
    (stuck,) = looked(study).stuck
    assert (stuck.lacking, stuck.everybody) == (1, "Ada")
    assert not looked(study).lacks
    page = served.browser("Lena").get("/lead").text
    assert f"1 more person is needed for {stuck.key}: Ada skipped it, and nobody else" in page


def test_ratings_that_nobody_settles_are_done_when_all_have_answered(tmp_path: Path) -> None:
    study = rated_study(tmp_path / "study")
    first, second, _ = main_items(study)
    for name, item in (("Ada", first), ("Bo", first), ("Ada", second)):
        says(study, name, item, "rate", good=5, better=0)
    (rate,) = looked(study).stages
    assert (rate.done, rate.items, rate.states["begun"]) == (1, 3, 1)
    page = Served.of(study).browser("Lena").get("/lead").text
    assert "Items done</dt><dd>1 <small>of 3" in page


def test_the_command_counts_as_the_page_does(filled: OpenStudy) -> None:
    found = study_status(filled)
    assert found.answers == looked(filled).answered
    assert found.saved > found.answers


def test_agreement_is_what_the_command_and_the_formula_say(filled: OpenStudy) -> None:
    export = gather(filled, names=True)
    scores = {(one.task, one.metric): one for one in study_agreement(export) if one.group == "all"}
    found = {one.title["en"]: one for one in question_agreements(export)}
    for title, name, measure in (
        ("Are there sound effects?", "sound", "alpha_nominal"),
        ("Which styles of humour are there?", "styles", "alpha_jaccard"),
        ("How funny is it?", "funny", "alpha_interval"),
    ):
        one, score = found[title], scores[name, measure]
        assert (one.measure, one.value, one.n) == (measure, score.value, score.n)
        assert (one.low, one.high) == (score.low, score.high)
        assert one.exact == scores[name, "agreement_exact"].value
    said: dict[int, list[str]] = {}
    for row in export.independent:
        if row.question.name == "sound":
            said.setdefault(row.unit, []).append(str(row.value))
    alpha = agreement.krippendorff_alpha(said.values(), agreement.nominal)
    assert found["Are there sound effects?"].value == pytest.approx(alpha)


def test_a_person_is_compared_with_those_who_had_the_same_items(filled: OpenStudy) -> None:
    export = gather(filled, names=True)
    pairs = []
    by_item: dict[tuple[int, str], list[Any]] = {}
    for row in export.independent:
        if row.question.compared:
            by_item.setdefault((row.unit, row.question.name), []).append(row)
    for rows in by_item.values():
        pairs += [pair for pair in combinations(rows, 2) if "Goran" in {p.person for p in pair}]
    share, n = agreement_with_others(export)["Goran"]
    assert n == len(pairs)
    assert share == pytest.approx(sum(a.value == b.value for a, b in pairs) / n)


def test_people_have_their_times_checks_and_states(filled: OpenStudy) -> None:
    people = {one.name: one for one in looked(filled).people}
    goran, ada = people["Goran"], people["Ada"]
    assert goran.times is not None and ada.times is not None
    assert goran.times.median == pytest.approx(6)
    assert goran.is_fast and goran.fast == goran.times.n
    assert not ada.is_fast and ada.fast == 0
    own = tasks(filled, person=ada.id, state="submitted")
    checks = [row for row in gather(filled, names=True).checks if row.person == "Ada"]
    assert ada.done == sum(one.kind != "practice" for one in own)
    assert ada.open == len(tasks(filled, person=ada.id, state="open"))
    assert (ada.checks, ada.checks_failed) == (len(checks), sum(not one.right for one in checks))
    assert ada.checks > 0
    assert (people["Kim"].practice, ada.practice, people["Kim"].step) == (
        "failed",
        "passed",
        "consented",
    )
    assert [one.step for one in people.values() if one.name.startswith("Ivo")] == ["invited"]


def test_who_was_not_seen_for_days_is_named(tmp_path: Path) -> None:
    study = plain_study(tmp_path / "study")
    later(study, 4 * DAY)
    says(study, "Ada", main_items(study)[0])
    assert [one.name for one in looked(study).idle] == ["Jo", "Bo", "Cy"]
    served = Served.of(study)
    page = served.browser("Lena").get("/lead").text
    assert "Bo has not done anything yet" in page
    served.browser("Lena").post("/lead/close")
    assert looked(study).idle == []


def test_a_page_with_nothing_in_it_says_so(tmp_path: Path) -> None:
    page = Served.of(plain_study(tmp_path / "study")).browser("Lena").get("/lead").text
    assert "not enough answers to say" in page
    assert "No item has two answers yet." in page
    assert "Nobody has answered yet." in page


def test_it_is_looked_up_once_in_a_while_and_after_a_change(tmp_path: Path) -> None:
    study = plain_study(tmp_path / "study")
    moment = [0.0]
    boards = Dashboards(study, clock=lambda: moment[0])
    first = boards.now()
    moment[0] = 14.9
    assert boards.now() is first
    boards.forget()
    second = boards.now()
    assert second is not first
    moment[0] = 30
    assert boards.now() is not second


def test_what_a_lead_does_leaves_agreement_as_it_was_looked_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = plain_study(tmp_path / "study")
    gathered: list[int] = []

    def counted(*arguments: Any, **more: Any) -> StudyExport:
        gathered.append(1)
        return gather(*arguments, **more)

    monkeypatch.setattr(lead_dashboard, "gather", counted)
    moment = [0.0]
    boards = Dashboards(study, clock=lambda: moment[0])
    before = boards.now()
    with study.database.write() as session:
        close_or_open(session, study, True, None)
    boards.forget()
    assert boards.now().is_closed and not before.is_closed and len(gathered) == 1
    boards.forget(answers=True)
    boards.now()
    assert len(gathered) == 2
    moment[0] = 16
    boards.now()
    assert len(gathered) == 3


def rated_study(folder: Path) -> OpenStudy:
    """Outputs of two sources, one of which is rated or chosen."""
    rate = {"kind": "likert", "name": "good", "title": {"en": "How good?", "zh": "多好？"}}
    best = {"kind": "pairwise", "name": "better", "title": {"en": "Which?", "zh": "哪个？"}}
    stage = {"name": "rate", "title": "Rate", "people": None, "questions": [rate, best]}
    study = specification(
        practice=None,
        checks_every=None,
        teams=1,
        batches=None,
        produces="ratings",
        stages=[stage | {"settling": {"rule": "independent"}}],
    )
    outputs = [
        {"source": one, "parts": [{"name": "text", "kind": "text", "text": f"words {at}"}]}
        for at, one in enumerate(SOURCES)
    ]
    items = [
        StudyItem.model_validate(
            {"key": f"joke-{at}", "outputs": outputs, "draft": {"good": 3}, "draft_by": "drafter-x"}
        )
        for at in range(3)
    ]
    opened = create_study(folder, study, items).opened
    join(opened, "Lena", "lead")
    join(opened, "Ada")
    join(opened, "Bo")
    return opened


def crawled(served: Served) -> str:
    """Everything that a lead's pages say, but for downloads."""
    lead = served.browser("Lena")
    seen: dict[str, str] = {}
    waiting = ["/lead"]
    while waiting:
        path = waiting.pop()
        if path in seen or "/export/" in path or path in ("/work", "/lead/events"):
            continue
        reply = lead.get(path)
        assert reply.status_code == 200, path
        seen[path] = reply.text + str(reply.headers)
        waiting += [one.split("#")[0] for one in re.findall(r'(?:href|src)="(/[^"]*)"', reply.text)]
    assert any(path.startswith("/lead/item/") for path in seen)
    return "\n".join(seen.values())


def test_who_made_an_output_is_sealed_until_the_study_is_closed(tmp_path: Path) -> None:
    study = rated_study(tmp_path / "study")
    served = Served.of(study)
    for name, chosen in (("Ada", 0), ("Bo", 0)):
        for item in main_items(study):
            with study.database.read() as session:
                whole = study.item(session, item, "rate")
                person = next(one for one in looked(study).people if one.name == name)
            shown = study.outputs_shown(person.id, item, whole)
            says(study, name, item, "rate", good=5, better=shown.index(chosen))
    text = crawled(served)
    assert "words 0" in text
    for sealed in (*SOURCES, "drafter-x"):
        assert sealed not in text
    served.browser("Lena").post("/lead/close")
    page = served.browser("Lena").get("/lead").text
    assert "By source" in page and SOURCES[0] in page
    board = looked(study)
    shares = {(one.question["en"], one.source): one.mean for one in board.tallies}
    assert shares == {("Which?", SOURCES[0]): 1.0, ("Which?", SOURCES[1]): 0.0}
    assert "drafter-x" not in page


def test_outputs_stand_in_no_fixed_order(tmp_path: Path) -> None:
    study = rated_study(tmp_path / "study")
    lead = Served.of(study).browser("Lena")
    study.secret = "another"
    orders = set()
    for secret in range(6):
        study.secret = str(secret)
        for item in main_items(study):
            page = lead.get(f"/lead/item/{item}").text
            orders.add(page.index("words 0") < page.index("words 1"))
    assert orders == {True, False}


def test_every_page_is_there_in_chinese(filled: OpenStudy) -> None:
    served = Served.of(filled)
    lead = served.browser("Lena")
    lead.post("/language", language="zh", back="/lead")
    item, batch = main_items(filled)[0], 1
    for path, word in (
        ("/lead", "总览"),
        ("/lead/people", "邀请新成员"),
        ("/lead/items", "名称包含"),
        (f"/lead/item/{item}", "经过"),
        ("/lead/batches", "第 1 组"),
        (f"/lead/batch/{batch}", "第 1 批"),
        ("/lead/guidelines", "另存为新版本"),
    ):
        page = lead.get(path).text
        assert 'lang="zh-CN"' in page and word in page, path
        assert "<script>alert(1)" not in page
    lead.post("/language", language="en", back="/lead")


def test_hostile_words_stand_there_as_words(tmp_path: Path) -> None:
    bad = '</td><script>alert(1)</script>\u202e" onmouseover="x'
    study = plain_study(tmp_path / "study", title={"en": bad})
    served, item = Served.of(study), main_items(study)[0]
    ada = served.browser("Ada")
    path = ada.get("/work").url.path
    ada.post(f"{path}/skip", reason=bad)
    lead = served.browser("Lena")
    lead.post(f"/lead/item/{item}/discard", stage="annotate", reason=bad)
    pages = ("/lead", "/lead/items", f"/lead/item/{item}", "/lead/people", f"/lead/items?q={bad}")
    for page in pages:
        text = lead.get(page).text
        assert "<script>alert" not in text and "\u202e" not in text, page
        assert 'onmouseover="x"' not in text
