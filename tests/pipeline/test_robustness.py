"""Words, orders, epochs and judges as sources of variance, from results as they are."""

import json
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from deadpan.benchmarks import find
from deadpan.core.capabilities import Predictions
from deadpan.core.questions import Reply
from deadpan.core.signature import parse_signature
from deadpan.pipeline.results import Results
from deadpan.pipeline.robustness import SHARE, find_spreads, variance_addition
from deadpan.pipeline.table import results_of_predictions
from tests.benchmarks.janusmm.meme_folder import answered, data, row

YES, NO = "He mocks himself.", "He is angry."
ITEMS = [f"m{number}" for number in range(12)]


def asked(folder: Path, is_yes: Callable[[int], bool], epoch: int = 1, **way: str) -> pl.DataFrame:
    """Recognition, answered `yes` to some of the items, asked in some way."""
    said = {item: YES if is_yes(number) else NO for number, item in enumerate(ITEMS)}
    made = answered(data(folder, [row(item) for item in ITEMS]), {"recognition": said})
    signature = parse_signature(made["signature"][0]).with_settings(**way)
    return made.with_columns(signature=pl.lit(str(signature)), epoch=pl.lit(epoch, pl.Int64))


def shares(results: Results) -> dict[str, float]:
    (spread,), notes = find_spreads(results)
    assert not notes
    assert sum(one.share for one in spread.sources) == pytest.approx(1)
    return {one.name: one.share for one in spread.sources}


def test_a_prompt_that_changes_all_answers_is_the_prompts_variance(tmp_path: Path) -> None:
    tables = [
        asked(tmp_path, lambda _: True),
        asked(tmp_path, lambda _: False, paraphrase="1"),
        asked(tmp_path, lambda _: True, paraphrase="2"),
    ]
    found = shares(Results(pl.concat(tables)))
    assert found["prompt"] == pytest.approx(1)


def test_items_that_are_always_right_or_wrong_are_the_items_variance(tmp_path: Path) -> None:
    ways: list[dict[str, str]] = [{}, {"paraphrase": "1"}, {"paraphrase": "2"}]
    tables = [asked(tmp_path, lambda number: number % 2 == 0, **way) for way in ways]
    assert shares(Results(pl.concat(tables)))["items"] == pytest.approx(1)


def test_orders_are_told_apart_from_prompts(tmp_path: Path) -> None:
    order = {"shown": "shuffled-options"}
    tables = [
        asked(tmp_path, lambda number: number % 2 == 0),
        asked(tmp_path, lambda number: number % 2 == 0, paraphrase="1"),
        asked(tmp_path, lambda number: number % 3 == 0, variant_seed="0", **order),
        asked(tmp_path, lambda number: number % 4 == 0, variant_seed="1", **order),
    ]
    found = shares(Results(pl.concat(tables)))
    assert found["option order"] > 0.2 > found["prompt"]


def test_other_variants_are_no_repeats(tmp_path: Path) -> None:
    tables = [
        asked(tmp_path, lambda number: number % 2 == 0),
        asked(tmp_path, lambda _: False, shown="blank"),
    ]
    assert find_spreads(Results(pl.concat(tables))) == ([], [])


def test_epochs_are_sampling(tmp_path: Path) -> None:
    way = {"epochs": "2", "temperature": "1"}
    tables = [
        asked(tmp_path, lambda number: number % 2 == 0, 1, **way),
        asked(tmp_path, lambda number: number % 3 == 0, 2, **way),
    ]
    found = shares(Results(pl.concat(tables)))
    assert set(found) == {"items", "sampling"}
    assert found["sampling"] > 0.3


def test_a_judge_that_judges_twice_is_a_source() -> None:
    """CFMS targets: the judge contradicts itself about every third answer."""
    benchmark = find("cfms")
    dataset = benchmark.read(None)
    targets = benchmark.questions(dataset, "target", benchmark.prompts("target"))
    replies = {one.item: Reply(text="the boss") for one in targets}
    table = results_of_predictions(benchmark, dataset, Predictions({"target": replies}), "m")

    def judged(place: int) -> str:
        first, second = place % 2 == 0, (place % 2 == 0) != (place % 3 == 0)
        every = [{"parts": {"reason": "", "same_meaning": one}} for one in (first, second)]
        return json.dumps(every)

    cells = pl.Series("judgements", [judged(place) for place in range(len(table))])
    results = Results(table.with_columns(cells, outcome=pl.lit("answered")))
    (spread,), _ = find_spreads(results)
    found = {one.name: one for one in spread.sources}
    assert set(found) == {"items", "judge"}
    assert 0.05 < found["judge"].share < 0.95


def test_what_a_report_shows_of_it(tmp_path: Path) -> None:
    tables = [
        asked(tmp_path, lambda number: number % 2 == 0),
        asked(tmp_path, lambda number: number % 3 == 0, paraphrase="1"),
    ]
    results = Results(pl.concat(tables))
    spreads, _ = find_spreads(results)
    addition = variance_addition(spreads, {"recognition": spreads[0].task})
    assert {one.metric for one in addition.scores} == {SHARE}
    assert {one.group for one in addition.scores} == {
        "source=items",
        "source=prompt",
        "source=the rest",
    }
