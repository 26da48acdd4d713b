"""Scores of recognition and of the reasonings, by hand."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from deadpan.base.errors import InputError, MissingExtra
from deadpan.base.resources import Unavailable
from deadpan.benchmarks.janusmm import JANUSMM
from deadpan.core.questions import Language
from deadpan.core.score import Score, ScoringOptions
from deadpan.core.signature import parse_signature, require_equal
from deadpan.metrics.text_scores import TextMetric
from tests.benchmarks.janusmm.meme_folder import answered, chinese_row, data, plain_row, row, scored

Found = dict[tuple[str, str, str], Score]
REFUSAL = "I'm sorry, but I can't help with that."


def by_name(scores: Sequence[Score]) -> Found:
    found = {(one.task, one.metric, one.group): one for one in scores}
    assert len(found) == len(scores)
    return found


def values(found: Found, task: str, metric: str) -> dict[str, float | None]:
    return {key[2]: one.value for key, one in found.items() if key[:2] == (task, metric)}


def counts(score: Score) -> tuple[int, int, int, int]:
    return score.n, score.invalid, score.refused, score.unscored


def lengths(
    references: Sequence[str], hypotheses: Sequence[str], language: Language
) -> list[float]:
    """A metric to count by: tenths of the hypothesis's words, or of its characters."""
    return [len(text.split() if language == "en" else text) / 10 for text in hypotheses]


def test_recognition_counts_self_deprecating_memes_and_false_alarms_apart(tmp_path: Path) -> None:
    rows = [
        row("right"),
        row("wrong"),
        row("refused"),
        row("blank", source="private_dialogue"),
        row("failed"),
        chinese_row("zh"),
        plain_row("alarm"),
        plain_row("calm"),
        plain_row("silent"),
        plain_row("lost"),
    ]
    answers = {
        "right": "Self-mockery.",
        "wrong": "Not self-mockery but sarcasm.",
        "refused": REFUSAL,
        "blank": " ",
        "failed": None,
        "zh": "自我调侃",
        "alarm": "He makes fun of himself.",
        "calm": "He is glad.",
        "silent": "",
        "lost": None,
    }
    table = answered(data(tmp_path, rows), {"recognition": answers})
    found = by_name(scored(table))
    assert values(found, "recognition", "accuracy") == {
        "all": pytest.approx(100 * 2 / 5),
        "language=en": pytest.approx(100 * 1 / 4),
        "language=zh": 100.0,
        "source=group_chat": 100.0,
        "source=private_dialogue": 0.0,
        "source=social_media": pytest.approx(100 * 1 / 3),
    }
    assert counts(found["recognition", "accuracy", "all"]) == (5, 1, 1, 1)
    alarms = found["recognition", "false_alarms", "all"]
    assert alarms.value == 50.0 and counts(alarms) == (2, 1, 0, 1)
    assert ("recognition", "false_alarms", "language=zh") not in found
    shares = found["recognition", "answered", "all"]
    assert shares.value == pytest.approx(5 / 8) and counts(shares) == (8, 2, 1, 2)


def test_nothing_answered_is_no_score_and_not_zero(tmp_path: Path) -> None:
    table = answered(data(tmp_path), {"recognition": {"m1": None, "m2": None, "m3": None}})
    found = by_name(scored(table))
    assert {one.value for one in found.values()} == {None}
    assert found["recognition", "accuracy", "all"].unscored == 2


def reasoned(tmp_path: Path, metric: TextMetric | None, name: str = "meteor") -> Found:
    rows = [row("a"), row("b"), row("c"), row("d"), chinese_row("zh"), plain_row("plain")]
    answers = {
        "a": "Emotion: sad\nReasoning: one two three four",
        "b": "Reasoning: " + "word " * 20,
        "c": REFUSAL,
        "d": None,
        "zh": "情绪：羞愧\n推理：一二三四五",
        "plain": "Reasoning: he is glad",
    }
    table = answered(data(tmp_path, rows), {"initiator": answers})
    return by_name(scored(table, {name: metric} if metric else {}))


def test_a_metric_is_a_mean_over_references_with_no_answer_as_nothing(tmp_path: Path) -> None:
    found = reasoned(tmp_path, lengths)
    assert values(found, "initiator", "meteor") == {
        "all": pytest.approx(100 * (0.4 + 2.0 + 0.0 + 0.5) / 4),
        "language=en": pytest.approx(100 * (0.4 + 2.0 + 0.0) / 3),
        "language=zh": pytest.approx(50.0),
    }
    assert counts(found["initiator", "meteor", "language=en"]) == (3, 0, 1, 1)


