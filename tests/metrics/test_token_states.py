"""Texts through a model in even batches: order, padding and threads change nothing."""

from pathlib import Path

import numpy as np
import pytest

from deadpan.metrics.token_states import encode_tokens, even_batches, run_batches, token_ids
from tests.metrics.tiny_models import HYPOTHESES, POSITIONS, write_tiny_bert


def test_batches_hold_the_budget_and_every_index_once() -> None:
    lengths = [3, 9, 1, 4, 4, 2]
    batches = even_batches(lengths, 8)
    assert batches == [[1], [3, 4], [0, 5], [2]]
    assert even_batches([], 8) == []


def test_batching_does_not_change_a_text(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="needs the [neural] extra")
    pytest.importorskip("transformers", reason="needs the [neural] extra")
    from deadpan.metrics.neural import token_model

    model = token_model(str(write_tiny_bert(tmp_path / "bert")))
    texts = [*HYPOTHESES, "z" * 35]
    ids, cut = token_ids(model, texts)
    assert cut == 0
    together = encode_tokens(model, model.network, ids)
    for number, one in enumerate(ids):
        start = int(together.starts[number])
        with torch.inference_mode():
            alone = model.network(torch.tensor(one.astype(np.int64))[None])[0][0]
        assert torch.allclose(together.rows[start : start + len(one)], alone, atol=1e-5)


def test_texts_are_cut_at_the_limit_and_counted(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="needs the [neural] extra")
    pytest.importorskip("transformers", reason="needs the [neural] extra")
    from deadpan.metrics.neural import token_model

    model = token_model(str(write_tiny_bert(tmp_path / "bert")))
    ids, cut = token_ids(model, ["a b", "a " * 50_000, "我" * 100_000])
    assert [len(one) for one in ids] == [4, POSITIONS, POSITIONS]
    assert cut == 2


def test_the_thread_setting_is_put_back(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="needs the [neural] extra")
    pytest.importorskip("transformers", reason="needs the [neural] extra")
    from deadpan.metrics.neural import token_model

    model = token_model(str(write_tiny_bert(tmp_path / "bert")), device="cpu")
    before = torch.get_num_threads()
    assert run_batches(model, lambda batch: batch + 1, [1, 2, 3]) == [2, 3, 4]
    with pytest.raises(ZeroDivisionError):
        run_batches(model, lambda batch: 1 / batch, [1.0, 0.0])
    assert torch.get_num_threads() == before
