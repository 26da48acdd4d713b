"""A tiny Whisper model with weights set by hand: it hears "ha ha ha" in any speech."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

SPECIAL = ["<|endoftext|>", "<|startoftranscript|>", "<|en|>", "<|translate|>", "<|transcribe|>"]
SPECIAL += ["<|startoflm|>", "<|startofprev|>", "<|nospeech|>", "<|notimestamps|>"]
MOMENTS = [f"<|{index * 0.02:.2f}|>" for index in range(1501)]
LETTERS = [*sorted(pre_tokenizers.ByteLevel.alphabet()), "Ġh", "Ġha"]
TOKENS = [*LETTERS, *SPECIAL, *MOMENTS]
WIDTH, MELS = 8, 80


def write_tiny_whisper(folder: Path) -> Path:
    """Writes the model as faster-whisper reads it: weights, vocabulary and tokenizer."""
    from ctranslate2.specs import whisper_spec

    spec = whisper_spec.WhisperSpec(1, 1, 1, 1)
    _encoder(spec.encoder)
    _decoder(spec.decoder)
    spec.register_vocabulary(TOKENS)
    spec.config.suppress_ids, spec.config.suppress_ids_begin = [], []
    spec.config.lang_ids, spec.config.alignment_heads = [TOKENS.index("<|en|>")], [(0, 0)]
    spec.validate()
    folder.mkdir()
    spec.save(str(folder))
    (folder / "tokenizer.json").write_text(json.dumps(_tokenizer()))
    return folder


def _encoder(spec: Any) -> None:
    for conv, channels in ((spec.conv1, MELS), (spec.conv2, WIDTH)):
        conv.weight, conv.bias = zeros(WIDTH, channels, 3), zeros(WIDTH)
    spec.position_encodings.encodings = zeros(1500, WIDTH)
    _norm(spec.layer_norm)
    _layer(spec.layer[0])


def _decoder(spec: Any) -> None:
    """Position 4 and after say "the end", those before say "ha"; the first is its time."""
    spec.embeddings.weight = zeros(len(TOKENS), WIDTH)
    places = zeros(448, WIDTH)
    places[:4, 0] = places[4:, 1] = 1
    spec.position_encodings.encodings = places
    weight = zeros(len(TOKENS), WIDTH)
    weight[TOKENS.index("Ġha"), 0] = weight[TOKENS.index("<|endoftext|>"), 1] = 20
    weight[TOKENS.index("<|0.00|>"), 0] = 5
    spec.projection.weight, spec.projection.bias = weight, zeros(len(TOKENS))
    _norm(spec.layer_norm)
    _layer(spec.layer[0])
    attention = spec.layer[0].attention
    _norm(attention.layer_norm)
    for linear, size in zip(attention.linear, (WIDTH, 2 * WIDTH, WIDTH), strict=True):
        linear.weight, linear.bias = zeros(size, WIDTH), zeros(size)


def _layer(spec: Any) -> None:
    _norm(spec.self_attention.layer_norm)
    for linear, size in zip(spec.self_attention.linear, (3 * WIDTH, WIDTH), strict=True):
        linear.weight, linear.bias = zeros(size, WIDTH), zeros(size)
    _norm(spec.ffn.layer_norm)
    for linear in (spec.ffn.linear_0, spec.ffn.linear_1):
        linear.weight, linear.bias = zeros(WIDTH, WIDTH), zeros(WIDTH)


def _norm(spec: Any) -> None:
    spec.gamma, spec.beta = np.ones(WIDTH, np.float32), zeros(WIDTH)


def zeros(*shape: int) -> np.ndarray:
    """Weights that do nothing."""
    return np.zeros(shape, np.float32)


def _numbers() -> dict[str, int]:
    return {letter: number for number, letter in enumerate(LETTERS)}


def _tokenizer() -> dict[str, Any]:
    tokenizer = Tokenizer(models.BPE(_numbers(), [("Ġ", "h"), ("Ġh", "a")]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([AddedToken(one, special=True) for one in SPECIAL])
    tokenizer.add_tokens([AddedToken(one) for one in MOMENTS])
    made: dict[str, Any] = json.loads(tokenizer.to_str())
    return made
