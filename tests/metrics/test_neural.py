"""Models by name or folder: what is loaded, and what is said when it cannot be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from deadpan.base.errors import InputError
from deadpan.metrics.neural import weights_hash, well_formed
from tests.metrics.tiny_models import write_tiny_bert

torch = pytest.importorskip("torch", reason="needs the [neural] extra")
transformers = pytest.importorskip("transformers", reason="needs the [neural] extra")

from deadpan.base.resources import Unavailable  # noqa: E402
from deadpan.metrics.neural import token_model  # noqa: E402


def test_pairs_of_surrogates_are_joined_and_halves_replaced() -> None:
    assert well_formed("a\ud83d\ude02b") == "a😂b"
    assert well_formed("\ude02a\ud83d") == "\ufffda\ufffd"
    assert well_formed("我 a\x00") == "我 a\x00"


def test_a_folder_that_is_no_model_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(Unavailable, match=r"^unavailable: the model .*empty cannot be loaded"):
        token_model(str(tmp_path / "empty"))


def test_a_resource_that_is_not_here_says_how_to_get_it() -> None:
    with pytest.raises(Unavailable, match="deadpan resources get bert-base-chinese"):
        token_model("bert-base-chinese", 8)


def test_half_precision_and_gpus_are_only_had_where_they_are(tmp_path: Path) -> None:
    folder = str(write_tiny_bert(tmp_path / "bert"))
    with pytest.raises(InputError, match="half precision is for GPUs only"):
        token_model(folder, device="cpu", half=True)
    if not torch.cuda.is_available():
        with pytest.raises(InputError, match="torch sees no GPU"):
            token_model(folder, device="cuda")


def test_other_weights_have_another_hash(tmp_path: Path) -> None:
    first = write_tiny_bert(tmp_path / "a")
    assert weights_hash(first) == weights_hash(write_tiny_bert(tmp_path / "b"))
    assert weights_hash(first) != weights_hash(write_tiny_bert(tmp_path / "c", layers=2))


def test_words_of_roberta_begin_with_their_space(tmp_path: Path) -> None:
    folder = tmp_path / "roberta"
    letters = ["<s>", "<pad>", "</s>", "<unk>", "<mask>", "a", "Ġ", "Ġa"]
    config = transformers.RobertaConfig(
        vocab_size=len(letters),
        hidden_size=8,
        num_hidden_layers=1,
        num_attention_heads=1,
        intermediate_size=8,
        max_position_embeddings=20,
    )
    transformers.RobertaModel(config).save_pretrained(folder)
    numbers = {letter: number for number, letter in enumerate(letters)}
    (folder / "vocab.json").write_text(json.dumps(numbers))
    (folder / "merges.txt").write_text("#version: 0.2\nĠ a\n")
    (folder / "tokenizer_config.json").write_text('{"tokenizer_class": "RobertaTokenizer"}')
    spaced, bare = (token_model(str(folder), prefix_space=flag) for flag in (True, False))
    assert spaced.tokenizer("a a")["input_ids"] == [0, 7, 7, 2]
    assert bare.tokenizer("a a")["input_ids"] == [0, 5, 7, 2]
    assert spaced.identity == f"{bare.identity}-space"
    assert spaced.limit == 18
