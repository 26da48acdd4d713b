"""`deadpan suite` and `--max-cost` as they are typed."""

import json
from pathlib import Path

import pytest

from tests.campaigns.suite_world import FIRST, FormServer, campaign
from tests.cli.conftest import Deadpan


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> FormServer:
    with FormServer() as made:
        made.offer(monkeypatch)
        yield made


def test_a_dry_run_asks_nothing(tmp_path: Path, deadpan: Deadpan, server: FormServer) -> None:
    file = campaign(tmp_path, "pixelhumor/presence,interpretation", limit=3)
    done = deadpan("suite", file, "--dry-run", "--json", tmp_path / "plan.json")
    assert done.code == 0 and "≤3" in done.out and "~" in done.out and "unknown" in done.out
    rows = json.loads((tmp_path / "plan.json").read_text("utf-8"))["estimates"]
    assert [(row["role"], row["calls"], row["missing"]) for row in rows] == [
        ("model", 6, 6),
        ("judge", 3, 3),
    ] * 2
    assert all(row["cost"] > 0 and row["seconds"] is None for row in rows)
    assert server.total == 0 and not (tmp_path / "answers").exists()


def test_a_wrong_file_ends_with_2(tmp_path: Path, deadpan: Deadpan) -> None:
    (tmp_path / "paper.yaml").write_text("models: [baseline/random]\nbenchmark: [cfms]\n")
    done = deadpan("suite", tmp_path / "paper.yaml")
    assert done.code == 2
    assert "paper.yaml:2: benchmark: unknown field; did you mean benchmarks?" in done.err


def test_the_schema_is_printed(deadpan: Deadpan) -> None:
    assert "benchmarks" in json.loads(deadpan("suite", "--schema").out)["properties"]


def test_a_run_stops_where_the_money_ends(
    tmp_path: Path, deadpan: Deadpan, server: FormServer
) -> None:
    prices = tmp_path / "prices.json"
    command = ("run", "pixelhumor/presence", "--model", FIRST, "--limit", 20, "--max-cost", 0.7)
    places = ("--store", tmp_path / "answers", "--prices", prices, "--max-connections", 2)
    prices.write_text("{}")
    unpriced = deadpan(*command, *places)
    assert unpriced.code == 2 and f"no price of {FIRST} is known" in unpriced.err
    prices.write_text(json.dumps({FIRST: {"input": 500, "output": 0}}))
    stopped = deadpan(*command, *places)
    assert stopped.code == 1 and "(--max-cost) is spent" in stopped.err
    assert server.total == 14, "at five cents each"
