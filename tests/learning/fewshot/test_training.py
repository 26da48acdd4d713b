"""Training: resumed bit by bit after kill -9, stopped early, and honest about failed calls."""

import io
import json
import os
import pickle
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from deadpan.base.errors import DeadpanError, InputError
from deadpan.core.dataset import Split
from deadpan.engine.fewshot.policy import WEIGHTS, Policy, SavedPolicy, read_policy, write_policy
from deadpan.learning.fewshot.checkpoints import CHECKPOINT, CURVE, State, read_state, write_state
from deadpan.learning.fewshot.learning import write_plot
from deadpan.learning.fewshot.training import Choice, Problem, Trained, train
from tests.engine.fewshot.cards import a_card
from tests.learning.fewshot.world import EASY, QUICK, made, problem

KILLED = """
import os, signal, sys
from pathlib import Path
from deadpan.learning.fewshot.training import train
from tests.learning.fewshot.world import EASY, QUICK, World, made, problem

calls = 0

class Mortal(World):
    def rewards(self, split, choices):
        global calls
        calls += 1
        if calls == 18:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().rewards(split, choices)

world = made(EASY, 0, queries=40, pool=80)
mortal = Mortal(**vars(world))
train(problem(mortal), QUICK, Path(sys.argv[1]))
"""


def small() -> Problem:
    return problem(made(EASY, 0, queries=40, pool=80))


def test_a_training_run_killed_in_its_midst_ends_with_the_same_weights(tmp_path: Path) -> None:
    whole = train(small(), QUICK, tmp_path / "whole")
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, str(tmp_path / "killed")],
        cwd=Path(__file__).parents[3],
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
        timeout=120,
        check=False,
    )
    assert killed.returncode == -signal.SIGKILL
    begun = (tmp_path / "killed" / CURVE).read_text().splitlines()
    assert 0 < len(begun) < len(whole.curve)
    resumed = train(small(), QUICK, tmp_path / "killed")
    assert resumed.policy.flat.tobytes() == whole.policy.flat.tobytes()
    assert resumed.curve == whole.curve
    names = ("weights", "first", "second", "best")
    ours, theirs = (np.load(tmp_path / one / CHECKPOINT) for one in ("whole", "killed"))
    assert all(ours[name].tobytes() == theirs[name].tobytes() for name in names)
    assert (tmp_path / "whole" / CURVE).read_bytes() == (tmp_path / "killed" / CURVE).read_bytes()


def test_a_finished_run_asks_for_nothing_more(tmp_path: Path) -> None:
    done = train(small(), QUICK, tmp_path)

    class Mute:
        identity = small().environment.identity

        def rewards(self, split: Split, choices: Sequence[Choice]) -> list[float | None]:
            raise AssertionError("asked again")

    again = train(replace(small(), environment=Mute()), QUICK, tmp_path)
    assert again.policy.flat.tobytes() == done.policy.flat.tobytes()


def test_another_seed_gives_other_weights_and_the_same_seed_the_same() -> None:
    one, same, other = (
        train(small(), replace(QUICK, seed=seed)).policy.checksum for seed in (3, 3, 4)
    )
    assert one == same != other


def test_other_settings_do_not_go_on_from_the_same_folder(tmp_path: Path) -> None:
    train(small(), QUICK, tmp_path)
    with pytest.raises(InputError, match="begun with other data, rewards or settings"):
        train(small(), replace(QUICK, entropy=0.5), tmp_path)
    longer = train(small(), replace(QUICK, updates=26), tmp_path)
    assert longer.updates == 26


def test_a_damaged_checkpoint_is_told(tmp_path: Path) -> None:
    train(small(), QUICK, tmp_path)
    place = tmp_path / CHECKPOINT
    place.write_bytes(place.read_bytes()[:900])
    with pytest.raises(InputError, match="is not a whole checkpoint"):
        train(small(), QUICK, tmp_path)


def test_every_damage_to_a_policy_or_a_checkpoint_is_told(
    tmp_path: Path,
) -> None:
    """Bytes flipped and files cut short at places that a seed draws, and other kinds of files."""
    policy = Policy.fresh(8, 4, np.random.default_rng(0))
    write_policy(tmp_path, SavedPolicy(policy, a_card(policy, "e")))
    state = State.fresh(policy.flat, np.random.Generator(np.random.Philox(0)), "id")
    write_state(tmp_path, state)
    readers: dict[str, Callable[[], object]] = {
        WEIGHTS: lambda: read_policy(tmp_path),
        CHECKPOINT: lambda: read_state(tmp_path, "id"),
    }
    rng = random.Random(1)
    for name, read in readers.items():
        whole = (tmp_path / name).read_bytes()
        stream = io.BytesIO()
        np.save(stream, policy.flat)
        others = [b"", b"text", stream.getvalue(), pickle.dumps({"flat": 1})]
        cut = [whole[: rng.randrange(len(whole))] for _ in range(100)]
        for data in [*others, *cut, *(_flipped(whole, rng) for _ in range(400))]:
            (tmp_path / name).write_bytes(data)
            with pytest.raises(InputError):
                read()


def _flipped(data: bytes, rng: random.Random) -> bytes:
    changed = bytearray(data)
    changed[rng.randrange(len(changed))] ^= rng.randrange(1, 256)
    return bytes(changed)


