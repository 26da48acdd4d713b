"""Alpha over texts is Krippendorff's by the distance of vectors, with an interval over items."""

import numpy as np
import pytest
from nltk.metrics.agreement import AnnotationTask

from deadpan.core.metric import Metric
from deadpan.metrics.encoders import Vectors
from deadpan.metrics.statistics import agreement, coincidences, text_alpha
from deadpan.metrics.statistics.coincidences import item_interval
from deadpan.metrics.statistics.text_alpha import (
    TextDistances,
    mean_text_alpha,
    text_alpha_interval,
)

CHANCE = np.random.default_rng(8)
ALPHA = Metric("alpha_embedding")
Row = tuple[str, list[str]]


def unit(rows: np.ndarray) -> Vectors:
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def world(items: int, most: int) -> tuple[list[Row], dict[str, np.ndarray], TextDistances]:
    """Items of up to so many texts near each other, some of them written twice, some alone."""
    rows, vectors = [], {}
    for item in range(items):
        middle = CHANCE.normal(size=6)
        texts = [f"{item}:{number}" for number in range(CHANCE.integers(1, most + 1))]
        texts = [*texts, texts[0]] if item % 5 == 0 and len(texts) > 1 else texts
        rows.append((str(item), texts))
        vectors |= {text: middle + CHANCE.normal(size=6) for text in texts}
    made = unit(np.stack(list(vectors.values())))
    return rows, dict(zip(vectors, made, strict=True)), TextDistances(list(vectors), made)


def cosine_distance(vectors: dict[str, np.ndarray]) -> agreement.Distance[str]:
    def distance(a: str, b: str) -> float:
        return 0.0 if a == b else float(np.clip(1 - vectors[a] @ vectors[b], 0, 1))

    return distance


@pytest.mark.parametrize("block", [3, 256])
def test_value_and_interval_are_those_of_the_sums(
    block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_alpha, "_BLOCK", block)
    rows, vectors, apart = world(30, 4)
    distance, units = cosine_distance(vectors), [texts for _, texts in rows]
    found = text_alpha.text_alpha(rows, apart)
    assert found.value == pytest.approx(agreement.krippendorff_alpha(units, distance), abs=1e-6)
    assert found.n == sum(len(texts) > 1 for texts in units)
    data = [(str(who), item, text) for item, own in rows for who, text in enumerate(own)]
    assert found.value == pytest.approx(AnnotationTask(data, distance=distance).alpha(), abs=1e-6)
    added = coincidences.alpha(units, distance)
    summed = [(item, added.statistics(texts)) for item, texts in rows]
    expected = item_interval(summed, added.value, found.value, ALPHA)
    own = text_alpha_interval([found], ALPHA)
    assert own is not None and expected is not None and own.method == "bootstrap"
    assert (own.low, own.high) == pytest.approx((expected.low, expected.high), abs=1e-5)


def test_by_hand() -> None:
    # a and b are apart by 1 (and would be by 1.6 without a bound), a and c by 0.2, b and c by 1
    vectors = np.array([[1, 0], [-0.6, 0.8], [0.8, -0.6]], np.float32)
    apart = TextDistances(["a", "b", "c"], vectors)
    rows = [("1", ["a", "c"]), ("2", ["a", "a"]), ("3", ["b", "b"]), ("4", ["b"])]
    # observed 2 · 0.2; a 3, b 2, c 1: expected 2 · (3·2·1 + 3·1·0.2 + 2·1·1) / 5
    expected = 1 - 0.4 / (2 * 8.6 / 5)
    assert text_alpha.text_alpha(rows, apart).value == pytest.approx(expected, abs=1e-6)


def test_many_texts_are_measured_again_and_many_items_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows, vectors, kept = world(25, 3)
    one = text_alpha.text_alpha(rows, kept)
    monkeypatch.setattr(text_alpha, "_MOST_KEPT", 0)
    monkeypatch.setattr(text_alpha, "MOST", 10)
    again = text_alpha.text_alpha(rows, TextDistances(list(vectors), np.stack([*vectors.values()])))
    assert again.value == pytest.approx(one.value, abs=1e-6)
    found = text_alpha_interval([again], ALPHA)
    assert found is not None and found.method == "jackknife" and found.low < one.value < found.high


def test_an_item_may_stand_in_several_rows() -> None:
    rows, _, apart = world(20, 3)
    pairs = [(item, [texts[0], other]) for item, texts in rows for other in texts[1:]]
    units = [[item + text for text in texts] for item, texts in pairs]
    assert len(units) > len({item for item, _ in pairs})
    found = text_alpha.text_alpha(pairs, apart)
    alone = text_alpha.text_alpha([(str(at), texts) for at, (_, texts) in enumerate(pairs)], apart)
    assert found.value == pytest.approx(alone.value) and found.n < alone.n


def test_languages_are_weighed_by_their_items() -> None:
    parts = [text_alpha.text_alpha(rows, apart) for rows, _, apart in (world(12, 3), world(30, 3))]
    weights = [one.n for one in parts]
    mean = float(np.average([one.value for one in parts], weights=weights))
    assert mean_text_alpha(parts) == pytest.approx(mean)
    found = text_alpha_interval(parts, ALPHA)
    alone = text_alpha_interval(parts[:1], ALPHA)
    assert found is not None and alone is not None
    assert found.low < mean < found.high and found.high - found.low < alone.high - alone.low


def test_what_is_undefined_raises_and_few_items_have_no_interval() -> None:
    vectors = unit(np.array([[1.0, 2], [2, 4.0000001], [5, 1]]))
    apart = TextDistances(["a", "b", "c"], vectors)
    for rows, told in (
        ([], "no unit has two values"),
        ([("1", ["a"]), ("2", ["c"])], "no unit has two values"),
        ([("1", ["a", "b"]), ("2", ["b", "a"])], "no two values differ"),
    ):
        with pytest.raises(ValueError, match=told):
            text_alpha.text_alpha(rows, apart)
    few = text_alpha.text_alpha([("1", ["a", "a"]), ("2", ["c", "c"])], apart)
    assert few.value == 1 and text_alpha_interval([few], ALPHA) is None
    with pytest.raises(KeyError):
        text_alpha.text_alpha([("1", ["a", "x"])], apart)
