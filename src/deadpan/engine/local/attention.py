"""Attention with fewer heads for keys than for queries, without a copy of the keys for each."""

from __future__ import annotations

from typing import Any

import torch
from transformers import AttentionInterface, AttentionMaskInterface
from transformers.integrations.sdpa_attention import sdpa_attention_forward
from transformers.masking_utils import sdpa_mask

NAME = "grouped_sdpa"


def use_grouped_attention(network: Any) -> None:
    """Lets a model that attends by torch's own attention do so without copies of its keys: with a
    mask, transformers repeats them for each group of heads. Other ways are left as they are."""
    if network.config._attn_implementation == "sdpa":
        AttentionInterface.register(NAME, grouped_attention)
        AttentionMaskInterface.register(NAME, sdpa_mask)
        network.set_attn_implementation(NAME)


def grouped_attention(
    module: Any,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None,
    scaling: float | None = None,
    **options: Any,
) -> tuple[torch.Tensor, None]:
    """The queries of all heads that share keys as so many more queries of one head."""
    batch, heads, length, width = query.shape
    groups = heads // key.shape[1]
    if attention_mask is None or groups == 1 or attention_mask.shape[1] != 1:
        plain = (module, query, key, value, attention_mask)
        made: tuple[torch.Tensor, None] = sdpa_attention_forward(*plain, scaling=scaling, **options)
        return made
    if length > 1:
        attention_mask = attention_mask.repeat(1, 1, groups, 1)
    packed = query.reshape(batch, key.shape[1], groups * length, width)
    found = torch.nn.functional.scaled_dot_product_attention(
        packed, key, value, attn_mask=attention_mask, scale=scaling
    )
    return found.reshape(batch, heads, length, -1).transpose(1, 2).contiguous(), None
