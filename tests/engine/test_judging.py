"""Judging through the real client path: discipline, cache, repeats, other judges, broken judges."""

import io
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from rich.console import Console

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks import BUILT_IN
from deadpan.benchmarks.vimu.judge import VIMU_OE
from deadpan.core.outcomes import NOT_JUDGED
from deadpan.core.signature import parse_signature
from deadpan.core.usage import Prices, usage_of
from deadpan.engine.calls import CallOptions
from deadpan.engine.judging import JudgeJob, judge_answers
from deadpan.engine.reading import listed_runs
from deadpan.engine.run import run
from deadpan.engine.task_questions import RunSettings
from deadpan.pipeline.evaluating import check_judge
from deadpan.pipeline.judgements import requests, require_other
from deadpan.pipeline.judging import Judging, judge_results
from deadpan.pipeline.progress import ConsoleReporter
from deadpan.pipeline.table import read_tables, results_of_runs
from deadpan.pipeline.table_files import read_table, write_table
from tests.engine.judged_toy import ITEMS, WHERE
from tests.model_server import ModelServer

MODEL = "openai-api/loopback/student"
JUDGE = "openai-api/loopback/teacher"
GOOD = {
    "core_intent": 4,
    "implicit_signal": 2,
    "target_or_social_meaning": 1,
    "hallucination_penalty": 0,
    "literal_only_penalty": 0,
    "total": 7,
    "verdict": "good",
    "reason": "ok",
}
SHOWN_OTHERWISE = "proverbs/meaning|v1|n:6|data:0|prompts:x|judge:none|shown:4x768|deadpan:0"
BROKEN = {
    "missing part": json.dumps({key: GOOD[key] for key in list(GOOD)[1:]}),
    "out of range": json.dumps(GOOD | {"core_intent": 6}),
    "truncated": json.dumps(GOOD)[:-12],
    "refusal": "I'm sorry, but I can't help with that.",
}


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(BUILT_IN, "proverbs", WHERE)
    monkeypatch.setenv("DEADPAN_CACHE", str(tmp_path / "cache"))


class School:
    """A server that plays both parts: pupils answer, the teacher grades by `grade`."""

    def __init__(self, grade: Callable[[str], str]) -> None:
        self.server = ModelServer(self._reply)
        self.grade = grade
        self.graded: list[str] = []
        self.answered = 0

    def _reply(self, picture: str, prompt: str) -> str:
        if prompt.startswith("proverb_"):
            self.answered += 1
            return f"It means {prompt[:9]}."
        self.graded.append(prompt)
        return self.grade(prompt)


@pytest.fixture
def school(monkeypatch: pytest.MonkeyPatch) -> Iterator[School]:
    lessons = School(lambda prompt: json.dumps(GOOD))
    with lessons.server:
        lessons.server.offer(monkeypatch)
        yield lessons


def answers(tmp_path: Path) -> pl.DataFrame:
    settings = RunSettings(store=tmp_path / "answers", calls=CallOptions(max_retries=0))
    return results_of_runs(run({"proverbs": ["meaning"]}, MODEL, settings))


def graded(tmp_path: Path, results: pl.DataFrame, judge: str = JUDGE, **more: Any) -> pl.DataFrame:
    retries = more.pop("max_retries", 5)
    settings = RunSettings(store=tmp_path / "answers", calls=CallOptions(max_retries=retries))
    return judge_results(results, Judging(judge, settings, **more))


def test_every_answer_is_judged_once_and_the_table_says_by_whom(
    school: School, tmp_path: Path
) -> None:
    unjudged = answers(tmp_path)
    assert set(unjudged["outcome"]) == {"judge_failed"}
    assert set(unjudged["reason"]) == {NOT_JUDGED}
    table = graded(tmp_path, unjudged)
    assert set(table["outcome"]) == {"answered"}
    assert [json.loads(cell) for cell in table["judgements"]] == [
        [{"parts": GOOD, "flags": []}]
    ] * 6
    assert set(table["judge"]) == {JUDGE}
    assert set(table["judge_input_tokens"]) == {100} and set(table["input_tokens"]) == {100}
    (signature,) = table["signature"].unique()
    assert parse_signature(signature).judge.startswith(f"{JUDGE}@vimu_oe.1.")
    assert len(school.graded) == ITEMS
    assert {request["temperature"] for request in school.server.requests} == {0}


