"""JanusMM's metrics: every score that the benchmark makes is declared, and adds up by hand."""

from pathlib import Path

import numpy as np
import pytest

from deadpan.benchmarks.janusmm import JANUSMM, metrics
from deadpan.benchmarks.janusmm.irc import Consistency
from deadpan.benchmarks.janusmm.metrics import movement
from deadpan.benchmarks.janusmm.rating_files import manual_metrics
from deadpan.benchmarks.janusmm.ratings import correlation_scores, rating_scores
from deadpan.benchmarks.janusmm.robustness import read_pairs, robustness_scores
from deadpan.benchmarks.janusmm.scoring import pair_answers
from deadpan.core.answers import Answers
from deadpan.core.metric import Sums, mean, stack
from deadpan.core.outcomes import Outcome
from deadpan.core.ratings import Rating, RatingStudy
from deadpan.metrics.text_scores import UNMEASURED, where_measured
from tests.benchmarks.janusmm.meme_folder import answered, data, row, scored


def test_every_score_is_of_a_declared_metric(tmp_path: Path) -> None:
    said = {"m1": "Reasoning: a", "m2": "推理：猫", "m3": None}
    table = answered(data(tmp_path), {spec.name: said for spec in JANUSMM.tasks})
    half = Consistency("half", lambda pairs: [0.5] * len(pairs))
    parts = dict.fromkeys(("elc", "fgc", "crc"), lambda language: half)
    study = RatingStudy(
        "janusmm",
        tuple(manual_metrics().values()),
        [
            Rating(item=item, model="m", metric=metric, rater=rater, rating=3, language="en")
            for item in ("i1", "i2")
            for metric in ("MG", "DU", "PE", "EC", "SR", "HUC")
            for rater in "ab"
        ],
    )
    found = [
        *scored(table, parts=parts),
        *robustness_scores(read_pairs(), parts),
        *rating_scores(study),
        *correlation_scores(study, {("m", "i1"): 1.0, ("m", "i2"): 2.0}),
        *JANUSMM.analyses.stats(JANUSMM.read(None)),
    ]
    of_tasks = [metric for spec in JANUSMM.tasks for metric in spec.metrics]
    declared = {metric.name for metric in (*of_tasks, *JANUSMM.metrics)}
    assert {score.metric for score in found} <= declared


def test_what_reports_ask_of_a_metric() -> None:
    lower = {name for name in ("false_alarms", "short_answers", "short_pairs", "irc_distance")}
    assert all(JANUSMM.metric(name).is_lower_better for name in lower)
    assert (JANUSMM.metric("irc").title, JANUSMM.metric("irc").unit) == ("IRC", "percent")
    assert JANUSMM.metric("bartscore").unit == "nats"
    assert JANUSMM.metric("memes").better == "neither"


def test_one_answer_that_could_not_be_measured_leaves_no_mean() -> None:
    keys, matrix, _ = stack([{"sum": 1.0, "n": 1.0}, {"sum": 0.0, "n": 1.0}, UNMEASURED])
    weights = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 1.0]])
    values = where_measured(mean)(Sums(keys, weights @ matrix))
    assert values[0] == 0.5 and np.isnan(values[1])


def test_a_rewording_adds_its_move() -> None:
    assert movement(50.0, 47.0) == {
        **{"before": 50.0, "after": 47.0, "move": -3.0, "distance": 3.0, "within_3": 1.0, "n": 1.0}
    }
    assert movement(50.0, 54.0)["within_3"] == 0.0
    assert [metric.name for metric in metrics.MOVES["crc"]] == [
        *("crc_before", "crc_after", "crc_move", "crc_distance", "crc_within_3")
    ]


@pytest.mark.parametrize(
    ("sides", "whole"),
    [
        (("answered", "answered"), "answered"),
        (("answered", "refused"), "refused"),
        (("refused", "invalid"), "invalid"),
        (("truncated", "refused"), "truncated"),
        (("refused", "judge_failed"), "failed"),
        (("failed", "answered"), "failed"),
    ],
)
def test_how_a_pair_ends(tmp_path: Path, sides: tuple[Outcome, Outcome], whole: Outcome) -> None:
    said = {"m1": "Emotion: joy\nReasoning: He likes it."}
    table = answered(data(tmp_path, [row("m1")]), {"initiator": said, "responder": said})
    tasks = Answers(table).of("m")
    initiator, responder = (
        [one.ending(ended, one.parsed) for one in tasks[name]]
        for name, ended in zip(("initiator", "responder"), sides, strict=True)
    )
    (pair,) = pair_answers(initiator, responder)
    assert pair.outcome == whole and (pair.parsed is not None) == (whole == "answered")
    (alone,) = pair_answers(initiator, [])
    assert alone.outcome == "failed"
