"""What a campaign says that it would ask is what it asks."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import deadpan
from deadpan.campaigns.suite.reading import read_suite
from deadpan.campaigns.suite.running import dry_run
from tests.campaigns.suite_world import FIRST, SECOND, FormServer, campaign


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FormServer]:
    with FormServer() as made:
        made.offer(monkeypatch)
        yield made


def _missing(file: Path) -> dict[tuple[str, str], int]:
    return {(one.job.model.shown, one.role): one.missing for one in dry_run(read_suite(file))[1]}


def test_a_model_under_two_titles_is_counted_once(tmp_path: Path, server: FormServer) -> None:
    file = campaign(tmp_path, "pixelhumor/interpretation", limit=3)
    text = file.read_text("utf-8").replace(SECOND, FIRST)
    file.write_text(text, "utf-8")
    counted = {("First & best", "model"): 3, ("First & best", "judge"): 3, ("第二", "model"): 0}
    assert _missing(file) == counted
    deadpan.run_suite(file, progress=False)
    assert server.total == len(server.calls) == 6
    assert set(_missing(file).values()) == {0}


def test_judgements_that_broke_are_asked_for_again(tmp_path: Path, server: FormServer) -> None:
    broken = {"yes": True}

    def answer(model: str, prompt: str) -> str:
        return "I would rather not." if model == "teacher" and broken["yes"] else ""

    server.answer = answer
    file = campaign(tmp_path, "pixelhumor/interpretation", limit=2)
    deadpan.run_suite(file, progress=False)
    assert _missing(file)["First & best", "judge"] == 2
    broken["yes"] = False
    deadpan.run_suite(file, progress=False)
    assert set(_missing(file).values()) == {0}
