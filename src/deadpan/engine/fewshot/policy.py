"""The PGDS policy: a two-layer ReLU network scores [query; candidate], a softmax draws from them.

The score is v·relu(Wq q + Wc c + b), and where the policy has a prior, plus p times how near the
candidate is to the query (its cosine, standardised over the candidates). v begins at 0: an
untrained policy with a prior picks what retrieval picks. A bias behind v would leave every softmax
as it is, and is left out. Gradients are worked out by hand; no tensor library is needed.

A trained policy lies in a folder: weights, and a card that says what they are for. Arrays are .npz
files that end with their own SHA-256, so that damage is seen before any of it is read.
"""

from __future__ import annotations

import hashlib
import io
import shlex
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel

from deadpan.base.errors import InputError
from deadpan.base.files import is_file, read_bytes, write_bytes, write_text
from deadpan.base.version import __version__
from deadpan.core.signature import checksum
from deadpan.engine.fewshot.specification import Weights

WEIGHTS = "policy.npz"
CARD = "policy.json"
_DIGEST = hashlib.sha256().digest_size
Array = npt.NDArray[np.floating[Any]]
Picks = npt.NDArray[np.intp]


class Parts(NamedTuple):
    """Views into a policy's weights, or into a gradient of the same form."""

    query: Array
    candidate: Array
    bias: Array
    output: Array
    prior: Array


@dataclass(frozen=True, eq=False)
class Batch:
    """Queries (B, w), the candidates of each (B, C, w), how near they are and which are there."""

    query: Array
    candidates: Array
    nearness: Array
    present: npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Queries:
    """Queries (n, w), the pool (N, w), and each query's candidates, nearest first, else −1."""

    vectors: Array
    pool: Array
    candidates: Picks
    nearness: Array

    def __len__(self) -> int:
        return len(self.vectors)

    @property
    def checksum(self) -> str:
        """What names these queries and candidates."""
        arrays = (self.vectors, self.pool, self.candidates, self.nearness)
        return checksum(b"".join(np.ascontiguousarray(array).tobytes() for array in arrays))

    def batch(self, rows: Picks) -> Batch:
        """The queries of these rows with their candidates."""
        chosen = self.candidates[rows]
        return Batch(self.vectors[rows], self.pool[chosen], self.nearness[rows], chosen >= 0)


@dataclass(frozen=True, eq=False)
class Policy:
    """The weights, laid flat; `prior` tells whether nearness has a weight of its own."""

    width: int
    hidden: int
    prior: bool
    flat: Array

    @classmethod
    def fresh(cls, width: int, hidden: int, rng: np.random.Generator, prior: bool = True) -> Policy:
        """Hidden weights drawn after He et al. 2015, outputs 0, the weight of the prior 1."""
        policy = cls(width, hidden, prior, np.zeros(size(width, hidden), np.float32))
        parts = policy.parts
        deviation = 1 / np.sqrt(width)
        parts.query[:] = rng.normal(0, deviation, parts.query.shape)
        parts.candidate[:] = rng.normal(0, deviation, parts.candidate.shape)
        parts.prior[:] = 1.0 if prior else 0.0
        return policy

    def __post_init__(self) -> None:
        if self.flat.shape != (size(self.width, self.hidden),):
            what = f"{self.flat.size} weights for width {self.width} and {self.hidden} hidden units"
            raise ValueError(what)

    @property
    def parts(self) -> Parts:
        """The weights by name, as views."""
        return parts_of(self.flat, self.width, self.hidden)

    @property
    def checksum(self) -> str:
        """What names these very weights."""
        about = f"{self.width} {self.hidden} {self.prior} {self.flat.dtype}".encode()
        return checksum(about + self.flat.tobytes())

    def scores(self, batch: Batch) -> Array:
        """The score of every candidate (B, C); minus infinity where none is present."""
        return self.forward(batch)[0]

    def forward(self, batch: Batch) -> tuple[Array, Array]:
        """The scores, and the hidden units (B, C, H) that the gradient is worked out from."""
        parts = self.parts
        *shape, width = batch.candidates.shape
        hidden = (batch.candidates.reshape(-1, width) @ parts.candidate).reshape(*shape, -1)
        hidden += (batch.query @ parts.query + parts.bias)[:, None, :]
        np.maximum(hidden, 0, out=hidden)
        scores = hidden @ parts.output + parts.prior * standardise(batch)
        return np.where(batch.present, scores, -np.inf), hidden

    def gradient(self, batch: Batch, hidden: Array, slopes: Array) -> Array:
        """The gradient of a number whose slope in each score is given, laid flat."""
        parts = self.parts
        found = np.zeros_like(self.flat)
        into = parts_of(found, self.width, self.hidden)
        rows = slopes.reshape(-1)
        into.output[:] = rows @ hidden.reshape(len(rows), -1)
        back = slopes[:, :, None] * parts.output
        back *= hidden > 0
        into.candidate[:] = batch.candidates.reshape(len(rows), -1).T @ back.reshape(len(rows), -1)
        by_query = back.sum(1)
        into.query[:] = batch.query.T @ by_query
        into.bias[:] = by_query.sum(0)
        if self.prior:
            into.prior[:] = np.sum(slopes * standardise(batch))
        return found