def test_bartscore_is_not_scaled_and_leaves_refusals_out(tmp_path: Path) -> None:
    found = reasoned(tmp_path, lengths, "bartscore")
    english = found["initiator", "bartscore", "language=en"]
    assert english.value == pytest.approx((0.4 + 2.0) / 2)
    assert counts(english) == (2, 0, 1, 1)


def test_what_the_answers_are_made_of(tmp_path: Path) -> None:
    found = reasoned(tmp_path, lengths)
    assert values(found, "initiator", "answered")["all"] == pytest.approx(4 / 5)
    assert values(found, "initiator", "emotion_given")["all"] == pytest.approx(2 / 4)
    assert values(found, "initiator", "short_answers") == {
        "all": pytest.approx(3 / 4),
        "language=en": pytest.approx(2 / 3),
        "language=zh": 1.0,
    }
    assert ("initiator", "reply_given", "all") not in found


def test_replies_are_counted_for_the_responder(tmp_path: Path) -> None:
    answers = {"m1": "Reasoning: a b\nReply: c", "m2": "推理：猫", "m3": "Reasoning: a"}
    table = answered(data(tmp_path), {"responder": answers})
    found = by_name(scored(table))
    assert values(found, "responder", "reply_given")["all"] == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (Unavailable("no lexicon", "get it with: deadpan resources get x"), "resources get x"),
        (MissingExtra("Splitting", "text"), 'pip install "deadpan[text]"'),
    ],
)
def test_a_metric_that_is_unavailable_in_one_language_has_no_number_there(
    tmp_path: Path, error: Exception, told: str
) -> None:
    class English:
        def __call__(
            self, references: Sequence[str], hypotheses: Sequence[str], language: Language
        ) -> list[float]:
            self.signature(language)
            return [0.5] * len(references)

        def signature(self, language: Language) -> str:
            if language == "zh":
                raise error
            return "half"

    found = reasoned(tmp_path, English())
    scores = values(found, "initiator", "meteor")
    assert scores == {
        "all": None,
        "language=en": pytest.approx(100 * (0.5 + 0.5 + 0) / 3),
        "language=zh": None,
    }
    settings = parse_signature(found["initiator", "meteor", "all"].signature).settings
    assert settings["meteor"].startswith("en=half,zh=unavailable: ") and told in settings["meteor"]
    assert "unavailable: " in settings["bertscore"]
    assert values(found, "initiator", "bertscore") == dict.fromkeys(scores)


def test_all_scores_of_a_task_have_one_signature(tmp_path: Path) -> None:
    found = reasoned(tmp_path, lengths)
    require_equal(((one.model, one.signature) for one in found.values()), mix=False)
    assert len({one.signature for one in found.values()}) == 1


def test_an_unsigned_metric_is_told_as_such(tmp_path: Path) -> None:
    found = reasoned(tmp_path, lengths)
    settings = parse_signature(found["initiator", "meteor", "all"].signature).settings
    assert settings["meteor"] == "en=unsigned,zh=unsigned"


def test_each_model_is_scored_by_itself(tmp_path: Path) -> None:
    dataset = data(tmp_path)
    good = {"m1": "self-mockery", "m2": "自嘲", "m3": "joy"}
    bad = dict.fromkeys(good, "sarcasm")
    one, two = (
        answered(dataset, {"recognition": said}, model)
        for said, model in ((good, "good"), (bad, "bad"))
    )
    scores = JANUSMM.score(one.vstack(two), ScoringOptions())
    accuracies = {f.model: f.value for f in scores if (f.metric, f.group) == ("accuracy", "all")}
    assert accuracies == {"good": 100.0, "bad": 0.0}


def test_a_foreign_table_raises(tmp_path: Path) -> None:
    table = answered(data(tmp_path), {"recognition": {"m1": "x"}})
    with pytest.raises(InputError, match=r"attr\.source"):
        JANUSMM.score(table.drop("attr.source"), ScoringOptions())
    with pytest.raises(InputError, match="unknown task"):
        guessed = table["task"].str.replace("recognition", "guess")
        JANUSMM.score(table.with_columns(task=guessed), ScoringOptions())
