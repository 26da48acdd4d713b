"""What a reply is worth, part by part, and how weights are tuned."""

import pytest

from deadpan.base.errors import DeadpanError
from deadpan.core.questions import Question, Reply
from deadpan.engine.fewshot.specification import RewardParts, Weights, weights_of
from deadpan.learning.fewshot.learning import mean_score, tune
from deadpan.learning.fewshot.reply_parts import (
    Likeness,
    compare_parts,
    likeness_of,
    parts_beside_ideal,
)
from tests.learning.fewshot.toy import Moods

EVEN = Weights(format=0.25, classification=0.25, target=0.25, explanation=0.25)


class Half:
    """Likes everything by half, and keeps what it was asked."""

    name = "half"

    def __init__(self) -> None:
        self.seen: list[tuple[str, str]] = []

    def of(self, said: str, gold: str) -> float:
        self.seen.append((said, gold))
        return 0.5


@pytest.fixture
def asked(moods: Moods) -> list[Question]:
    return moods.questions(moods.read(None), "joint", moods.prompts("joint"))


def test_a_right_answer_to_a_sarcastic_post_has_all_four_parts(
    moods: Moods, asked: list[Question]
) -> None:
    half = Half()
    reply = Reply(text='{"sarcastic": true, "target": "wet", "explanation": "hates rain"}')
    assert parts_beside_ideal(moods, "joint", asked[0], reply, half) == RewardParts(
        format=1, classification=1, target=0.5, explanation=0.5
    )
    assert half.seen == [("wet", "rain"), ("hates rain", "nobody likes rain")]


def test_what_the_ideal_answer_lacks_is_left_out_and_what_the_reply_lacks_is_nought(
    moods: Moods, asked: list[Question]
) -> None:
    silent = Reply(text='{"sarcastic": false, "target": null, "explanation": null}')
    likeness: Likeness = Half()
    assert parts_beside_ideal(moods, "joint", asked[1], silent, likeness) == RewardParts(
        format=1, classification=1
    )
    assert parts_beside_ideal(moods, "joint", asked[0], silent, likeness) == RewardParts(
        format=1, classification=0, target=0, explanation=0
    )


def test_an_unreadable_reply_has_nought_in_all_parts_and_a_failed_call_has_no_reward(
    moods: Moods, asked: list[Question]
) -> None:
    nothing = RewardParts(format=0, classification=0, target=0, explanation=0)
    for text in ("Purple.", "I'm sorry, but I can't help with that."):
        assert parts_beside_ideal(moods, "joint", asked[0], Reply(text=text), Half()) == nothing
    assert parts_beside_ideal(moods, "joint", asked[0], Reply(error="timeout"), Half()) is None


def test_answers_of_other_forms_are_compared_too(asked: list[Question]) -> None:
    question = asked[0]
    choice = question.model_copy(update={"form": "choice"})
    labels = question.model_copy(update={"form": "labels"})
    half = Half()
    assert compare_parts("x", choice, "Yes", "Yes", half, True).classification == 1
    assert compare_parts("x", choice, True, False, half, True).classification == 0
    assert compare_parts("x", labels, ["a", "b"], ["b", "a"], half, True).classification == 1
    assert compare_parts("target", question, "him", "her", half, True) == RewardParts(
        format=1, target=0.5
    )
    assert compare_parts("why", question, "because", None, half, False) == RewardParts(
        format=0, explanation=0
    )


def test_the_reward_is_the_weighted_mean_of_the_parts_there_are() -> None:
    parts = RewardParts(format=1, classification=0, target=0.5)
    weights = Weights(format=0.2, classification=0.4, target=0.2, explanation=0.2)
    assert weights.total(parts) == pytest.approx((0.2 + 0.1) / 0.8)
    alone = Weights(format=0, classification=0, target=0, explanation=1)
    assert alone.total(parts) == pytest.approx(0.5)


def test_likeness_by_spelling_is_one_for_equals_and_nought_for_strangers() -> None:
    found = [
        likeness_of(None).of(*pair)
        for pair in (("今天下雨", "今天下雨"), ("abc", "xyz"), ("a cat", "the cat"))
    ]
    assert found[0] == pytest.approx(1, abs=1e-6)
    assert found[1] == pytest.approx(0, abs=1e-6)
    assert 0.3 < found[2] < 0.9


def test_weights_are_read_and_have_to_sum_to_one() -> None:
    assert weights_of("format=0.5,target=0.5") == Weights(
        format=0.5, classification=0, target=0.5, explanation=0
    )
    assert weights_of(str(EVEN)) == EVEN
    for text in ("format=0.5", "format=2,target=-1", "colour=1", "format=a", "format=1,format=0"):
        with pytest.raises(DeadpanError, match=f"--weights {text}: expected format=W"):
            weights_of(text)


def test_weights_that_cannot_be_read_are_told_in_plain_words() -> None:
    told = {
        "foo=1": "(foo: Extra inputs are not permitted)",
        "format=0.5": "(the weights sum to 0.5, not to 1)",
        "format=a": "(could not convert string to float: 'a')",
        "format=1,format=0": "(a part is named twice)",
    }
    for text, why in told.items():
        with pytest.raises(DeadpanError) as raised:
            weights_of(text)
        assert str(raised.value).endswith(f"with a sum of 1 {why}")
        assert "http" not in str(raised.value)


def unit(classification: float, target: float) -> list[RewardParts]:
    return [
        RewardParts(format=1, classification=classification, target=target),
        RewardParts(format=1, classification=classification),
    ]


def test_the_part_that_moves_with_the_metric_gets_the_weight() -> None:
    units = [unit(0.1, 0.9), unit(0.5, 0.2), unit(0.9, 0.6), unit(0.3, 0.4)]
    weights = tune(units, [10, 50, 90, 30])
    assert weights.classification == pytest.approx(0.8)
    assert (weights.format, weights.target, weights.explanation) == (0.1, 0.1, 0.0)


def test_among_equally_good_weights_the_most_even_are_taken() -> None:
    units = [[RewardParts(format=share, classification=share)] for share in (0.1, 0.6, 0.8)]
    weights = tune(units, [1, 6, 8])
    assert (weights.format, weights.classification) == (0.5, 0.5)


def test_a_metric_that_never_moves_cannot_tune_anything() -> None:
    units = [unit(0.1, 0.9), unit(0.5, 0.2), unit(0.9, 0.6)]
    with pytest.raises(ValueError, match="makes no difference"):
        tune(units, [50, 50, 50])
    with pytest.raises(ValueError, match="at least three are needed"):
        tune(units[:2], [1, 2])
    with pytest.raises(ValueError, match="3 units against 2 values"):
        tune(units, [1, 2])


def test_what_weights_follow_is_the_mean_of_the_scores_there_are_without_form() -> None:
    plain = RewardParts(format=0, classification=1)
    whole = RewardParts(format=1, classification=0, target=0.25, explanation=0.5)
    assert mean_score([plain, whole]) == pytest.approx((1 + 0.25) / 2)
    with pytest.raises(ValueError, match="no answer has a score"):
        mean_score([RewardParts(format=1)])
