"""Weights & Biases: what is logged, by a stand-in for the package, and by the package offline."""

import json
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from deadpan.base.errors import DeadpanError, MissingExtra
from deadpan.reports import Section
from deadpan.reports.exchange.wandb_tables import Place, log_tables
from tests.reports.toy import MODELS, sure


class Run:
    """A run that remembers."""

    def __init__(self, **given: Any) -> None:
        self.given, self.logged, self.summary = given, {}, {}  # type: ignore[var-annotated]
        self.url, self.dir, self.is_finished = None, "wandb/offline-run/files", False

    def log(self, what: dict[str, Any]) -> None:
        self.logged |= what

    def finish(self) -> None:
        self.is_finished = True


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[Run]:
    """The runs that were begun."""
    begun: list[Run] = []

    class Error(Exception):
        pass

    def init(**given: Any) -> Run:
        if given["mode"] == "online":
            raise Error("no key")
        begun.append(Run(**given))
        return begun[-1]

    fake = ModuleType("wandb")
    fake.init, fake.Error, fake.Settings = init, Error, lambda **given: given  # type: ignore[attr-defined]
    fake.Table = lambda columns, data: SimpleNamespace(columns=columns, data=data)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "wandb", fake)
    return begun


def test_scores_with_intervals_and_samples_are_tables(section: Section, runs: list[Run]) -> None:
    key = (MODELS[0], "presence", "f1", "all")
    known = sure(section)
    where = log_tables([known], {key: 0.05}, Place("humour", offline=True))
    (run,) = runs
    assert run.is_finished and where == "wandb/offline-run"
    assert run.given["project"] == "humour" and run.given["mode"] == "offline"
    scores = run.logged["scores"]
    assert len(scores.data) == len(known.scores)
    row = dict(zip(scores.columns, scores.data[0], strict=True))
    first = known.scores[0]
    assert (row["value"], row["low"], row["high"]) == (first.value, first.low, first.high)
    assert row["standard_error"] == 0.05
    samples = run.logged["samples/toy"]
    assert len(samples.data) == len(section.table)
    own = dict(zip(samples.columns, samples.data[0], strict=True))
    assert own["verdict"] in ("right", "wrong", "unscored") and "answer" in own
    assert "picture" not in own
    assert run.summary[f"toy/presence/f1/{MODELS[0]}"] == first.value


def test_texts_are_left_out_when_asked(section: Section, runs: list[Run]) -> None:
    log_tables([section], {}, Place("humour", offline=True), texts=False)
    columns = runs[0].logged["samples/toy"].columns
    assert not {"question", "gold", "answer", "parsed", "reason"} & set(columns)


def test_what_the_package_says_is_told(section: Section, runs: list[Run]) -> None:
    with pytest.raises(DeadpanError, match=r"no key\. Log in, or give --offline"):
        log_tables([section], {}, Place("humour"))


def test_the_extra_is_named(section: Section, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wandb", None)
    with pytest.raises(MissingExtra, match=r"deadpan\[wandb\]"):
        log_tables([section], {}, Place("humour"))


def test_the_package_takes_them_offline(section: Section, tmp_path: Path) -> None:
    pytest.importorskip("wandb")
    where = log_tables([sure(section)], {}, Place("humour", offline=True, folder=tmp_path))
    (path,) = Path(where).rglob("scores_*.table.json")
    found = json.loads(path.read_text("utf-8"))
    assert len(found["data"]) == len(section.scores)
