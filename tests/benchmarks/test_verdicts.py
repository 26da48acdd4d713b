"""People as judges: what they rate is what their judgement says, in every benchmark."""

from dataclasses import replace
from typing import Any

import pytest

from deadpan.benchmarks import BUILT_IN, find
from deadpan.core.answers import Answer
from deadpan.core.judge import Judgement
from deadpan.core.verdicts import Verdicts

ANSWER = Answer("i", 1, "en", "answered", None, "text", "text", {"target_emotion": "happy"})
EVERY = [
    pytest.param(name, verdicts, id=f"{name}-{verdicts.tasks[0]}")
    for name in BUILT_IN
    if (judging := find(name).judging)
    for verdicts in judging.verdicts
]


@pytest.mark.parametrize(("name", "verdicts"), EVERY)
def test_a_rating_becomes_a_judgement_that_says_it(name: str, verdicts: Verdicts) -> None:
    ratings = find(name).ratings
    assert ratings is not None
    scales = {scale.name: scale for scale in ratings.scales}
    for pick in ("lowest", "highest"):
        given = {one: float(getattr(scales[one], pick)) for one in verdicts.scales}
        said = verdicts.read(Judgement(parts=dict(verdicts.judgement(given))), ANSWER)
        assert said == {one: verdicts.rating(value) for one, value in given.items()}
        low, high = verdicts.bounds or (None, None)
        if low is not None and high is not None:
            assert set(said.values()) == {float(low if pick == "lowest" else high)}


@pytest.mark.parametrize(("name", "verdicts"), EVERY)
def test_every_judged_task_has_a_judge_and_its_scales_are_rated(
    name: str, verdicts: Verdicts
) -> None:
    benchmark = find(name)
    assert benchmark.ratings is not None
    assert {*verdicts.scales} <= {scale.name for scale in benchmark.ratings.scales}
    for task in verdicts.tasks:
        assert benchmark.task(task).judge is not None
    metrics = {metric.name for task in verdicts.tasks for metric in benchmark.task(task).metrics}
    assert {*verdicts.without} <= metrics


def test_every_judge_can_be_held_against_people() -> None:
    for name in BUILT_IN:
        benchmark = find(name)
        judged = {spec.name for spec in benchmark.tasks if spec.judge}
        held = {task for one in (benchmark.judging.verdicts if benchmark.judging else ())
                for task in one.tasks}  # fmt: skip
        assert judged == held


def _judged(benchmark: str, parts: dict[str, Any], **about: Any) -> Answer:
    import json

    cell = json.dumps([{"parts": parts, "flags": []}])
    return replace(ANSWER, judgements=cell, **about)


def test_people_make_vimus_total_and_verdict() -> None:
    from deadpan.benchmarks.vimu.people import VERDICTS

    given = dict(zip(VERDICTS.scales, (5, 3, 1, 1, 0), strict=True))
    parts = VERDICTS.judgement(given)
    assert (parts["total"], parts["verdict"]) == (8, "excellent")


def test_people_say_nothing_of_the_emotion_that_merbenchs_judge_names() -> None:
    from deadpan.benchmarks.merbench.metrics import edit_values
    from deadpan.benchmarks.merbench.perceived import perceived_labels

    (verdicts,) = find("merbench").judging.verdicts  # type: ignore[union-attr]
    parts = verdicts.judgement(dict.fromkeys(verdicts.scales, 6.0))
    answer = _judged("merbench", dict(parts))
    values = edit_values(answer)
    assert values is not None and values["VGQ"] == 1.0 and "gate_broken" not in values
    assert perceived_labels(answer) is None
