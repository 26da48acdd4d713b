"""Training: resumed bit by bit after kill -9, stopped early, and honest about failed calls."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from deadpan.demonstrations.checkpoints import CHECKPOINT, CURVE
from deadpan.demonstrations.curves import write_plot
from deadpan.demonstrations.training import Choice, Problem, Settings, Split, train
from deadpan.errors import DeadpanError, InputError
from tests.demonstrations.world import EASY, made, problem

SETTINGS = Settings(
    updates=24, batch=8, rollouts=3, hidden=16, shots=2, validate_every=5, save_every=4, seed=3
)

KILLED = """
import os, signal, sys
from pathlib import Path
from deadpan.demonstrations.training import train
from tests.demonstrations.test_training import SETTINGS
from tests.demonstrations.world import EASY, World, made, problem

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
train(problem(mortal), SETTINGS, Path(sys.argv[1]))
"""


def small() -> Problem:
    return problem(made(EASY, 0, queries=40, pool=80))


def test_a_training_run_killed_in_its_midst_ends_with_the_same_weights(tmp_path: Path) -> None:
    whole = train(small(), SETTINGS, tmp_path / "whole")
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, str(tmp_path / "killed")],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
        timeout=120,
        check=False,
    )
    assert killed.returncode == -signal.SIGKILL
    begun = (tmp_path / "killed" / CURVE).read_text().splitlines()
    assert 0 < len(begun) < len(whole.curve)
    resumed = train(small(), SETTINGS, tmp_path / "killed")
    assert resumed.policy.flat.tobytes() == whole.policy.flat.tobytes()
    assert resumed.curve == whole.curve
    names = ("weights", "first", "second", "best")
    ours, theirs = (np.load(tmp_path / one / CHECKPOINT) for one in ("whole", "killed"))
    assert all(ours[name].tobytes() == theirs[name].tobytes() for name in names)
    assert (tmp_path / "whole" / CURVE).read_bytes() == (tmp_path / "killed" / CURVE).read_bytes()


def test_a_finished_run_asks_for_nothing_more(tmp_path: Path) -> None:
    done = train(small(), SETTINGS, tmp_path)

    class Mute:
        identity = small().environment.identity

        def rewards(self, split: Split, choices: Sequence[Choice]) -> list[float | None]:
            raise AssertionError("asked again")

    again = train(replace(small(), environment=Mute()), SETTINGS, tmp_path)
    assert again.policy.flat.tobytes() == done.policy.flat.tobytes()


def test_another_seed_gives_other_weights_and_the_same_seed_the_same() -> None:
    one, same, other = (
        train(small(), replace(SETTINGS, seed=seed)).policy.checksum for seed in (3, 3, 4)
    )
    assert one == same != other


def test_other_settings_do_not_go_on_from_the_same_folder(tmp_path: Path) -> None:
    train(small(), SETTINGS, tmp_path)
    with pytest.raises(InputError, match="begun with other data, rewards or settings"):
        train(small(), replace(SETTINGS, entropy=0.5), tmp_path)
    longer = train(small(), replace(SETTINGS, updates=26), tmp_path)
    assert longer.updates == 26


def test_a_damaged_checkpoint_is_told(tmp_path: Path) -> None:
    train(small(), SETTINGS, tmp_path)
    place = tmp_path / CHECKPOINT
    place.write_bytes(place.read_bytes()[:900])
    with pytest.raises(InputError, match="is not a whole checkpoint"):
        train(small(), SETTINGS, tmp_path)


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
    wanted = replace(SETTINGS, validate_every=1, updates=50, **settings)
    return train(replace(small(), environment=environment), wanted)


def test_training_stops_after_validations_that_are_no_better_and_gives_the_best() -> None:
    environment = Told([0.1, 0.6, 0.5, 0.6, 0.2, 0.9], [1.0, 0.0])
    problem_ = replace(small(), environment=environment)
    done = train(problem_, replace(SETTINGS, validate_every=1, updates=50, patience=3))
    assert (done.stopped_early, done.updates, done.validation) == (True, 4, 0.6)
    once = Told([0.1, 0.6], [1.0, 0.0])
    best = train(replace(small(), environment=once), replace(SETTINGS, validate_every=1, updates=1))
    assert best.policy.flat.tobytes() == done.policy.flat.tobytes()
    assert done.best_update == best.best_update == 1
    worse = Told([0.7, 0.6, 0.7], [1.0, 0.0])
    kept = train(
        replace(small(), environment=worse), replace(SETTINGS, validate_every=1, updates=2)
    )
    assert (kept.best_update, kept.validation) == (0, 0.7), "the untrained policy is kept"


def test_failed_calls_are_left_out_and_counted() -> None:
    environment = Told([0.5] * 60, [0.25, None])
    done = train(replace(small(), environment=environment), replace(SETTINGS, updates=3))
    points = done.curve[1:]
    assert all(point.reward == 0.25 and point.failed > 0 for point in points)


def test_all_calls_failing_is_an_error_and_not_a_reward_of_nought() -> None:
    with pytest.raises(DeadpanError, match="not one of the model's replies"):
        told(Told([0.5] * 9, [None]))


def test_equal_draws_of_a_question_are_asked_for_once() -> None:
    environment = Told([0.5] * 9, [1.0])
    wanted = replace(SETTINGS, rollouts=400, shots=1, batch=2, updates=1)
    train(replace(small(), environment=environment), wanted)
    assert environment.sizes[1] <= 2 * 50


def test_the_learning_curve_is_kept_and_drawn(tmp_path: Path) -> None:
    done = train(small(), SETTINGS, tmp_path)
    lines = [json.loads(line) for line in (tmp_path / CURVE).read_text().splitlines()]
    assert [line["update"] for line in lines] == list(range(25))
    assert [line["update"] for line in lines if line["validation"] is not None] == [
        0, 5, 10, 15, 20, 24,
    ]  # fmt: skip
    write_plot(tmp_path, done.curve)
    assert "validation, without drawing" in (tmp_path / "curve.svg").read_text()
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
