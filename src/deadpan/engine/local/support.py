"""Whether a model's prompts can be read in parts, and many answers written side by side: what its
settings say, and what a first trial shows."""

from __future__ import annotations

import logging
import random
from concurrent.futures import Future
from typing import Any

import torch
from PIL import Image
from transformers.cache_utils import DynamicCache, DynamicLayer

from deadpan.engine.local.lanes import Lane, Row
from deadpan.engine.local.numbers import no_numbers, without_numbers
from deadpan.engine.local.prefill import Reader, grouped
from deadpan.engine.local.processors import TextProcessor
from deadpan.engine.local.prompts import Prompt, PromptEncoder
from deadpan.engine.local.talks import Turn, prompt_inputs

_logger = logging.getLogger("deadpan")

_NOTHING = (None, 0, 0.0, 1, 1.0, False, "")
_UNUSUAL = (
    *("num_beams", "num_beam_groups", "penalty_alpha", "dola_layers", "guidance_scale", "min_p"),
    *("typical_p", "epsilon_cutoff", "eta_cutoff", "no_repeat_ngram_size", "bad_words_ids"),
    *("encoder_repetition_penalty", "encoder_no_repeat_ngram_size", "sequence_bias"),
    *("min_length", "min_new_tokens", "suppress_tokens", "begin_suppress_tokens"),
    *("forced_bos_token_id", "forced_eos_token_id", "exponential_decay_length_penalty"),
    *("watermarking_config", "prompt_lookup_num_tokens", "remove_invalid_values"),
)
"""Settings of a model's own that only its `generate` follows."""
_POSITIONS = ("wpe", "embed_positions", "position_embeddings")
"""What models call the positions that they learnt."""
_MOST_OFF = 0.05
_TRIAL_TOKENS = 4096
_TEXTS = ("What is it?", "Say in one sentence what the picture shows, and why.")
_LEAD = (
    "Somebody tells a joke about a fox and a crow, and nobody laughs but the one who told it. " * 2
)
"""What prompts without a picture have in common, so that it is read once."""


def has_plain_settings(network: Any) -> bool:
    """Whether the model's own settings ask for nothing but what we do: the likeliest token, or a
    drawn one, repeated ones made unlikelier."""
    own = network.generation_config
    return all(getattr(own, name, None) in _NOTHING for name in _UNUSUAL)


def keeps_all_tokens(network: Any) -> bool:
    """Whether every layer keeps keys and values of all tokens, and looks at nothing else."""
    text = network.config.get_text_config(decoder=True)
    if getattr(text, "cross_attention_layers", None):
        return False
    return all(type(one) is DynamicLayer for one in DynamicCache(config=text).layers)


def learnt_positions(network: Any) -> int | None:
    """How many tokens a model of text has positions for; None where it can count on."""
    if hasattr(network.config, "vision_config"):
        return None
    for name, module in network.named_modules():
        if name.rpartition(".")[2] in _POSITIONS and isinstance(module, torch.nn.Embedding):
            return int(network.config.max_position_embeddings)
    return None


def require_numbers(network: Any, processor: Any) -> None:
    """Raises where a first prompt does not come to numbers; one that cannot be read at all says so
    when it is asked."""
    try:
        inputs = prompt_inputs(processor, _trial_turns(processor)[0])
        given = {name: one.to(network.device) for name, one in inputs.items()}
        logits = network(**given).logits[0, -1]
    except torch.OutOfMemoryError:
        raise
    except Exception as error:  # whatever a model of another make cannot do
        _logger.info("no first prompt: %s", error)
        return
    if bool(without_numbers(logits)):
        raise no_numbers(network)


def _trial_turns(processor: Any) -> list[tuple[Turn, ...]]:
    """Two short prompts about one picture, or of texts that begin alike."""
    first: str | Image.Image = _LEAD
    if not isinstance(processor, TextProcessor):
        first = Image.linear_gradient("L").resize((112, 112)).convert("RGB")
    return [(Turn("user", (first, text)),) for text in _TEXTS]


def trial_lane(processor: Any, network: Any, encoder: PromptEncoder, reader: Reader) -> Lane | None:
    """Two short prompts that begin alike, read in parts; None where the model cannot, or does not
    come to what it comes to when it reads them whole."""
    try:
        turns = _trial_turns(processor)
        rows = [_row(Prompt(one, max_tokens=1), encoder) for one in turns]
        (lane, logits), *_ = reader.first_logits(grouped(rows), _TRIAL_TOKENS)
        for row, found in zip(lane.rows, logits, strict=True):
            inputs = prompt_inputs(processor, row.prompt.turns)
            given = {name: one.to(network.device) for name, one in inputs.items()}
            plain = network(**given, logits_to_keep=1).logits[0, -1].float()
            off = float((found.float() - plain).norm() / plain.norm())
            if not off < _MOST_OFF:
                _logger.warning("prompts read in parts come out otherwise (by %.0f %%)", 100 * off)
                return None
    except torch.OutOfMemoryError:
        raise
    except Exception as error:  # whatever a model of another make cannot do
        _logger.info("prompts are read whole: %s", error)
        return None
    return lane


def _row(prompt: Prompt, encoder: PromptEncoder) -> Row:
    encoded = encoder.encode(prompt)
    if encoded.pictures and not encoded.pictures_end:
        raise ValueError("the tokens of pictures cannot be told from others")
    return Row(prompt, encoded, Future(), random.Random(0))
