"""What Python offers: answers in every form, results that say what they are, errors in words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import deadpan
from deadpan import DeadpanError, LoadedBenchmark, Results
from deadpan.core.usage import read_prices, usage_of
from tests.model_server import ModelServer

TASK = "identification"


@pytest.fixture(scope="module")
def cfms() -> LoadedBenchmark:
    return deadpan.load("cfms")


@pytest.fixture(scope="module")
def ids(cfms: LoadedBenchmark) -> list[str]:
    return [question.item for question in cfms.questions(TASK)]


def endings(results: Results) -> dict[str, int]:
    return dict(results.table["outcome"].value_counts().iter_rows())


def test_a_sample_may_have_a_seed_of_its_own(tmp_path: Path) -> None:
    def asked(sample: int | deadpan.Sample) -> set[str]:
        how: dict[str, Any] = {"model": "baseline/random", "store": tmp_path, "progress": False}
        return set(deadpan.evaluate("cfms", tasks=TASK, sample=sample, **how).table["item"])

    assert "Sample" in dir(deadpan)
    assert asked(3) == asked(deadpan.Sample(3)) != asked(deadpan.Sample(3, seed=1))


def test_a_benchmark_is_a_sequence_of_items(cfms: LoadedBenchmark) -> None:
    first = cfms[0]
    assert first.id in cfms and first in cfms and "nobody" not in cfms
    assert cfms[first.id] is first and cfms[:2] == tuple(cfms)[:2]
    assert repr(first) == f"<Item {first.id} ({first.language}): {', '.join(first.questions)}>"
    assert cfms.licence == "CC0-1.0 (the embedded mini-set)"


def test_prompts_hold_what_is_said_in_a_video() -> None:
    spoken = [
        (item.prompts["eg"], clip.transcript)
        for item in deadpan.load("vimu")
        if (clip := item.questions["eg"].clip) and clip.transcript
    ]
    assert spoken and all(said in prompt for prompt, said in spoken)


def test_an_item_without_an_answer_is_not_given_in_every_form(
    cfms: LoadedBenchmark, ids: list[str]
) -> None:
    pd = pytest.importorskip("pandas", reason="needs the [pandas] extra")
    half = len(ids) // 2
    said: list[Any] = ["Yes"] * half
    gaps: tuple[Any, ...] = (None, float("nan"), pd.NA)
    forms: list[Any] = [dict(zip(ids, said, strict=False))]
    for gap in gaps:
        column = said + [gap] * (len(ids) - half)
        forms += [
            dict(zip(ids, column, strict=True)),
            [{"item": item, "answer": one} for item, one in zip(ids, column, strict=True)],
            pd.DataFrame({"item": ids, "answer": column}),
            pd.Series(column, index=ids),
        ]
    forms.append(pl.DataFrame({"item": ids, "answer": said + [None] * (len(ids) - half)}))
    for form in forms:
        results = cfms.score(form, task=TASK)
        assert endings(results) == {"answered": half, "not_given": len(ids) - half}
        (accuracy,) = results.scores().filter(metric="accuracy", group="all").to_dicts()
        counts = (accuracy["n"], accuracy["unscored"], accuracy["not_given"])
        assert counts == (half, 0, len(ids) - half)
        assert (accuracy["items"], accuracy["of_items"]) == (half, len(ids))


def test_numbers_of_a_column_with_gaps_stay_whole() -> None:
    pd = pytest.importorskip("pandas", reason="needs the [pandas] extra")
    comics = deadpan.load("pixelhumor")
    items = [question.item for question in comics.questions("panel")]
    answers = pd.DataFrame({"item": items, "answer": [2] * (len(items) - 1) + [None]})
    results = comics.score(answers, task="panel")
    parsed = results.table["parsed"].drop_nulls().unique().to_list()
    assert (parsed, len(results)) == (['["2"]'], len(items))


def test_structured_answers_are_read_as_json(cfms: LoadedBenchmark, ids: list[str]) -> None:
    given = {"Sarcastic": "yes", "Target": "the boss", "Explanation": "He is never there."}
    by_item = cfms.score({ids[0]: given}, task="joint")
    assert json.loads(by_item.table["answer"].drop_nulls()[0]) == given
    by_task = cfms.score({"joint": {ids[0]: given}})
    assert by_task.table["answer"].to_list() == by_item.table["answer"].to_list()


@pytest.mark.parametrize(
    ("answers", "task", "why"),
    [
        ({"x": {"y": "Yes"}}, None, "cfms has no task x; expected {item: answer}"),
        ({"x": "Yes"}, "identificaton", "did you mean identification"),
        ({"x": "Yes"}, TASK, "cfms/identification has no item x"),
        ({}, TASK, "no answers"),
        (["Yes"], TASK, "got list"),
        ([{"item": "x"}], TASK, "a row has only item"),
        ([{"item": "x", "answer": "a"}] * 2, TASK, "x is answered twice for identification"),
    ],
)
def test_answers_that_cannot_be_used_are_told(
    cfms: LoadedBenchmark, answers: Any, task: str | None, why: str
) -> None:
    with pytest.raises(DeadpanError, match=why):
        cfms.score(answers, task=task)


def test_evaluate_takes_one_task_and_refuses_counts_below_one(tmp_path: Path) -> None:
    def ask(**how: Any) -> Results:
        return deadpan.evaluate(
            "cfms", model="baseline/random", store=tmp_path, tasks=TASK, progress=False, **how
        )

    asked = "baseline/random; cfms (identification): 3/3 answered"
    part = "baseline/random: answers to 3 of 24 items"
    assert repr(ask(limit=3)) == f"<Results of {asked}; {part}>"
    for how, why in (({"limit": 0}, "limit is 0"), ({"epochs": -1}, "epochs is -1")):
        with pytest.raises(DeadpanError, match=why):
            ask(**how)


def test_failed_questions_warn_where_no_progress_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ModelServer(lambda picture, prompt: "Yes", {0: "500!"}) as server:
        server.offer(monkeypatch)
        with pytest.warns(UserWarning, match="1 of 2 questions failed: "):
            deadpan.evaluate(
                "cfms",
                model="openai-api/loopback/pupil",
                store=tmp_path,
                tasks=TASK,
                limit=2,
                calls=deadpan.CallOptions(max_retries=0),
                progress=False,
            )


def test_results_of_a_run_that_was_stopped_are_unfinished(tmp_path: Path) -> None:
    done = deadpan.evaluate(
        "cfms", model="baseline/random", store=tmp_path / "a", tasks=TASK, limit=4, progress=False
    )
    done.write(tmp_path / "all.parquet")
    pl.read_parquet(tmp_path / "all.parquet").head(3).write_parquet(tmp_path / "some.parquet")
    with pytest.warns(UserWarning, match="1 of 4 questions are not in the results"):
        some = deadpan.read_results(tmp_path / "some.parquet")
    assert (len(some), len(some.unfinished)) == (3, 1)
    assert deadpan.read_results([tmp_path / "a"]).unfinished == []


def test_a_notebook_shows_the_overall_scores_escaped(cfms: LoadedBenchmark, ids: list[str]) -> None:
    html = cfms.score({ids[0]: "Yes"}, task=TASK, model="<script>")._repr_html_()
    assert "accuracy" in html and "unscored" in html
    assert "<script>" not in html


def test_what_is_no_results_is_told(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("a,b\n")
    for paths, why in (
        ([], "name an answer store"),
        ([tmp_path / "x.csv"], "no answer store, results table or Inspect log"),
        ([tmp_path / "gone"], "no such answer store"),
    ):
        with pytest.raises(DeadpanError, match=why):
            deadpan.read_results(*paths)


def test_a_judgement_that_two_answers_share_is_counted_once(
    cfms: LoadedBenchmark, tmp_path: Path
) -> None:
    asked = [question for question in cfms.questions("target") if question.gold]
    items = [question.item for question in asked[:3]]
    rows = [
        {"item": item, "answer": "the boss", "model": model} for model in "ab" for item in items
    ]
    results = cfms.score(rows, task="target", judge="judge/lexical", store=tmp_path)
    assert results.table["judgements"].count() == 2 * results.table["judge_calls"].sum() == 6
    judge = [one for one in usage_of(results.table, read_prices()) if one.role == "judge"]
    assert [(one.name, one.calls) for one in judge] == [("judge/lexical", 3)]
