"""Whether shares and scores can be of whole counts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score

from deadpan.core.relations import Cell, Interval, rounding_interval
from deadpan.metrics.arithmetic.matrices import HasMatrix, Matrix, Role, matrices
from deadpan.metrics.arithmetic.shares import Attainable, OneSize, Share, few_f1, fits
from tests.metrics.arithmetic.conftest import MakeCell

COUNTS = st.integers(0, 40)
ROLES: tuple[Role, ...] = ("accuracy", "precision", "recall", "f1")


def test_the_grim_test(cell: MakeCell) -> None:
    assert fits(rounding_interval("0.257"), 350) and not fits(rounding_interval("0.368"), 350)
    share = Share(cell("0.368"), 350, of="comics")
    verdict = share.check({})
    assert (verdict.holds, verdict.expected) == (False, "0.3657 or 0.3686")
    assert verdict.off_by == pytest.approx(129 / 350 - 0.3685)
    slip = share.slip()
    assert slip is not None and slip.words == "cut off instead of rounded"
    assert share.source == "share of 350 comics"


def test_a_share_of_too_many_says_nothing(cell: MakeCell) -> None:
    assert Share(cell("0.368"), 350).is_telling
    assert not Share(cell("0.368"), 1000).is_telling
    assert Share(cell("36.8"), 350, per=100).is_telling


def test_another_n_is_named_where_it_is_known(cell: MakeCell) -> None:
    share = Share(cell("61.17"), 187, 100, other_n={206: "positives"})
    assert not share.check({}).holds
    slip = share.slip()
    assert slip is not None and slip.words == "fits 206 positives"
    assert Share(cell("61.17"), 187, 100).slip() is None


def test_another_n_of_a_whole_row(cell: MakeCell) -> None:
    row = [cell(f"{100 * k / 47:.2f}", f"m{k}") for k in (3, 11, 20, 31, 44)]
    share = Share(row[0], 50, 100, beside=tuple((one, 1) for one in row[1:]))
    slip = share.slip()
    assert slip is not None and slip.words == "the whole row fits 47 items"


@given(st.integers(1, 500), st.data())
def test_a_share_of_n_never_fails(n: int, data: st.DataObject) -> None:
    k = data.draw(st.integers(0, n))
    for digits in range(5):
        assert fits(rounding_interval(f"{k / n:.{digits}f}", 0.5 * 10**-digits), n)


def _column(shares: list[str]) -> tuple[Cell, ...]:
    return tuple(Cell("1", f"m{i}", "t", "x", "all", one) for i, one in enumerate(shares))


def test_a_column_is_of_one_size() -> None:
    counts = (17, 120, 333, 410, 512, 603, 700, 811, 902)
    shares = [f"{100 * k / 994:.2f}" for k in counts]
    assert OneSize(_column(shares), 1500, 100).check({}).holds
    odd = OneSize(_column([*shares, "41.20"]), 1500, 100)
    verdict = odd.check({})
    assert not verdict.holds and "994, fits 9 of them" in verdict.expected
    slip = odd.slip()
    assert slip is not None and "fits 994 items but for m9 41.20" in slip.words
    cut = [f"{100 * k / 941 - 0.005:.2f}" for k in (368, 569, 503, 376, 191, 145, 96, 73, 172, 233)]
    slip = OneSize(_column(cut), 2016, 100, "memes").slip()
    assert slip is not None and slip.words.startswith("fits 941 memes with all of them cut off")
    assert OneSize(_column(["41.20", "7.77", "3.14"]), 30, 100).slip() is None


@given(COUNTS, COUNTS, COUNTS, COUNTS, st.integers(1, 4))
def test_scores_of_a_matrix_have_one(tp: int, fp: int, fn: int, tn: int, digits: int) -> None:
    if not (true := Matrix(tp, fp, fn, tn)).n:
        return
    scores = {role: rounding_interval(f"{true.score(role):.{digits}f}") for role in ROLES}
    assert true in list(matrices(scores, true.n, [true.positives]))


def test_all_matrices_are_tried() -> None:
    scores: dict[Role, Interval] = {"accuracy": Interval(0.5, 0.7), "f1": Interval(0.4, 0.6)}
    found = set(matrices(scores, 9))
    brute = {
        one
        for tp in range(10)
        for fp in range(10 - tp)
        for fn in range(10 - tp - fp)
        if 0.5 <= (one := Matrix(tp, fp, fn, 9 - tp - fp - fn)).score("accuracy") <= 0.7
        and 0.4 <= one.score("f1") <= 0.6
    }
    assert found == brute


def _row(matrix: Matrix, **changed: str) -> dict[Role, Cell]:
    texts = {role: f"{100 * matrix.score(role):.2f}" for role in ROLES} | changed
    return {role: Cell("7", "m", "t", role, "all", texts[role]) for role in ROLES}


@pytest.mark.parametrize(
    ("matrix", "changed", "words"),
    [
        (Matrix(182, 118, 7, 113), {}, "fits 189 positives of 420: 182 hits"),
        (Matrix(147, 34, 40, 197), {}, "fits 187 positives of 418: 147 hits"),
        (Matrix(180, 112, 9, 119), {"precision": "60.31"}, "precision 61.64 for 60.31 fits 189"),
        (Matrix(202, 111, 50, 197), {}, "fits 252 positives of 560: 202 hits"),
        (
            Matrix(150, 60, 37, 173),
            {"precision": "80.21", "recall": "71.43"},
            "precision and recall exchanged",
        ),
    ],
)
def test_what_explains_scores_without_a_matrix(
    matrix: Matrix, changed: dict[str, str], words: str
) -> None:
    relation = HasMatrix(_row(matrix, **changed), 420, 187, 100)
    assert not relation.check({}).holds
    slip = relation.slip()
    assert slip is not None and slip.words.startswith(words)
    if slip.mended:
        mended = HasMatrix(relation.scores, matrix.n, matrix.positives, 100)
        assert mended.check(slip.mended).holds


def test_scores_that_fit_have_no_slip() -> None:
    relation = HasMatrix(_row(Matrix(150, 60, 37, 173)), 420, 187, 100)
    assert relation.check({}).holds and relation.slip() is None


def test_two_scores_of_twice_the_items_or_cut_off(cell: MakeCell) -> None:
    twice = {"accuracy": cell("63.75", "accuracy"), "f1": cell("64.02", "f1")}
    slip = HasMatrix(twice, 200, 73, 100).slip()  # type: ignore[arg-type]
    assert slip is not None and slip.words.endswith("17 missed, as of two runs")
    cut = {"accuracy": cell("64.50", "accuracy"), "f1": cell("72.58", "f1")}
    slip = HasMatrix(cut, 200, 100, 100).slip()  # type: ignore[arg-type]
    assert slip is not None and "f1 cut off instead of rounded" in slip.words
    none = {"accuracy": cell("54.00", "accuracy"), "f1": cell("58.68", "f1")}
    assert HasMatrix(none, 200, 100, 100).slip() is None  # type: ignore[arg-type]


def test_f1_of_a_few_items() -> None:
    assert few_f1(1) == (0, 1)
    assert few_f1(2) == pytest.approx((0, 1 / 3, 1 / 2, 2 / 3, 1))
    rounded = {round(one, 6) for one in few_f1(3)}
    for gold, said in (("aab", "abb"), ("abc", "aab"), ("aab", "aac"), ("abc", "bca")):
        true = f1_score(list(gold), list(said), average="weighted", zero_division=0)
        assert round(float(true), 6) in rounded


def test_what_counts_can_give(cell: MakeCell) -> None:
    assert Attainable(cell("0.667"), lambda: few_f1(2), "two items").check({}).holds
    verdict = Attainable(cell("0.750"), lambda: few_f1(2), "two items").check({})
    assert (verdict.holds, verdict.expected) == (False, "nearest is 0.6667")
