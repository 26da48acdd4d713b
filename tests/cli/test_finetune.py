"""`deadpan finetune` and `deadpan finetune merge` as people call them."""

from pathlib import Path

import pytest

from tests.cli.conftest import Deadpan
from tests.learning.finetune.conftest import learning_libraries, llava, squares

__all__ = ["learning_libraries", "llava", "squares"]


@pytest.fixture
def trained(deadpan: Deadpan, llava: Path, squares: str, tmp_path: Path) -> Path:
    """An adapter made by the command."""
    out = tmp_path / "adapter"
    sizes = ("--epochs", 2, "--batch-size", 4, "--limit", 8)
    done = deadpan("finetune", f"{squares}/colour", "--base", llava, "--out", out, *sizes)
    assert done.code == 0, done.err
    assert "8 examples, 4 steps" in done.out
    assert f"deadpan run squares/colour --model local/{out}" in done.out
    return out


def test_a_trained_adapter_becomes_a_whole_model(
    deadpan: Deadpan, trained: Path, tmp_path: Path
) -> None:
    whole = tmp_path / "whole"
    assert deadpan("finetune", "merge", trained, "--out", whole).code == 0
    assert (whole / "config.json").is_file() and (whole / "tokenizer.json").is_file()
    assert not (whole / "adapter_config.json").exists()
    again = deadpan("finetune", "merge", trained, "--out", whole)
    assert again.code == 2 and "is there already" in again.err


def test_a_merge_cut_short_is_no_model_and_blocks_no_other(
    deadpan: Deadpan, trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from transformers import ProcessorMixin

    whole = tmp_path / "whole"
    left = tmp_path / ".whole.merging" / "config.json"
    left.parent.mkdir()
    left.write_text("{")

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(ProcessorMixin, "save_pretrained", full)
        cut = deadpan("finetune", "merge", trained, "--out", whole)
    assert cut.code == 2 and "whole: cannot be written (No space left on device)" in cut.err
    assert not whole.exists() and not left.parent.exists()
    assert deadpan("finetune", "merge", trained, "--out", whole).code == 0


def test_the_base_of_a_merge_can_be_named(
    deadpan: Deadpan, trained: Path, llava: Path, tmp_path: Path
) -> None:
    settings = trained / "adapter_config.json"
    gone = str(tmp_path / "gone")
    settings.write_text(settings.read_text("utf-8").replace(str(llava), gone))
    whole = tmp_path / "whole"
    lost = deadpan("finetune", "merge", trained, "--out", whole)
    assert lost.code == 2 and f"local/{gone}: there is no such folder" in lost.err
    named = deadpan("finetune", "merge", trained, "--out", whole, "--base", llava)
    assert named.code == 0 and (whole / "config.json").is_file()


def test_what_cannot_be_trained_or_merged_is_told(
    deadpan: Deadpan,
    llava: Path,
    tmp_path: Path,
) -> None:
    asked = deadpan("finetune", "pixelhumor", "--base", llava, "--out", tmp_path / "a")
    assert asked.code == 2 and "benchmarks that have one: cfms" in asked.err
    merged = deadpan("finetune", "merge", tmp_path, "--out", tmp_path / "b")
    assert merged.code == 2 and "has no adapter_config.json" in merged.err


def test_help_names_both_commands(deadpan: Deadpan) -> None:
    shown = deadpan("finetune", "--help")
    assert shown.code == 0 and "train" in shown.out and "merge" in shown.out