def size(width: int, hidden: int) -> int:
    """How many weights a policy has."""
    return 2 * width * hidden + 2 * hidden + 1


def parts_of(flat: Array, width: int, hidden: int) -> Parts:
    """Views into a flat array of weights."""
    ends = np.cumsum([width * hidden, width * hidden, hidden, hidden])
    query, candidate, *others = np.split(flat, ends)
    return Parts(query.reshape(width, hidden), candidate.reshape(width, hidden), *others)


def standardise(batch: Batch) -> Array:
    """Nearness with mean 0 and deviation 1 over each query's candidates; 0 where all are equal."""
    count = np.maximum(batch.present.sum(1, keepdims=True), 1)
    mean = np.where(batch.present, batch.nearness, 0).sum(1, keepdims=True) / count
    apart = np.where(batch.present, batch.nearness - mean, 0)
    deviation = np.sqrt((apart**2).sum(1, keepdims=True) / count)
    flat: Array = np.divide(apart, deviation, out=np.zeros_like(apart), where=deviation > 1e-9)
    return flat


def probabilities(scores: Array) -> Array:
    """The softmax over the last axis; what has minus infinity has 0."""
    risen = np.exp(scores - scores.max(-1, keepdims=True))
    shares: Array = risen / risen.sum(-1, keepdims=True)
    return shares


def greedy(scores: Array, count: int) -> Picks:
    """The places of the best `count` candidates, best first; of equal ones the first."""
    _require_enough(scores, count)
    return np.argsort(-scores, axis=-1, kind="stable")[..., :count]


def draw_picks(scores: Array, count: int, rollouts: int, rng: np.random.Generator) -> Picks:
    """Places (B, R, count) drawn without replacement from the softmax, in order of drawing: the
    largest of scores plus Gumbel noise are such a draw (Plackett–Luce)."""
    _require_enough(scores, count)
    queries, candidates = scores.shape
    noise = rng.gumbel(size=(queries, rollouts, candidates))
    return np.argsort(-(scores[:, None, :] + noise), axis=-1)[..., :count]


def log_probability_slopes(scores: Array, picks: Picks, weights: Array) -> Array:
    """The slope (B, C) in each score of the sum over draws of weight (B, R) × log-probability."""
    left = np.repeat(scores[:, None, :], picks.shape[1], axis=1)
    slopes = np.zeros(left.shape, scores.dtype)
    for turn in range(picks.shape[2]):
        place = picks[:, :, turn : turn + 1]
        slopes -= probabilities(left)
        np.put_along_axis(slopes, place, np.take_along_axis(slopes, place, -1) + 1, -1)
        np.put_along_axis(left, place, -np.inf, -1)
    summed: Array = np.einsum("brc,br->bc", slopes, weights)
    return summed


