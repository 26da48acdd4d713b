"""Policy updates per second: our gradient by hand in numpy against the same update in torch.

One update: scores of 50 candidates for each of 8 queries (width 256, 128 hidden units), 4 draws of
2 demonstrations each, the policy gradient with entropy bonus and norm limit, one step of Adam. Both
begin with the same weights and get the same draws and rewards; their weights agree to 1e-4.

    python bench/policy_updates.py [--updates 200] [--threads 1]
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from dataclasses import replace

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--updates", type=int, default=200)
parser.add_argument("--threads", type=int, default=1)
options = parser.parse_args()
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[name] = str(options.threads)

import numpy as np  # noqa: E402
import torch  # noqa: E402

from deadpan.engine.fewshot.policy import (  # noqa: E402
    Array,
    Batch,
    Policy,
    draw_picks,
    entropies,
    log_probability_slopes,
)
from deadpan.learning.fewshot.checkpoints import Adam  # noqa: E402
from deadpan.learning.fewshot.training import limit_norm  # noqa: E402

QUERIES, CANDIDATES, WIDTH, HIDDEN, ROLLOUTS, SHOTS = 8, 50, 256, 128, 4, 2
RATE, ENTROPY, NORM = 1e-3, 0.05, 1.0
Drawn = tuple[Batch, Array, Array]


def main() -> None:
    """Prints updates per second of both and their ratio."""
    torch.set_num_threads(options.threads)
    rng = np.random.default_rng(0)
    policy = Policy.fresh(WIDTH, HIDDEN, rng)
    policy.parts.output[:] = rng.normal(0, 0.1, HIDDEN)
    steps = [a_step(rng, policy) for _ in range(20)]
    ours, theirs = [], []
    for _ in range(3):
        ours.append(timed(numpy_updates, policy, steps))
        theirs.append(timed(torch_updates, policy, steps))
    gap = np.abs(numpy_updates(policy, steps, 20) - torch_updates(policy, steps, 20)).max()
    fast, slow = sorted(ours)[1], sorted(theirs)[1]
    print(f"numpy, by hand: {fast:.0f} updates/s; torch, autograd: {slow:.0f} updates/s")
    print(f"ratio {fast / slow:.2f}; weights differ by {gap:.1e} after 20 updates")


def a_step(rng: np.random.Generator, policy: Policy) -> Drawn:
    """A batch with draws and their advantages."""
    batch = Batch(
        rng.standard_normal((QUERIES, WIDTH), np.float32),
        rng.standard_normal((QUERIES, CANDIDATES, WIDTH), np.float32),
        rng.standard_normal((QUERIES, CANDIDATES), np.float32),
        np.ones((QUERIES, CANDIDATES), bool),
    )
    picks = draw_picks(policy.scores(batch), SHOTS, ROLLOUTS, rng)
    advantages = rng.standard_normal((QUERIES, ROLLOUTS), np.float32) / (QUERIES * ROLLOUTS)
    return batch, picks, advantages


def numpy_updates(policy: Policy, steps: list[Drawn], updates: int) -> Array:
    """The weights after so many updates, by hand."""
    adam = Adam.fresh(policy.flat)
    for number in range(updates):
        batch, picks, advantages = steps[number % len(steps)]
        scores, hidden = policy.forward(batch)
        slopes = -log_probability_slopes(scores, picks, advantages)
        slopes -= ENTROPY / QUERIES * entropies(scores)[1]
        gradient, _ = limit_norm(policy.gradient(batch, hidden, slopes), NORM)
        flat, adam = adam.step(policy.flat, gradient, RATE)
        policy = replace(policy, flat=flat)
    return policy.flat


def torch_updates(policy: Policy, steps: list[Drawn], updates: int) -> Array:
    """The weights after so many updates, by autograd."""
    weights = [torch.tensor(part.copy(), requires_grad=True) for part in policy.parts]
    query_weights, candidate_weights, bias, output, prior = weights
    adam = torch.optim.Adam(weights, lr=RATE)
    tensors = [
        tuple(map(torch.from_numpy, (b.query, b.candidates, b.nearness, p, a))) for b, p, a in steps
    ]
    for number in range(updates):
        query, candidates, nearness, picks, advantages = tensors[number % len(tensors)]
        hidden = torch.relu(
            candidates @ candidate_weights + (query @ query_weights + bias)[:, None]
        )
        apart = nearness - nearness.mean(1, keepdim=True)
        scores = hidden @ output + prior * apart / apart.square().mean(1, keepdim=True).sqrt()
        left = scores[:, None].expand(-1, ROLLOUTS, -1)
        total = torch.zeros(QUERIES, ROLLOUTS)
        for turn in range(SHOTS):
            place = picks[:, :, turn : turn + 1]
            total = total + torch.log_softmax(left, -1).gather(-1, place)[..., 0]
            left = left.scatter(-1, place, -torch.inf)
        logs = torch.log_softmax(scores, -1)
        entropy = -(logs.exp() * logs).sum(-1).mean()
        loss = -(advantages * total).sum() - ENTROPY * entropy
        adam.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(weights, NORM)
        adam.step()
    return np.concatenate([weight.detach().numpy().ravel() for weight in weights])


def timed(
    updates: Callable[[Policy, list[Drawn], int], Array], policy: Policy, steps: list[Drawn]
) -> float:
    """Updates per second of CPU time."""
    start = time.process_time()
    updates(policy, steps, options.updates)
    return float(options.updates / (time.process_time() - start))


if __name__ == "__main__":
    main()
