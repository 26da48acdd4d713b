"""The paper's tables 2 and 3 as we keep them, and our formulas on them."""

import numpy as np
import polars as pl
import pytest

from deadpan.benchmarks.merbench import MERBENCH
from deadpan.benchmarks.merbench.metrics import BASE, COMPOSITE, composites
from deadpan.core.published import Published, read_published

WITHIN = 0.4
"""How far the composites of printed means may lie from the printed means of composites."""


@pytest.fixture(scope="module")
def published() -> Published:
    found = read_published(MERBENCH.folder)
    assert found is not None
    return found


def printed(published: Published, table: str, by: str) -> dict[str, dict[str, float]]:
    rows: dict[str, dict[str, float]] = {}
    for row in published.rows.filter(pl.col("table") == table).iter_rows(named=True):
        rows.setdefault(row[by], {})[row["metric"]] = row["value"]
    return rows


def recomputed(row: dict[str, float]) -> dict[str, float]:
    made = composites({name: np.array(row[name] / 100) for name in BASE})
    return {name: float(100 * value) for name, value in made.items()}


def test_both_tables_are_whole(published: Published) -> None:
    metrics = {f"{name}{end}" for name in (*BASE, *COMPOSITE) for end in ("", "_std")}
    models, groups = printed(published, "2", "model"), printed(published, "3", "group")
    assert len(models) == 14 and list(groups) == [
        group
        for layout in MERBENCH.report.tables
        if layout.published == "3"
        for group, _ in layout.rows[:-1]
    ]
    assert all(set(row) == metrics for row in (*models.values(), *groups.values()))
    assert models["Flux9B"]["RFS"] == 76.78 and models["Flux9B"]["RFS_std"] == 1.16
    assert models["SD"]["LC"] == 0.40 and models["SD"]["LC_std"] == 0.52
    assert groups["sentiment_polarity=Positive"]["TAS"] == 26.58
    assert groups["visual_type=Object_Animal_Dominant"]["LC_std"] == 5.66
    assert published.rows["value"].is_between(0, 100).all()


def test_table_2_is_recomputed_from_its_base_metrics(published: Published) -> None:
    for model, row in printed(published, "2", "model").items():
        made = recomputed(row)
        for name in ("TAS", "SSS", "RFS"):
            assert made[name] == pytest.approx(row[name], abs=WITHIN), (model, name)


def test_the_recomputation_keeps_the_order_of_models(published: Published) -> None:
    rows = printed(published, "2", "model")
    by_print = sorted(rows, key=lambda model: rows[model]["RFS"])
    assert sorted(rows, key=lambda model: recomputed(rows[model])["RFS"]) == by_print
    assert len({row["RFS"] for row in rows.values()}) == 14


def test_cfs_of_the_means_is_off_for_one_model_only(published: Published) -> None:
    """A geometric mean over runs whose HGQ comes close to 0 lies below that of the means."""
    rows = printed(published, "2", "model")
    differences = {model: recomputed(row)["CFS"] - row["CFS"] for model, row in rows.items()}
    assert [model for model, by in differences.items() if abs(by) > WITHIN] == ["ICEdit"]
    assert differences["ICEdit"] == pytest.approx(0.82, abs=0.005)


def test_table_3_is_recomputed_too(published: Published) -> None:
    for group, row in printed(published, "3", "group").items():
        made = recomputed(row)
        for name in COMPOSITE:
            assert made[name] == pytest.approx(row[name], abs=WITHIN), (group, name)


def test_the_report_lays_out_both_tables(published: Published) -> None:
    tables = MERBENCH.report.tables
    assert {layout.published for layout in tables} - {""} == set(published.tables) == {"2", "3"}
    for layout in (one for one in tables if one.published):
        assert [column[0] for column in layout.columns] == [*BASE, *COMPOSITE]
