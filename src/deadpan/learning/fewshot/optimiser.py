"""Adam (Kingma and Ba 2015) on flat weights, with a limit on the gradient's norm."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deadpan.engine.fewshot.policy import Array


@dataclass(frozen=True, eq=False)
class Adam:
    """The moments of the gradient after so many steps."""

    first: Array
    second: Array
    steps: int = 0

    @classmethod
    def fresh(cls, weights: Array) -> Adam:
        """No step taken yet."""
        return cls(np.zeros_like(weights), np.zeros_like(weights))

    def step(self, weights: Array, gradient: Array, rate: float) -> tuple[Array, Adam]:
        """The weights after a step down the gradient, and the new moments."""
        steps = self.steps + 1
        first = 0.9 * self.first + 0.1 * gradient
        second = 0.999 * self.second + 0.001 * gradient**2
        size = np.sqrt(second)
        size *= 1 / np.sqrt(1 - 0.999**steps).astype(weights.dtype)
        size += 1e-8
        step = first / size
        step *= weights.dtype.type(rate / (1 - 0.9**steps))
        return weights - step, Adam(first, second, steps)


def limited(gradient: Array, norm: float) -> tuple[Array, float]:
    """The gradient, shortened to the norm where it is longer, and how long it was."""
    length = float(np.linalg.norm(gradient))
    return (gradient * (norm / length) if length > norm else gradient), length
