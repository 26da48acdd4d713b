"""Who looks and who does not: scripted models are found out, chance and shares worked by hand."""

from pathlib import Path

import polars as pl
import pytest

from deadpan.api import evaluate
from deadpan.base.errors import DeadpanError
from deadpan.benchmarks import find
from deadpan.core.metric import Metric
from deadpan.core.score import Score, ScoringOptions
from deadpan.core.signature import parse_signature
from deadpan.core.variants import Variant
from deadpan.engine.calls import CallOptions
from deadpan.engine.task_questions import RunSettings
from deadpan.metrics.statistics.paired import Difference
from deadpan.pipeline.asking_otherwise import Way, ask_ways, asked_ways, variants_named
from deadpan.pipeline.chance import Chance, asked_questions, chance_scores
from deadpan.pipeline.evaluating import Evaluation
from deadpan.pipeline.reading import read_results
from deadpan.pipeline.results import Results
from deadpan.pipeline.shortcuts import Shortcut, TaskAudit, audit_shortcuts
from tests.model_server import Answer, ModelServer
from tests.pipeline import scripted

BLIND = (Variant.TEXT_ONLY, Variant.BLANK, Variant.SWAPPED, Variant.QUESTION_ONLY)


def audited(
    answer: Answer, store: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[TaskAudit, Results, int]:
    """The audit of a scripted model, its results, and how often it was asked."""
    chosen = {"cfms": [scripted.TASK]}
    calls = CallOptions(any_server=True)
    evaluation = Evaluation(chosen, scripted.MODEL, RunSettings(store, calls=calls))
    with ModelServer(answer) as server:
        server.offer(monkeypatch)
        results = ask_ways(evaluation, asked_ways(chosen, (), False))
    (found,) = audit_shortcuts(results, asked_questions([store]))
    return found, results, server.total


def test_a_model_that_ignores_pictures_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    audit, _, _ = audited(scripted.reads, tmp_path, monkeypatch)
    scores = {one.variant: one.difference.second for one in audit.shortcuts}
    assert audit.full.value == pytest.approx(100 * 22 / 24)  # two pairs of posts have equal words
    assert {scores[one] for one in BLIND[:3]} == {audit.full.value}
    assert scores[Variant.QUESTION_ONLY] < 70
    assert audit.verdict == "it does not look: as good without the picture"
    assert audit.needs_looking == 0.0
    assert scores[Variant.PICTURE_ONLY] < 70  # its words are all that it has


def test_a_model_that_answers_from_the_picture_is_shown_to_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    audit, results, _ = audited(scripted.looks, tmp_path, monkeypatch)
    scores = {one.variant: one for one in audit.shortcuts}
    assert audit.full.value == 100.0
    assert all(scores[one].difference.second < 80 for one in BLIND)
    assert scores[Variant.PICTURE_ONLY].difference.value == 0.0
    assert scores[Variant.SHUFFLED_OPTIONS].difference.value == 0.0
    assert scores[Variant.BLANK].is_sure
    assert audit.verdict in ("it looks", "part of this score is had without looking")
    assert (audit.needs_looking or 0) > 0.5
    swapped = results.table.filter(pl.col("signature").str.contains("shown:swapped"))
    assert (swapped["attr.picture_of"] != swapped["item"]).all()


def test_what_was_asked_is_not_asked_again_and_the_store_says_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, results, calls = audited(scripted.looks, tmp_path, monkeypatch)
    again, _, none = audited(scripted.looks, tmp_path, monkeypatch)
    assert calls > 0 and none == 0
    assert again == first
    (read,) = audit_shortcuts(read_results(tmp_path), asked_questions([tmp_path]))
    assert read.shortcuts == first.shortcuts and read.chance == first.chance
    ways = {parse_signature(text).way for text in results.table["signature"]}
    assert len(ways) == 7  # in full and six variants
    report = results.report(tmp_path / "report.md").read_text("utf-8")
    assert "loopback/scripted (blank picture)" in report


def test_one_way_alone_is_no_audit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    evaluation = Evaluation({"cfms": [scripted.TASK]}, "baseline/random", RunSettings(tmp_path))
    with pytest.raises(DeadpanError, match="no task was asked both in full and in a variant"):
        audit_shortcuts(evaluation.run(), {})


def test_chance_is_the_better_of_guessing_and_the_most_frequent() -> None:
    """CFMS: half of the pairs are sarcastic, so that guessing gets half, and so does one answer."""
    benchmark = find("cfms")
    asked = list(scripted.questions())
    metrics = [benchmark.metric("accuracy"), Metric("unknown"), Metric("floor", range=(-1, 1))]
    found = chance_scores(benchmark, scripted.TASK, asked, metrics, ScoringOptions())
    share = 100 * sum(scripted.right(one) in ("yes", "是") for one in asked) / len(asked)
    assert found["accuracy"].value >= max(share, 100 - share) - 15
    assert found["floor"] == Chance(-1, "lowest")
    assert "unknown" not in found


def test_where_lower_is_better_the_worst_is_the_highest() -> None:
    benchmark = find("cfms")
    metrics = [Metric("errors", better="lower", range=(0, 7))]
    asked = list(scripted.questions())
    found = chance_scores(benchmark, scripted.TASK, asked, metrics, ScoringOptions())
    assert found["errors"] == Chance(7, "lowest")


def shortcut(variant: Variant, first: float, second: float, p: float, share: float) -> Shortcut:
    return Shortcut(
        variant, variant.mark, Difference(first, second, None, None, p, 0.1, 30), p, share
    )


def audit_of(*shortcuts: Shortcut, low: float = 0.7) -> TaskAudit:
    full = Score(model="m", task="t", metric="a", value=0.9, low=low, high=1.0, n=30)
    metric = Metric("a", range=(0, 1))
    return TaskAudit("toy", "t", "m", metric, full, Chance(0.5, "random"), shortcuts)


@pytest.mark.parametrize(
    ("second", "p", "share", "said"),
    [
        (0.9, 1.0, 0.0, "it does not look"),
        (0.95, 0.01, -0.12, "it does not look"),
        (0.8, 0.4, 0.25, "too close to call: 30 items"),
        (0.8, 0.01, 0.25, "most of this score is had without looking"),
        (0.6, 0.01, 0.75, "part of this score is had without looking"),
        (0.5, 0.01, 1.0, "it looks"),
    ],
)
def test_verdicts(second: float, p: float, share: float, said: str) -> None:
    assert audit_of(shortcut(Variant.BLANK, 0.9, second, p, share)).verdict.startswith(said)


def test_the_best_way_without_the_picture_decides() -> None:
    poor = shortcut(Variant.BLANK, 0.9, 0.5, 0.01, 1.0)
    good = shortcut(Variant.TEXT_ONLY, 0.9, 0.85, 0.01, 0.125)
    words = shortcut(Variant.PICTURE_ONLY, 0.9, 0.9, 1.0, 0.0)
    assert audit_of(poor, good, words).verdict == "most of this score is had without looking"
    assert audit_of(words).verdict == ""


def test_a_score_that_may_be_chance_is_not_explained() -> None:
    audit = audit_of(shortcut(Variant.BLANK, 0.9, 0.5, 0.01, 1.0), low=0.4)
    assert audit.verdict.startswith("not surely better than chance")


def test_what_hangs_on_an_order_is_told() -> None:
    moved = shortcut(Variant.SHUFFLED_PANELS, 0.9, 0.1, 0.01, 2.0)
    same = shortcut(Variant.SHUFFLED_OPTIONS, 0.9, 0.8, 0.6, 0.2)
    told = audit_of(moved, same).arrangement
    assert told == "it hangs on the order: other scores with panels shuffled"
    assert audit_of(same).arrangement == ""


def test_ways_are_those_that_apply() -> None:
    ways = asked_ways({"pixelhumor": ["style", "interpretation"]}, (), True)
    assert ways[Way()] == {"pixelhumor": ["style", "interpretation"]}
    assert ways[Way(Variant.SHUFFLED_PANELS)] == {"pixelhumor": ["style"]}
    assert ways[Way(Variant.SHUFFLED_OPTIONS, 1)] == {"pixelhumor": ["style"]}
    assert Way(paraphrase=2) in ways and Way(paraphrase=3) not in ways
    assert not any(way.variant is Variant.PICTURE_ONLY for way in ways)
    few = asked_ways({"cfms": ["joint"]}, (Variant.BLANK,), True)
    assert [way.title for way in few] == [
        "in full",
        "blank picture",
        "options shuffled",
        "options shuffled, seed 1",
        "paraphrase 1",
        "paraphrase 2",
    ]


@pytest.mark.parametrize(
    ("chosen", "variants", "said"),
    [
        ({"merbench": ["reappraisal"]}, (), "merbench: no variant applies"),
        ({"pixelhumor": ["style"]}, (Variant.PICTURE_ONLY,), "picture-only: does not apply"),
    ],
)
def test_what_does_not_apply_is_refused(
    chosen: dict[str, list[str]], variants: tuple[Variant, ...], said: str
) -> None:
    with pytest.raises(DeadpanError, match=said):
        asked_ways(chosen, variants, False)


def test_variants_are_named_in_any_order() -> None:
    assert variants_named("swapped, blank") == (Variant.BLANK, Variant.SWAPPED)
    assert variants_named("") == ()
    with pytest.raises(DeadpanError, match="--variants dark: expected one of text-only"):
        variants_named("blank,dark")


def test_a_variant_is_asked_in_python_too(tmp_path: Path) -> None:
    common = {"model": "baseline/random", "tasks": "identification", "limit": 3}
    found = evaluate("cfms", **common, variant="blank", store=tmp_path, progress=False)  # type: ignore[arg-type]
    assert parse_signature(found.table["signature"][0]).variant is Variant.BLANK
    with pytest.raises(DeadpanError, match="variant dark: expected one of full, text-only"):
        evaluate("cfms", **common, variant="dark", store=tmp_path)  # type: ignore[arg-type]
