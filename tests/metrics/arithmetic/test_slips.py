"""Planted slips are found and named; tables without one give no finding."""

import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadpan.benchmarks.merbench.metrics import BASE, COMPOSITE, composites
from deadpan.benchmarks.merbench.published_relations import _composites
from deadpan.core.relations import Cell, Relation, Sheet
from deadpan.metrics.arithmetic.auditing import UNEXPLAINED, Finding, audit
from deadpan.metrics.arithmetic.claims import above, largest, quoted, smallest
from deadpan.metrics.arithmetic.formulas import DIFFERENCE, F1, LARGEST, MEAN, SUM, Formula, share
from deadpan.metrics.arithmetic.rules import AtMost, Equals, Follows, Within
from tests.metrics.arithmetic.conftest import MakeCell

MODELS = ("a", "b", "c", "d")


def _scores(changed: dict[tuple[str, str], str] | None = None) -> tuple[Sheet, list[Relation]]:
    """Precision, recall, F1 and the mean of all three of four models, with some cells changed."""
    cells, relations = [], []
    for at, model in enumerate(MODELS):
        p, r = 0.5137 + 0.0871 * at, 0.8642 - 0.1313 * at
        f = 2 * p * r / (p + r)
        values = {"p": p, "r": r, "f1": f, "mean": (p + r + f) / 3, "gap": p - r}
        texts = {name: f"{value:.4f}" for name, value in values.items()}
        texts |= {name: text for (who, name), text in (changed or {}).items() if who == model}
        row = {name: Cell("1", model, "t", name, "all", text) for name, text in texts.items()}
        cells += row.values()
        relations += [
            Follows((row["f1"],), (row["p"], row["r"]), F1, kind="f1"),
            Follows((row["mean"],), (row["p"], row["r"], row["f1"]), MEAN, kind="average"),
            Follows((row["gap"],), (row["p"], row["r"]), DIFFERENCE, kind="difference"),
        ]
    return Sheet(cells), relations


def _found(changed: dict[tuple[str, str], str]) -> tuple[Finding, ...]:
    return audit(*_scores(changed)).findings


def test_a_clean_table_is_counted_and_has_no_finding() -> None:
    found = audit(*_scores())
    assert found.findings == () and found.checked == found.held == {"1": 12}


@pytest.mark.parametrize(
    ("changed", "slip"),
    [
        ({("a", "gap"): "0.3505"}, "sign: -0.3505 for 0.3505 (a t gap)"),
        ({("a", "f1"): "0.4644"}, "two digits swapped: 0.6444 for 0.4644 (a t f1)"),
        ({("b", "mean"): "66.47"}, "66.47 (b t mean) times 0.01"),
        ({("a", "r"): "0.8142"}, "one digit: 0.8642 for 0.8142 (a t r)"),
    ],
)
def test_a_planted_slip_is_named(changed: dict[tuple[str, str], str], slip: str) -> None:
    found = _found(changed)
    assert found and {one.slip for one in found} == {slip}


def test_cut_off_instead_of_rounded(cell: MakeCell) -> None:
    own, counts = cell("0.666", "share"), (cell("2", "k"), cell("3", "n"))
    found = audit(Sheet([own, *counts]), [Follows((own,), counts, share())]).findings
    assert [one.slip for one in found] == ["0.666 (m t share) cut off instead of rounded"]


def test_numbers_exchanged() -> None:
    sheet, _ = _scores()
    f1 = {one.model: one.printed for one in sheet.select(metric="f1")}
    found = _found({("b", "f1"): f1["c"], ("c", "f1"): f1["b"]})
    assert len(found) == 4
    assert all("exchanged" in one.slip and "(b t f1)" in one.slip for one in found)


def _counts(rows: dict[str, tuple[int, int]], totals: dict[str, int]) -> Sequence[Finding]:
    cells = {
        (group, name): Cell("13", "m", "t", name, group, str(count))
        for group, counts in rows.items()
        for name, count in zip(("tp", "fn"), counts, strict=True)
    }
    relations = [
        Equals(
            (cells[group, "tp"], cells[group, "fn"]),
            *((), SUM, SUM, "support", "gold"),
            constant=total,
        )
        for group, total in totals.items()
    ]
    recalls = [
        Follows(
            (Cell("3", "m", "t", "recall", group, text),),
            (cells[group, "tp"], cells[group, "fn"]),
            Formula("recall {}", lambda tp, fn: tp / (tp + fn)),
        )
        for group, text in (("x", "0.133"), ("y", "0.911"))
    ]
    sheet = Sheet([*cells.values(), *(one.cell for one in recalls)])
    return audit(sheet, [*relations, *recalls]).findings


def test_rows_exchanged() -> None:
    totals = {"x": 648, "y": 505}
    assert not _counts({"x": (86, 562), "y": (460, 45)}, totals)
    found = _counts({"x": (460, 45), "y": (86, 562)}, totals)
    assert [one.cell for one in found] == [
        *("m t recall x", "m t recall y", "m t tp x + fn", "m t tp y + fn")
    ]
    assert {one.slip for one in found} == {"rows x and y of m exchanged"}
    assert found[2].off_by == 143 and found[2].printed == "505"


def test_a_mean_that_was_not_weighted(cell: MakeCell) -> None:
    parts = (cell("0.20", "a"), cell("0.90", "b"))
    weigh = Formula("weighted mean of {}", lambda a, b: (3 * a + b) / 4, rises=True)
    own = cell("0.55", "all")
    plain = audit(Sheet([own, *parts]), [Follows((own,), parts, weigh, instead=(MEAN,))])
    assert plain.findings[0].slip == "it is the mean of {}"


