"""Prompts as a batching model takes them: tokens, their positions, and pictures made ready once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from inspect import signature
from typing import Any

import torch
from PIL import Image

from deadpan.base.errors import DeadpanError, InputError
from deadpan.engine.local.talks import Turn, prompt_inputs

_PICTURES_KEPT = 256


@dataclass(frozen=True, eq=False)
class Prompt:
    """What is asked, and how the answer is to be written; without a temperature the likeliest token
    is taken each time."""

    turns: tuple[Turn, ...]
    max_tokens: int
    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    seed: int | None = None

    @property
    def samples(self) -> bool:
        """Whether tokens are drawn."""
        return bool(self.temperature)

    @property
    def pictures(self) -> tuple[Image.Image, ...]:
        """The pictures that are shown."""
        parts = [part for turn in self.turns for part in turn.parts]
        return tuple(part for part in parts if isinstance(part, Image.Image))

    def within(self, positions: int | None, length: int) -> Prompt:
        """The prompt, of so many tokens, with an answer that ends where the model's positions do;
        one that leaves no room for any raises."""
        if positions is None:
            return self
        if length >= positions:
            raise DeadpanError(f"its {length:,} tokens leave no room in the model's {positions:,}")
        return replace(self, max_tokens=min(self.max_tokens, positions - length))


@dataclass(frozen=True, eq=False)
class EncodedPrompt:
    """A prompt's tokens, the position of each (a row for each kind that the model has), what else
    it says of each token, and the tensors of its pictures."""

    ids: tuple[int, ...]
    positions: torch.Tensor
    sequences: dict[str, torch.Tensor]
    pictures: dict[str, torch.Tensor]
    shown: tuple[int, ...]
    """What the pictures are known by."""
    pictures_end: int
    """Behind which token no picture comes any more."""

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def next_position(self) -> int:
        """The position of the first token of the answer."""
        return int(self.positions.max()) + 1

    def followed_by(self, made: Sequence[int]) -> EncodedPrompt:
        """The prompt with the beginning of its answer."""
        count, kinds = len(made), self.positions.shape[0]
        more = torch.arange(count).expand(kinds, -1) + self.next_position
        sequences = {
            name: torch.cat([values, values.new_zeros(count)])
            for name, values in self.sequences.items()
        }
        positions = torch.cat([self.positions, more], dim=1)
        return replace(self, ids=(*self.ids, *made), positions=positions, sequences=sequences)


@dataclass(eq=False)
class _PictureMemo:
    """A processor's part for pictures, which makes each ready once: the same picture comes with
    every question about it."""

    make: Any
    _made: OrderedDict[tuple[int, ...], tuple[Any, Any]] = field(default_factory=OrderedDict)

    def __call__(self, images: Any = None, **options: Any) -> Any:
        flat = images if isinstance(images, list) else [images]
        if not all(isinstance(one, Image.Image) for one in flat):
            return self.make(images=images, **options)
        key = tuple(map(id, flat))  # the pictures are kept: no other gets their number meanwhile
        if key not in self._made:
            self._made[key] = (tuple(flat), self.make(images=images, **options))
            if len(self._made) > _PICTURES_KEPT:
                self._made.popitem(last=False)
        self._made.move_to_end(key)
        return self._made[key][1].copy()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.make, name)


class PromptEncoder:
    """Makes prompts ready for one model, one after the other."""

    def __init__(self, processor: Any, network: Any) -> None:
        self._processor = processor
        self._images = _PictureMemo(processor.image_processor)
        processor.image_processor = self._images
        config = network.config
        names = ("image_token_id", "image_token_index")
        self.image_token = next(
            (getattr(config, one) for one in names if hasattr(config, one)), None
        )
        self._rope = next(
            (one for one in network.modules() if hasattr(one, "get_rope_index")), None
        )

    @property
    def position_kinds(self) -> int:
        """How many positions a token has."""
        return 1 if self._rope is None else 3

    def close(self) -> None:
        """Gives the processor back as it was."""
        self._processor.image_processor = self._images.make

    def encode(self, prompt: Prompt) -> EncodedPrompt:
        """The prompt as tensors; one that the processor cannot take raises."""
        inputs = prompt_inputs(self._processor, prompt.turns)
        inputs.pop("attention_mask", None)
        shape = inputs["input_ids"].shape
        rows = {name: one for name, one in inputs.items() if one.shape[:2] == shape}
        pictures = {name: one for name, one in inputs.items() if name not in rows}
        positions = self._positions(inputs)
        ids = rows.pop("input_ids")[0].tolist()
        sequences = {name: one[0] for name, one in rows.items()}
        if bad := [name for name, one in sequences.items() if one.ndim > 1]:
            raise InputError(bad[0], "has more than a number a token", "Ask one by one.")
        end = 0
        if pictures:
            end = len(ids) - ids[::-1].index(self.image_token) if self.image_token in ids else 0
        shown = tuple(map(id, prompt.pictures))
        return EncodedPrompt(tuple(ids), positions, sequences, pictures, shown, end)

    def _positions(self, inputs: dict[str, Any]) -> torch.Tensor:
        """The positions of the tokens: those of pictures are the model's own matter."""
        ids = inputs["input_ids"]
        if self._rope is None:
            return torch.arange(ids.shape[1])[None]
        if not any(name.endswith("grid_thw") for name in inputs):
            return torch.arange(ids.shape[1]).expand(3, -1)
        takes = signature(self._rope.get_rope_index).parameters
        given = {name: one for name, one in inputs.items() if name in takes}
        found, _ = self._rope.get_rope_index(**given, attention_mask=torch.ones_like(ids))
        positions: torch.Tensor = found[:, 0]
        return positions