def entropies(scores: Array) -> tuple[Array, Array]:
    """The entropy (B,) of each first draw, and its slope (B, C) in the scores, −p (log p + H)."""
    shares = probabilities(scores)
    logs: Array = np.log(shares, out=np.zeros_like(shares), where=shares > 0)
    entropy = -np.sum(shares * logs, -1, keepdims=True)
    return entropy[..., 0], -shares * (logs + entropy)


def _require_enough(scores: Array, count: int) -> None:
    fewest = int(np.isfinite(scores).sum(-1).min())
    if not 1 <= count <= fewest:
        raise ValueError(f"{count} demonstrations from {fewest} candidates")


class Card(BaseModel, frozen=True, extra="forbid"):
    """What a policy was trained on, with what, and how far it came."""

    benchmark: str
    task: str
    model: str
    shots: int
    width: int
    hidden: int
    prior: bool
    encoder: str
    text: str | None
    image: str | None
    pool: str
    rewards: str
    weights: Weights
    """Of the reward's parts."""
    validation: float
    updates: int
    best_update: int | None = None
    """After which update the weights were best; 0 is the untrained policy."""
    checksum: str
    deadpan: str = __version__


@dataclass(frozen=True, eq=False)
class SavedPolicy:
    """A policy and its card."""

    policy: Policy
    card: Card


def write_policy(folder: Path, saved: SavedPolicy) -> None:
    """Writes the weights, then the card, each whole or not at all."""
    write_arrays(folder / WEIGHTS, flat=saved.policy.flat)
    write_text(folder / CARD, saved.card.model_dump_json(indent=1) + "\n")


def train_hint(folder: Path, task: str = "B/TASK", model: str = "M") -> str:
    """The command that trains a policy into the folder."""
    words = ["deadpan", "fewshot", "train", task, "--model", model, "--out", str(folder)]
    return f"Train it: {shlex.join(words)}."


def read_policy(folder: Path, task: str = "B/TASK") -> SavedPolicy:
    """The policy of a folder; one that is not there, damaged or not its card's raises, and says how
    it is trained for the task."""
    again = train_hint(folder, task)
    if not is_file(folder / CARD):
        raise InputError(folder, f"holds no policy ({CARD})", again)
    try:
        card = Card.model_validate_json(read_bytes(folder / CARD))
        flat = read_arrays(folder / WEIGHTS)["flat"]
        policy = Policy(card.width, card.hidden, card.prior, flat)
    except (OSError, ValueError, KeyError) as error:
        raise InputError(folder, f"the policy cannot be read ({error})", again) from error
    if policy.checksum != card.checksum:
        raise InputError(folder, "the weights are not those of the card", again)
    return SavedPolicy(policy, card)


def write_arrays(path: Path, **arrays: npt.NDArray[Any]) -> None:
    """Writes the arrays, all of them or nothing."""
    stream = io.BytesIO()
    np.savez(stream, **arrays)  # type: ignore[arg-type]
    content = stream.getvalue()
    write_bytes(path, content + hashlib.sha256(content).digest())


def read_arrays(path: Path) -> dict[str, npt.NDArray[Any]]:
    """The arrays by name; a file that is not as it was written raises ValueError."""
    content = read_bytes(path)
    content, digest = content[:-_DIGEST], content[-_DIGEST:]
    if hashlib.sha256(content).digest() != digest:
        raise ValueError("it is not as it was written")
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
            return dict(arrays)
    # What else numpy raises for a file that somebody made and signed in our way.
    except (zipfile.BadZipFile, zlib.error, EOFError, TypeError, MemoryError) as error:
        raise ValueError(f"it holds no arrays ({type(error).__name__})") from error