def test_what_nothing_explains(cell: MakeCell) -> None:
    parts = (cell("60.31", "p"), cell("95.24", "r"))
    own = cell("44.20", "f1")
    finding = audit(Sheet([own, *parts]), [Follows((own,), parts, F1)]).findings[0]
    assert finding.slip == UNEXPLAINED
    assert finding.expected == "73.848 to 73.858"
    assert finding.off_by == pytest.approx(73.8483 - 44.205, abs=1e-3)


def test_a_slip_must_mend_all_that_it_changes(cell: MakeCell) -> None:
    """The sum alone could be mended by either part; the other sum says which."""
    a, b, total, other = cell("10", "a"), cell("32", "b"), cell("33", "sum"), cell("32", "c")
    sums = [Follows((total,), (a, b), SUM)]
    slip = audit(Sheet([a, b, total]), sums).findings[0].slip
    assert slip == (
        "two digits swapped: 01 for 10 (m t a) or two digits swapped: 23 for 32 (m t b)"
    )
    sums.append(Follows((other,), (b,), SUM))
    sums.append(Follows((cell("33", "d"),), (total,), SUM))
    found = audit(Sheet([a, b, total, other]), sums).findings
    assert [one.slip for one in found] == ["two digits swapped: 01 for 10 (m t a)"]


def test_claims(cell: MakeCell) -> None:
    column = [cell(text, model=model) for model, text in zip("abc", ("1.0", "2.0", "3.0"))]  # noqa: B905
    assert largest(column[2], column, "s").check({}).holds
    assert smallest(column[0], column, "s").check({}).holds
    wrong = largest(column[1], column, "section 5")
    verdict = wrong.check({})
    assert verdict.expected == "at least 2.95" and verdict.off_by == pytest.approx(0.9)
    assert wrong.source == "section 5, as we read it, calls it the largest; there is 3.0 (c t x)"
    assert not above(column[0], column[1], "s").check({}).holds
    assert AtMost(column[0], (column[1],)).check({}).holds
    low, high = cell("0", half=0.5), cell("2", half=0.5)
    assert Within(column[1], low, high).check({}).holds
    assert Within(column[2], low, high).check({}).off_by == pytest.approx(0.45)


def test_the_best_that_is_another(cell: MakeCell) -> None:
    column = tuple(cell(text, model=model) for model, text in (("a", "0.614"), ("b", "0.645")))
    claim = cell("61", table="abstract", model="best", half=0.5, unit=100)
    found = audit(Sheet([claim, *column]), [Follows((claim,), column, LARGEST, kind="largest")])
    assert found.findings[0].slip == "it is a t x: 0.614"
    assert found.findings[0].expected == "64.5"
    assert found.findings[0].off_by == pytest.approx(2.95)


def test_quoted_numbers(cell: MakeCell) -> None:
    sheet = Sheet([cell("12.34", table="3"), cell("12.43", table="section 5")])
    found = audit(sheet, quoted(sheet)).findings
    assert [one.slip for one in found] == [
        "two digits swapped: 12.34 for 12.43 (m t x) or two digits swapped: 12.43 for 12.34 (m t x)"
    ]
    assert found[0].table == "section 5" and found[0].follows_from == "table 3: 12.34"


def test_a_cell_cannot_follow_from_itself(cell: MakeCell) -> None:
    with pytest.raises(ValueError, match="on both sides"):
        Follows((cell("1.0"),), (cell("1.0"),), MEAN)


@given(st.integers(0, 10**9), st.integers(1, 4))
def test_consistent_tables_never_give_a_finding(seed: int, digits: int) -> None:
    draw = random.Random(seed)

    def cell(name: str, value: float) -> Cell:
        return Cell("1", "m", "t", name, "all", f"{value:.{digits}f}")

    p, r = draw.uniform(0.05, 1), draw.uniform(0.05, 1)
    k, n = sorted((draw.randint(1, 900), draw.randint(1, 900)))
    parts = [cell("p", p), cell("r", r)]
    count = [Cell("1", "m", "t", name, "all", str(one)) for name, one in (("k", k), ("n", n))]
    relations: list[Relation] = [
        Follows((cell("f1", 2 * p * r / (p + r)),), tuple(parts), F1),
        Follows((cell("mean", (p + r) / 2),), tuple(parts), MEAN),
        Follows((cell("gap", p - r),), tuple(parts), DIFFERENCE),
        Follows((cell("share", 100 * k / n),), tuple(count), share(100)),
        largest(max(parts, key=lambda one: one.value), parts, "s"),
    ]
    assert audit(Sheet(parts), relations).findings == ()


@given(st.integers(0, 10**9))
def test_composites_of_runs_never_give_a_finding(seed: int) -> None:
    """Ten runs, their composites averaged, all printed with two decimals."""
    draw = np.random.default_rng(seed)
    centre, spread = draw.uniform(0, 1, len(BASE)), draw.uniform(0, 0.15)
    runs = np.clip(draw.normal(centre, spread, (10, len(BASE))), 0, 1)
    base = {name: runs[:, at] for at, name in enumerate(BASE)}
    for ddof in (0, 1):
        row = {
            name + end: Cell("2", "m", "t", name + end, "all", f"{100 * float(value):.2f}")
            for name, values in {**base, **composites(base)}.items()
            for end, value in (("", values.mean()), ("_std", values.std(ddof=ddof)))
        }
        assert set(COMPOSITE) <= row.keys()
        for relation in _composites(row):
            assert relation.check({}).holds, relation.source