def test_the_same_command_judges_nothing_again_and_the_store_holds_it_all(
    school: School, tmp_path: Path
) -> None:
    first = graded(tmp_path, answers(tmp_path))
    assert graded(tmp_path, answers(tmp_path)).equals(first)
    assert (len(school.graded), school.answered) == (ITEMS, ITEMS)
    assert read_tables([tmp_path / "answers"]).sort("item").equals(first.sort("item"))
    write_table(first, tmp_path / "table.parquet")
    assert read_table(tmp_path / "table.parquet").equals(first)


def test_a_judgement_is_kept_in_a_copy_of_the_store_and_when_its_manifest_is_gone(
    school: School, tmp_path: Path
) -> None:
    results = answers(tmp_path)
    first = graded(tmp_path, results)
    shutil.copytree(tmp_path / "answers", tmp_path / "elsewhere" / "answers")
    shutil.rmtree(tmp_path / "elsewhere" / "answers" / "runs")
    elsewhere = graded(tmp_path / "elsewhere", results)
    assert elsewhere["judgements"].equals(first["judgements"])
    assert len(school.graded) == ITEMS


def test_another_judge_needs_no_answer_anew_and_must_then_be_named(
    school: School, tmp_path: Path
) -> None:
    graded(tmp_path, answers(tmp_path))
    school.grade = lambda prompt: json.dumps(GOOD | {"core_intent": 0, "total": 3})
    other = "openai-api/loopback/inspector"
    table = graded(tmp_path, read_tables([tmp_path / "answers"]), other)
    totals = {json.loads(cell)[0]["parts"]["total"] for cell in table["judgements"]}
    assert totals == {3} and school.answered == ITEMS
    with pytest.raises(DeadpanError, match=r"graded by .*teacher.*inspector|inspector.*teacher"):
        read_tables([tmp_path / "answers"])
    chosen = read_tables([tmp_path / "answers"], judge=JUDGE)
    assert {json.loads(cell)[0]["parts"]["total"] for cell in chosen["judgements"]} == {7}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_reply_is_asked_for_again_with_the_error_then_fails(
    fault: str, school: School, tmp_path: Path
) -> None:
    school.grade = lambda prompt: BROKEN[fault]
    table = graded(tmp_path, answers(tmp_path))
    assert set(table["outcome"]) == {"judge_failed"}
    assert all("asked 3 times" in reason for reason in table["reason"])
    assert set(table["judgements"]) == {None}
    assert len(school.graded) == 3 * ITEMS
    again = [prompt for prompt in school.graded if prompt.startswith("That reply cannot be used")]
    assert len(again) == 2 * ITEMS
    assert {request["temperature"] for request in school.server.requests} == {0}
    assert set(table["judge_input_tokens"]) == {300}, "all three attempts are counted"

    assert set(table["judge_calls"]) == {3}

    school.grade = lambda prompt: json.dumps(GOOD)
    mended = graded(tmp_path, answers(tmp_path))
    assert set(mended["outcome"]) == {"answered"}, "broken replies are asked for again"
    done = len(school.graded)
    assert graded(tmp_path, answers(tmp_path)).equals(mended) and len(school.graded) == done


@pytest.mark.parametrize(("faulty", "calls"), [(False, 6), (True, 2)])
def test_a_failed_judgement_that_answers_share_is_counted_once(
    faulty: bool, calls: int, school: School, tmp_path: Path
) -> None:
    results = answers(tmp_path)
    odd = pl.col("item").str.tail(1).cast(pl.Int64) % 2 == 1
    shared = pl.when(odd).then(pl.lit("It means this.")).otherwise(pl.lit("It means that."))
    asked = len(school.server.requests)
    school.grade = lambda prompt: BROKEN["truncated"]
    school.server.faults = dict.fromkeys(range(100), "500!") if faulty else {}
    table = graded(tmp_path, results.with_columns(answer=shared), max_retries=0)
    assert set(table["outcome"]) == {"judge_failed"}
    assert len(school.server.requests) - asked == calls
    (usage,) = [one for one in usage_of(table, Prices()) if one.role == "judge"]
    assert (usage.calls, usage.known) == (calls, 0 if faulty else calls)


def test_a_chinese_judge_is_told_in_chinese_what_was_wrong(school: School, tmp_path: Path) -> None:
    results = answers(tmp_path).with_columns(language=pl.lit("zh"))
    school.grade = lambda prompt: "还行。"
    table = graded(tmp_path, results)
    assert all("it holds no complete JSON object" in reason for reason in table["reason"])
    again = [prompt for prompt in school.graded if "其中没有完整的 JSON 对象。" in prompt]
    assert len(again) == 2 * ITEMS


