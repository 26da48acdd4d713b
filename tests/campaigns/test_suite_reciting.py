"""A campaign that also asks what models recite: counted, asked once, paid for, written."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from aiohttp import web
from rich.console import Console

from deadpan.campaigns.suite import outputs
from deadpan.campaigns.suite.planning import plan_suite
from deadpan.campaigns.suite.reading import read_suite
from deadpan.campaigns.suite.running import SuiteRun, Unfinished, dry_run, run_suite
from deadpan.engine import calls
from deadpan.engine.store import AnswerStore
from deadpan.pipeline.contamination.tags import read_tags, tag_results
from deadpan.pipeline.progress import ConsoleReporter
from tests.campaigns.suite_world import FormServer, campaign
from tests.pipeline.contamination.parrot import FRAMED, known_halves

ON = "audits: {contamination: yes}\nlanguages: en\n"
TITLES = ("First & best", "第二")
LIMIT, TEXTS = 10, 12


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FormServer]:
    """The first model knows every other text by heart."""
    known = {first: second for place, (first, second) in _halves() if place % 2}

    def answer(model: str, prompt: str) -> str:
        framed = FRAMED.search(prompt)
        return known.get(framed.group(1), "") if framed and model == "first" else ""

    with FormServer() as made:
        made.answer = answer
        made.offer(monkeypatch)
        yield made


def _halves() -> Iterator[tuple[int, tuple[str, str]]]:
    yield from enumerate(known_halves("pixelhumor").items())


def _run(file: Path, max_cost: float | None = None) -> SuiteRun:
    return run_suite(read_suite(file), ConsoleReporter(Console(quiet=True)), max_cost)


def _counted(file: Path) -> dict[tuple[str, str], tuple[int, int]]:
    _, found = dry_run(read_suite(file))
    assert all(one.cost is not None for one in found)
    return {(one.job.model.shown, one.job.asked): (one.calls, one.missing) for one in found}


def test_it_is_counted_asked_once_and_written(
    tmp_path: Path, server: FormServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outputs, "_report", lambda *_: ())  # which is tested elsewhere
    file = campaign(tmp_path, "pixelhumor/presence", LIMIT, ON)
    both = {(title, "recited"): (TEXTS, TEXTS) for title in TITLES}
    assert _counted(file) == both | {(title, "in full"): (LIMIT, LIMIT) for title in TITLES}

    done = _run(file)
    assert server.total == len(server.calls) == 2 * (LIMIT + TEXTS)
    assert {missing for _, missing in _counted(file).values()} == {0}
    out = outputs.write_outputs(done)
    again = _run(file)
    assert server.total == 2 * (LIMIT + TEXTS) and again.recitals == done.recitals

    told = json.loads((out / "contamination.json").read_text("utf-8"))["contamination"]
    assert [one["model"] for one in told] == list(TITLES)
    assert 0 < len(told[0]["recited_items"]) < told[0]["items"] <= LIMIT
    assert not told[1]["recited_items"] and not told[1]["effects"]
    (effect,) = told[0]["effects"]
    assert effect["difference"] == effect["recited"] - effect["others"]
    sums = outputs.CHECKSUMS
    assert subprocess.run(["sha256sum", "-c", "--quiet", sums], cwd=out).returncode == 0
    files = [out / "recited" / f"pixelhumor.{name}.csv" for name in ("First-best", "第二")]
    listed = (out / sums).read_text("utf-8")
    assert all(f"recited/{path.name}\n" in listed for path in files)
    tagged = tag_results(done.results.to_polars(), read_tags(files))
    assert set(tagged.filter(model=TITLES[0])["attr.recited"].drop_nulls()) == {"yes", "no"}


def test_money_ends_it_and_the_same_command_continues(tmp_path: Path, server: FormServer) -> None:
    _run(campaign(tmp_path, "pixelhumor/presence", LIMIT, "languages: en\n"))
    rows = AnswerStore(tmp_path / "answers").rows()
    spent = (rows["input_tokens"].sum() + rows["output_tokens"].sum()) / 1000
    before = server.total
    file = campaign(tmp_path, "pixelhumor/presence", LIMIT, ON)
    with pytest.raises(Unfinished, match=r"calls remain, for about \$"):
        _run(file, spent + 2)
    stopped = server.total
    assert before < stopped < before + 2 * TEXTS
    with pytest.raises(Unfinished):  # what was recited before counts
        _run(file, spent + 0.001)
    assert server.total == stopped
    assert len(_run(file, 1e6).recitals) == 2
    assert server.total == len(server.calls) == before + 2 * TEXTS


def test_a_model_that_gives_up_stops_no_other(
    tmp_path: Path, server: FormServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calls, "FIRST_FAILURES", 5)

    def answer(model: str, prompt: str) -> str:
        if model == "first" and FRAMED.search(prompt):
            raise web.HTTPBadRequest(text="no")
        return ""

    server.answer = answer
    done = _run(campaign(tmp_path, "pixelhumor/presence", LIMIT, ON))
    assert set(done.gave_up) == {TITLES[0]} and "questions all failed" in done.gave_up[TITLES[0]]
    assert set(done.results.table["model"]) == set(TITLES)
    assert [one.model for one in done.recitals] == [TITLES[1]]
    told = json.loads((outputs.write_outputs(done) / "given-up.json").read_text("utf-8"))
    assert (
        told == done.gave_up
        and "given-up.json" in (tmp_path / "out" / outputs.CHECKSUMS).read_text()
    )


def test_what_cannot_be_held_against_chance_is_left_out(tmp_path: Path, server: FormServer) -> None:
    file = campaign(tmp_path, "pixelhumor/presence", 2, ON)
    file.write_text(file.read_text("utf-8").replace("models:", "models:\n  - baseline/random"))
    plan = plan_suite(read_suite(file))
    assert not any(job.recites for job in plan.jobs) and len(plan.jobs) == 3
    assert server.total == 0
    (line,) = plan.left_out
    assert line.startswith("First & best, 第二: pixelhumor, recited, is left out: ")
