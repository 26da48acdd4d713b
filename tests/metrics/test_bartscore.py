"""BARTScore: equal to a plain loop over one text at a time; padding changes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from deadpan.metrics.bartscore import log_likelihoods
from tests.metrics.tiny_models import HYPOTHESES, POSITIONS, REFERENCES, write_tiny_bart

torch = pytest.importorskip("torch", reason="needs the [neural] extra")
pytest.importorskip("transformers", reason="needs the [neural] extra")

from deadpan.metrics.neural import TextModel, seq2seq_model  # noqa: E402


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> TextModel:
    folder = write_tiny_bart(tmp_path_factory.mktemp("models") / "bart")
    return seq2seq_model(str(folder))


def by_hand(source: str, target: str, model: TextModel) -> float:
    """One pair by itself: shift the target right, take each token's log-probability, average."""
    ids = model.tokenizer(source, truncation=True, max_length=POSITIONS)["input_ids"]
    wanted = model.tokenizer(target, truncation=True, max_length=POSITIONS)["input_ids"]
    with torch.inference_mode():
        logits = model.network(
            input_ids=torch.tensor([ids]), decoder_input_ids=torch.tensor([[2, *wanted[:-1]]])
        ).logits[0]
    chances = torch.log_softmax(logits.double(), -1)
    return sum(float(chances[place, token]) for place, token in enumerate(wanted)) / len(wanted)


def test_both_directions_equal_a_plain_loop(model: TextModel) -> None:
    for sources, targets in ((REFERENCES, HYPOTHESES), (HYPOTHESES, REFERENCES)):
        wanted = [by_hand(*pair, model) for pair in zip(sources, targets, strict=True)]
        assert log_likelihoods(sources, targets, model).values == pytest.approx(wanted, abs=1e-5)
        assert len({round(value, 3) for value in wanted}) > 3


def test_neither_padding_nor_chunks_change_a_score(model: TextModel) -> None:
    alone = log_likelihoods(["a cat"], ["我笑死"], model).values[0]
    beside = ["a cat", "b " * 30, "c", "老板 " * 12]
    targets = ["我笑死", "x", "y " * 33, "又加班了"]
    for memory in (1, 1 << 20):
        assert log_likelihoods(beside, targets, model, memory=memory).values[0] == pytest.approx(
            alone, abs=1e-5
        )


def test_long_texts_are_cut_and_counted(model: TextModel) -> None:
    long = "a " * 50_000
    scores = log_likelihoods([long, "b"], ["b", long], model)
    assert scores.truncated == 2
    assert scores.values[0] == pytest.approx(by_hand(long, "b", model), abs=1e-5)


def test_an_empty_text_has_what_the_model_gives_it(model: TextModel) -> None:
    for pair in (("", "a cat"), ("a cat", "")):
        values = log_likelihoods(pair[:1], pair[1:], model).values
        assert values == pytest.approx([by_hand(*pair, model)], abs=1e-5)


def test_odd_characters_are_scored(model: TextModel) -> None:
    odd = ["😂😭", "a \ud83d b", "\x00\x07", "\u202eabc"]
    values = log_likelihoods(odd, ["a cat"] * 4, model).values
    assert all(value < 0 for value in values)


def test_unequal_or_no_texts_raise(model: TextModel) -> None:
    with pytest.raises(ValueError, match="2 sources against 1 targets"):
        log_likelihoods(["a", "b"], ["a"], model)
    with pytest.raises(ValueError, match="no texts"):
        log_likelihoods([], [], model)


def test_a_model_that_is_no_seq2seq_is_unavailable(tmp_path: Path) -> None:
    from deadpan.base.resources import Unavailable
    from tests.metrics.tiny_models import write_tiny_bert

    folder = write_tiny_bert(tmp_path / "bert")
    with pytest.raises(Unavailable, match=r"^unavailable: the model .*bert cannot be loaded"):
        seq2seq_model(str(folder))
