"""`deadpan finetune` and `deadpan finetune merge` as people call them."""

from pathlib import Path

import pytest

from tests.cli.conftest import Deadpan
from tests.finetune.conftest import learning_libraries, llava, squares

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


def test_what_cannot_be_trained_or_merged_is_told(
    deadpan: Deadpan,
    llava: Path,
    tmp_path: Path,
) -> None:
    asked = deadpan("finetune", "pixelhumor", "--base", llava, "--out", tmp_path / "a")
    assert asked.code == 2 and "has no training split" in asked.err
    merged = deadpan("finetune", "merge", tmp_path, "--out", tmp_path / "b")
    assert merged.code == 2 and "has no adapter_config.json" in merged.err


def test_help_names_both_commands(deadpan: Deadpan) -> None:
    shown = deadpan("finetune", "--help")
    assert shown.code == 0 and "train" in shown.out and "merge" in shown.out
