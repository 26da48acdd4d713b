"""JanusMM as the rest of Deadpan sees it: tasks, gold, questions, layout, scores of answers."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks.janusmm import JANUSMM, gold_of
from deadpan.benchmarks.janusmm.metrics import DUAL
from deadpan.core.capabilities import Predictions
from deadpan.core.predictions import read_predictions
from deadpan.core.questions import Question, Reply
from deadpan.core.score import ScoringOptions
from deadpan.pipeline.table import results_of_predictions
from tests.benchmarks.janusmm.meme_folder import answered, chinese_row, data, plain_row, row

LONG = " ".join(["The poster sleeps while the alarm clock rings, and that is all there is."] * 2)


def perfect(task: str, question: Question) -> str:
    """The gold of a meme, worded as the question asks for it."""
    gold: Any = question.gold
    if task == "recognition":
        return str(gold["answer"])
    parts = {"Emotion": question.attributes["emotion"], "Reasoning": gold.get("reference", LONG)}
    return "\n".join(
        f"{label}: {text}" for label, text in (parts | {"Reply": gold.get("reply", "ok")}).items()
    )


def test_tasks_are_sampled_as_in_the_paper() -> None:
    assert [spec.name for spec in JANUSMM.tasks] == [
        *("recognition", "reasoning", "initiator", "responder")
    ]
    assert {(spec.temperature, spec.top_p) for spec in JANUSMM.tasks} == {(0.1, 0.7)}


def test_gold_is_what_each_task_asks_for(tmp_path: Path) -> None:
    ours, chinese, plain = data(tmp_path, [row(), chinese_row(), plain_row()]).records
    named = {"answer": "self-deprecation", "thinking": ours.row.thinking}
    assert gold_of("recognition", ours) == named
    assert gold_of("recognition", chinese)["answer"] == "自嘲"
    assert gold_of("recognition", plain)["answer"] == "not self-deprecation"
    assert gold_of("reasoning", ours) == {"reference": ours.row.thinking}
    assert gold_of("responder", ours) == {
        "reference": ours.row.receiver_reasoning,
        "reply": ours.row.receiver_reply,
    }
    assert gold_of("initiator", plain) == {}


def test_a_persons_gold_is_shown_without_the_dialogue(tmp_path: Path) -> None:
    dataset = data(tmp_path)
    asked = JANUSMM.questions(dataset, "responder", JANUSMM.prompts("responder"))
    shown = [JANUSMM.report.gold_text("responder", question.gold) for question in asked]
    assert shown[0].startswith("He laughs at himself") and "The bed won again!" in shown[0]
    assert shown[2] == "(no reference: the meme is not self-deprecating)"


@pytest.mark.parametrize("task", [spec.name for spec in JANUSMM.tasks])
def test_no_gold_is_in_a_question(task: str) -> None:
    dataset = JANUSMM.read(None)
    for question in JANUSMM.questions(dataset, task, JANUSMM.prompts(task)):
        gold: Any = question.gold
        secrets = [text for name, text in gold.items() if name != "question"]
        told = question.system + question.text
        assert not [text for text in secrets if text in told]


def test_the_mini_set_answered_with_its_gold_gets_the_best_scores() -> None:
    dataset = JANUSMM.read(None)
    replies = {
        spec.name: {
            question.item: Reply(text=perfect(spec.name, question))
            for question in JANUSMM.questions(dataset, spec.name, JANUSMM.prompts(spec.name))
        }
        for spec in JANUSMM.tasks
    }
    table = results_of_predictions(JANUSMM, dataset, Predictions(replies), "perfect")
    assert set(table["outcome"]) == {"answered"}
    scores = JANUSMM.score(table, ScoringOptions())
    for spec in JANUSMM.tasks:
        assert {f.metric for f in scores if f.task == spec.name} == {m.name for m in spec.metrics}
    found = {(f.task, f.metric): f.value for f in scores if f.group == "language=en"}
    assert found["recognition", "accuracy"] == 100.0
    assert found["recognition", "false_alarms"] == 0.0
    meteor, greedy = found["reasoning", "meteor"], found["reasoning", "greedy_match"]
    assert meteor is not None and meteor > 99.9
    assert greedy == pytest.approx(100.0)
    assert {f.metric for f in scores if f.task == DUAL} == {
        *("irc", "elc", "fgc", "crc", "short_pairs", "repeated_pairs")
    }


def test_there_is_no_released_form_of_predictions(tmp_path: Path) -> None:
    path = tmp_path / "answers.csv"
    path.write_text("a")
    with pytest.raises(DeadpanError, match="use JSONL"):
        read_predictions(path, JANUSMM, JANUSMM.read(None), {}, "m")


def test_every_table_and_plot_is_about_known_scores() -> None:
    known = {spec.name: {m.name for m in spec.metrics} for spec in JANUSMM.tasks}
    known[DUAL] = {"irc", "elc", "fgc", "crc", "short_pairs", "repeated_pairs", "huc"}
    known[DUAL] |= {"pearson_items", "pearson_models"}
    known["reasoning"] |= {"mg", "du"}
    known["initiator"] |= {"pe"}
    known["responder"] |= {"ec", "sr"}
    for task in ("reasoning", "initiator", "responder", DUAL):
        known[task] |= {"alpha", "dropped"}
    columns = [column for table in JANUSMM.report.tables for column in table.columns]
    assert columns and all(metric in known[task] for _, task, metric, _ in columns)


@pytest.mark.parametrize(
    ("task", "item", "text", "wrong"),
    [
        ("recognition", "ours", "He is mocking himself.", False),
        ("recognition", "ours", "He is angry.", True),
        ("recognition", "ours", "I'm sorry, I can't help with that.", True),
        ("recognition", "ours", None, False),
        ("recognition", "plain", "He is mocking himself.", True),
        ("recognition", "plain", "He is angry.", False),
        ("initiator", "ours", "no labels", True),
        ("initiator", "ours", "Emotion: joy\nReasoning: He likes it.", False),
    ],
)
def test_what_counts_as_wrong_for_the_error_analysis(
    tmp_path: Path, task: str, item: str, text: str | None, wrong: bool
) -> None:
    folder = data(tmp_path, [row("ours"), plain_row("plain")])
    table = answered(folder, {task: {item: text}})
    (found,) = table.filter(pl.col("item") == item).iter_rows(named=True)
    assert JANUSMM.analyses.is_wrong(found) is wrong
