"""One model that answers many prompts at once: rows come and go while others are being written."""

from __future__ import annotations

import logging
import queue
import random
import threading
from collections.abc import Collection
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Protocol

import torch

from deadpan.base.errors import DeadpanError
from deadpan.engine.local.attention import use_grouped_attention
from deadpan.engine.local.lanes import Lane, Reply, Row, fail, join
from deadpan.engine.local.memory import Memory
from deadpan.engine.local.prefill import Reader, batches, chooser_of, grouped
from deadpan.engine.local.prompts import Prompt, PromptEncoder
from deadpan.engine.local.support import (
    has_plain_settings,
    keeps_all_tokens,
    learnt_positions,
    require_numbers,
    trial_lane,
)
from deadpan.engine.local.whole import WholeBatcher

_logger = logging.getLogger("deadpan")

_AHEAD = 64
"""Tokens that a new row is given room for beyond its prompt."""
_GATHER_SECONDS = 0.05
"""How long the first prompts wait for others about the same picture."""
_MOST_WAITING = 512
"""Prompts that are made ready before there is room for them."""
_MIXED = 4 / 3
"""How much more room lanes may take together than apart to be joined."""
_WORTH = 8
"""New rows interrupt the others where they are at least a so-manieth of these."""
_THIN = 3 / 4
"""Lanes of which less than that is going on are written anew without the rest."""
_CLOSE_SECONDS = 60.0
"""How long closing waits for what the model is at."""
_TRIES = 3
"""How often a row that is alone in the memory may find it full."""
_STEPS = 8
"""Tokens that a GPU writes before anybody looks at them."""


class PromptAnswerer(Protocol):
    """What answers prompts, each as soon as it can."""

    def submit(self, prompt: Prompt) -> Future[Reply]:
        """The reply, once it is there; what went wrong with this prompt alone is its exception."""

    def close(self) -> None:
        """Ends the work; what is being written is given up."""


def open_answerer(network: Any, processor: Any, ends: Collection[int]) -> PromptAnswerer:
    """What answers with a model: rows that come and go, and what prompts share read once, where the
    model allows; else batches of whole prompts. Weights that give no numbers raise."""
    with torch.inference_mode():
        require_numbers(network, processor)
    if not (has_plain_settings(network) and keeps_all_tokens(network)):
        return WholeBatcher(network, processor, ends)
    plain = network.config._attn_implementation
    encoder = PromptEncoder(processor, network)
    use_grouped_attention(network)
    pad = processor.tokenizer.pad_token_id
    penalty = network.generation_config.repetition_penalty or 1.0
    reader = Reader(network, pad or 0, encoder.position_kinds, penalty)
    with torch.inference_mode():
        lane = trial_lane(processor, network, encoder, reader)
    if lane is None:
        encoder.close()
        network.set_attn_implementation(plain)
        return WholeBatcher(network, processor, ends)
    return Batcher(network, encoder, reader, Memory(network, lane.token_bytes), frozenset(ends))


