"""Weights that give no numbers, told as what the user can do about it."""

from __future__ import annotations

from typing import Any

import torch

from deadpan.base.errors import DeadpanError


def without_numbers(logits: torch.Tensor) -> torch.Tensor:
    """Which rows do not say how likely every token is; tokens may be impossible."""
    return (logits.isnan() | logits.isposinf()).any(-1)


def no_numbers(network: Any) -> DeadpanError:
    """What is told of a model that gives NaN."""
    fix = "they are damaged: put the folder there again"
    if network.dtype != torch.float32:
        fix = f"try -M dtype=float32; if that does not help, {fix}"
    held = str(network.dtype).removeprefix("torch.")
    what = f"the model's weights give no numbers (NaN) in {held}"
    return DeadpanError(f"{network.config._name_or_path}: {what}; {fix}")
