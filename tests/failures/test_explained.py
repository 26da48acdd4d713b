"""Named rightly, badly explained: the rule, its bounds by hand, and what stands in a case."""

from pathlib import Path

import polars as pl
import pytest

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks.janusmm import JANUSMM
from deadpan.failures.cases import Case, cases_of, rules_of
from deadpan.failures.explained import BadlyExplained, badly_explained
from tests.benchmarks.janusmm.meme_folder import answered, chinese_row, data, plain_row, row

SELF = "The poster is mocking himself."
GOLD = "The cat sleeps under the alarm clock, and the poster means himself."
WORST, LOW = "Rain.", "The cat sleeps."


def table(folder: Path, **changes: str | None) -> pl.DataFrame:
    """Four memes that are recognised and explained better and better, one that is not recognised,
    and one that is not self-deprecating."""
    names = ["a", "b", "c", "d", "missed"]
    dataset = data(folder, [*map(row, names), plain_row("plain")])
    reasonings = dict(zip(names, (WORST, LOW, GOLD, GOLD, GOLD), strict=True)) | changes
    return answered(
        dataset,
        {
            "recognition": {
                **dict.fromkeys(names, SELF),
                "missed": "He is angry.",
                "plain": "Joy.",
            },
            "reasoning": {
                name: text and f"Emotion: shame\nReasoning: {text}"
                for name, text in {**reasonings, "plain": "Sun."}.items()
            },
        },
    )


def found(folder: Path, said: str | None = None) -> tuple[BadlyExplained, list[Case]]:
    rows = table(folder)
    rule = badly_explained(rows, said)
    assert rule is not None
    return rule, cases_of(rows, [*rules_of(rows, ()), rule.why], "own,x")


def test_greedy_match_below_a_score(tmp_path: Path) -> None:
    """Of 12 words of gold `The cat sleeps.` has three: 2 · 3 / (3 + 12) = 40 %."""
    rule, cases = found(tmp_path, "greedy_match:40.1")
    told = {case.item: case.why for case in cases}
    assert told == {
        "a": "recognition right, but greedy_match 0.0 below 40.1 (40.1)",
        "b": "recognition right, but greedy_match 40.0 below 40.1 (40.1)",
        "missed": "",
    }
    assert [case.task for case in cases] == ["reasoning", "reasoning", "recognition"]
    assert rule.describe() == (
        "recognition right and greedy_match of reasoning below 40.1 (en 40.1)"
    )
    assert rule.name == "greedy_match:40.1"


def test_a_quantile_is_of_what_was_recognised(tmp_path: Path) -> None:
    """Scores 0, 40, 100, 100: the quantile 0.25 lies three quarters from 0 to 40."""
    rule, cases = found(tmp_path, "greedy_match:q0.25")
    assert rule.bounds == {"en": pytest.approx(30.0)}
    assert [case.item for case in cases] == ["a", "missed"]


def test_the_benchmark_has_a_rule_of_its_own_and_none_turns_it_off(tmp_path: Path) -> None:
    rule, _ = found(tmp_path)
    assert rule.name == "meteor:q0.25"
    assert badly_explained(table(tmp_path), "none") is None


def test_refused_and_failed_explanations_are_no_part_of_the_rule(tmp_path: Path) -> None:
    rows = table(tmp_path, a="I'm sorry, but I can't help with that.", b=None)
    rule = badly_explained(rows, "greedy_match:50")
    assert rule is not None
    cases = cases_of(rows, [*rules_of(rows, ()), rule.why])
    ended = {(case.task, case.item): case.outcome for case in cases}
    assert ("reasoning", "b") not in ended


def test_the_labeller_sees_words_gold_thinking_and_both_answers(tmp_path: Path) -> None:
    _, cases = found(tmp_path, "greedy_match:10")
    explained, missed = cases
    assert explained.gold == GOLD and explained.picture is not None
    assert explained.details == {
        "words in the picture": "me vs. my alarm",
        "answer (recognition)": SELF,
    }
    assert explained.whole_answer == f"Emotion: shame\nReasoning: {WORST}"
    assert missed.gold == "self-deprecation"
    assert missed.details == {
        "words in the picture": "me vs. my alarm",
        "what people made of it": GOLD,
        "answer (reasoning)": f"Emotion: shame\nReasoning: {GOLD}",
    }


def test_chinese_cases_are_headed_in_chinese(tmp_path: Path) -> None:
    rows = answered(data(tmp_path, [chinese_row()]), {"recognition": {"m2": "他很生气。"}})
    (case,) = cases_of(rows, rules_of(rows, ()))
    assert case.details == {"图上文字": "我和闹钟", "人的理解": chinese_row()["thinking"]}


def test_where_the_picture_lies_does_not_matter(tmp_path: Path) -> None:
    rows = table(tmp_path)
    moved = rows.with_columns(picture=pl.col("picture").str.replace(str(tmp_path), "/elsewhere"))
    here, there = (cases_of(one, rules_of(one, ()))[0] for one in (rows, moved))
    assert here.picture != there.picture and here.table == there.table


def test_one_task_is_chosen_after_the_rule_has_seen_both(tmp_path: Path) -> None:
    rows = table(tmp_path)
    rule = badly_explained(rows, "greedy_match:50")
    assert rule is not None
    cases = cases_of(rows, [*rules_of(rows, ()), rule.why], tasks=["reasoning"])
    assert [case.item for case in cases] == ["a", "b"]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("meteor", "expected metric:bound, such as meteor:q0.25"),
        ("meteor:q1.5", "expected metric:bound"),
        ("meteor:x", "or none"),
        ("bleu:3", "expected a metric of reasoning: meteor, greedy_match"),
        ("bertscore:3", r"bertscore \(en\) unavailable: .*--metric-model bertscore:en"),
    ],
)
def test_a_rule_that_cannot_be_kept_is_told(tmp_path: Path, said: str, told: str) -> None:
    with pytest.raises(DeadpanError, match=f"(?i){told}"):
        badly_explained(table(tmp_path), said)


def test_other_benchmarks_have_no_such_rule() -> None:
    rows = pl.DataFrame({"benchmark": ["pixelhumor"]})
    assert badly_explained(rows, None) is None
    with pytest.raises(DeadpanError, match="pixelhumor has no explanations"):
        badly_explained(rows, "meteor:3")


def test_the_rule_is_declared_of_known_tasks() -> None:
    rule = JANUSMM.analyses.explanations
    assert rule is not None
    names = [spec.name for spec in JANUSMM.tasks]
    assert {rule.naming, rule.task} <= set(names)
    assert rule.metric in {metric.name for metric in JANUSMM.task(rule.task).metrics}
