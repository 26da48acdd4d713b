"""The agreement of a study's votes is that of the same votes as they are released, question by
question and overall."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from deadpan.benchmarks import find
from deadpan.benchmarks.pixelhumor.records import MODALITIES, SOUND_EFFECTS, STYLES
from deadpan.core.study.choice_questions import Single
from deadpan.core.study.exports import Said, StudyExport
from deadpan.core.study.items import StudyItem
from deadpan.core.study.specification import Study
from deadpan.core.study.stages import Stage
from deadpan.core.study.templates import StudySource
from deadpan.pipeline.agreement import find_agreement
from deadpan.studies.lead.live_agreement import question_agreements
from deadpan.studies.results.agreement import study_agreement, undefined_notes
from deadpan.studies.results.export_files import write_export
from tests.studies.study_room import words
from tests.studies.template_world import make, template_of

PAIRS = [("rater-1", "rater-2"), ("rater-3", "rater-4")]
TOLERANCE = 1e-12


def _votes(draw: random.Random) -> dict[str, object]:
    """What somebody says of a comic: after a No nothing else is asked."""
    effect = draw.choice(SOUND_EFFECTS)
    if draw.random() < 0.15:
        return {"Q1": "No", "Q2": effect}
    styles = [style for style in STYLES if draw.random() < 0.3] or [STYLES[0]]
    modality = draw.choice(MODALITIES)
    return {"Q1": "Yes", "Q2": effect, "Q3": str(draw.randint(1, 3)), "Q4": modality, "Q5": styles}


def _said(study: Study, seed: int, comics: int) -> Iterator[Said]:
    draw = random.Random(seed)
    stage = study.stages[0]
    for unit in range(comics):
        item = StudyItem(key=f"comic_{unit}", panels=3, parts=(words("A comic."),))
        people = [(name, "rater", "answer") for name in PAIRS[unit % len(PAIRS)]]
        if unit % 7 == 0:
            people.append(("adjudicator-1", "adjudicator", "third"))
        for person, role, kind in people:
            given = stage.completed(_votes(draw))  # type: ignore[arg-type]
            for question in stage.questions:
                who = (person, role, kind, given[question.name])
                yield Said(unit, item, stage.name, question, *who)


@pytest.fixture(scope="module")
def export() -> StudyExport:
    template = template_of("pixelhumor/annotation")
    source = StudySource(find("pixelhumor").read(None), settings=template.settings({"comics": "4"}))
    study = template.make(source).study
    return StudyExport(study, 1, list(_said(study, 7, 100)), [], [], [])


def _written(export: StudyExport, folder: Path) -> Path:
    write_export(export, folder, "csv", template_of("pixelhumor/annotation"))
    return folder


def test_a_study_gives_what_the_released_votes_give(export: StudyExport, tmp_path: Path) -> None:
    folder = _written(export, tmp_path)
    released = {
        (one.task, one.metric, one.group): one
        for one in find_agreement(find("pixelhumor"), data=folder).scores
    }
    groups = {"all": "annotators=pairs"} | {
        f"annotators={first}+{second}": f"annotators=A{2 * at + 1}+A{2 * at + 2}"
        for at, (first, second) in enumerate(PAIRS)
    }
    found = {
        (one.task, one.metric, one.group): one
        for one in study_agreement(export)
        if one.group in groups
    }
    compared = 0
    for (task, metric, group), one in found.items():
        theirs = released.get((task, metric, groups[group]))
        if theirs is not None:
            compared += 1
            assert theirs.value is not None
            assert one.value == pytest.approx(theirs.value, abs=TOLERANCE), (task, metric, group)
            assert one.n == theirs.n
    wanted = {key for key in released if key[2] in groups.values()}
    told = {(task, metric, groups[group]) for task, metric, group in found}
    overall = {key for key in wanted if key[0] == "overall"}
    assert len(overall) == 6 * 3 and overall <= told
    assert {key for key in wanted if key[0] in ("Q4", "Q5")} <= told
    # Of single labels, measures of sets are not said twice.
    lacking = wanted - told
    assert {task for task, _, _ in lacking} == {"Q1", "Q2", "Q3"}
    for task, metric, group in lacking:
        of_single = "agreement_exact" if metric.startswith("agreement") else "alpha_nominal"
        same = (released[task, metric, group].value, released[task, of_single, group].value)
        assert same[0] == pytest.approx(same[1], abs=TOLERANCE)
    assert compared == len(wanted) - len(lacking)


def test_both_shares_a_label_with_either_of_them(export: StudyExport) -> None:
    found = {(one.task, one.metric): one.value for one in study_agreement(export, groups=False)}
    overlap, exact = found["Q4", "agreement_overlap"], found["Q4", "agreement_exact"]
    assert overlap is not None and exact is not None and overlap > exact + 0.1
    shown = [one for one in question_agreements(export) if one.title["en"].startswith("What contr")]
    assert [one.measure for one in shown] == ["alpha_jaccard"]


def test_why_there_is_no_alpha_is_said(export: StudyExport) -> None:
    assert list(undefined_notes(study_agreement(export, groups=False))) == []
    said = [replace(one, value="Absent") if one.question.name == "Q2" else one
            for one in export.said]  # fmt: skip
    question, overall = undefined_notes(study_agreement(replace(export, said=said), groups=False))
    assert question.startswith("Q2: no alpha, as everybody gave one and the same answer")
    assert overall.startswith("overall: no alpha") and "Q2 has none" in overall


def test_the_exported_annotations_give_the_same(export: StudyExport, tmp_path: Path) -> None:
    folder = _written(export, tmp_path)
    file = folder / "annotations.csv"
    assert "Text;Visual" in file.read_text("utf-8")
    again = find_agreement(find("pixelhumor"), [file]).scores
    first = {(one.task, one.metric, one.group): one.value for one in study_agreement(export)}
    second = {(one.task, one.metric, one.group): one.value for one in again}
    assert first.keys() == second.keys()
    assert all(first[key] == pytest.approx(second[key], abs=TOLERANCE) for key in first)


@pytest.mark.parametrize("kind", ["", "label", "labels"])
def test_files_from_elsewhere_may_say_both(kind: str, tmp_path: Path) -> None:
    rows = [("1", "A", "Both"), ("1", "B", "Text"), ("2", "A", "Visual"), ("2", "B", "Text")]
    more = f",{kind}" if kind else ""
    lines = [f"{item},{who},Q4,{said}{more}" for item, who, said in rows]
    heading = "item,annotator,question,value" + (",kind" if kind else "")
    file = tmp_path / "votes.csv"
    file.write_text("\n".join([heading, *lines]) + "\n", "utf-8")
    scores = find_agreement(find("pixelhumor"), [file]).scores
    found = {(one.task, one.metric): one.value for one in scores if one.group == "all"}
    assert found["Q4", "agreement_overlap"] == 0.5 and found["Q4", "agreement_exact"] == 0
    assert not any(task == "overall" for task, _ in found), "there are other questions"


def test_overall_is_only_what_a_paper_prints() -> None:
    janus = make("janusmm/annotation", practice="0").study
    assert [name for name in ("janusmm", "merbench", "cfms", "vimu")
            if (votes := find(name).votes) and votes.overall] == []  # fmt: skip
    item = StudyItem(key="one", parts=(words("A meme."),))
    stage: Stage = janus.stages[0]
    said = [
        Said(1, item, stage.name, one, person, "rater", "answer", "guilt" if at else "so it is")
        for person in ("A", "B")
        for at, one in enumerate(stage.questions)
    ]
    scores = study_agreement(StudyExport(janus, 1, said, [], [], []))
    assert scores and not any(one.task == "overall" for one in scores)


def test_labels_of_a_study_of_ones_own_that_say_several(tmp_path: Path) -> None:
    title, options = {"en": "From?"}, ["a", "b", "c", "all"]
    several = {"all": ["a", "b", "c"]}
    asked = Single.model_validate(
        {"name": "from", "title": title, "options": options, "both": several}
    )
    stage = Stage(name="one", title={"en": "One"}, questions=(asked,))
    study = Study(name="own", title={"en": "Own"}, stages=(stage,))
    item = StudyItem(key="x", parts=(words("X."),))
    said = [Said(1, item, "one", asked, who, "rater", "answer", value)
            for who, value in (("A", "all"), ("B", "c"))]  # fmt: skip
    export = StudyExport(study, 1, said, [], [], [])
    found = {one.metric: one.value for one in study_agreement(export)}
    assert found["agreement_overlap"] == 1 and found["agreement_exact"] == 0
    write_export(export, tmp_path, "csv")
    told = (tmp_path / "annotations.csv").read_text("utf-8").splitlines()
    assert told[1].split(",")[3] == "a;b;c" and told[1].endswith("labels")
