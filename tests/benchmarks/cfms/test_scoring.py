"""Scores of labels, targets, explanations and the gap, by hand."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl
import pytest

from deadpan.base.errors import InputError
from deadpan.base.resources import Unavailable
from deadpan.benchmarks.cfms import CFMS
from deadpan.benchmarks.cfms.scoring import EmbeddingMatch, TextMetrics, is_exact, measure_cfms
from deadpan.core.answers import Answers
from deadpan.core.measurement import scores_of
from deadpan.core.questions import Language
from deadpan.core.score import Score, ScoringOptions, unavailable
from deadpan.core.signature import checksum, parse_signature
from tests.benchmarks.cfms.pair_folder import (
    GOLD_EXPLANATION,
    GOLD_TARGET,
    answered,
    chinese_row,
    data,
    judged,
    plain_row,
    row,
)

Found = dict[tuple[str, str, str], Score]
REFUSAL = "I'm sorry, but I can't help with that."
LEXICAL = ScoringOptions(models={"encoder": "lexical"})


def lengths(
    references: Sequence[str], hypotheses: Sequence[str], language: Language
) -> list[float]:
    """A metric to count by: hundredths of the hypothesis's characters."""
    return [len(text) / 100 for text in hypotheses]


def absent(references: Sequence[str], hypotheses: Sequence[str], language: Language) -> list[float]:
    raise Unavailable("it is not here", "get it")


def by_name(scores: Sequence[Score]) -> Found:
    found = {(one.task, one.metric, one.group): one for one in scores}
    assert len(found) == len(scores)
    return found


def scored(table: pl.DataFrame) -> Found:
    metrics = TextMetrics(EmbeddingMatch({"en": "lexical"}), lengths)
    return by_name(scores_of(measure_cfms(Answers(table), metrics)))


def corpus_bleu(hypotheses: list[str], references: list[str], tokenize: str) -> float:
    library = pytest.importorskip("sacrebleu.metrics", reason="needs the [text] extra")
    return float(library.BLEU(tokenize=tokenize).corpus_score(hypotheses, [references]).score)


def counts(score: Score) -> tuple[int, int, int, int]:
    return score.n, score.invalid, score.refused, score.unscored


def test_an_answer_that_does_not_say_is_a_miss_and_no_false_alarm(tmp_path: Path) -> None:
    rows = [row(name) for name in ("hit", "miss", "refused", "down")]
    rows += [plain_row(name) for name in ("right", "alarm", "unclear")]
    table = answered(
        data(tmp_path, rows),
        {
            "identification": {
                **{"hit": "yes", "miss": "no", "refused": REFUSAL, "down": None},
                **{"right": "no", "alarm": "yes", "unclear": "yes and no"},
            }
        },
    )
    found = scored(table)
    value = {metric: found["identification", metric, "all"].value for metric in METRICS}
    # Of six scored: hit and right are right; one hit, two misses, one alarm.
    assert value["accuracy"] == pytest.approx(100 * 2 / 6)
    assert value["precision"] == pytest.approx(50)
    assert value["recall"] == pytest.approx(100 / 3)
    assert value["f1"] == pytest.approx(100 * 2 / (2 + 1 + 2))
    assert counts(found["identification", "accuracy", "all"]) == (6, 1, 1, 1)
    assert found["identification", "answered", "all"].value == pytest.approx(4 / 6)
    by_type = found["identification", "recall", "target_type=institutional_rules"]
    assert by_type.value == pytest.approx(100 / 3)


METRICS = ("accuracy", "precision", "recall", "f1")


def test_what_was_never_said_has_no_precision(tmp_path: Path) -> None:
    table = answered(data(tmp_path, [row("p"), plain_row("n")]), {"identification": {"p": "no"}})
    found = scored(table)
    assert found["identification", "precision", "all"].value is None
    assert found["identification", "recall", "all"].value == 0
    assert found["identification", "f1", "all"].value == 0
    recall = found["identification", "recall", "all"]
    assert (*counts(recall), recall.not_given) == (1, 0, 0, 0, 1)


def test_only_the_metaphor_subset_has_a_gap(tmp_path: Path) -> None:
    rows = [
        row("a", split="metaphor", metaphor=True),
        plain_row("b", split="metaphor", metaphor=True),
        plain_row("c", split="metaphor", metaphor=False),
        chinese_row("d", split="metaphor", metaphor=True),
        row("t"),
    ]
    answers = {
        "metaphor": {"a": "yes", "b": "no", "c": "no", "d": "是"},
        "metaphor_sarcasm": {"a": "yes", "b": "no", "c": "no", "d": "否"},
    }
    found = scored(answered(data(tmp_path, rows), answers))
    # English: F1 of metaphor 2/3, of sarcasm 1. Chinese: 1 against 0.
    assert found["metaphor", "gap", "language=en"].value == pytest.approx(100 * (2 / 3 - 1))
    assert found["metaphor", "gap", "language=zh"].value == pytest.approx(100)
    assert found["metaphor", "f1", "language=en"].n == 3
    assert ("metaphor_sarcasm", "gap", "all") not in found
    alone = scored(answered(data(tmp_path, rows), {"metaphor": answers["metaphor"]}))
    assert not [key for key in alone if key[1] == "gap"]


