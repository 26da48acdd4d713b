"""From benchmark to adapter: it learns, survives kill -9, and tells what it was made from."""

import json
import multiprocessing
import os
import shutil
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from deadpan.base.errors import DeadpanError, InputError
from deadpan.core.dataset import Split
from deadpan.core.questions import Prompts, Question
from deadpan.engine.local.adapters import CHECKPOINT, LOSSES, read_card
from deadpan.engine.local.models import answering_model, merge_adapter
from deadpan.learning.finetune.records import read_losses
from deadpan.learning.finetune.training import Settings, StepReport
from deadpan.learning.finetune.tuning import Job, Progress, finetune
from tests.learning.finetune.taught_toy import SQUARES, Squares

SETTINGS = Settings(rank=4, dropout=0.2, epochs=3, learning_rate=0.02, batch_size=2, accumulate=2)
KILLED_AT = 5


def _job(base: Path, out: Path) -> Job:
    return Job(SQUARES, ("colour",), str(base), out, SETTINGS, keep_every=2)


def _weights(out: Path) -> dict[str, Any]:
    from safetensors.torch import load_file

    return dict(load_file(out / "adapter_model.safetensors"))


@pytest.fixture(scope="module")
def learnt(qwen: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An adapter trained without interruption."""
    out = tmp_path_factory.mktemp("learnt") / "adapter"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DEADPAN_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))
        finetune(_job(qwen, out))
    return out


def test_the_loss_falls(learnt: Path) -> None:
    told = read_losses(learnt / LOSSES)
    assert [one.step for one in told] == list(range(1, 10))
    checked = [one.validation for one in told if one.validation is not None]
    assert len(checked) == SETTINGS.epochs
    assert checked[-1] < 0.8 * checked[0]
    assert told[-1].loss < 0.8 * told[0].loss


def _train_and_be_killed(job: Job) -> None:
    def told(one: StepReport, total: int) -> None:
        if one.step >= KILLED_AT:
            os.kill(os.getpid(), signal.SIGKILL)

    finetune(job, Progress(training=told))


def test_a_killed_training_goes_on_to_the_very_same_weights(
    qwen: Path, learnt: Path, tmp_path: Path
) -> None:
    import torch

    job = _job(qwen, tmp_path / "adapter")
    child = multiprocessing.get_context("fork").Process(target=_train_and_be_killed, args=(job,))
    child.start()
    child.join(60)
    assert child.exitcode == -signal.SIGKILL
    assert (job.out / CHECKPOINT).is_file() and read_card(job.out) is None
    steps: list[int] = []
    card = finetune(job, Progress(training=lambda told, total: steps.append(told.step)))
    assert steps == [4, 5, 6, 7, 8, 9]
    whole, resumed = _weights(learnt), _weights(job.out)
    assert whole.keys() == resumed.keys()
    assert all(torch.equal(whole[name], resumed[name]) for name in whole)
    assert read_losses(job.out / LOSSES) == read_losses(learnt / LOSSES)
    assert card == read_card(learnt)
    assert not (job.out / CHECKPOINT).exists()


def test_a_finished_training_is_not_done_again(qwen: Path, learnt: Path) -> None:
    steps: list[int] = []
    progress = Progress(training=lambda told, total: steps.append(told.step))
    assert finetune(_job(qwen, learnt), progress) == read_card(learnt)
    assert steps == []


def test_other_settings_do_not_go_on_from_it(qwen: Path, learnt: Path) -> None:
    job = replace(_job(qwen, learnt), settings=replace(SETTINGS, rank=2))
    with pytest.raises(InputError, match=r"was begun otherwise \(rank 4 → 2\).*--fresh"):
        finetune(job)


def test_a_folder_of_other_things_is_left_alone(qwen: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("x")
    with pytest.raises(InputError, match="holds other things"):
        finetune(_job(qwen, tmp_path))


def test_what_killed_writes_left_is_removed_and_counts_as_ours(qwen: Path, tmp_path: Path) -> None:
    left = tmp_path / f".{LOSSES}.ab12_xyz"
    left.write_text("cut sh")
    job = replace(_job(qwen, tmp_path), settings=replace(SETTINGS, epochs=1), limit=2)
    assert finetune(job).steps == 1
    assert not left.exists()


def test_a_copy_of_the_base_is_the_same_base(qwen: Path, learnt: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(qwen, tmp_path / "copy")
    assert finetune(_job(copy, learnt)) == read_card(learnt)


class Unchecked(Squares):
    """Shapes have no validation examples."""

    def examples(
        self, data: Path | None, task: str, prompts: Prompts, split: Split
    ) -> list[Question]:
        if task == "shape" and split == "validation":
            raise DeadpanError("squares/shape, split validation: no pair has its gold")
        return super().examples(data, task, prompts, split)


@pytest.mark.parametrize(("tasks", "checked"), [(("colour", "shape"), 2), (("shape",), 0)])
def test_tasks_without_validation_examples_are_trained_and_said(
    qwen: Path,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    tasks: tuple[str, ...],
    checked: int,
) -> None:
    job = replace(_job(qwen, tmp_path / "adapter"), benchmark=Unchecked(), tasks=tasks, limit=2)
    card = finetune(replace(job, settings=replace(SETTINGS, epochs=1)))
    assert (card.examples, card.validation_examples) == (2 * len(tasks), checked)
    assert (card.unvalidated, len(card.validation_losses)) == (("shape",), min(checked, 1))
    assert "not validated, as there are no examples: shape" in caplog.text
    assert "| tasks without validation | shape |" in (job.out / "README.md").read_text("utf-8")


class Stopped(Exception):
    """The training is interrupted."""


def test_a_training_started_anew_and_interrupted_is_not_taken_for_the_old_one(
    qwen: Path, learnt: Path, tmp_path: Path
) -> None:
    out = shutil.copytree(learnt, tmp_path / "adapter")
    job = replace(_job(qwen, out), resume=False)

    def stop(told: StepReport, total: int) -> None:
        if told.step >= KILLED_AT:
            raise Stopped

    with pytest.raises(Stopped):
        finetune(job, Progress(training=stop))
    assert {path.name for path in out.iterdir()} == {CHECKPOINT, LOSSES}
    with pytest.raises(InputError, match=r"its training is not finished.*without --fresh"):
        answering_model(str(out))
    with pytest.raises(InputError, match="its training is not finished"):
        merge_adapter(out, tmp_path / "merged")
    steps: list[int] = []
    told = Progress(training=lambda told, total: steps.append(told.step))
    assert finetune(replace(job, resume=True), told) == read_card(learnt)
    assert steps[0] == KILLED_AT - 1


def test_a_full_disk_at_the_end_is_told_and_training_goes_on_from_there(
    qwen: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import peft
    from safetensors import SafetensorError

    def full(*_: Any, **__: Any) -> None:
        raise SafetensorError("No space left on device")

    job = replace(_job(qwen, tmp_path / "adapter"), settings=replace(SETTINGS, epochs=1), limit=2)
    with monkeypatch.context() as patch:
        patch.setattr(peft.PeftModel, "save_pretrained", full)
        with pytest.raises(InputError, match=r"cannot be written \(No space left on device\)"):
            finetune(job)
    assert (job.out / CHECKPOINT).is_file() and read_card(job.out) is None
    assert finetune(job).steps == 1


def test_starting_anew_leaves_nothing_of_before(qwen: Path, learnt: Path, tmp_path: Path) -> None:
    out = tmp_path / "adapter"
    out.mkdir()
    for name in ("card.json", LOSSES):
        (out / name).write_bytes((learnt / name).read_bytes())
    settings = replace(SETTINGS, epochs=1, vision=False)
    card = finetune(replace(_job(qwen, out), settings=settings, resume=False, limit=2))
    assert (card.steps, card.examples, len(card.validation_losses)) == (1, 2, 1)
    assert not any(".visual." in name for name in _weights(out))


def test_the_card_tells_what_the_adapter_was_made_from(qwen: Path, learnt: Path) -> None:
    card = json.loads((learnt / "card.json").read_text("utf-8"))
    assert card["base"] == str(qwen.resolve())
    assert card["base_identity"].startswith("tiny-qwen@")
    assert (card["examples"], card["validation_examples"], card["steps"]) == (12, 4, 9)
    assert card["settings"]["rank"] == 4 and card["settings"]["dropout"] == 0.2
    assert set(card["packages"]) == {"deadpan", "torch", "transformers", "peft", "accelerate"}
    assert len(card["data"]) == len(card["prompts"]) == 8
    last = [one.loss for one in read_losses(learnt / LOSSES) if one.epoch == 3]
    assert card["training_loss"] == pytest.approx(sum(last) / 3)
    page = (learnt / "README.md").read_text("utf-8")
    assert f"deadpan run squares --model local/{learnt}" in page
    assert (learnt / "losses.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (learnt / "losses.svg").read_text("utf-8")


def test_the_adapter_names_its_base_and_loads_with_its_weights(learnt: Path) -> None:
    import torch

    network = answering_model(str(learnt)).network
    held = {name: one for name, one in network.named_parameters() if "lora_" in name}
    kept = _weights(learnt)
    assert len(held) == len(kept) == 2 * (14 + 6)
    for name, one in held.items():
        assert torch.equal(one, kept[name.replace(".default.", ".")])
