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
from deadpan.engine.local.prefill import Reader, grouped
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
_MOST_OFF = 0.05
_TRIAL_TOKENS = 4096
_TEXTS = ("What is it?", "Say in one sentence what the picture shows, and why.")


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


def trial_lane(processor: Any, network: Any, encoder: PromptEncoder, reader: Reader) -> Lane | None:
    """Two short prompts about one picture, read in parts; None where the model cannot, or does not
    come to what it comes to when it reads them whole."""
    picture = Image.linear_gradient("L").resize((112, 112)).convert("RGB")
    turns = [(Turn("user", (picture, text)),) for text in _TEXTS]
    try:
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
