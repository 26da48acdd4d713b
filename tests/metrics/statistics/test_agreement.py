"""Agreement against krippendorff, scikit-learn, statsmodels, nltk and scipy, and by hand."""

import krippendorff
import numpy as np
import pytest
import sacrebleu
import scipy.stats
from hypothesis import assume, given
from hypothesis import strategies as st
from nltk.metrics.agreement import AnnotationTask
from nltk.metrics.distance import jaccard_distance, masi_distance
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats import inter_rater

from deadpan.core.questions import Language
from deadpan.metrics.statistics import agreement

SETS = st.frozensets(st.sampled_from("abc"), min_size=1)
UNITS = st.lists(st.lists(SETS, min_size=2, max_size=4), min_size=2, max_size=12)


def varied(units: list[list[frozenset[str]]]) -> bool:
    return len({value for unit in units for value in unit}) > 1


@given(UNITS)
def test_nominal_equals_the_krippendorff_package(units: list[list[frozenset[str]]]) -> None:
    assume(varied(units))
    codes = {value: code for code, value in enumerate({v for unit in units for v in unit})}
    raters = max(map(len, units))
    matrix = np.array(
        [[codes[u[r]] if r < len(u) else np.nan for u in units] for r in range(raters)]
    )
    expected = krippendorff.alpha(matrix, level_of_measurement="nominal")
    assert agreement.krippendorff_alpha(units, agreement.nominal) == pytest.approx(expected)


@given(st.lists(st.lists(SETS, min_size=2, max_size=2), min_size=2, max_size=12))
def test_set_distances_equal_nltk(units: list[list[frozenset[str]]]) -> None:
    assume(varied(units))
    data = [(str(r), str(i), value) for i, unit in enumerate(units) for r, value in enumerate(unit)]
    for ours, theirs in ((agreement.jaccard, jaccard_distance), (agreement.masi, masi_distance)):
        for unit in units:
            assert ours(*unit) == pytest.approx(theirs(*unit), abs=5e-3)
    task = AnnotationTask(data, distance=jaccard_distance)
    assert agreement.krippendorff_alpha(units, agreement.jaccard) == pytest.approx(task.alpha())


def test_perfect_and_opposite() -> None:
    a, b = frozenset("a"), frozenset("b")
    assert agreement.krippendorff_alpha([[a, a], [b, b]], agreement.nominal) == 1.0
    assert agreement.krippendorff_alpha([[a, b], [b, a]], agreement.nominal) == pytest.approx(-0.5)
    units = [[a, a], [a, b], [a | b, b]]
    assert agreement.agreement_level(units, agreement.exact) == pytest.approx(1 / 3)
    assert agreement.agreement_level(units, agreement.overlap) == pytest.approx(2 / 3)


def test_undefined_raises() -> None:
    a = frozenset("a")
    for units in ([], [[a]], [[a, a], [a, a]]):
        with pytest.raises(ValueError):
            agreement.krippendorff_alpha(units, agreement.nominal)
    with pytest.raises(ValueError):
        agreement.agreement_level([[a]], agreement.exact)


NUMBERS = st.lists(st.lists(st.integers(1, 7), min_size=1, max_size=4), min_size=2, max_size=12)


@given(NUMBERS)
def test_ordinal_and_interval_equal_the_krippendorff_package(units: list[list[int]]) -> None:
    pairable = [unit for unit in units if len(unit) > 1]
    assume(len({value for unit in pairable for value in unit}) > 1)
    matrix = np.full((4, len(units)), np.nan)
    for column, unit in enumerate(units):
        matrix[: len(unit), column] = unit
    for level, distance in (
        ("ordinal", agreement.ordinal(units)),
        ("interval", agreement.interval),
    ):
        expected = krippendorff.alpha(matrix, level_of_measurement=level)
        found = agreement.krippendorff_alpha(units, distance)
        assert found == pytest.approx(expected, abs=1e-9)


