"""The interface of a benchmark: what is optional says what is missing, and nothing is misspelt."""

import pytest
from typer.testing import CliRunner

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks import BUILT_IN, find
from deadpan.cli import app
from deadpan.core.benchmark import Benchmark


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (("agreement", "cfms"), "cfms has no raw votes"),
        (("data", "get", "cfms", "--data", "."), "cfms: no release of its data is known"),
        (("data", "stats", "vimu", "--word-cloud", "words"), "vimu has no targets to draw"),
        (("score", "cfms", "--edits", "."), "cfms has no edited pictures to score"),
        (("score", "cfms", "--judgements", "j.jsonl"), "cfms scores no file of judgements"),
        (("run", "cfms", "--model", "editor/caption"), "cfms has no pictures to be edited"),
        (("fewshot", "eval", "vimu/oe", "--model", "baseline/random"), "has no training split"),
    ],
)
def test_what_a_benchmark_does_not_have_is_told_by_its_name(
    command: tuple[str, ...], told: str
) -> None:
    result = CliRunner().invoke(app, command)
    assert isinstance(result.exception, DeadpanError) and told in str(result.exception)


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_benchmark_has_no_public_name_that_the_interface_does_not_know(name: str) -> None:
    own = {one for one in vars(type(find(name))) if not one.startswith("_")}
    assert own <= {*vars(Benchmark), *Benchmark.__annotations__}
