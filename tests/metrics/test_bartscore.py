"""BARTScore: equal to a plain loop over one text at a time; padding changes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from deadpan.metrics.bartscore import bartscore, log_likelihoods
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


def test_every_direction_equals_a_plain_loop(model: TextModel) -> None:
    sources = [f"{text} {text[:5]}" for text in REFERENCES]
    scores = bartscore(HYPOTHESES, REFERENCES, model, sources=sources)
    trios = list(zip(HYPOTHESES, REFERENCES, sources, strict=True))
    precision = [by_hand(reference, hypothesis, model) for hypothesis, reference, _ in trios]
    recall = [by_hand(hypothesis, reference, model) for hypothesis, reference, _ in trios]
    assert scores.precision == pytest.approx(precision, abs=1e-5)
    assert scores.recall == pytest.approx(recall, abs=1e-5)
    assert scores.faithfulness == pytest.approx(
        [by_hand(source, hypothesis, model) for hypothesis, _, source in trios], abs=1e-5
    )
    means = [(p + r) / 2 for p, r in zip(precision, recall, strict=True)]
    assert scores.f1 == pytest.approx(means, abs=1e-5)
    assert scores.signature.startswith("bartscore-bart@")
    assert len({round(value, 3) for value in precision}) > 3


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


def test_an_empty_hypothesis_has_what_the_model_gives_it(model: TextModel) -> None:
    scores = bartscore([""], ["a cat"], model)
    assert scores.recall == pytest.approx([by_hand("", "a cat", model)], abs=1e-5)
    assert scores.precision == pytest.approx([by_hand("a cat", "", model)], abs=1e-5)
    assert scores.faithfulness is None


def test_odd_characters_are_scored(model: TextModel) -> None:
    odd = ["😂😭", "a \ud83d b", "\x00\x07", "\u202eabc"]
    values = log_likelihoods(odd, ["a cat"] * 4, model).values
    assert all(value < 0 for value in values)


def test_empty_references_and_unequal_or_no_texts_raise(model: TextModel) -> None:
    with pytest.raises(ValueError, match="reference 1 is empty"):
        bartscore(["a", "b"], ["a", " "], model)
    with pytest.raises(ValueError, match="source 0 is empty"):
        bartscore(["a"], ["a"], model, sources=[""])
    with pytest.raises(ValueError, match="1 sources against 2 targets"):
        bartscore(["a", "b"], ["a"], model)
    with pytest.raises(ValueError, match="no texts"):
        bartscore([], [], model)


def test_a_model_that_is_no_seq2seq_is_unavailable(tmp_path: Path) -> None:
    from deadpan.base.resources import Unavailable
    from tests.metrics.tiny_models import write_tiny_bert

    folder = write_tiny_bert(tmp_path / "bert")
    with pytest.raises(Unavailable, match=r"^unavailable: the model .*bert cannot be loaded"):
        seq2seq_model(str(folder))
