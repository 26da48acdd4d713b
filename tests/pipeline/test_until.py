"""Runs that stop when sure, over a server on loopback: what is asked, kept, signed and told."""

import asyncio
import hashlib
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from deadpan import Results, evaluate, read_results
from deadpan.base.errors import DeadpanError
from deadpan.benchmarks import BUILT_IN
from deadpan.core.score import Score
from deadpan.core.signature import parse_signature
from deadpan.core.usage import Price, Prices
from deadpan.engine.asker import AskerEvents
from deadpan.engine.calls import CallOptions
from deadpan.engine.manifests import manifests_below, read_manifest
from deadpan.engine.task_questions import RunSettings
from deadpan.metrics.statistics.sequences import asked_order
from deadpan.pipeline import stepping
from deadpan.pipeline.deciding import Decided, decide_between
from deadpan.pipeline.evaluating import Evaluation
from deadpan.pipeline.judging import Judging
from deadpan.pipeline.reporter import Reporter
from deadpan.pipeline.stopping import StoppedRun, Until, run_until
from tests.model_server import ModelServer
from tests.pipeline.sums_toy import ITEMS, WHERE

MODEL = "openai-api/loopback/pupil"
OTHER = "openai-api/second/pupil"
CALLS = CallOptions(max_connections=8, max_retries=0)
ORDER = asked_order([f"sum_{n}" for n in range(ITEMS)], 0)


