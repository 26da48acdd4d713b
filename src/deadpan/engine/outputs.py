"""What a model's outputs come to: their replies and what they used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from deadpan.judges.sittings import Sitting

if TYPE_CHECKING:
    from inspect_ai.model import ModelOutput


def sitting_of(outputs: Sequence[ModelOutput]) -> Sitting:
    """The replies in order, and all that they used."""
    used = [output.usage for output in outputs if output.usage is not None]
    return Sitting(
        replies=tuple(output.completion for output in outputs),
        input_tokens=sum(usage.input_tokens for usage in used),
        output_tokens=sum(usage.output_tokens for usage in used),
        seconds=sum(output.time or 0.0 for output in outputs),
    )
