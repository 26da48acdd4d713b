"""Tiny models in folders, made once, and the toy benchmark among the known ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from deadpan import benchmarks
from tests.learning.finetune.taught_toy import WHERE
from tests.learning.finetune.tiny_models import tiny_llava, tiny_mllama, tiny_qwen

REASON = "needs the [learn] extra"


@pytest.fixture(scope="session")
def learning_libraries() -> None:
    """Skips without the libraries; one thread, so that sums are always taken in one order."""
    for name in ("transformers", "peft", "accelerate"):
        pytest.importorskip(name, reason=REASON)
    pytest.importorskip("torch", reason=REASON).set_num_threads(1)


@pytest.fixture(scope="session")
def qwen(learning_libraries: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tiny Qwen2-VL."""
    return tiny_qwen(tmp_path_factory.mktemp("models") / "tiny-qwen")


@pytest.fixture(scope="session")
def llava(learning_libraries: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tiny LLaVA that has no chat template."""
    return tiny_llava(tmp_path_factory.mktemp("models") / "tiny-llava")


@pytest.fixture(scope="session")
def mllama(learning_libraries: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tiny Llama 3.2 Vision."""
    return tiny_mllama(tmp_path_factory.mktemp("models") / "tiny-mllama")


@pytest.fixture
def squares(monkeypatch: pytest.MonkeyPatch) -> str:
    """The toy benchmark's name, known to every command."""
    monkeypatch.setitem(benchmarks.BUILT_IN, "squares", WHERE)
    return "squares"
