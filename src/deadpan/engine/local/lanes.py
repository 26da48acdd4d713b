"""Rows that are answered side by side, a token each at a time, and what the model keeps of them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import torch
from transformers.cache_utils import Cache, DynamicLayer

from deadpan.engine.local.prompts import EncodedPrompt, Prompt
from deadpan.engine.local.sampling import Chooser

_CHUNK = 64
"""Tokens by which the room for keys and values grows."""


@dataclass(frozen=True)
class Reply:
    """What the model wrote, and why it stopped: at its end, or where it had to."""

    tokens: tuple[int, ...]
    stop: str
    input_tokens: int


def fulfil(future: Future[Reply], reply: Reply) -> None:
    """Hands a reply over, unless nobody waits for it any more."""
    with suppress(InvalidStateError):
        future.set_result(reply)


def fail(future: Future[Reply], error: Exception) -> None:
    """Tells whoever waits what went wrong, unless nobody does any more."""
    with suppress(InvalidStateError):
        future.set_exception(error)


@dataclass(eq=False)
class Row:
    """One prompt on its way to its answer."""

    prompt: Prompt
    encoded: EncodedPrompt
    future: Future[Reply]
    draw: random.Random
    made: list[int] = field(default_factory=list)
    tries: int = 0
    """How often it did not fit into the memory alone."""

    @property
    def length(self) -> int:
        """The tokens that it holds so far."""
        return len(self.encoded) + len(self.made)

    @property
    def left(self) -> int:
        """How many tokens it may still write."""
        return self.prompt.max_tokens - len(self.made)

    def take(self, token: int, ends: frozenset[int]) -> None:
        """Takes a token up; those behind the end of an answer are nobody's."""
        if self.future.done():
            return
        self.made.append(token)
        if token in ends or self.left <= 0:
            stop = "stop" if token in ends else "max_tokens"
            fulfil(self.future, Reply(tuple(self.made), stop, len(self.encoded)))


