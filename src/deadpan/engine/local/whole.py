"""Models that can only be asked whole prompts: batches of like length, by their `generate`."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Future
from typing import Any

import torch
from transformers import StoppingCriteria, StoppingCriteriaList

from deadpan.base.errors import DeadpanError
from deadpan.engine.local.lanes import Reply, fail, fulfil
from deadpan.engine.local.memory import require_memory
from deadpan.engine.local.prompts import Prompt
from deadpan.engine.local.support import learnt_positions
from deadpan.engine.local.talks import batch_inputs

_MOST_ROWS = 256
_FIRST_ROWS = 8
_GATHER_SECONDS = 0.05
_CLOSE_SECONDS = 60.0
"""How long closing waits for what the model is at."""

_CLOSED = "the model was closed"
_Waiting = tuple[Prompt, "Future[Reply]"]


class _Unwanted(StoppingCriteria):  # type: ignore[misc]
    """Ends the rows that nobody waits for any more, and all once the model is closed."""

    def __init__(self, futures: Sequence[Future[Reply]], is_open: Callable[[], bool]) -> None:
        self._futures, self._is_open = futures, is_open

    def __call__(self, input_ids: torch.Tensor, scores: Any, **_: Any) -> torch.Tensor:
        done = [not self._is_open() or future.done() for future in self._futures]
        # A beam search has several rows a prompt.
        each = torch.tensor(done, device=input_ids.device)
        return each.repeat_interleave(input_ids.shape[0] // len(done))


class WholeBatcher:
    """Answers prompts in a thread of its own, some at a time: twice as many after each batch that
    fitted, half as many after one that did not."""

    def __init__(self, network: Any, processor: Any, ends: Collection[int]) -> None:
        self.network, self._processor, self._ends = network, processor, frozenset(ends)
        self._positions = learnt_positions(network)
        self._most_rows = 1 if self._positions else _MOST_ROWS  # each ends where its positions do
        self._rows = min(_FIRST_ROWS, self._most_rows)
        self._came: queue.SimpleQueue[_Waiting | None] = queue.SimpleQueue()
        self._waiting: list[_Waiting] = []
        self._is_open = True
        self._thread = threading.Thread(target=self._work, name="deadpan-batcher", daemon=True)
        self._thread.start()

    def submit(self, prompt: Prompt) -> Future[Reply]:
        """The reply, once it is there."""
        future: Future[Reply] = Future()
        self._came.put((prompt, future))
        return future

    def close(self) -> None:
        """Ends the thread; what is being written or waits is given up."""
        self._is_open = False
        self._came.put(None)
        self._thread.join(_CLOSE_SECONDS)

    def _work(self) -> None:
        while self._is_open:
            self._take_up()
            if not (batch := self._next_batch()):
                continue
            try:
                self._answer(batch)
                self._rows = min(self._rows * 2, self._most_rows)
                continue
            except torch.OutOfMemoryError:
                pass  # the error holds on to what is to be let go: it must be gone first
            except Exception as error:  # of one of them: each is asked alone, and says so itself
                if len(batch) > 1:
                    self._waiting[:0] = batch
                    self._rows = 1
                else:
                    fail(batch[0][1], error)
                continue
            self._take_less(batch)
        for _, future in self._waiting:
            fail(future, DeadpanError(_CLOSED))

    def _take_up(self) -> None:
        """What came; waits for the first where there is nothing to do, and a moment for others."""
        while self._is_open:
            try:
                came = self._came.get(timeout=_GATHER_SECONDS if self._waiting else None)
            except queue.Empty:
                return
            if came is not None:
                self._waiting.append(came)
            if len(self._waiting) >= self._most_rows:
                return

    def _next_batch(self) -> list[_Waiting]:
        """Prompts that are written in the same way, of like length and pictures. Drawn ones with a
        seed are answered alone, so that what they draw depends on nobody else."""
        self._waiting = [one for one in self._waiting if not one[1].done()]
        if not self._waiting or not self._is_open:
            return []
        way = self._way(self._waiting[0][0])
        same = [one for one in self._waiting if self._way(one[0]) == way]
        same.sort(key=lambda one: _size(one[0]))
        start = same.index(self._waiting[0])
        rows = 1 if self._waiting[0][0].samples else self._rows
        batch = same[max(0, min(start, len(same) - rows)) :][:rows]
        chosen = set(map(id, batch))
        self._waiting = [one for one in self._waiting if id(one) not in chosen]
        return batch

    def _way(self, prompt: Prompt) -> tuple[object, ...]:
        """How a prompt is answered; where beams are searched, how long it may get decides too."""
        beams = (self.network.generation_config.num_beams or 1) > 1
        drawn = (prompt.temperature, prompt.top_p, prompt.top_k, prompt.seed)
        return (*drawn, bool(prompt.pictures), prompt.max_tokens if beams else None)

    def _answer(self, batch: Sequence[_Waiting]) -> None:
        unwanted = _Unwanted([future for _, future in batch], lambda: self._is_open)
        inputs = batch_inputs(self._processor, [prompt.turns for prompt, _ in batch])
        length = inputs["input_ids"].shape[1]
        require_memory(self.network, len(batch), length)
        prompts = [prompt.within(self._positions, length) for prompt, _ in batch]
        first = prompts[0]
        given = {name: one.to(self.network.device) for name, one in inputs.items()}
        if first.seed is not None:
            torch.manual_seed(first.seed)
        with torch.inference_mode():
            made = self.network.generate(
                **given,
                temperature=first.temperature if first.samples else None,
                top_p=(1.0 if first.top_p is None else first.top_p) if first.samples else None,
                top_k=first.top_k or 0 if first.samples else None,
                do_sample=first.samples,
                max_new_tokens=max(prompt.max_tokens for prompt in prompts),
                eos_token_id=list(self._ends) or None,
                pad_token_id=self._processor.tokenizer.pad_token_id,
                stopping_criteria=StoppingCriteriaList([unwanted]),
            )
        if not self._is_open:
            raise DeadpanError(_CLOSED)
        read = given["attention_mask"].sum(1).tolist()
        for (prompt, future), row, tokens in zip(
            batch, made[:, length:].tolist(), read, strict=True
        ):
            fulfil(future, self._reply(prompt, row, tokens))

    def _reply(self, prompt: Prompt, row: Sequence[int], read: int) -> Reply:
        """A row up to its end, or as far as its prompt lets it go."""
        written = list(row[: prompt.max_tokens])
        end = next((place for place, one in enumerate(written) if one in self._ends), None)
        if end is None:
            return Reply(tuple(written), "max_tokens", read)
        return Reply(tuple(written[: end + 1]), "stop", read)

    def _take_less(self, batch: list[_Waiting]) -> None:
        if self.network.device.type == "cuda":
            torch.cuda.empty_cache()
        if len(batch) == 1:
            fail(batch[0][1], DeadpanError("it does not fit into the memory"))
            return
        self._waiting[:0] = batch
        self._rows = self._most_rows = len(batch) // 2


def _size(prompt: Prompt) -> tuple[int, int, int]:
    """How large pictures and texts are, and how much may be written."""
    pixels = sum(one.width * one.height for one in prompt.pictures)
    text = sum(len(part) for turn in prompt.turns for part in turn.parts if isinstance(part, str))
    return pixels, text, prompt.max_tokens
