"""Calls are told before the first one, and limited: what was answered is kept, and goes on."""

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from deadpan.cli import app
from deadpan.engine.fewshot.policy import read_policy
from deadpan.learning.fewshot.forecast import Forecast
from deadpan.learning.fewshot.learning import DRAWS
from deadpan.learning.fewshot.reply_parts import likeness_of
from deadpan.learning.fewshot.rewards import CallsSpent
from tests.learning.fewshot.toy import COUNTS, MODEL, TRAIN, WEIGHTS, Moods
from tests.model_server import ModelServer


def invoke(*command: object) -> Result:
    return CliRunner().invoke(app, [*map(str, command)])


def test_a_forecast_adds_up() -> None:
    found = Forecast(48, 6, 8, 3, 6, epoch=4, texts=1.5)
    assert found.total == 48 + 6 * 8 + 3 * 6 and found.epoch_calls == 32
    first, rewards, epoch, stop = found.lines("m", "spelling", 100)
    assert first == (
        "at most 114 calls of m: 48 to tune the reward's weights, 6 updates of 8, "
        "3 validations of 6"
    )
    assert rewards == "for rewards at most 171 texts compared by spelling, on this machine"
    assert epoch == "an epoch is 4 updates with 32 calls and 48 texts compared"
    assert stop == "--max-calls stops it after 100; the same command goes on then"
    assert len(found.lines("m", "spelling", 114)) == 3


def test_the_forecast_comes_first_and_holds(
    moods: Moods, server: ModelServer, tmp_path: Path
) -> None:
    done = invoke(*TRAIN, *WEIGHTS, "--out", tmp_path / "policy", "--store", tmp_path / "answers")
    assert done.exit_code == 0, done.output
    most = 6 * 8 + 3 * COUNTS["validation"]
    assert f"at most {most} calls of {MODEL}: 6 updates of 8, 3 validations of 6" in done.output
    assert server.total <= most + 1, "one to try the server"
    again = invoke(*TRAIN, *WEIGHTS, "--out", tmp_path / "policy", "--store", tmp_path / "answers")
    assert "at most 0 calls" in again.output


def test_training_stops_at_the_limit_goes_on_and_ends_with_the_same_weights(
    moods: Moods, server: ModelServer, tmp_path: Path
) -> None:
    whole = [*TRAIN, *WEIGHTS, "--out", tmp_path / "whole", "--store", tmp_path / "one"]
    assert invoke(*whole).exit_code == 0
    needed = server.total
    limited = [*TRAIN, *WEIGHTS, "--out", tmp_path / "limited", "--store", tmp_path / "two"]
    limited += ["--max-calls", 13]
    before, runs = server.total, 0
    while (run := invoke(*limited)).exit_code:
        assert isinstance(run.exception, CallsSpent) and run.exception.exit_code == 1
        told = str(run.exception)
        assert told.startswith("stopped at --max-calls after 13 calls; every answer is kept. Go on")
        assert f"deadpan fewshot train moods/joint --model {MODEL}" in told
        assert "--max-calls 13" in told and f"--out {tmp_path / 'limited'}" in told
        assert f"{MODEL}: 13 calls" in run.output
        runs += 1
        assert runs < 20
    assert runs >= 2 and server.total - before <= needed + runs + 1
    policies = [read_policy(tmp_path / name).policy for name in ("whole", "limited")]
    assert np.array_equal(policies[0].flat, policies[1].flat)


def test_tuning_is_in_the_forecast_and_under_the_limit(
    moods: Moods, server: ModelServer, tmp_path: Path
) -> None:
    store = ("--store", tmp_path / "answers")
    run = invoke(*TRAIN, "--out", tmp_path / "policy", *store, "--max-calls", 5)
    assert f"{DRAWS * COUNTS['validation']} to tune the reward's weights" in run.output
    assert isinstance(run.exception, CallsSpent)
    assert server.total <= 6


def test_the_hint_can_be_pasted(moods: Moods, server: ModelServer, tmp_path: Path) -> None:
    out, store = tmp_path / "my policy", tmp_path / "answers"
    run = invoke(*TRAIN, *WEIGHTS, "--out", out, "--store", store, "--interleaved")
    shown = f"'pgds:{out}:1,layout=interleaved'"
    hint = f"deadpan run moods/joint --fewshot {shown} --model {MODEL} --store {store}"
    assert hint in run.output.replace("\n", ""), run.output


def test_a_folder_with_its_layer_measures_likeness(tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    from deadpan.base.errors import InputError
    from tests.metrics.tiny_models import write_tiny_bert

    folder = write_tiny_bert(tmp_path / "bert")
    likeness = likeness_of(f"{folder}#1")
    assert likeness.of("the rain", "the rain") == pytest.approx(1, abs=1e-4)
    assert likeness.of("the rain", "a bus") < 1
    assert "bert" in likeness.name
    with pytest.raises(InputError, match=rf"Name it: --reward-model {folder}#LAYER"):
        likeness_of(str(folder))
    with pytest.raises(InputError, match="the layer is no number"):
        likeness_of(f"{folder}#last")