class Batcher:
    """Answers prompts in a thread of its own. Prompts that came are read when there is room for
    them; in between, the lane with the most rows goes on."""

    def __init__(
        self,
        network: Any,
        encoder: PromptEncoder,
        reader: Reader,
        memory: Memory,
        ends: frozenset[int],
    ) -> None:
        self.network, self.memory = network, memory
        self._encoder, self._reader, self._ends = encoder, reader, ends
        self._positions = learnt_positions(network)
        self._steps = _STEPS if network.device.type == "cuda" else 1
        self._came: queue.SimpleQueue[Row | None] = queue.SimpleQueue()
        self._waiting: list[Row] = []
        self._lanes: list[Lane] = []
        self._reading: list[Row] = []
        self._most_new, self._crowded = memory.most_rows, 0
        """How many rows may be read at once, and how many were going on when that was too much."""
        self._is_open = True
        self._read_some = threading.Event()
        self._encoding = ThreadPoolExecutor(1, thread_name_prefix="deadpan-encoder")
        self._thread = threading.Thread(target=self._work, name="deadpan-batcher", daemon=True)
        self._thread.start()

    def submit(self, prompt: Prompt) -> Future[Reply]:
        """The reply, once it is there."""
        future: Future[Reply] = Future()
        self._encoding.submit(self._encode, prompt, future)
        return future

    def close(self) -> None:
        """Ends the thread; what is being written is given up."""
        self._is_open = False
        self._encoding.shutdown(cancel_futures=True)
        self._came.put(None)
        self._thread.join(_CLOSE_SECONDS)
        self._encoder.close()

    def _encode(self, prompt: Prompt, future: Future[Reply]) -> None:
        while self._is_open and len(self._waiting) + self._came.qsize() > _MOST_WAITING:
            self._read_some.wait(_GATHER_SECONDS)
            self._read_some.clear()
        if future.done():  # nobody waits for it any more
            return
        try:
            encoded = self._encoder.encode(prompt)
            prompt = prompt.within(self._positions, len(encoded))
        except Exception as error:  # of this prompt alone
            fail(future, error)
        else:
            self._came.put(Row(prompt, encoded, future, random.Random(prompt.seed)))

    def _work(self) -> None:
        with torch.inference_mode():
            while self._is_open:
                try:
                    self._turn()
                    continue
                except torch.OutOfMemoryError:
                    pass  # the error holds on to what is to be let go: it must be gone first
                except Exception as error:  # whoever waits must hear of it
                    self._fail(error)
                    continue
                self._take_less()
        self._fail(DeadpanError("the model was closed"))

    def _turn(self) -> None:
        self._take_up()
        if new := self._admit():
            self._read(new)
        elif self._lanes:
            self._write(max(self._lanes, key=lambda lane: len(lane.going)))

    def _take_up(self) -> None:
        """The rows that came. Where nothing is being written, waits for the first, and a moment for
        others about the same picture, until there is enough to be read."""
        while self._is_open:
            try:
                if self._lanes:
                    came = self._came.get_nowait()
                elif sum(row.length for row in self._waiting) < self.memory.most_read:
                    came = self._came.get(timeout=_GATHER_SECONDS if self._waiting else None)
                else:
                    return
            except queue.Empty:
                return
            if came is not None:
                self._waiting.append(came)

    def _admit(self) -> list[Row]:
        """The rows that are to be read now: as many as there is room for, where these are enough to
        be worth the interruption. Those that nobody waits for any more are dropped."""
        self._waiting = [row for row in self._waiting if not row.future.done()]
        active = sum(len(lane.rows) for lane in self._lanes)
        if self._crowded and active >= self._crowded:
            return []
        room = self.memory.tokens - sum(
            len(lane.rows) * (lane.length + _AHEAD) for lane in self._lanes
        )
        # A row takes as much as the longest that it comes to stand beside.
        taken, longest = 0, max((lane.length + _AHEAD for lane in self._lanes), default=0)
        for row in self._waiting[: self._most_new]:
            longest = max(longest, row.length + _AHEAD)
            if (taken + 1) * longest > room or active + taken >= self.memory.most_rows:
                break
            taken += 1
        if not active and self._waiting:
            taken = max(taken, 1)  # alone it may do all the same
        if taken * _WORTH < active:
            return []
        found, self._waiting = self._waiting[:taken], self._waiting[taken:]
        self._read_some.set()
        return found

    def _read(self, rows: list[Row]) -> None:
        """Reads the rows' prompts; what cannot be read fails its own rows alone."""
        self._reading = rows
        lanes = []
        for batch in batches(grouped(rows), self.memory.most_read):
            try:
                lanes += self._reader.read(batch, self.memory.most_read)
            except torch.OutOfMemoryError:
                raise
            except Exception as error:
                if len(batch) == 1 and len(batch[0].rows) == 1:
                    fail(batch[0].rows[0].future, error)
                    continue
                for one in (row for group in batch for row in group.rows):
                    self._read_alone(one, lanes)
        self._reading, self._crowded = [], 0
        self._most_new = min(2 * self._most_new, self.memory.most_rows)
        for lane in lanes:
            self._settle(lane, [[token] for token in lane.last.tolist()])

    def _read_alone(self, row: Row, lanes: list[Lane]) -> None:
        try:
            lanes += self._reader.read(grouped([row]), self.memory.most_read)
        except torch.OutOfMemoryError:
            raise
        except Exception as error:
            fail(row.future, error)

    def _write(self, lane: Lane) -> None:
        """Some tokens more for a lane, once there is room for them."""
        held = sum(one.tokens for one in self._lanes)
        if held + len(lane.rows) * self._steps > self.memory.tokens and len(lane.rows) > 1:
            self._put_back(lane, len(lane.rows) // 4 or 1)
            return
        chooser = chooser_of(lane.rows, self._reader.penalty)
        made = lane.advance(self.network, chooser, self._steps, self._reader.kinds)
        self._lanes.remove(lane)
        self._settle(lane, made)

    def _settle(self, lane: Lane, made: list[list[int]]) -> None:
        """Hands out what is complete, and puts the other rows where they go on: with other lanes of
        about their length, and apart from those that are done where these are many."""
        for row, tokens in zip(lane.rows, made, strict=True):
            for token in tokens:
                row.take(token, self._ends)
        going = lane.going
        if not going:
            return
        parts = [(lane, going)]
        for other in list(self._lanes):
            rows, apart = len(going) + len(other.rows), len(going) * lane.length + other.tokens
            if rows * max(lane.length, other.length) <= _MIXED * apart:
                parts.append((other, other.going))
                self._lanes.remove(other)
        is_thin = len(going) < _THIN * len(lane.rows)
        self._lanes.append(join(parts) if is_thin or len(parts) > 1 else lane)

    def _put_back(self, lane: Lane, count: int) -> None:
        """Takes the rows that have written least out of a lane; they are read again later, with
        what they have written."""
        ordered = sorted(lane.going, key=lambda place: len(lane.rows[place].made))
        back, kept = ordered[:count], sorted(ordered[count:])
        self._waiting[:0] = [lane.rows[place] for place in back]
        self._lanes.remove(lane)
        if kept:
            self._lanes.append(join([(lane, kept)]))
        self._crowded = self._fewer()

    def _take_less(self) -> None:
        """After the memory was full: what was being read, or else written, is begun again with less
        at once. A row that is too much alone fails."""
        held = sum(lane.tokens for lane in self._lanes)
        if self._reading:
            back, self._reading = self._reading, []
            self._most_new = max(len(back) // 2, 1)
            self._crowded = self._fewer()
        else:
            back = [lane.rows[place] for lane in self._lanes for place in lane.going]
            self._lanes = []
        back = [row for row in back if not row.future.done()]
        if len(back) == 1 and not self._lanes:
            back[0].tries += 1
        if back and back[0].tries >= _TRIES:
            what = f"its {back[0].length:,} tokens do not fit into the memory"
            fail(back.pop(0).future, DeadpanError(what))
        self._waiting[:0] = back
        self.memory.shrink(held)

    def _fewer(self) -> int:
        """How many rows may be going on before others are read again: some less than now."""
        return -(-3 * sum(len(lane.going) for lane in self._lanes) // 4)

    def _fail(self, error: Exception) -> None:
        """Tells everybody who waits."""
        rows = [row for lane in self._lanes for row in lane.rows] + self._waiting + self._reading
        self._lanes, self._waiting, self._reading = [], [], []
        for row in rows:
            fail(row.future, error)