def test_overlap_as_a_distance() -> None:
    a, b, both = frozenset("a"), frozenset("b"), frozenset("ab")
    found = [agreement.overlap_distance(*pair) for pair in ((a, a), (a, both), (a, b))]
    assert found == [0.0, 0.0, 1.0]
    assert agreement.overlap_distance(frozenset(), frozenset()) == 0.0
    # observed (0 + 0 + 2) / 1; counts a 3, ab 1, b 2 of 6: expected 2 · 3 · 2 / 5
    units = [[a, a], [a, both], [b, b]]
    assert agreement.krippendorff_alpha(units, agreement.overlap_distance) == 1.0
    apart = [[a, both], [a, a], [a, b], [b, both]]  # a 4, b 2, ab 2: 1 - 2 / (2 · 4 · 2 / 7)
    assert agreement.krippendorff_alpha(apart, agreement.overlap_distance) == pytest.approx(0.125)
    with pytest.raises(ValueError, match="no two values differ"):
        agreement.krippendorff_alpha([[a, both], [both, a]], agreement.overlap_distance)


PAIRS = st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=1, max_size=20)


@given(PAIRS)
def test_cohen_equals_scikit_learn(pairs: list[tuple[int, int]]) -> None:
    first, second = map(list, zip(*pairs, strict=True))
    assume(len({*first, *second}) > 1)
    for weights in (None, "linear", "quadratic"):
        expected = cohen_kappa_score(first, second, labels=range(1, 6), weights=weights)
        found = agreement.cohen_kappa(first, second, weights)
        assert found == pytest.approx(expected, abs=1e-9)


@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), min_size=1, max_size=20))
def test_cohen_of_a_slider_counts_its_steps(pairs: list[tuple[int, int]]) -> None:
    first, second = map(list, zip(*pairs, strict=True))
    assume(len({*first, *second}) > 1)
    for weights in (None, "linear", "quadratic"):
        expected = cohen_kappa_score(first, second, labels=range(9), weights=weights)
        set_with_it = ([-1 + 0.25 * step for step in steps] for steps in (first, second))
        assert agreement.cohen_kappa(*set_with_it, weights) == pytest.approx(expected, abs=1e-9)


def test_cohen_of_points_that_nobody_chose() -> None:
    first, second = [1, 3, 3, 5, 6, 4, 1, 5], [1, 1, 3, 5, 6, 3, 3, 6]  # of 1 to 7
    for weights in ("linear", "quadratic"):
        expected = cohen_kappa_score(first, second, labels=range(1, 8), weights=weights)
        assert agreement.cohen_kappa(first, second, weights) == pytest.approx(expected)
        assert expected != pytest.approx(cohen_kappa_score(first, second, weights=weights))


def test_cohen_by_hand_and_by_a_stated_order() -> None:
    # 20 both yes, 15 both no, 5 and 10 apart: observed 0.7, expected 0.5
    first = ["yes"] * 25 + ["no"] * 25
    second = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    assert agreement.cohen_kappa(first, second) == pytest.approx(0.4)
    sizes = ("small", "medium", "large")
    one, two = ["small", "large", "medium"], ["small", "medium", "medium"]
    found = agreement.cohen_kappa(one, two, "linear", sizes)
    assert found == pytest.approx(cohen_kappa_score(one, two, labels=sizes, weights="linear"))


def test_undefined_kappas_raise() -> None:
    for first, second, told in (
        ([], [], "no unit"),
        (["a"], [], "one annotator has 1 values, the other 0"),
        (["a", "a"], ["a", "a"], "every value is the same"),
    ):
        with pytest.raises(ValueError, match=told):
            agreement.cohen_kappa(first, second)
    for units, told in (
        ([], "no unit"),
        (["a", "b"], "no unit"),
        (["ab", "abc"], "from 2 to 3 values"),
        (["aa", "aa"], "every value is the same"),
    ):
        with pytest.raises(ValueError, match=told):
            agreement.fleiss_kappa(units)


@given(st.lists(st.lists(st.sampled_from("abcd"), min_size=3, max_size=3), min_size=1, max_size=12))
def test_fleiss_equals_statsmodels(units: list[list[str]]) -> None:
    assume(len({value for unit in units for value in unit}) > 1)
    counts, _ = inter_rater.aggregate_raters(
        np.array([["abcd".index(v) for v in u] for u in units])
    )
    expected = inter_rater.fleiss_kappa(counts)
    assert agreement.fleiss_kappa(units) == pytest.approx(expected, abs=1e-9)


