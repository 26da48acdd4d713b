"""Tuned weights: kept in the policy's folder, and taken from there for the same question only."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from deadpan.base.errors import DeadpanError, InputError
from deadpan.core.dataset import Split
from deadpan.engine.fewshot.demonstration import Pool, pool_of
from deadpan.engine.fewshot.specification import RewardParts, Weights
from deadpan.learning.fewshot.learning import TUNED, load_or_tune_weights, tuned_weights
from deadpan.learning.fewshot.training import Choice, Progress, no_progress
from tests.learning.fewshot.toy import Moods


class Flaky:
    """Answers by what is shown; every `fails`-th call fails."""

    weights = Weights()
    identity = "whole"

    def __init__(self, moods: Moods, fails: int = 0, name: str = "model") -> None:
        prompts = moods.prompts("joint")
        self.benchmark, self.task = moods, moods.task("joint")
        self.pool: Pool = pool_of(moods, "joint", None, prompts)
        self.questions = {
            "validation": moods.training.examples(None, "joint", prompts, "validation")
        }
        self.fails, self.parts_identity = fails, name
        self.calls: list[Choice] = []

    def rewards(self, split: Split, choices: Sequence[Choice]) -> list[float | None]:
        raise AssertionError("only parts are asked for")

    def parts(
        self, split: Split, choices: Sequence[Choice], progress: Progress = no_progress
    ) -> list[RewardParts | None]:
        found: list[RewardParts | None] = []
        for row, shown in choices:
            self.calls.append((row, shown))
            progress(len(found) + 1, len(choices))
            if self.fails and len(self.calls) % self.fails == 0:
                found.append(None)
                continue
            share = (shown[0] % 5) / 5
            target = share if row % 2 == 0 else None
            found.append(RewardParts(format=1, classification=1 - share, target=target))
        return found


def test_kept_weights_are_taken_and_nothing_is_asked(moods: Moods, tmp_path: Path) -> None:
    first = Flaky(moods, fails=5)
    steps: list[tuple[int, int]] = []
    kept = load_or_tune_weights(first, 1, tmp_path, lambda done, total: steps.append((done, total)))
    assert first.calls and steps[0][0] == 1
    assert steps[0][1] == len({one for one in first.calls}), "equal choices are asked once"
    again = Flaky(moods)
    assert load_or_tune_weights(again, 1, tmp_path) == kept
    assert not again.calls


@pytest.mark.parametrize("other", [{"name": "another model"}, {"shots": 2}])
def test_weights_of_something_else_are_not_taken_and_not_overwritten(
    moods: Moods, tmp_path: Path, other: dict[str, object]
) -> None:
    load_or_tune_weights(Flaky(moods), 1, tmp_path)
    before = (tmp_path / TUNED).read_bytes()
    asked = Flaky(moods, name=str(other.get("name", "model")))
    with pytest.raises(InputError, match="tuned for another model, task, data or number"):
        load_or_tune_weights(asked, int(str(other.get("shots", 1))), tmp_path)
    assert (tmp_path / TUNED).read_bytes() == before and not asked.calls


def test_damaged_weights_are_told(moods: Moods, tmp_path: Path) -> None:
    (tmp_path / TUNED).write_text('{"identity": "x", "weights"')
    with pytest.raises(InputError, match="is not a whole record of tuned weights"):
        load_or_tune_weights(Flaky(moods), 1, tmp_path)


def test_failed_calls_are_made_once_more_and_leave_the_weights_as_they_are(moods: Moods) -> None:
    whole, flaky = Flaky(moods), Flaky(moods, fails=9)
    assert tuned_weights(whole, 1) == tuned_weights(flaky, 1)
    assert len(flaky.calls) > len(whole.calls)


def test_no_question_that_every_choice_was_answered_for_is_an_error(moods: Moods) -> None:
    with pytest.raises(DeadpanError, match="no validation question was answered 8 times"):
        tuned_weights(Flaky(moods, fails=1), 1)
