"""Weighted scores against scikit-learn and hand-made cases."""

from collections.abc import Set as AbstractSet

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import precision_recall_fscore_support
from sklearn.preprocessing import MultiLabelBinarizer

from deadpan.core.metric import Sums, stack
from deadpan.metrics.labels import (
    label_counts,
    true_negatives,
    weighted_f1,
    weighted_precision,
    weighted_recall,
)

LABELS = "abcde"
PAIRS = st.lists(
    st.tuples(
        st.frozensets(st.sampled_from(LABELS), min_size=1), st.frozensets(st.sampled_from(LABELS))
    ),
    min_size=1,
    max_size=30,
)


def sums_of(*pairs: tuple[AbstractSet[str], AbstractSet[str]]) -> Sums:
    rows = [label_counts(frozenset(gold), frozenset(given)) for gold, given in pairs]
    keys, matrix, lines = stack(rows)
    return Sums(keys, matrix[lines].sum(axis=0))


@given(PAIRS)
def test_equals_scikit_learn(pairs: list[tuple[frozenset[str], frozenset[str]]]) -> None:
    gold, answers = map(list, zip(*pairs, strict=True))
    binarizer = MultiLabelBinarizer(classes=sorted(set().union(*gold, *answers)))
    expected = precision_recall_fscore_support(
        binarizer.fit_transform(gold),
        binarizer.transform(answers),
        average="weighted",
        zero_division=0,
    )
    sums = sums_of(*pairs)
    ours = [weighted_precision(sums), weighted_recall(sums), weighted_f1(sums)]
    assert np.allclose(ours, expected[:3])


def test_counts_of_a_hand_made_case() -> None:
    gold = [{"Pun"}, {"Pun", "Dark"}, {"Dark"}, {"Silliness"}]
    answers = [{"Pun"}, {"Dark"}, {"Pun"}, set[str]()]
    sums = sums_of(*zip(gold, answers, strict=True))
    counts = [sums.by_label(name) for name in ("tp", "fp", "fn")] + [true_negatives(sums)]
    by_label = dict(zip(sums.labels, np.stack(counts, -1).tolist(), strict=True))
    assert by_label == {"Pun": [1, 1, 1, 1], "Dark": [1, 0, 1, 2], "Silliness": [0, 0, 1, 3]}
    assert weighted_recall(sums) == pytest.approx(2 / 5)
    assert weighted_precision(sums) == pytest.approx((2 * 0.5 + 2 * 1.0 + 0) / 5)


def test_a_label_only_answered_has_no_weight() -> None:
    assert weighted_f1(sums_of(({"a"}, {"a", "b"}))) == 1.0


@pytest.mark.parametrize("pairs", [[], [(set[str](), {"a"})]])
def test_nothing_to_score_has_no_value(pairs: list[tuple[set[str], set[str]]]) -> None:
    sums = sums_of(*pairs)
    for value in (weighted_precision, weighted_recall, weighted_f1):
        assert np.isnan(value(sums))
