"""Contamination hints end to end: a model that recites, one that does not, tags in reports."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from deadpan.base.errors import DeadpanError, InputError
from deadpan.benchmarks import find
from deadpan.core.score import ScoringOptions
from deadpan.engine.task_questions import RunSettings
from deadpan.metrics.recitation import halves
from deadpan.pipeline.contamination import ContaminationAudit, audit_contamination
from deadpan.pipeline.contamination.tags import (
    read_tags,
    recitation_effects,
    recited_addition,
    tag_results,
)
from deadpan.pipeline.results import Results
from tests.model_server import ModelServer
from tests.pipeline.contamination.parrot import MODEL, Answer, known_halves, parrot


def audit(benchmark: str, store: Path) -> ContaminationAudit:
    return audit_contamination(benchmark, MODEL, RunSettings(store))


@pytest.mark.parametrize("benchmark", ["pixelhumor", "janusmm", "merbench", "cfms", "vimu"])
def test_every_benchmark_names_texts_to_recite(benchmark: str) -> None:
    found = find(benchmark)
    assert found.analyses.recitable is not None
    texts = list(found.analyses.recitable(found.read(None)))
    assert {one.language for one in texts} == {"en", "zh"} and len({t.kind for t in texts}) >= 2
    assert sum(halves(one.text) is not None for one in texts) >= 12


def test_who_recites_is_found_out_and_who_does_not_is_not(
    served: Callable[[Answer], ModelServer], tmp_path: Path
) -> None:
    server = served(parrot("cfms", lambda first: len(first) % 2 == 0))
    found = audit("cfms", tmp_path / "answers")
    know = {second for first, second in known_halves("cfms").items() if len(first) % 2 == 0}
    for one in found.recitals:
        assert one.threshold is not None
        assert one.is_recited == (one.second in know and one.length > one.threshold)
    assert {one.language for one in found.recitals if one.is_recited} == {"en", "zh"}
    share = found.share
    assert share is not None and share[1] < share[0] < share[2]
    assert all(one.false_flags < 0.05 for one in found.chances)
    assert not any("image_url" in str(request) for request in server.requests)
    asked = sum(server.calls.values())
    again = audit("cfms", tmp_path / "answers")
    assert sum(server.calls.values()) == asked and again.items == found.items
    server.answer = parrot("cfms", lambda first: False)
    honest = audit("cfms", tmp_path / "others")
    assert sum(honest.items.values()) == 0 and len(honest.items) == len(found.items)


def test_what_cannot_be_asked_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DeadpanError, match="baseline/random: it has learnt no text"):
        audit_contamination("cfms", "baseline/random", RunSettings(tmp_path))


@pytest.fixture
def tagged(tmp_path: Path) -> tuple[Path, pl.DataFrame]:
    """Answers to CFMS, and a file that tags every second item of their model as recited."""
    from deadpan.pipeline.table import read_tables

    store = tmp_path / "answers"
    from deadpan import evaluate

    evaluate("cfms", tasks="identification", model="baseline/random", store=store)
    table = read_tables([store])
    items = table["item"].unique(maintain_order=True).to_list()
    path = tmp_path / "recited.csv"
    rows = [
        ("cfms", "baseline/random", item, ("no", "yes")[at % 2]) for at, item in enumerate(items)
    ]
    with path.open("w", newline="") as stream:
        csv.writer(stream).writerows([("benchmark", "model", "item", "recited"), *rows])
    return path, table


def test_tags_are_a_column_and_a_group_of_scores(tagged: tuple[Path, pl.DataFrame]) -> None:
    path, table = tagged
    tags = read_tags([path])
    results = Results(tag_results(table, tags))
    scores = results.scores().filter(pl.col("metric") == "accuracy")
    by_group = {row["group"]: row for row in scores.iter_rows(named=True)}
    half = len(tags) // 2
    assert by_group["recited=yes"]["n"] == half
    assert by_group["recited=no"]["n"] == by_group["all"]["n"] - half
    assert by_group["all"]["value"] == pytest.approx(
        (
            by_group["recited=yes"]["value"] * half
            + by_group["recited=no"]["value"] * (len(tags) - half)
        )
        / len(tags)
    )
    untouched = Results(table).scores().filter(pl.col("metric") == "accuracy")
    assert "recited=yes" not in untouched["group"].to_list()
    addition = recited_addition(results.table, "cfms")
    assert addition is not None and f"{half} of {len(tags)}" in addition.tables[0].remark
    assert recited_addition(table, "cfms") is None


def test_scores_on_recited_items_and_on_others(tagged: tuple[Path, pl.DataFrame]) -> None:
    path, table = tagged
    items = {item: flag for (_, _, item), flag in read_tags([path]).items()}
    (found,) = recitation_effects(table, "cfms", "baseline/random", items, ScoringOptions())
    assert found.recited_items + found.other_items == len(items)
    assert found.low is not None and found.high is not None
    assert found.low <= found.difference <= found.high
    assert recitation_effects(table, "cfms", "nobody", items, ScoringOptions()) == []


def test_files_of_tags_are_checked(tmp_path: Path, tagged: tuple[Path, pl.DataFrame]) -> None:
    path = tmp_path / "bad.csv"
    path.write_text("benchmark,model,item,recited\ncfms,m,a,maybe\n")
    with pytest.raises(InputError, match=r"bad\.csv:2: recited: got 'maybe'"):
        read_tags([path])
    path.write_text("benchmark,model,item,recited\ncfms,m,a,yes\ncfms,m,a,no\n")
    with pytest.raises(InputError, match="a is there twice"):
        read_tags([path])


def test_an_item_that_one_model_recites_is_tagged_for_all(
    tagged: tuple[Path, pl.DataFrame],
) -> None:
    path, table = tagged
    other = table.with_columns(model=pl.lit("other"))
    both = tag_results(pl.concat([table, other]), read_tags([path]), for_all=True)
    assert both["attr.recited"].null_count() == 0
    own = tag_results(pl.concat([table, other]), read_tags([path]))
    assert own["attr.recited"].null_count() == len(other)
