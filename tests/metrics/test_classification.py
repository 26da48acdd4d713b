"""Weighted scores against scikit-learn and hand-made cases."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import precision_recall_fscore_support
from sklearn.preprocessing import MultiLabelBinarizer

from deadpan.metrics.classification import Confusion, confusions, weighted_prf

LABELS = "abcde"
PAIRS = st.lists(
    st.tuples(
        st.frozensets(st.sampled_from(LABELS), min_size=1), st.frozensets(st.sampled_from(LABELS))
    ),
    min_size=1,
    max_size=30,
)


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
    ours = weighted_prf(gold, answers)
    assert np.allclose([ours.precision, ours.recall, ours.f1], expected[:3])


def test_counts_of_a_hand_made_case() -> None:
    gold = [{"Pun"}, {"Pun", "Dark"}, {"Dark"}, {"Silliness"}]
    answers = [{"Pun"}, {"Dark"}, {"Pun"}, set[str]()]
    counts = confusions(gold, answers)
    assert counts["Pun"] == Confusion(tp=1, fp=1, tn=1, fn=1)
    assert counts["Dark"] == Confusion(tp=1, fp=0, tn=2, fn=1)
    assert counts["Silliness"] == Confusion(tp=0, fp=0, tn=3, fn=1)
    scores = weighted_prf(gold, answers)
    assert scores.recall == pytest.approx(2 / 5)
    assert scores.precision == pytest.approx((2 * 0.5 + 2 * 1.0 + 0) / 5)


def test_a_label_only_answered_has_no_weight() -> None:
    assert weighted_prf([{"a"}], [{"a", "b"}]).f1 == 1.0


@pytest.mark.parametrize(("gold", "answers"), [([], []), ([{"a"}], []), ([set()], [{"a"}])])
def test_nothing_to_score_raises(gold: list[set[str]], answers: list[set[str]]) -> None:
    with pytest.raises(ValueError):
        weighted_prf(gold, answers)