def pupil(share: float, salt: str = "") -> Callable[[str, str], str]:
    """Answers rightly so often, always alike to one question."""

    def answer(picture: str, prompt: str) -> str:
        if found := re.search(r"Wanted: (\d+)\nNamed: (\d+)", prompt):
            return json.dumps({"fits": found[1] == found[2]})
        first, second = map(int, re.findall(r"\d+", prompt)[-2:])
        chance = int(hashlib.sha256(f"{salt}{first}".encode()).hexdigest()[:8], 16) / 16**8
        return str(first + second + (chance >= share))

    return answer


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(BUILT_IN, "sums", WHERE)
    monkeypatch.setenv("DEADPAN_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    with ModelServer(pupil(0.9)) as made:
        made.offer(monkeypatch)
        yield made


def evaluation(store: Path, task: str = "sum", model: str = MODEL, **more: Any) -> Evaluation:
    settings = RunSettings(store, calls=CALLS, **more)
    judging = Judging("judge/lexical", settings) if task == "words" else None
    return Evaluation({"sums": [task]}, model, settings, judging, prices=PRICES)


PRICES = Prices(({"openai-api/*": Price(input=1000.0, output=1000.0)},))


def until(
    store: Path, width: float, metric: str = "", task: str = "sum", **more: Any
) -> StoppedRun:
    return run_until(evaluation(store, task, **more), Until(width, metric))


def signature_of(table: pl.DataFrame) -> Any:
    (text,) = table["signature"].unique()
    return parse_signature(text)


def test_it_stops_when_the_score_is_known_as_closely_as_wanted(
    server: ModelServer, tmp_path: Path
) -> None:
    stopped = until(tmp_path / "a", 0.1)
    (stop,) = stopped.stops
    asked = stopped.results.table["item"].to_list()
    assert 20 <= len(asked) < ITEMS / 2 and server.total == len(asked)
    assert set(asked) == set(ORDER[: len(asked)]), "the first of the random order"
    assert stop.known.half_width <= 0.1 and stop.known.kind == "exact"
    assert stop.known.low <= 0.9 <= stop.known.high
    signature = signature_of(stopped.results.table)
    assert signature.settings["until"] == "accuracy±0.1@95;order:0"
    assert signature.part == (len(asked), ITEMS) and "asked" not in signature.settings
    (score,) = [one for one in stopped.results.by_benchmark["sums"] if one.metric == "accuracy"][:1]
    assert score.value == pytest.approx(stop.known.value)
    lines = "\n".join(stopped.lines)
    assert f"after {len(asked)} of {ITEMS} items: what all of them would give (exact)" in lines
    assert f"saved: {ITEMS - len(asked)} of {ITEMS} calls and about $" in lines
    assert len(list((tmp_path / "a" / "runs").glob("*"))) == 1, "steps leave no manifests behind"


def overall(results: Results, metric: str = "accuracy", task: str = "sum") -> Score:
    (score,) = [
        one
        for one in results.by_benchmark["sums"]
        if (one.task, one.metric, one.group) == (task, metric, "all")
    ]
    return score


@pytest.mark.parametrize(
    ("width", "given"),
    [
        (0.1, {}),
        (0.0333333333, {}),
        (0.1, {"metric": "f1"}),
        (0.1, {"epochs": 2}),
        (0.1, {"limit": 120}),
        (0.1, {"task": "words"}),
    ],
)
def test_the_interval_that_asking_stopped_by_is_made_anew_from_the_answers(
    server: ModelServer, tmp_path: Path, width: float, given: dict[str, Any]
) -> None:
    server.faults = {3: "500!", 12: "500!"}
    stopped = until(tmp_path, width, **given)
    (stop,) = stopped.stops
    named = stop.metric.name, stop.task
    score, kept = overall(stopped.results, *named), overall(read_results(tmp_path), *named)
    assert stop.known.half_width <= width and stop.asked < stop.known.horizon
    assert stop.known.horizon == given.get("limit", ITEMS)
    for one in (score, kept):
        assert (one.low, one.high) == (stop.known.low, stop.known.high)
        assert one.interval == "sequence" and one.value == pytest.approx(stop.known.value)
    others = [
        one
        for one in stopped.results.by_benchmark["sums"]
        if (one.metric, one.group) != (stop.metric.name, "all")
    ]
    assert all(one.interval != "sequence" for one in others)
    if "limit" in given:
        assert signature_of(stopped.results.table).settings["until"].endswith(";order:0;of:120")
    stopped.results.write(tmp_path / "table.parquet")
    assert overall(read_results(tmp_path / "table.parquet"), *named).low == stop.known.low


def test_a_part_of_what_was_asked_is_not_what_stopped_it(
    server: ModelServer, tmp_path: Path
) -> None:
    table = until(tmp_path, 0.1).results.table
    assert overall(Results(table)).interval == "sequence"
    assert overall(Results(table[1:])).interval == "wilson"


def test_it_looks_after_as_many_items_as_are_asked_at_once() -> None:
    assert list(stepping._counts(160, 10)) == [*range(20, 160, 10), 160]
    assert list(stepping._counts(15, 10)) == [15]
    assert list(stepping._counts(100, 40)) == [40, 80, 100]
    many = list(stepping._counts(20_000, 10))
    gaps = [after - before for before, after in pairwise(many)]
    assert max(gaps) == 500 and min(gaps[:-1]) == 10 and len(many) < 100


def test_what_is_said_while_asking_goes_on(server: ModelServer, tmp_path: Path) -> None:
    said: list[str] = []

    class Heard(Reporter):
        @contextmanager
        def asking(self, model: str, prices: Prices) -> Iterator[AskerEvents]:
            events = AskerEvents()
            events.so_far = said.append  # type: ignore[method-assign]
            yield events

    stopped = run_until(evaluation(tmp_path), Until(0.1), Heard())
    (stop,) = stopped.stops
    interval = f"[{stop.known.low:.3f}, {stop.known.high:.3f}]"
    words = f"sum {stop.known.value:.3f} in {interval}, wanted no wider than 0.2"
    assert said[-1] == words and "±" not in "".join(said)
    assert f"accuracy {stop.known.value:.3f} in {interval} after {stop.asked} of" in str(stop)


def test_going_on_later_asks_only_what_is_missing(server: ModelServer, tmp_path: Path) -> None:
    first = until(tmp_path, 0.1)
    n = len(first.results)
    again = until(tmp_path, 0.1)
    assert server.total == n and again.lines[:-2] == first.lines[:-1]
    assert again.lines[-2] == f"nothing asked: all {n} answers from the store"
    assert again.lines[-1] == first.lines[-1], "what was never asked is saved still"
    closer = until(tmp_path, 0.06)
    assert closer.lines[-2] == f"{len(closer.results) - n} asked, {n} from the store"
    assert server.total == len(closer.results) > n
    kept = read_results(tmp_path)
    assert signature_of(kept.table).settings["until"] == "accuracy±0.06@95;order:0"
    assert len(kept) == len(closer.results)
    whole = evaluation(tmp_path).run()
    assert server.total == ITEMS == len(whole)
    assert signature_of(read_results(tmp_path).table).part is None
    assert "until" not in signature_of(read_results(tmp_path).table).settings
    after = until(tmp_path, 0.1)
    assert server.total == ITEMS and len(after.results) == n
    kept = read_results(tmp_path)
    assert len(kept) == ITEMS and "until" not in signature_of(kept.table).settings


def test_another_order_asks_other_items(server: ModelServer, tmp_path: Path) -> None:
    one = until(tmp_path / "a", 0.1)
    other = run_until(evaluation(tmp_path / "b"), Until(0.1, seed=1))
    assert signature_of(other.results.table).settings["until"].endswith("order:1")
    assert set(one.results.table["item"]) != set(other.results.table["item"])


def test_a_run_that_is_killed_in_a_step_was_broken_off(
    server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from deadpan.engine import stepping

    steps = 0

    async def killed(*given: Any) -> None:
        nonlocal steps
        steps += 1
        if steps == 3:
            raise KeyboardInterrupt
        await asked(*given)

    asked = stepping.ask_all
    monkeypatch.setattr(stepping, "ask_all", killed)
    with pytest.raises(KeyboardInterrupt):
        until(tmp_path / "a", 0.07)
    broken = signature_of(read_results_quietly(tmp_path / "a"))
    assert "until" not in broken.settings and broken.asked > broken.n
    monkeypatch.setattr(stepping, "ask_all", asked)
    resumed, straight = until(tmp_path / "a", 0.07), until(tmp_path / "b", 0.07)
    assert resumed.stops == straight.stops and resumed.lines[-1] == straight.lines[-1]
    assert len(list((tmp_path / "a" / "runs").glob("*"))) == 1, "that of the killed run is gone"
    assert signature_of(read_results(tmp_path / "a").table) == signature_of(straight.results.table)


def read_results_quietly(store: Path) -> pl.DataFrame:
    with pytest.warns(UserWarning, match="unfinished"):
        return read_results(store).table


def test_smooth_metrics_are_asymptotic(server: ModelServer, tmp_path: Path) -> None:
    stopped = until(tmp_path, 0.1, "f1")
    assert stopped.stops[0].known.kind == "asymptotic"
    assert len(stopped.results) < ITEMS
    assert signature_of(stopped.results.table).settings["until"] == "f1±0.1@95;order:0"


def test_where_it_is_never_sure_all_items_are_asked(server: ModelServer, tmp_path: Path) -> None:
    stopped = until(tmp_path, 0.002)
    assert len(stopped.results) == ITEMS
    signature = signature_of(stopped.results.table)
    assert signature.part is None and "until" not in signature.settings
    assert stopped.lines == [
        f"sums/sum: accuracy {stopped.stops[0].known.value:.3f} over all {ITEMS} items",
        f"all {ITEMS} calls were needed: nothing saved",
    ]


def test_failed_calls_are_no_evidence(server: ModelServer, tmp_path: Path) -> None:
    server.faults = dict.fromkeys(range(0, ITEMS, 10), "500!")
    stopped = until(tmp_path, 0.1)
    failed = stopped.results.table.filter(outcome="failed")
    (stop,) = stopped.stops
    assert 0 < len(failed) == stop.known.unscored
    assert stop.known.count == len(stopped.results) - len(failed)
    words = f"{len(failed)} items asked about have no score and are no evidence"
    assert any(words in line for line in stopped.lines)


def test_a_judge_is_asked_in_step(server: ModelServer, tmp_path: Path) -> None:
    stopped = until(tmp_path, 0.1, task="words")
    table = stopped.results.table
    assert len(table) < ITEMS and table["judgements"].null_count() == 0
    assert signature_of(table).judge.startswith("judge/lexical@")
    assert any("of the judge" in line for line in stopped.lines)


def test_epochs_are_of_one_item(server: ModelServer, tmp_path: Path) -> None:
    stopped = until(tmp_path, 0.1, epochs=2)
    items = stopped.results.table["item"].n_unique()
    assert len(stopped.results) == 2 * items and stopped.stops[0].known.count == items
    assert signature_of(stopped.results.table).part == (items, ITEMS)


def test_a_limit_says_which_items_there_are(server: ModelServer, tmp_path: Path) -> None:
    stopped = until(tmp_path, 0.01, limit=40)
    assert len(stopped.results) == 40 and stopped.stops[0].known.half_width == 0


@pytest.mark.parametrize(
    ("width", "metric", "task", "says"),
    [
        (0.0, "", "sum", "--until 0: sums/sum: accuracy is in fraction, from 0 to 1"),
        (2.0, "", "sum", "such as 0.02 for an interval no wider than 0.04"),
        (float("nan"), "", "sum", "expected half of the interval's width"),
        (0.0001, "", "sum", "expected half of the interval's width"),
        (0.1, "hits", "sum", "hits neither is a mean .* expected accuracy or f1"),
        (0.1, "largest", "sum", "largest neither is a mean"),
        (0.1, "by_label", "sum", "by_label neither is a mean"),
        (0.1, "nothing", "sum", "has no metric nothing; expected accuracy or f1"),
        (0.1, "", "count", "sums/count: hits neither is a mean .*; expected accuracy"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_asked(
    server: ModelServer, tmp_path: Path, width: float, metric: str, task: str, says: str
) -> None:
    with pytest.raises(DeadpanError, match=says):
        until(tmp_path / "a", width, metric, task)
    assert server.total == 0 and not server.probes and not (tmp_path / "a").exists()


def test_python_says_it_too_inside_of_a_loop(
    server: ModelServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def notebook() -> Any:
        given = {"tasks": "sum", "store": tmp_path, "calls": CALLS}
        return evaluate("sums", model=MODEL, until=0.1, **given)

    results = asyncio.run(notebook())
    assert len(results) < ITEMS
    assert "what all of them would give (exact)" in capsys.readouterr().err


def decided(
    monkeypatch: pytest.MonkeyPatch, store: Path, other: Callable[[str, str], str], metric: str = ""
) -> Decided:
    with ModelServer(other) as second:
        monkeypatch.setenv("SECOND_API_KEY", "not-a-secret")
        monkeypatch.setenv("SECOND_BASE_URL", second.url)
        pair = evaluation(store), evaluation(store, model=OTHER)
        return decide_between(pair, metric)


@pytest.mark.parametrize("metric", ["accuracy", "f1"])
def test_two_models_are_asked_until_one_is_surely_better(
    server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, metric: str
) -> None:
    found = decided(monkeypatch, tmp_path, pupil(0.4), metric)
    (one,) = found.decisions
    assert one.is_decided and one.asked < ITEMS / 2
    by_model = [set(rows["item"]) for _, rows in found.table.group_by("model")]
    assert by_model[0] == by_model[1] == set(ORDER[: one.asked])
    assert str(one).startswith(f"{MODEL} is better than {OTHER} on sums/sum ")
    assert f"decided after {one.asked} of {ITEMS} items" in str(one)
    assert any(
        line.startswith(f"saved: {2 * (ITEMS - one.asked)} of {2 * ITEMS}") for line in found.notes
    )
    assert one.row["better"] == MODEL and one.row["order_seed"] == 0
    signed = {one.row["first_signature"], one.row["second_signature"]}
    assert signed <= set(found.table["signature"]) and all("decided@95" in text for text in signed)
    for text in found.table["signature"].unique():
        told = parse_signature(text).settings["until"]
        assert told == f"{metric} decided@95;order:0"
    results = read_results(tmp_path)
    assert len(results) == 2 * one.asked, "both stand in one table"
    made = {score.interval for score in results.by_benchmark["sums"]}
    assert "sequence" not in made and "wilson" in made


def test_models_that_are_alike_are_too_close_to_call(
    server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = decided(monkeypatch, tmp_path, pupil(0.9, "other"))
    (one,) = found.decisions
    assert not one.is_decided and one.asked == ITEMS and one.row["better"] is None
    assert f"too close to call on sums/sum accuracy: undecided after all {ITEMS} items" in str(one)
    assert f"all {2 * ITEMS} calls were needed: nothing saved" in found.notes


def test_a_model_is_not_compared_with_itself(server: ModelServer, tmp_path: Path) -> None:
    pair = evaluation(tmp_path), evaluation(tmp_path)
    with pytest.raises(DeadpanError, match="twice; name two models"):
        decide_between(pair)


def test_manifests_of_steps_that_are_gone_are_passed_over(
    server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from deadpan.engine import reading

    until(tmp_path, 0.1)
    (files,) = manifests_below([tmp_path]).values()
    gone = files[0].with_name("sums-sum.x.000000-00000000.parquet")
    monkeypatch.setattr(reading, "manifests_below", lambda _: {tmp_path: [gone, *files]})
    assert len(reading.read_stores([tmp_path])[0][0].questions) == len(read_manifest(files[0]).rows)