def test_fleiss_by_hand_and_as_printed() -> None:
    rows = ["aab", "abb", "aaa", "ccb", "bbb", "abc", "cca", "bba"]
    # a 9, b 10, c 5 of 24; pairs agree in 1/3, 1/3, 1, 1/3, 1, 0, 1/3, 1/3
    expected = (9 / 24) ** 2 + (10 / 24) ** 2 + (5 / 24) ** 2
    assert agreement.fleiss_kappa(rows) == pytest.approx((11 / 24 - expected) / (1 - expected))
    # Fleiss (1971): 10 units, 14 annotators, 5 labels
    counts = ["00000", "02642", "00356", "03920", "22811", "77000", "32630", "25322", "65210"]
    units = [
        "".join(label * int(n) for label, n in zip("abcde", row, strict=True)) for row in counts
    ]
    units[0] = "e" * 14
    units.append("bbccdddeeeeeee")
    assert agreement.fleiss_kappa(units) == pytest.approx(0.20993070442195522, abs=1e-12)


@given(PAIRS)
def test_cohen_equals_statsmodels_and_nltk(pairs: list[tuple[int, int]]) -> None:
    first, second = map(list, zip(*pairs, strict=True))
    assume(len({*first, *second}) > 1)
    table = np.zeros((5, 5))
    for a, b in pairs:
        table[a - 1, b - 1] += 1
    for weights in (None, "linear", "quadratic"):
        expected = inter_rater.cohens_kappa(table, wt=weights, return_results=False)
        found = agreement.cohen_kappa(first, second, weights)
        assert found == pytest.approx(expected, abs=1e-9)
    data = [(who, at, pair[who]) for at, pair in enumerate(pairs) for who in (0, 1)]
    expected = AnnotationTask(data).kappa()
    assert agreement.cohen_kappa(first, second) == pytest.approx(expected, abs=1e-9)


MISSING = st.lists(
    st.lists(st.one_of(st.none(), st.frozensets(st.sampled_from("abc"))), min_size=3, max_size=4),
    min_size=2,
    max_size=10,
)


@given(MISSING)
def test_alpha_of_several_raters_with_gaps_and_empty_sets_equals_nltk(
    given_values: list[list[frozenset[str] | None]],
) -> None:
    units = [[value for value in row if value is not None] for row in given_values]
    pairable = [unit for unit in units if len(unit) > 1]
    assume(varied(pairable))
    data = [
        (str(who), str(at), value)
        for at, row in enumerate(given_values)
        for who, value in enumerate(row)
        if value is not None and len(units[at]) > 1
    ]
    for distance in (agreement.nominal, agreement.jaccard, agreement.masi):
        expected = AnnotationTask(data, distance=distance).alpha()
        found = agreement.krippendorff_alpha(units, distance)
        assert found == pytest.approx(expected, abs=1e-9)


@given(UNITS)
def test_alpha_by_nltks_own_masi(units: list[list[frozenset[str]]]) -> None:
    assume(varied(units))
    data = [(str(r), str(i), value) for i, unit in enumerate(units) for r, value in enumerate(unit)]
    expected = AnnotationTask(data, distance=masi_distance).alpha()
    assert agreement.krippendorff_alpha(units, masi_distance) == pytest.approx(expected)
    # nltk rounds thirds to two digits.
    assert agreement.krippendorff_alpha(units, agreement.masi) == pytest.approx(expected, abs=0.03)


def test_masi_by_hand() -> None:
    a, b, both, other = (frozenset(one) for one in ("a", "b", "ab", "bc"))
    assert agreement.masi(a, both) == pytest.approx(1 - 1 / 2 * 2 / 3)
    assert agreement.masi(both, other) == pytest.approx(1 - 1 / 3 * 1 / 3)
    assert (agreement.masi(a, b), agreement.masi(a, a)) == (1, 0)
    assert (
        agreement.masi(frozenset(), frozenset()) == 0 == agreement.jaccard(frozenset(), frozenset())
    )
    assert agreement.masi(frozenset(), a) == 1 == agreement.jaccard(frozenset(), a)


