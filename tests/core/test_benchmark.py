"""The interface of a benchmark: what is optional says what is missing, and nothing is misspelt."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks import BUILT_IN, find
from deadpan.core.benchmark import Benchmark
from deadpan.core.scoring_options import ScoringOptions
from tests.engine.judged_toy import Proverbs

BARE = Proverbs()
DATA = BARE.read(None)
HERE = Path("nowhere")
NO_ROWS = pl.DataFrame()


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (lambda: BARE.is_wrong({}), "no rule of its own for what is wrong; name one with --wrong"),
        (lambda: BARE.target_words(DATA), "no targets to draw the words of"),
        (lambda: BARE.read_predictions(HERE, DATA, "m"), "no released predictions form; use JSONL"),
        (lambda: BARE.read_edits(None, DATA, (), ()), "no edited pictures to score"),
        (lambda: BARE.people_scores(HERE, None, ScoringOptions(), None), "no ratings by people"),
        (lambda: BARE.stats(DATA), "no data statistics"),
        (lambda: BARE.agreement(None), "no raw votes"),
        (lambda: BARE.media(None), "no media to fetch"),
        (lambda: BARE.check(NO_ROWS, ScoringOptions(), lambda: None), "no checks"),
        (lambda: BARE.judgement_scores(HERE, None), "scores no file of judgements"),
    ],
)
def test_what_a_benchmark_does_not_have_is_told_by_its_name(
    asked: Callable[[], Any], told: str
) -> None:
    with pytest.raises(DeadpanError, match=f"proverbs.* {told}"):
        asked()


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_benchmark_has_no_public_name_that_the_interface_does_not_know(name: str) -> None:
    own = {one for one in vars(type(find(name))) if not one.startswith("_")}
    assert own <= {*vars(Benchmark), *Benchmark.__annotations__}
