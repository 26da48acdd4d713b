"""Very large stores: scored in shards of items, they have the scores of the whole table."""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import deadpan
from deadpan.core.metric import KeptStatistics, Statistics, stack
from deadpan.core.score import Score, ScoringOptions
from deadpan.core.shards import DoesNotAddUp, MeasuredShards
from deadpan.engine.manifests import read_manifest, write_manifest
from deadpan.engine.store import AnswerStore
from deadpan.pipeline import streaming
from deadpan.pipeline.comparing import Wanted, compare_models
from deadpan.pipeline.filters import Filter
from deadpan.pipeline.results import Results
from deadpan.pipeline.streaming import StreamedRuns, is_large
from deadpan.pipeline.table import read_tables

COUNTS = ("n", "invalid", "truncated", "refused", "unscored", "not_given", "read")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model asked twice about CFMS, judged, and by text alone; two asked about PixelHumor, one of
    them about a part of it too."""
    folder = tmp_path_factory.mktemp("streamed") / "answers"
    about: dict[str, Any] = {"store": folder, "progress": False, "model": "baseline/random"}
    tasks = ["identification", "target", "metaphor", "metaphor_sarcasm"]
    cfms: dict[str, Any] = {"tasks": tasks, "judge": "judge/lexical", "limit": 6, **about}
    deadpan.evaluate("cfms", epochs=2, **cfms)
    deadpan.evaluate("cfms", epochs=2, variant="text-only", **cfms)
    asked: dict[str, Any] = {**about, "tasks": ["presence", "style"], "limit": 12}
    deadpan.evaluate("pixelhumor", **asked)
    deadpan.evaluate("pixelhumor", **{**asked, "tasks": "modality", "limit": 3})
    deadpan.evaluate("pixelhumor", **{**asked, "model": "baseline/majority"})
    return folder


def by_place(scores: list[Score]) -> dict[tuple[str, ...], Score]:
    return {(one.model, one.task, one.metric, one.group): one for one in scores}


def assert_equal(found: Results, wanted: Results) -> None:
    assert found.by_benchmark.keys() == wanted.by_benchmark.keys()
    for name, scores in wanted.by_benchmark.items():
        one, other = by_place(found.by_benchmark[name]), by_place(scores)
        assert one.keys() == other.keys()
        for place, score in other.items():
            mine = one[place]
            for count in (*COUNTS, "signature", "interval"):
                assert getattr(mine, count) == getattr(score, count), (place, count)
            for value in ("value", "low", "high"):
                given, expected = getattr(mine, value), getattr(score, value)
                assert given == (expected and pytest.approx(expected, abs=1e-9)), (place, value)


@pytest.mark.parametrize("size", [1, 20])
def test_shards_add_up_to_the_whole(store: Path, size: int) -> None:
    whole = Results(read_tables([store]))
    streamed = StreamedRuns([store], size=size)
    found = streamed.results(ScoringOptions())
    assert_equal(found, whole)
    shared = ("model", "task", "item", "epoch", "outcome", "judge_input_tokens")
    assert found.table.select(shared).sort(shared).equals(whole.table.select(shared).sort(shared))
    assert found.table["answer"].null_count() == len(found.table), "no texts are kept"
    assert (
        found.items()
        .sort("model", "task", "item", "epoch", "metric")
        .equals(whole.items().sort("model", "task", "item", "epoch", "metric"))
    )
    pairs = [compare_models(one, Wanted((), (), "all")).pairs() for one in (found, whole)]
    assert pairs[0] == pairs[1]


def test_what_is_measured_otherwise_in_some_shards_is_measured_whole(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Results(read_tables([store]))
    monkeypatch.setattr(MeasuredShards, "add", _refuse)
    assert_equal(StreamedRuns([store], size=5).results(ScoringOptions()), whole)


def _refuse(self: MeasuredShards, measured: object) -> None:
    raise DoesNotAddUp("never")


@pytest.mark.parametrize("name", ["janusmm", "vimu"])
def test_benchmarks_that_look_across_items_are_measured_whole(name: str, tmp_path: Path) -> None:
    tasks = {"janusmm": ["recognition", "responder"], "vimu": ["eg"]}[name]
    about: dict[str, Any] = {"tasks": tasks, "store": tmp_path, "progress": False, "limit": 6}
    deadpan.evaluate(name, model="baseline/random", **about)
    deadpan.evaluate(name, model="baseline/random", variant="text-only", **about)
    found = StreamedRuns([tmp_path], size=5).results(ScoringOptions())
    assert_equal(found, Results(read_tables([tmp_path])))


def test_only_large_stores_are_read_in_shards(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not is_large([store]) and is_large([store], most=10)
    table = tmp_path / "table.parquet"
    deadpan.read_results(store).write(table)
    assert not is_large([table], most=10)
    monkeypatch.setattr(streaming.streamed_runs, "__defaults__", (None, Filter(), 10))
    assert deadpan.read_results(store).measured is None, "whoever asks for texts has them"
    assert_equal(deadpan.read_results(store, texts=False), deadpan.read_results(store))


def test_what_several_judges_said_is_read_at_once(store: Path, tmp_path: Path) -> None:
    both = tmp_path / "answers"
    shutil.copytree(store, both)
    assert StreamedRuns([both]).is_judged_once
    judged = next((both / "runs").glob("*judge*"))
    write_manifest(AnswerStore(both), "other", replace(read_manifest(judged), judge="judge/other"))
    assert not StreamedRuns([both]).is_judged_once and is_large([both], most=10)
    assert streaming.streamed_runs([both], most=10) is None


def test_kept_statistics_are_what_they_were() -> None:
    first: list[Statistics | None] = [{"n": 1.0, ("tp", "a"): 0.0}, None, {"n": 1.0}]
    second: list[Statistics | None] = [{("fp", "b"): 2.0}, {"n": 1.0}]
    kept = KeptStatistics.joined([KeptStatistics.of(first), KeptStatistics.of(second)])
    assert list(kept) == [*first, *second] and kept[1:3] == [None, {"n": 1.0}]
    keys, matrix, lines = stack(kept)
    assert keys == stack([*first, *second])[0]
    assert [dict(zip(keys, matrix[line], strict=True)) for line in lines if line >= 0] == [
        {"n": 1, ("tp", "a"): 0, ("fp", "b"): 0},
        {"n": 1, ("tp", "a"): 0, ("fp", "b"): 0},
        {"n": 0, ("tp", "a"): 0, ("fp", "b"): 2},
        {"n": 1, ("tp", "a"): 0, ("fp", "b"): 0},
    ]
    nothing = KeptStatistics.of([None, None])
    assert list(nothing) == [None, None] and stack(nothing)[1].shape == (0, 0)


def test_finished_scores_do_not_add_up() -> None:
    score = Score(model="m", task="t", metric="f1", group="all", value=1.0, n=1, signature="s")
    with pytest.raises(DoesNotAddUp, match="no sum"):
        MeasuredShards().add([score])