class RoomyLayer(DynamicLayer):  # type: ignore[misc]
    """Keys and values of a layer with room behind them, so that a token more copies nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.length = 0

    @classmethod
    def of(cls, keys: torch.Tensor, values: torch.Tensor, length: int) -> RoomyLayer:
        """A layer that holds so much of these."""
        layer = cls()
        layer.lazy_initialization(keys, values)
        layer.keys, layer.values, layer.length = keys, values, length
        return layer

    def update(
        self, key_states: torch.Tensor, value_states: torch.Tensor, *args: Any, **options: Any
    ) -> tuple[torch.Tensor, torch.Tensor]:
        start, self.length = self.length, self.length + key_states.shape[-2]
        if not self.is_initialized:
            self.lazy_initialization(key_states, value_states)
            self.keys, self.values = key_states, value_states
            return key_states, value_states
        if self.length > self.keys.shape[-2]:
            self.keys = _roomier(self.keys, start, self.length)
            self.values = _roomier(self.values, start, self.length)
        self.keys[:, :, start : self.length] = key_states
        self.values[:, :, start : self.length] = value_states
        return self.keys[:, :, : self.length], self.values[:, :, : self.length]

    def get_seq_length(self) -> int:
        return self.length

    def select(self, rows: torch.Tensor, room: int) -> RoomyLayer:
        """A layer of these rows, each as often as it is named, with so much room."""
        keys, values = (
            _roomier(states[rows], self.length, room) for states in (self.keys, self.values)
        )
        return RoomyLayer.of(keys, values, self.length)


def _roomier(states: torch.Tensor, held: int, needed: int) -> torch.Tensor:
    batch, heads, _, width = states.shape
    made = states.new_zeros(batch, heads, -(-needed // _CHUNK) * _CHUNK, width)
    made[:, :, :held] = states[:, :, :held]
    return made


@dataclass(eq=False)
class Lane:
    """Rows of one length: where a row is shorter, or something stands between its parts, the mask
    leaves it out."""

    rows: list[Row]
    cache: Cache
    mask: torch.Tensor
    """(rows, tokens): which tokens are the row's own."""
    positions: torch.Tensor
    """Of the next token of each row."""
    last: torch.Tensor
    """The token of each row that the model has not seen."""
    seen: torch.Tensor | None = None
    """(rows, vocabulary): the tokens that each row holds, where the model minds."""

    @property
    def length(self) -> int:
        """Tokens a row, with those that are left out."""
        return int(self.mask.shape[1])

    @property
    def tokens(self) -> int:
        """What it takes, in tokens kept."""
        return len(self.rows) * self.length

    @property
    def going(self) -> list[int]:
        """The places of the rows whose answers are not complete."""
        return [place for place, row in enumerate(self.rows) if not row.future.done()]

    @property
    def token_bytes(self) -> int:
        """What is kept of one token."""
        states = [one for layer in self.cache.layers for one in (layer.keys, layer.values)]
        return sum(one.nbytes // (one.shape[0] * one.shape[2]) for one in states)

    def advance(self, network: Any, chooser: Chooser, steps: int, kinds: int) -> list[list[int]]:
        """So many tokens more for each row; those behind a row's end are to be thrown away."""
        found = []
        for _ in range(steps):
            self.mask = torch.nn.functional.pad(self.mask, (0, 1), value=True)
            at = self.positions[:, None]
            made = network(
                input_ids=self.last[:, None],
                attention_mask=self.mask[:, None, None],
                position_ids=at if kinds == 1 else at.expand(kinds, -1, -1),
                past_key_values=self.cache,
                use_cache=True,
                logits_to_keep=1,
            )
            self.last = chooser.choose(made.logits[:, -1], self.seen)
            if self.seen is not None:
                self.seen.scatter_(1, self.last[:, None], True)
            self.positions = self.positions + 1
            found.append(self.last)
        columns: list[list[int]] = torch.stack(found, dim=1).tolist()
        return columns


def join(lanes: Sequence[tuple[Lane, Sequence[int]]]) -> Lane:
    """One lane of the named rows of several. What was kept of them is let go layer by layer, so
    that never more than a layer is there twice; tokens that no row has are dropped."""
    lengths = [_used(lane, rows) for lane, rows in lanes]
    length = max(lengths)
    parts = [
        (lane, torch.as_tensor(rows, device=lane.mask.device), used)
        for (lane, rows), used in zip(lanes, lengths, strict=True)
    ]
    layers = []
    for place in range(len(lanes[0][0].cache.layers)):
        keys = _stack(
            [(one.cache.layers[place].keys, one, rows, n) for one, rows, n in parts], length
        )
        for lane, _, _ in parts:
            lane.cache.layers[place].keys = None
        values = [(one.cache.layers[place].values, one, rows, n) for one, rows, n in parts]
        layers.append(RoomyLayer.of(keys, _stack(values, length), length))
        for lane, _, _ in parts:
            lane.cache.layers[place].values = None
    masks = [
        torch.nn.functional.pad(lane.mask[rows][:, lane.length - used :], (length - used, 0))
        for lane, rows, used in parts
    ]
    marked = [lane.seen[rows] for lane, rows, _ in parts if lane.seen is not None]
    return Lane(
        [lane.rows[row] for lane, rows in lanes for row in rows],
        Cache(layers=layers),
        torch.cat(masks),
        torch.cat([lane.positions[rows] for lane, rows, _ in parts]),
        torch.cat([lane.last[rows] for lane, rows, _ in parts]),
        torch.cat(marked) if marked else None,
    )


def _used(lane: Lane, rows: Sequence[int]) -> int:
    """How many of the last tokens any of the rows has."""
    mine = lane.mask[torch.as_tensor(rows, device=lane.mask.device)].any(0)
    return lane.length - int(mine.int().argmax())


def _stack(
    parts: Sequence[tuple[torch.Tensor, Lane, torch.Tensor, int]], length: int
) -> torch.Tensor:
    """The rows of several layers in one tensor, all of them ending at the same token."""
    first = parts[0][0]
    count = sum(len(rows) for _, _, rows, _ in parts)
    made = first.new_zeros(count, first.shape[1], -(-length // _CHUNK) * _CHUNK, first.shape[3])
    start = 0
    for states, lane, rows, used in parts:
        end = start + len(rows)
        held = states[:, :, lane.length - used : lane.length]
        made[start:end, :, length - used : length] = held[rows]
        start = end
    return made
