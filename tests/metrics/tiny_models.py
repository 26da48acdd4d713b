"""Tiny models with random weights, written as transformers reads them, and texts to try them on."""

from __future__ import annotations

from pathlib import Path

LETTERS = [*"abcdefghijklmnopqrstuvwxyz.,!?'", *"我今天又没睡好考试过了老板叫加班笑死"]
SPECIAL = ["[PAD]", "[CLS]", "[SEP]", "[UNK]"]
POSITIONS = 40

HYPOTHESES = [
    "the cat laughs at itself.",
    "我今天又没睡好",
    "a dog",
    "he failed, again!",
    "the cat laughs at itself.",
    "老板叫我加班",
]
REFERENCES = [
    "a cat mocks itself!",
    "今天没睡好",
    "a cat mocks itself!",
    "he did not pass the exam.",
    "a cat mocks itself!",
    "笑死, 又加班了",
]


def write_tiny_bert(folder: Path, layers: int = 3) -> Path:
    """A BERT of 32 numbers a token."""
    import torch
    from transformers import BertConfig, BertModel

    torch.manual_seed(1)
    config = BertConfig(
        vocab_size=len(_vocabulary()),
        hidden_size=32,
        num_hidden_layers=layers,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=POSITIONS,
        initializer_range=0.2,
        pad_token_id=0,
    )
    BertModel(config).save_pretrained(folder)
    _write_tokenizer(folder)
    return folder


def write_tiny_bart(folder: Path) -> Path:
    """A BART of 32 numbers a token."""
    import torch
    from transformers import BartConfig, BartForConditionalGeneration

    torch.manual_seed(2)
    config = BartConfig(
        vocab_size=len(_vocabulary()),
        d_model=32,
        encoder_layers=2,
        decoder_layers=2,
        encoder_attention_heads=4,
        decoder_attention_heads=4,
        encoder_ffn_dim=64,
        decoder_ffn_dim=64,
        max_position_embeddings=POSITIONS,
        init_std=0.2,
        pad_token_id=0,
        bos_token_id=1,
        eos_token_id=2,
        decoder_start_token_id=2,
        forced_eos_token_id=2,
    )
    BartForConditionalGeneration(config).save_pretrained(folder)
    _write_tokenizer(folder)
    return folder


def _vocabulary() -> dict[str, int]:
    pieces = [*SPECIAL, *LETTERS, *(f"##{letter}" for letter in LETTERS)]
    return {piece: number for number, piece in enumerate(pieces)}


def _write_tokenizer(folder: Path) -> None:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.WordPiece(_vocabulary(), unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="[PAD]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        bos_token="[CLS]",
        eos_token="[SEP]",
        unk_token="[UNK]",
        model_max_length=POSITIONS,
    ).save_pretrained(folder)