def test_lines_and_runs_say_what_came_of_it(school: School, tmp_path: Path) -> None:
    results = answers(tmp_path)

    def judged(grade: str) -> tuple[str, str]:
        school.grade = lambda prompt: grade
        stream = io.StringIO()
        settings = RunSettings(store=tmp_path / "answers")
        reporter = ConsoleReporter(Console(file=stream, width=200), lambda *_: None)
        judge_results(results, Judging(JUDGE, settings), reporter=reporter)
        (listed,) = [run for run in listed_runs([tmp_path / "answers"]) if run.judge]
        return stream.getvalue(), listed.answered

    said, done = judged("no JSON")
    assert "6/6 " in said and "6 asked in 18 calls" in said and "from the store" not in said
    assert done == "0/6", "a reply that breaks the schema is no judgement"
    said, done = judged(json.dumps(GOOD))
    assert "6/6 " in said and "6 asked · " in said and "from the store" not in said
    assert done == "6/6"
    said, _ = judged(json.dumps(GOOD))
    assert "6/6 " in said and "0 asked · 6 from the store" in said


def test_a_raised_version_signs_kept_replies_and_asks_nothing(
    school: School, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = graded(tmp_path, answers(tmp_path))
    monkeypatch.setattr(type(VIMU_OE), "version", 2)
    kept = read_tables([tmp_path / "answers"])
    assert parse_signature(kept["signature"][0]).judge.startswith(f"{JUDGE}@vimu_oe.1.")
    later = graded(tmp_path, answers(tmp_path))
    assert parse_signature(later["signature"][0]).judge.startswith(f"{JUDGE}@vimu_oe.2.")
    assert later["judgements"].equals(first["judgements"])
    assert len(school.graded) == ITEMS


def test_a_second_reply_that_keeps_the_schema_counts(school: School, tmp_path: Path) -> None:
    school.grade = lambda prompt: (
        json.dumps(GOOD) if prompt.startswith("That reply") else f"{BROKEN['truncated']}"
    )
    table = graded(tmp_path, answers(tmp_path))
    assert set(table["outcome"]) == {"answered"}
    assert len(school.graded) == 2 * ITEMS


def test_wrong_totals_and_prose_are_taken_and_flagged(school: School, tmp_path: Path) -> None:
    school.grade = lambda prompt: f"Sure! {json.dumps(GOOD | {'total': 9})}"
    table = graded(tmp_path, answers(tmp_path))
    (judgement,) = json.loads(table["judgements"][0])
    assert judgement["parts"]["total"] == 7
    assert len(judgement["flags"]) == 2


def test_a_judge_that_cannot_be_reached_fails_and_is_asked_again(
    school: School, tmp_path: Path
) -> None:
    results = answers(tmp_path)
    school.server.faults = {ITEMS: "500!", ITEMS + 1: "malformed!"}
    table = graded(tmp_path, results, max_retries=0)
    counts = dict(table["outcome"].value_counts().iter_rows())
    assert counts == {"answered": ITEMS - 2, "judge_failed": 2}
    reasons = table.filter(pl.col("outcome") == "judge_failed")["reason"]
    assert all(reason.startswith("the judge could not be asked") for reason in reasons)
    school.server.faults = {}
    mended = graded(tmp_path, answers(tmp_path))
    assert set(mended["outcome"]) == {"answered"}
    assert school.answered == ITEMS


def test_a_judge_that_is_cut_off_is_said_to_be(school: School, tmp_path: Path) -> None:
    results = answers(tmp_path)
    school.server.faults = {place: "cut off!" for place in range(1, 100)}
    table = graded(tmp_path, results)
    assert set(table["outcome"]) == {"judge_failed"}
    assert all(reason.endswith(", cut off at the token limit") for reason in table["reason"])


def test_repeats_are_kept_apart(school: School, tmp_path: Path) -> None:
    grades = iter(range(10_000))
    school.grade = lambda prompt: json.dumps(GOOD | {"core_intent": next(grades) % 2, "total": 0})
    table = graded(tmp_path, answers(tmp_path), epochs=4)
    assert all(len(json.loads(cell)) == 4 for cell in table["judgements"])
    assert len(school.graded) == 4 * ITEMS
    (signature,) = table["signature"].unique()
    assert parse_signature(signature).settings["judge_epochs"] == "4"
    fewer = graded(tmp_path, answers(tmp_path), epochs=1)
    assert fewer.equals(table) and len(school.graded) == 4 * ITEMS, "no repeat is thrown away"
    assert read_tables([tmp_path / "answers"]).sort("item").equals(table.sort("item"))


def test_more_repeats_ask_for_the_missing_ones_only(school: School, tmp_path: Path) -> None:
    assert "judge_epochs" not in graded(tmp_path, answers(tmp_path))["signature"][0]
    table = graded(tmp_path, answers(tmp_path), epochs=3)
    assert all(len(json.loads(cell)) == 3 for cell in table["judgements"])
    assert len(school.graded) == 3 * ITEMS


def test_nothing_of_an_earlier_judge_stays_with_an_answer(school: School, tmp_path: Path) -> None:
    write_table(graded(tmp_path, answers(tmp_path)), tmp_path / "table.parquet")
    school.grade = lambda prompt: BROKEN["truncated"]
    table = graded(tmp_path, read_table(tmp_path / "table.parquet"), "openai-api/loopback/other")
    assert set(table["judgements"]) == {None}
    assert set(table["outcome"]) == {"judge_failed"}


def test_a_judge_that_graded_nothing_is_told(school: School, tmp_path: Path) -> None:
    write_table(graded(tmp_path, answers(tmp_path)), tmp_path / "table.parquet")
    for source in (tmp_path / "answers", tmp_path / "table.parquet"):
        with pytest.raises(DeadpanError, match=r"graded by .*teacher"):
            read_tables([source], judge="openai/typo")


def test_what_another_judge_said_of_other_answers_does_not_matter(
    school: School, tmp_path: Path
) -> None:
    results = answers(tmp_path)
    table = graded(tmp_path, results)
    settings = RunSettings(store=tmp_path / "answers")
    elsewhere = JudgeJob("failures", "proverbs_meaning", MODEL, VIMU_OE, requests(results))
    judge_answers([elsewhere], "judge/lexical", settings)
    assert read_tables([tmp_path / "answers"]).sort("item").equals(table.sort("item"))


def test_a_judge_with_other_weights_judges_anew(
    school: School, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def signed(weights: str) -> str:
        monkeypatch.setattr("deadpan.engine.local.provider.weights_of", lambda model: weights)
        (signature,) = graded(tmp_path, answers(tmp_path))["signature"].unique()
        return parse_signature(signature).judge

    assert signed("first") == f"{JUDGE}@{VIMU_OE.identity}.first"
    assert signed("second") == f"{JUDGE}@{VIMU_OE.identity}.second"
    assert len(school.graded) == 2 * ITEMS
    assert signed("second") == signed("second") and len(school.graded) == 2 * ITEMS


def test_one_answer_in_two_runs_is_judged_once(school: School, tmp_path: Path) -> None:
    results = answers(tmp_path)
    twice = pl.concat([results, results.with_columns(signature=pl.lit(SHOWN_OTHERWISE))])
    assert set(graded(tmp_path, twice)["outcome"]) == {"answered"}
    assert len(school.graded) == ITEMS


def test_a_schema_the_provider_refuses_is_left_out(school: School, tmp_path: Path) -> None:
    results = answers(tmp_path)
    school.server.refuse_schema = True
    table = graded(tmp_path, results)
    assert set(table["outcome"]) == {"answered"}


def test_the_stand_in_judges_without_a_model(school: School, tmp_path: Path) -> None:
    table = graded(tmp_path, answers(tmp_path), "judge/lexical")
    assert set(table["outcome"]) == {"answered"}
    assert set(table["judge"]) == {"judge/lexical"} and not school.graded


def test_no_model_grades_itself_by_accident(school: School, tmp_path: Path) -> None:
    with pytest.raises(DeadpanError, match="grade its own answers"):
        graded(tmp_path, answers(tmp_path), MODEL)
    assert not school.graded
    assert set(graded(tmp_path, answers(tmp_path), MODEL, allow_self=True)["judge"]) == {MODEL}
    for alias in ("openrouter/openai/gpt-x", "openai/GPT-X", "x/gpt-x:free", "gpt-x-2026-01-31"):
        with pytest.raises(DeadpanError, match="--self-judge"):
            require_other(["openai/gpt-x"], alias, allowed=False)
    require_other(["openai/gpt-x"], "openai/gpt-x-mini", allowed=False)


def test_a_judged_task_needs_a_judge() -> None:
    with pytest.raises(DeadpanError, match="name one with --judge"):
        check_judge({"proverbs": ["meaning"]}, MODEL, None)
    judge = Judging("judge/lexical", RunSettings(Path("answers")))
    check_judge({"proverbs": ["meaning"]}, MODEL, judge)
    check_judge({"pixelhumor": ["style"]}, MODEL, None)