def test_a_gap_is_of_groups_that_both_tasks_have(tmp_path: Path) -> None:
    rows = [
        row("a", split="metaphor", metaphor=True),
        chinese_row("d", split="metaphor", metaphor=True),
    ]
    answers = {"metaphor": {"a": "yes", "d": "是"}, "metaphor_sarcasm": {"a": "yes", "d": "否"}}
    table = answered(data(tmp_path, rows), answers)
    found = scored(table.filter((pl.col("task") == "metaphor") | (pl.col("item") == "a")))
    assert [key[2] for key in found if key[1] == "gap"] == ["all", "language=en"]
    # Metaphor: two hits of two. Sarcasm, asked of one: a hit.
    assert found["metaphor", "gap", "all"].value == 0 and found["metaphor", "gap", "all"].n == 1


def test_a_gap_is_the_difference_of_what_stands_beside_it(tmp_path: Path) -> None:
    rows = [row(name, split="metaphor", metaphor=True) for name in ("a", "b", "c", "d")]
    answers: dict[str, dict[str, str | None]] = {
        "metaphor": {"a": "yes", "b": "no", "c": None, "d": "yes"},
        "metaphor_sarcasm": {"a": "yes", "b": "maybe", "c": "no", "d": "no"},
    }
    other = pl.col("signature").str.replace("prompts:external", "prompts:other")
    asked_otherwise = pl.when(task="metaphor_sarcasm").then(other).otherwise("signature")
    table = answered(data(tmp_path, rows), answers).with_columns(signature=asked_otherwise)
    found = scored(table)
    gap = found["metaphor", "gap", "all"]
    # Metaphor: two hits and a miss of three. Sarcasm: one hit and three misses, one of them silent.
    assert found["metaphor", "f1", "all"].value == pytest.approx(80)
    assert found["metaphor_sarcasm", "f1", "all"].value == pytest.approx(40)
    assert gap.value == pytest.approx(40) and counts(gap) == (3, 1, 0, 1)
    told = parse_signature(gap.signature)
    assert told.task == "metaphor_gap" and told.n == 4
    assert told.prompts == checksum(["external", "other"])


def test_marks_that_make_another_word_are_told_apart() -> None:
    assert not is_exact("C++", "C") and not is_exact("C#", "C") and not is_exact("100%", "100")
    assert (
        is_exact("C++", "the c++.")
        and is_exact("#加班#", "加班")
        and is_exact("#overtime", "overtime")
    )
    assert not is_exact("++", "++")


def joint(says: str, target: str = "none", explanation: str = "none") -> str:
    return f"Sarcastic: {says}\nTarget: {target}\nExplanation: {explanation}"


def test_targets_are_scored_on_sarcastic_pairs_alone(tmp_path: Path) -> None:
    rows = [row(name) for name in ("same", "other", "silent", "refused", "waiting")]
    table = answered(
        data(tmp_path, [*rows, plain_row("plain")]),
        {
            "joint": {
                "same": joint("yes", "The Unpaid  Overtime!", "long hours"),
                "other": joint("yes", "cats", "cats are fun"),
                "silent": joint("no"),
                "refused": REFUSAL,
                "waiting": joint("yes", "working late"),
                "plain": joint("yes", "lunch", "it is bad"),
            }
        },
    )
    found = scored(judged(table, {"same": (True, True, False), "other": (False,)}))
    accuracy = found["joint", "target_accuracy", "all"]
    assert accuracy.value == pytest.approx(100 * (2 / 3 + 0 + 0 + 0) / 4)
    assert counts(accuracy) == (4, 0, 1, 1)
    exact = found["joint", "target_exact", "all"]
    assert exact.value == pytest.approx(100 / 5)
    assert counts(exact) == (5, 0, 1, 0)
    assert found["joint", "target_embedding", "all"].value == pytest.approx(100 / 5)
    assert found["joint", "accuracy", "all"].value == pytest.approx(100 * 3 / 6)
    assert found["joint", "complete", "all"].value == pytest.approx(4 / 6)


def test_without_a_judge_labels_and_words_are_still_scored(tmp_path: Path) -> None:
    table = answered(data(tmp_path, [row("p")]), {"joint": {"p": joint("yes", GOLD_TARGET, "x y")}})
    assert table["outcome"].to_list() == ["judge_failed"]
    found = scored(table)
    assert found["joint", "accuracy", "all"].value == 100
    assert found["joint", "target_exact", "all"].value == 100
    missing = found["joint", "target_accuracy", "all"]
    assert missing.value is None and counts(missing) == (0, 0, 0, 1)