def test_krippendorffs_own_example() -> None:
    """Krippendorff (2011), part C: four observers, missing values, by each level."""
    rows = ["1 2 3 3 2 1 4 1 2 - - -", "1 2 3 3 2 2 4 1 2 5 - 3", "- 3 3 3 2 3 4 2 2 5 1 -"]
    rows.append("1 2 3 3 2 4 4 1 2 5 1 -")
    columns = zip(*(row.split() for row in rows), strict=True)
    units = [[int(value) for value in column if value != "-"] for column in columns]
    found = [
        agreement.krippendorff_alpha(units, distance)
        for distance in (agreement.nominal, agreement.ordinal(units), agreement.interval)
    ]
    assert found == pytest.approx([0.743, 0.815, 0.849], abs=5e-4)


@given(st.permutations(range(6)))
def test_kendall_equals_scipy(order: list[int]) -> None:
    # scipy takes the places of things, and 6 things that only one order has do not count.
    expected = scipy.stats.kendalltau(range(6), [order.index(one) for one in range(6)]).statistic
    assert agreement.kendall_tau(range(6), order) == pytest.approx(expected)
    assert agreement.kendall_tau([*range(6), 9], [8, *order]) == pytest.approx(expected)


def test_kendall_by_hand() -> None:
    assert agreement.kendall_tau("abc", "acb") == pytest.approx(1 / 3)
    assert (agreement.kendall_tau("ab", "ab"), agreement.kendall_tau("ab", "ba")) == (1, -1)
    for one, other, told in (("a", "a", "less than two"), ("aab", "ab", "twice"), ("", "", "less")):
        with pytest.raises(ValueError, match=told):
            agreement.kendall_tau(one, other)


def test_differences_of_pairs() -> None:
    assert agreement.differences([[1, 4], [2, 2, 5], [7]]) == [3, 0, 3, 3]
    with pytest.raises(ValueError, match="no unit has two values"):
        agreement.differences([[1], []])


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        ("en", ("He mocks the boss for being late.", "He mocks his boss for being always late.")),
        ("zh", ("他在讽刺老板总是迟到。", "他讽刺老板每次开会总是迟到，很无奈。")),
    ],
)
def test_bleu_between_annotators_is_sacrebleus_in_both_directions(
    language: Language, texts: tuple[str, str]
) -> None:
    first, second = texts
    tokenize = {"en": "13a", "zh": "zh"}[language]
    metric = sacrebleu.BLEU(tokenize=tokenize)
    there = metric.corpus_score([first, first], [[second, first]]).score
    back = metric.corpus_score([second, first], [[first, first]]).score
    given = {"A": {1: first, 2: first, 3: "x"}, "B": {1: second, 2: first}}
    found = agreement.mean_bleu(given, language)
    assert found == pytest.approx((there + back) / 200)
    assert agreement.mean_bleu({"A": {1: first}, "B": {1: first}}, language) == pytest.approx(1)
    with pytest.raises(ValueError, match="no unit has two values"):
        agreement.mean_bleu({"A": {1: first}, "B": {2: first}}, language)


def test_bleu_of_some_pairs_alone() -> None:
    texts = {"A": {1: "a b c d e"}, "B": {1: "a b c d f"}, "C": {1: "a b x y z"}}
    pairs = [("A", "B"), ("A", "C")]
    each = [agreement.mean_bleu({name: texts[name] for name in pair}, "en") for pair in pairs]
    assert agreement.mean_bleu(texts, "en", pairs) == pytest.approx(sum(each) / 2)


def test_sets_are_sorted_by_their_labels_in_every_process() -> None:
    sets = [frozenset(one) for one in ("hgfe", "b", "dcba")]
    found = sorted([*sets, 2.0, 1.0], key=agreement.sort_key)
    assert found == [1.0, 2.0, frozenset("abcd"), frozenset("b"), frozenset("efgh")]
