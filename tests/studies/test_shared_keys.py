"""Items of one key that show other outputs are told apart in every file, and in agreement."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

from deadpan.base.errors import InputError
from deadpan.core.annotations import read_annotations
from deadpan.core.choices import read_choices
from deadpan.core.study.exports import Said, SettledItem, Spent, StudyExport
from deadpan.core.study.items import Output, Part, StudyItem
from deadpan.core.study.specification import Study
from deadpan.core.study.validation import require_fit
from deadpan.metrics.annotation_scores import annotation_scores
from deadpan.metrics.choice_scores import choice_scores
from deadpan.pipeline.rating import rate_by_own_scales
from deadpan.studies.lead.live_agreement import question_agreements
from deadpan.studies.results.agreement import study_agreement
from deadpan.studies.results.export_files import write_export
from deadpan.studies.results.label_studio import label_studio_tasks

SOURCES = ("long", "plain", "short", "terse")
PAIRS = [*combinations(SOURCES, 2)]
KEYS = ("joke-1", "joke-2")
CHOSEN = {"rater-1": (0, 0, 1, 1, 0, 1) * 2, "rater-2": (0, 1, 1, 1, 0, 0) * 2}
"""The place that each chose, pair after pair of both jokes: they agree on eight of twelve."""


def study(kind: str, produces: str) -> Study:
    asked = {"kind": kind, "name": "better", "title": "Better?"}
    stage = {"name": "choose", "title": "Choose", "people": 2, "questions": [asked]}
    return Study.model_validate(
        {"name": "pairs", "title": "Pairs", "produces": produces, "stages": [stage]}
    )


def item(key: str, sources: tuple[str, ...]) -> StudyItem:
    outputs = [
        Output(source=one, parts=(Part(name="text", kind="text", text=one),)) for one in sources
    ]
    return StudyItem(key=key, parts=(Part(name="joke", kind="text", text=key),), outputs=outputs)


def export_of(made: Study) -> StudyExport:
    units = [item(key, pair) for key in KEYS for pair in PAIRS]
    stage = made.stages[0]

    def said() -> Iterator[Said]:
        for unit, one in enumerate(units):
            for who, places in CHOSEN.items():
                about = (who, "rater", "answer", places[unit])
                yield Said(unit, one, stage.name, stage.questions[0], *about, shown=(0, 1))

    settled = [
        SettledItem(unit, one, stage.name, "settled", {"better": CHOSEN["rater-1"][unit]}, "")
        for unit, one in enumerate(units)
    ]
    spent = [
        Spent(unit, one.key, stage.name, who, "answer", "submitted", float(unit))
        for unit, one in enumerate(units)
        for who in CHOSEN
    ]
    return StudyExport(made, 1, [*said()], settled, spent, [])


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def export() -> StudyExport:
    return export_of(study("pairwise", "choices"))


def test_agreement_is_over_every_pair(export: StudyExport) -> None:
    found = {(one.model, one.task, one.metric): one for one in study_agreement(export)}
    exact = found["annotators", "better", "agreement_exact"]
    assert (exact.n, exact.value) == (12, pytest.approx(8 / 12))
    alpha = found["annotators", "better", "alpha_nominal"]
    assert alpha.value == pytest.approx(found["overall", "choices", "alpha"].value)
    (live,) = question_agreements(export)
    assert (live.n, live.exact, live.value) == (12, exact.value, alpha.value)


def test_no_row_is_like_another_in_any_file(export: StudyExport, tmp_path: Path) -> None:
    write_export(export, tmp_path, "csv")
    times = [(row["item"], row["person"]) for row in rows(tmp_path / "times.csv")]
    assert len(set(times)) == len(times) == 24
    gold = [row["item"] for row in rows(tmp_path / "gold.csv")]
    assert len(set(gold)) == len(gold) == 12 and "joke-1 / long + plain" in gold
    chosen = choice_scores("", read_choices([tmp_path / "choices.csv"]))
    assert {one.n for one in chosen if one.metric == "exact_match"} == {12}
    assert len({task["id"] for task in label_studio_tasks(export)}) == 12


def test_annotations_are_read_again(tmp_path: Path) -> None:
    export = export_of(study("pairwise", "annotations"))
    write_export(export, tmp_path, "csv")
    read = read_annotations([tmp_path / "annotations.csv"])
    exact, *_ = annotation_scores("", read)
    assert (exact.n, exact.value) == (12, pytest.approx(8 / 12))


def test_the_best_of_other_outputs_is_another_choice(tmp_path: Path) -> None:
    export = export_of(study("best", "ratings"))
    write_export(export, tmp_path, "csv")
    read = rate_by_own_scales([tmp_path / "ratings.csv"])
    assert {one.item for one in read.study.ratings} == set(export.unit_names.values())
    for found in (study_agreement(export), read.scores):
        counted = {one.model: one for one in found if one.metric == "times_chosen"}
        assert counted["long"].n == 12 and sum(one.value or 0 for one in counted.values()) == 24


def test_what_is_of_one_key_only_keeps_its_name() -> None:
    made = study("best", "ratings")
    one, other = item("joke-1", SOURCES), item("joke-2", SOURCES[:1])
    settled = [SettledItem(at, it, "choose", "open", {}, "") for at, it in enumerate((one, other))]
    export = StudyExport(made, 1, [], settled, [], [])
    assert export.unit_names == {0: "joke-1", 1: "joke-2 / long"}


def test_two_outputs_the_other_way_round_are_the_same_item() -> None:
    both = [("a", item("joke-1", ("long", "plain"))), ("b", item("joke-1", ("plain", "long")))]
    with pytest.raises(InputError, match="is the key of a too"):
        require_fit(study("pairwise", "choices"), both)