def test_explanations_are_compared_as_a_corpus_of_each_language(tmp_path: Path) -> None:
    rows = [row("e1"), row("e2"), row("e3"), chinese_row("z"), plain_row("n")]
    dataset = data(tmp_path, rows)
    chinese = "用免费加班餐的夸奖反衬员工深夜还在工作，讽刺公司。"
    answers = {
        "e1": GOLD_EXPLANATION,
        "e2": "none",
        "e3": "The caption praises the boss.",
        "z": chinese,
    }
    found = scored(answered(dataset, {"explanation": answers}))
    english = corpus_bleu([GOLD_EXPLANATION, "", answers["e3"]], [GOLD_EXPLANATION] * 3, "13a")
    gold = str(rows[3]["explanation"])
    other = corpus_bleu([chinese], [gold], "zh")
    assert found["explanation", "bleu4", "language=en"].value == pytest.approx(english)
    assert found["explanation", "bleu4", "language=zh"].value == pytest.approx(other)
    both = found["explanation", "bleu4", "all"]
    assert both.value == pytest.approx((3 * english + other) / 4)
    assert counts(both) == (4, 1, 0, 0)
    means = [len(GOLD_EXPLANATION), 0, len(answers["e3"])]
    bert = found["explanation", "bertscore", "language=en"].value
    assert bert == pytest.approx(sum(means) / 3)
    kind = found["explanation", "bleu4", "target_type=social_phenomena"]
    assert kind.value == pytest.approx(other)


def test_a_metric_without_its_model_has_no_number_and_says_why(tmp_path: Path) -> None:
    table = answered(
        data(tmp_path, [row("p")]), {"explanation": {"p": "x y"}, "target": {"p": "y"}}
    )
    found = by_name(scores_of(measure_cfms(Answers(table), TextMetrics(absent, absent))))
    for task, metric in (("explanation", "bertscore"), ("target", "target_embedding")):
        assert (found[task, metric, "all"].value, found[task, metric, "all"].n) == (None, 0)
    named = CFMS.score(table, LEXICAL)
    assert unavailable(named) == [
        "bertscore (en) unavailable: it needs a model and none was named; "
        "--metric-model bertscore:en=NAME-OR-FOLDER"
    ]


def test_an_unavailable_metric_gives_nothing_to_nothing_either(tmp_path: Path) -> None:
    table = answered(data(tmp_path, [row("p")]), {"explanation": {"p": REFUSAL}})
    found = by_name(CFMS.score(table, LEXICAL))
    assert found["explanation", "bertscore", "all"].value is None
    assert found["explanation", "bleu4", "all"].value == 0


def test_the_signature_says_how_texts_are_measured(tmp_path: Path) -> None:
    table = answered(data(tmp_path, [row("p")]), {"joint": {"p": joint("yes")}})
    signature = CFMS.score(table, LEXICAL)[0].signature
    assert "tok:13a" in signature and "target_embedding:en=cosine0.8-lexical" in signature


@pytest.mark.parametrize(
    ("reference", "given", "same"),
    [
        ("unpaid overtime", "The  Unpaid-overtime.", True),
        ("加班文化", "“加班文化”", True),
        ("加班文化", "加班", False),
        ("an offer", "offer", True),
        ("…", "…", False),
        ("加班", "", False),
    ],
)
def test_exact_targets_are_folded(reference: str, given: str, same: bool) -> None:
    assert is_exact(reference, given) is same


def test_embeddings_match_from_the_threshold_on() -> None:
    match = EmbeddingMatch({"en": "lexical"}, threshold=1.0)
    assert match(["overtime", "overtime"], ["Overtime", "cats"], "en") == [1.0, 0.0]
    assert EmbeddingMatch({"en": "lexical"}, -1.0)(["a"], ["b"], "en") == [1.0]


def test_a_foreign_table_is_told(tmp_path: Path) -> None:
    table = answered(data(tmp_path, [row("p")]), {"target": {"p": "y"}})
    with pytest.raises(InputError, match=r"no column attr\.target_type"):
        CFMS.score(table.drop("attr.target_type"), LEXICAL)
    with pytest.raises(InputError, match='unknown task "other"'):
        CFMS.score(table.with_columns(task=pl.lit("other")), LEXICAL)


def test_a_judgement_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    asked = answered(data(tmp_path, [row("a")]), {"target": {"a": GOLD_TARGET}})
    table = judged(asked, {"a": (True,)})
    broken = table.with_columns(judgements=pl.lit('[{"parts": {}, "flags": []}]'))
    with pytest.raises(InputError, match="a judgements: cannot be used"):
        scored(broken)
