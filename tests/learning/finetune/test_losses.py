"""The log of losses survives being cut short, and its plot shows both splits."""

from pathlib import Path

import pytest

from deadpan.learning.finetune.records import append_losses, losses_plot, read_losses, write_losses
from deadpan.learning.finetune.training import StepReport

STEPS = [StepReport(1, 1, 2.0, 0.1, 10), StepReport(2, 1, 1.0, 0.1, 12, validation=1.5)]


def test_a_log_is_read_up_to_a_step_and_to_a_broken_line(tmp_path: Path) -> None:
    path = tmp_path / "losses.jsonl"
    assert read_losses(path) == []
    write_losses(path, STEPS[:1])
    append_losses(path, STEPS[1:])
    with path.open("a") as stream:
        stream.write('{"step": 3, "epo')
    assert read_losses(path) == STEPS
    assert read_losses(path, until=1) == STEPS[:1]


def test_the_plot_has_the_losses_of_both_splits() -> None:
    spec = losses_plot(STEPS, "toy")
    drawn = [spec["datasets"][layer["data"]["name"]] for layer in spec["layer"]]
    assert [[one["loss"] for one in rows] for rows in drawn] == [[2.0, 1.0], [2.0, 1.0], [1.5]]
    assert len(losses_plot(STEPS[:1], "toy")["layer"]) == 2
    with pytest.raises(ValueError, match="no steps"):
        losses_plot([], "toy")
