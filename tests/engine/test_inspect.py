"""`inspect eval` and `deadpan run` are one; a benchmark comes from outside by one line."""

import ast
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from pydantic import BaseModel, ConfigDict

from deadpan import benchmarks
from deadpan.benchmark import Benchmark, Dataset, ScoringOptions, TaskSpec
from deadpan.engine.run import RunSettings, run
from deadpan.figures import Figure
from deadpan.outcomes import Coverage
from deadpan.prompts import Prompts
from deadpan.questions import Grade, Language, Question, Reply
from deadpan.replies import Unparseable, graded
from deadpan.results import results_of_logs

SOURCE = Path(benchmarks.__file__).parents[1]


def test_inspect_is_imported_in_one_place() -> None:
    importers = {
        path.relative_to(SOURCE).parts[0]
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
        and any(
            name.split(".")[0] == "inspect_ai"
            for name in (
                [a.name for a in node.names]
                if isinstance(node, ast.Import)
                else [node.module or ""]
            )
        )
    }
    assert importers == {"engine"}


def test_inspect_eval_gives_the_same_table(tmp_path: Path) -> None:
    logs = tmp_path / "inspect"
    subprocess.run(
        [
            sys.executable,
            "-m",
            "inspect_ai",
            "eval",
            "deadpan/pixelhumor_panel_order",
            "--model",
            "baseline/random",
            "--log-dir",
            str(logs),
            "--display",
            "none",
            "--no-log-images",
        ],
        check=True,
        cwd=tmp_path,
        capture_output=True,
        timeout=120,
    )
    settings = RunSettings(log_dir=tmp_path / "deadpan", display="none")
    ours = results_of_logs(run("pixelhumor", ["panel_order"], "baseline/random", settings))
    theirs = results_of_logs([logs])
    columns = [name for name in ours.columns if name not in ("seconds",)]
    assert ours.select(columns).sort("item").equals(theirs.select(columns).sort("item"))


class Coin(BaseModel):
    """A record of the toy benchmark."""

    model_config = ConfigDict(frozen=True)

    name: str
    side: str


class CoinToss(Benchmark[Coin]):
    """The benchmark of CONTRIBUTING: one question type, two options."""

    name = "cointoss"
    title = "Coin toss"
    citation = "none"
    languages: tuple[Language, ...] = ("en",)
    tasks = (TaskSpec("side", "Which side is up?", 1, ("accuracy",)),)

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def read(self, data: Path | None) -> Dataset[Coin]:
        coins = tuple(Coin(name=f"coin_{n}", side="heads" if n % 3 else "tails") for n in range(9))
        return Dataset(coins, "toy", "0")

    def questions(self, dataset: Dataset[Coin], task: str, prompts: Prompts) -> list[Question]:
        return [
            Question(
                item=coin.name,
                language="en",
                system=prompts.system["en"],
                text=prompts.user["en"],
                pictures=(),
                form="choice",
                options=("heads", "tails"),
                reference="heads",
                gold=coin.side,
                attributes={"odd": int(coin.name[-1]) % 2 == 1},
            )
            for coin in dataset.records
        ]

    def grade(self, task: str, reply: Reply, language: Language) -> Grade:
        def side(text: str) -> str:
            if text not in ("heads", "tails"):
                raise Unparseable(f"expected heads or tails; got {text!r}")
            return text

        return graded(reply, side)

    def figures(self, table: pl.DataFrame, options: ScoringOptions) -> list[Figure]:
        right = (table["parsed"] == table["gold"]).mean()
        return [
            Figure.over(
                Coverage.of(table["outcome"]),
                model=str(table["model"][0]),
                task="side",
                metric="accuracy",
                value=float(right),
                signature=str(table["signature"][0]),  # type: ignore[arg-type]
            )
        ]


@pytest.fixture
def toy(tmp_path: Path) -> Any:
    for name, text in (("system", "You see coins."), ("side", "Heads or tails?")):
        path = tmp_path / "toy" / "prompts" / "en" / f"{name}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    benchmarks.register(CoinToss(tmp_path / "toy"))
    yield benchmarks.find("cointoss")
    benchmarks._added.clear()


def test_a_benchmark_from_outside_runs(toy: CoinToss, tmp_path: Path) -> None:
    assert "cointoss" in benchmarks.names()
    settings = RunSettings(log_dir=tmp_path / "logs", display="none")
    table = results_of_logs(run("cointoss", ["side"], "baseline/majority", settings))
    (figure,) = toy.figures(table, ScoringOptions())
    assert (figure.value, figure.n) == (pytest.approx(6 / 9), 9)
    assert figure.signature.startswith("cointoss/side|v1|n:9|data:0|")
