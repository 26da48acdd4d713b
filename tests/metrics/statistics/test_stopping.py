"""How sure scores and differences are while items are asked: what is evidence, what is refused."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import deadpan
from deadpan.benchmarks import find
from deadpan.core.measurement import ALL, Measurement
from deadpan.core.metric import Metric, Statistics, mean, percent, scored, total
from deadpan.core.units import Units
from deadpan.metrics.labels import label_counts, weighted_f1
from deadpan.metrics.statistics.stopping import (
    Evidence,
    difference_so_far,
    score_so_far,
    sequence_kind,
    sequence_metrics,
)

SHARE = Metric("share", range=(0, 1), value=mean)
F1 = Metric("f1", range=(0, 1), value=weighted_f1)


def measured(
    rows: Mapping[str, Sequence[Statistics | None]],
    metric: Metric = SHARE,
    failed: Sequence[str] = (),
) -> Measurement:
    keys = tuple((item, epoch) for item, own in rows.items() for epoch in range(1, len(own) + 1))
    ended = tuple("failed" if item in failed else "answered" for item, _ in keys)
    units = Units(keys, ended, ((),) * len(keys))
    return Measurement("m", "t", metric, units, [one for own in rows.values() for one in own], "")


def evidence(
    rows: Mapping[str, Sequence[Statistics | None]],
    metric: Metric = SHARE,
    horizon: int = 0,
    failed: Sequence[str] = (),
    others: Sequence[str] = (),
) -> Evidence:
    one = measured(rows, metric, failed)
    outcomes = {
        item: ["failed" if item in failed else "answered"] * len(own) for item, own in rows.items()
    }
    outcomes |= {item: ["answered"] for item in others}
    return Evidence.of(one, outcomes, list(outcomes), horizon or len(outcomes))


def test_which_metrics_can_be_watched() -> None:
    assert sequence_kind(SHARE) == "exact"
    assert sequence_kind(Metric("p", unit="percent", range=(0, 100), value=percent)) == "exact"
    assert sequence_kind(Metric("wer", value=mean)) == "asymptotic", "it has no range"
    assert sequence_kind(F1) == "asymptotic"
    refused = [
        Metric("median"),
        Metric("each", value=mean, each="style"),
        Metric("gated", unit="count", decimals=0, value=total),
        replace(F1, name="largest", smooth=False),
    ]
    assert [sequence_kind(one) for one in refused] == [None] * 4
    assert sequence_metrics([*refused, SHARE, F1]) == ["share", "f1"]
    with pytest.raises(ValueError, match="no confidence sequence"):
        score_so_far(evidence({"a": [scored(1)]}, refused[3]))


def test_failed_items_are_no_evidence_and_are_counted() -> None:
    rows: dict[str, list[Statistics | None]] = {f"i{n}": [scored(n % 2)] for n in range(10)}
    rows["i3"] = [None]
    one = evidence(rows, failed=["i3"], horizon=10)
    assert one.unscored == ("i3",) and len(one.items) == 9
    known = score_so_far(one)
    assert (known.count, known.unscored, known.value) == (9, 1, pytest.approx(4 / 9))
    assert known.low < known.high, "what failed might have been anything"
    whole = score_so_far(evidence({item: own for item, own in rows.items() if item != "i3"}))
    assert whole.low == whole.high == pytest.approx(4 / 9)


def test_an_item_that_a_metric_is_not_about_is_evidence_that_adds_nothing() -> None:
    rows: dict[str, list[Statistics | None]] = {"a": [scored(1)], "b": [None], "c": [scored(0)]}
    one = evidence(rows, others=["d"])
    assert one.unscored == () and one.items == ("a", "b", "c", "d")
    assert one.value == 0.5 and one.own[1].tolist() == [1, 0, 1, 0]


def test_epochs_of_an_item_are_one_item() -> None:
    rows = {"a": [scored(1), scored(0)], "b": [scored(1), scored(1)]}
    one = evidence(rows, horizon=4)
    values, weights = one.own
    assert values.tolist() == [0.5, 1.0] and weights.tolist() == [1.0, 1.0]
    lost: dict[str, list[Statistics | None]] = {"a": [scored(1), None], "b": [scored(1), scored(1)]}
    assert evidence(lost, failed=["a"]).items == ("b",)


def test_a_score_is_known_more_closely_the_more_items_there_are() -> None:
    chance = np.random.default_rng(3)
    rows = {f"i{n}": [scored(float(chance.random() < 0.6))] for n in range(300)}
    part = {item: rows[item] for item in list(rows)[:100]}
    few, many = score_so_far(evidence(part, horizon=300), 0.05), score_so_far(evidence(rows), 0.05)
    assert few.low < few.high and many.half_width == 0
    assert few.low <= (many.value or 0) <= few.high and few.kind == "exact"


def _labels(chance: np.random.Generator, n: int, share: float) -> dict[str, list[Statistics]]:
    made = {}
    for at in range(n):
        gold = frozenset("ab"[at % 2])
        said = gold if chance.random() < share else frozenset("ba"[at % 2])
        made[f"i{at}"] = [label_counts(gold, said)]
    return made


def test_smooth_metrics_wait_for_some_items() -> None:
    chance = np.random.default_rng(4)
    few = score_so_far(evidence(_labels(chance, 30, 0.8), F1, horizon=200))
    assert (few.low, few.high, few.kind) == (0, 1, "asymptotic")
    more = score_so_far(evidence(_labels(chance, 150, 0.8), F1, horizon=200))
    assert 0.02 < more.half_width < 0.15


@pytest.mark.parametrize("metric", [SHARE, F1])
def test_the_sign_of_a_difference(metric: Metric) -> None:
    chance = np.random.default_rng(5)

    def side(share: float) -> Evidence:
        if metric is F1:
            return evidence(_labels(chance, 200, share), F1)
        rows = {f"i{n}": [scored(float(chance.random() < share))] for n in range(200)}
        return evidence(rows)

    good, bad, same = side(0.9), side(0.5), side(0.9)
    assert difference_so_far(good, bad).sign == 1 and difference_so_far(bad, good).sign == -1
    alike = difference_so_far(good, same)
    assert alike.sign == 0 and alike.low < 0 < alike.high, "open when all items are asked"


def test_pairs_are_of_items_that_both_have() -> None:
    one = evidence({"a": [scored(1)], "b": [scored(1)], "c": [None]}, failed=["c"])
    other = evidence({"a": [scored(0)], "b": [None], "c": [scored(0)]}, failed=["b"])
    known = difference_so_far(one, other)
    assert (known.value, known.count, known.unscored) == (1.0, 1, 2)


def test_means_over_unequal_items_are_asymptotic() -> None:
    rows: dict[str, list[Statistics | None]] = {f"i{n}": [scored(n % 2)] for n in range(60)}
    other = dict(rows) | {"i0": [None]}
    assert difference_so_far(evidence(rows), evidence(rows)).kind == "exact"
    assert difference_so_far(evidence(rows), evidence(other)).kind == "asymptotic"


@pytest.mark.parametrize("name", ["pixelhumor", "janusmm", "cfms", "vimu"])
def test_what_is_declared_a_mean_is_one(name: str, tmp_path: Path) -> None:
    results = deadpan.evaluate(
        name,
        model="baseline/random",
        judge="judge/lexical",
        store=tmp_path,
        limit=6,
        progress=False,
    )
    seen = set()
    for one in results.measurements[name]:
        if not isinstance(one, Measurement) or not one.metric.weight or one.group != ALL:
            continue
        values = one.item_values()
        weights = np.array([(row or {}).get(one.metric.weight, 0.0) for row in one.statistics])
        assert set(weights.tolist()) <= {0.0, 1.0}, one.metric.name
        whole = next(iter(one.scores())).value
        if whole is not None:
            own = np.where(weights > 0, values, 0) @ weights / weights.sum()
            assert own == pytest.approx(whole), one.metric.name
            seen.add(one.metric.name)
            if one.metric.range:
                low, high = one.metric.range
                inside = values[weights > 0]
                assert inside.min() >= low - 1e-9 and inside.max() <= high + 1e-9, one.metric.name
    assert seen
    for spec in find(name).tasks:
        assert sequence_kind(spec.metrics[0]), f"{spec.name} cannot be stopped by its first metric"