class Told:
    """Rewards as a list says, one per call for a choice, or None for failed calls."""

    identity = "told"

    def __init__(self, validation: list[float], train: list[float | None]) -> None:
        self.validation, self.train = validation, train
        self.sizes: list[int] = []

    def rewards(self, split: Split, choices: Sequence[Choice]) -> list[float | None]:
        self.sizes.append(len(choices))
        if split == "validation":
            return [self.validation.pop(0)] * len(choices)
        return [self.train[place % len(self.train)] for place in range(len(choices))]


def told(environment: Told, **settings: int) -> object:
    wanted = replace(QUICK, validate_every=1, updates=50, **settings)
    return train(replace(small(), environment=environment), wanted)


def test_training_stops_after_validations_that_are_no_better_and_gives_the_best() -> None:
    environment = Told([0.1, 0.6, 0.5, 0.6, 0.2, 0.9], [1.0, 0.0])
    problem_ = replace(small(), environment=environment)
    done = train(problem_, replace(QUICK, validate_every=1, updates=50, patience=3))
    assert (done.stopped_early, done.updates, done.validation) == (True, 4, 0.6)
    once = Told([0.1, 0.6], [1.0, 0.0])
    best = train(replace(small(), environment=once), replace(QUICK, validate_every=1, updates=1))
    assert best.policy.flat.tobytes() == done.policy.flat.tobytes()
    assert done.best_update == best.best_update == 1
    worse = Told([0.7, 0.6, 0.7], [1.0, 0.0])
    kept = train(replace(small(), environment=worse), replace(QUICK, validate_every=1, updates=2))
    assert (kept.best_update, kept.validation) == (0, 0.7), "the untrained policy is kept"


def test_failed_calls_are_left_out_and_counted() -> None:
    environment = Told([0.5] * 60, [0.25, None])
    done = train(replace(small(), environment=environment), replace(QUICK, updates=3))
    points = done.curve[1:]
    assert all(point.reward == 0.25 and point.failed > 0 for point in points)


class Patchy:
    """Even questions are worth 0, odd ones 1, whatever is shown. At the named validations, counted
    from 1, calls for the even ones fail: twice, or the first time only."""

    identity = "patchy"

    def __init__(self, lasting: Sequence[int] = (), passing: Sequence[int] = ()) -> None:
        self.lasting, self.passing, self.validations = lasting, passing, 0

    def rewards(self, split: Split, choices: Sequence[Choice]) -> list[float | None]:
        if split == "train":
            return [0.5] * len(choices)
        first = len(choices) == 40
        self.validations += first
        failing = self.validations in self.lasting or (first and self.validations in self.passing)
        return [None if failing and row % 2 == 0 else float(row % 2) for row, _ in choices]


def patchy(**failing: Sequence[int]) -> Trained:
    wanted = replace(QUICK, validate_every=1, updates=4, patience=3)
    return train(replace(small(), environment=Patchy(**failing)), wanted)


def test_a_validation_with_failed_calls_is_never_the_best_and_its_failures_are_counted() -> None:
    done = patchy(lasting=[2, 4])
    assert [point.validation for point in done.curve] == [0.5, None, 0.5, None, 0.5]
    assert [point.validation_failed for point in done.curve] == [0, 20, 0, 20, 0]
    assert (done.validation, done.best_update, done.stopped_early) == (0.5, 0, False)


def test_a_call_that_fails_once_is_made_again() -> None:
    done = patchy(passing=[2, 4])
    assert [point.validation for point in done.curve] == [0.5] * 4, "stopped after three no better"
    assert not any(point.validation_failed for point in done.curve)


def test_questions_that_fail_from_the_first_on_are_left_out_of_all_comparisons(
    tmp_path: Path,
) -> None:
    done = patchy(lasting=[1, 2, 3, 4, 5])
    assert [point.validation for point in done.curve] == [1.0] * 4
    assert [point.validation_failed for point in done.curve] == [20] * 4
    wanted = replace(QUICK, validate_every=1, updates=2, save_every=1, patience=9)
    train(replace(small(), environment=Patchy([1])), wanted, tmp_path)
    resumed = replace(small(), environment=Patchy())
    again = train(resumed, replace(wanted, updates=3), tmp_path)
    assert [point.validation for point in again.curve] == [1.0] * 4, "as they were at the first"


def test_all_calls_failing_is_an_error_and_not_a_reward_of_nought() -> None:
    with pytest.raises(DeadpanError, match="not one of the model's replies"):
        told(Told([0.5] * 9, [None]))


def test_equal_draws_of_a_question_are_asked_for_once() -> None:
    environment = Told([0.5] * 9, [1.0])
    wanted = replace(QUICK, rollouts=400, shots=1, batch=2, updates=1)
    train(replace(small(), environment=environment), wanted)
    assert environment.sizes[1] <= 2 * 50


def test_the_learning_curve_is_kept_and_drawn(tmp_path: Path) -> None:
    done = train(small(), QUICK, tmp_path)
    lines = [json.loads(line) for line in (tmp_path / CURVE).read_text().splitlines()]
    assert [line["update"] for line in lines] == list(range(25))
    assert [line["update"] for line in lines if line["validation"] is not None] == [
        0, 5, 10, 15, 20, 24,
    ]  # fmt: skip
    write_plot(tmp_path, done.curve)
    assert "validation, without drawing" in (tmp_path / "curve.svg").read_text()
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
