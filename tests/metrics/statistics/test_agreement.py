"""Agreement against the krippendorff package, nltk's distances and hand-made cases."""

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from nltk.metrics.agreement import AnnotationTask
from nltk.metrics.distance import jaccard_distance, masi_distance

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
