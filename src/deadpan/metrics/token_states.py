"""Texts through a language model: each once, in even batches, kept without padding.

On a CPU, batches are small and each worker thread computes one alone: its numbers stay in the
core's own cache, and no thread waits for another within a layer. On a GPU they are large.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from deadpan.metrics.neural import TextModel, library, well_formed

Batch = TypeVar("Batch")
Result = TypeVar("Result")
TokenIds = npt.NDArray[np.int32]
Pair = tuple[int, int]
"""Two texts by number."""
MEMORY = 256 << 20
"""Bytes of token vectors that are held at a time."""

_CPU_TOKENS, _GPU_TOKENS = 512, 32_768
"""Tokens of a batch, padding counted in."""

_threads = threading.Lock()
"""How many threads torch uses is one setting for the whole process."""


@dataclass(frozen=True, eq=False)
class States:
    """The token vectors of texts, one text after the other, without padding."""

    rows: Any
    starts: Any
    lengths: Any

    def places(self, texts: Sequence[int]) -> tuple[Any, Any]:
        """Where the tokens of these texts lie, padded to the longest, and which places count."""
        torch = library("torch")
        chosen = torch.tensor(texts, device=self.rows.device)
        lengths = self.lengths[chosen, None]
        offsets = torch.arange(int(lengths.max()), device=self.rows.device)[None]
        mask = offsets < lengths
        return (self.starts[chosen, None] + offsets).where(mask, 0), mask


def batch_tokens(model: TextModel) -> int:
    """How many tokens a batch may hold."""
    return _CPU_TOKENS if model.device == "cpu" else _GPU_TOKENS


def token_ids(
    model: TextModel, texts: Sequence[str], *, target: bool = False
) -> tuple[list[TokenIds], int]:
    """The tokens of every text, cut at the model's limit, and how many texts were cut."""
    ids: list[TokenIds] = []
    cut = 0
    for start in range(0, len(texts), 1024):
        batch = [well_formed(text).strip() for text in texts[start : start + 1024]]
        found = model.tokenizer(
            **{"text_target" if target else "text": batch},
            truncation=True,
            max_length=model.limit,
        )
        cut += sum(bool(encoding.overflowing) for encoding in found.encodings or ())
        ids += [np.asarray(one, dtype=np.int32) for one in found["input_ids"]]
    return ids, cut


def encode_tokens(model: TextModel, network: Any, ids: Sequence[TokenIds]) -> States:
    """The last layer's vectors of every text, kept in the order of the given texts."""
    torch = library("torch")
    lengths = [len(one) for one in ids]
    batches = even_batches(lengths, batch_tokens(model))
    starts = np.zeros(len(ids), np.int64)
    order = [text for batch in batches for text in batch]
    starts[order] = np.cumsum([0, *(lengths[text] for text in order[:-1])])
    dtype = next(network.parameters()).dtype
    rows = torch.empty(sum(lengths), model.width, dtype=dtype, device=model.device)

    def encode(batch: list[int]) -> None:
        tokens, mask = pad_tokens(model, [ids[text] for text in batch])
        whole = bool(lengths[batch[0]] == lengths[batch[-1]])
        output = network(input_ids=tokens, attention_mask=None if whole else mask.long())[0]
        first = starts[batch[0]]
        rows[first : first + sum(lengths[text] for text in batch)] = output[mask]

    run_batches(model, encode, batches)
    device = model.device
    return States(rows, torch.tensor(starts, device=device), torch.tensor(lengths, device=device))


def pair_scores(
    model: TextModel,
    network: Any,
    pairs: Sequence[Pair],
    ids: tuple[Sequence[TokenIds], Sequence[TokenIds]],
    held: Callable[[Pair], set[int]],
    prepare: Callable[[States, list[int]], Callable[[list[Pair]], Iterable[Result]]],
    *,
    memory: int,
    batch_size: int,
) -> dict[Pair, Result]:
    """The score of each pair, whose sides number the texts of `ids`. Texts of the first side that
    are `held` for a pair are encoded, in chunks that fit into `memory`; what `prepare` makes of
    their vectors and numbers scores a batch of pairs, of up to `batch_size` tokens a side."""
    found: dict[Pair, Result] = {}
    left, right = ids
    for chunk in _chunks(pairs, left, held, max(1, memory // (4 * model.width))):
        texts = sorted({text for pair in chunk for text in held(pair)})
        score = prepare(encode_tokens(model, network, [left[text] for text in texts]), texts)
        longest = [max(len(left[a]), len(right[b])) for a, b in chunk]
        batches = [[chunk[i] for i in batch] for batch in even_batches(longest, batch_size)]
        for batch, scores in zip(batches, run_batches(model, score, batches), strict=True):
            found |= zip(batch, scores, strict=True)
    return found


def _chunks(
    pairs: Sequence[Pair], ids: Sequence[TokenIds], held: Callable[[Pair], set[int]], room: int
) -> Iterator[list[Pair]]:
    """The pairs in runs whose held texts have no more than `room` tokens, or of one pair."""
    chunk: list[Pair] = []
    texts: set[int] = set()
    tokens = 0
    for pair in pairs:
        tokens += sum(len(ids[text]) for text in held(pair) - texts)
        if chunk and tokens > room:
            yield chunk
            chunk, texts = [], set()
            tokens = sum(len(ids[text]) for text in held(pair))
        chunk.append(pair)
        texts |= held(pair)
    yield chunk


def pad_tokens(model: TextModel, ids: Sequence[TokenIds]) -> tuple[Any, Any]:
    """The tokens as one array, filled up at the end, and which of its places are tokens."""
    torch = library("torch")
    longest = max(len(one) for one in ids)
    tokens = np.full((len(ids), longest), model.tokenizer.pad_token_id or 0, np.int64)
    for row, one in enumerate(ids):
        tokens[row, : len(one)] = one
    lengths = np.array([len(one) for one in ids])
    mask = np.arange(longest) < lengths[:, None]
    return torch.tensor(tokens, device=model.device), torch.tensor(mask, device=model.device)


def even_batches(lengths: Sequence[int], budget: int) -> list[list[int]]:
    """Indices by length, longest first, in batches that hold `budget` tokens once padded.

    An item longer than the budget has a batch to itself.
    """
    batches: list[list[int]] = []
    for index in sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True):
        if not batches or (len(batches[-1]) + 1) * lengths[batches[-1][0]] > budget:
            batches.append([])
        batches[-1].append(index)
    return batches


def run_batches(
    model: TextModel, work: Callable[[Batch], Result], batches: Sequence[Batch]
) -> list[Result]:
    """What `work` returns for each batch, without gradients; on a CPU one thread to a batch."""
    torch = library("torch")

    def quiet(batch: Batch) -> Result:
        with torch.inference_mode():
            return work(batch)

    if model.device != "cpu":
        return [quiet(batch) for batch in batches]
    with _threads:
        threads: int = torch.get_num_threads()
        try:
            with ThreadPoolExecutor(
                threads, initializer=torch.set_num_threads, initargs=(1,)
            ) as pool:
                return list(pool.map(quiet, batches))
        finally:
            torch.set_num_threads(threads)
