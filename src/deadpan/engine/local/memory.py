"""How much a model may hold of the answers that it writes side by side."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import torch

_SHARE = 0.92
"""Of the memory that is left, how much may be filled."""
_CPU_SHARE = 0.25
_SHRINK = 0.75
_FEWEST_READ = 256


_COPIES = 4
"""How often plain attention holds what each token makes of each other one."""


def available_memory() -> int:
    """Bytes of the machine's memory that a process can have."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        kilobytes = next(line.split()[1] for line in lines if line.startswith("MemAvailable:"))
        return int(kilobytes) * 1024
    except (OSError, StopIteration, ValueError):  # another system
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def require_memory(network: Any, rows: int, length: int) -> None:
    """Raises where prompts would take more of the machine's memory than there is, as a GPU does by
    itself: plain attention grows with the square of their length."""
    text = network.config.get_text_config()
    if network.device.type == "cuda" or text._attn_implementation != "eager":
        return
    needed = rows * text.num_attention_heads * length**2 * 4 * _COPIES
    if needed > available_memory() // 2:
        raise torch.OutOfMemoryError(f"{needed:,} bytes for attention")


class Memory:
    """How many tokens a model may keep and read at once; less after each time that it was too
    much. `token_bytes` is what it keeps of one token."""

    def __init__(self, network: Any, token_bytes: int) -> None:
        self._device = network.device
        text = network.config.get_text_config()
        width = text.hidden_size + (
            getattr(text, "intermediate_size", None) or 4 * text.hidden_size
        )
        size = network.dtype.itemsize
        on_gpu = self._device.type == "cuda"
        self.most_rows = 2048 if on_gpu else 64
        self.most_read = 16_384 if on_gpu else 2_048
        """Tokens of prompts that are read at once."""
        at_work = self.most_read * width * size * 6 + self.most_rows * text.vocab_size * 12
        free = int(self.free() * (_SHARE if on_gpu else _CPU_SHARE))
        self.tokens = max((free - at_work) // token_bytes, _FEWEST_READ)
        """Tokens of prompts and answers that are kept at once."""

    def free(self) -> int:
        """Bytes that nobody holds."""
        if self._device.type != "cuda":
            return available_memory()
        cached = torch.cuda.memory_reserved(self._device) - torch.cuda.memory_allocated(
            self._device
        )
        return int(torch.cuda.mem_get_info(self._device)[0] + cached)

    def shrink(self, held: int) -> None:
        """Takes less from now on than the tokens that were too many."""
        if held:
            self.tokens = max(int(min(self.tokens, held) * _SHRINK), 1)
        self.most_read = max(int(self.most_read * _SHRINK), _FEWEST_READ)
        if self._device.type == "cuda":
            torch.cuda.empty_cache()
