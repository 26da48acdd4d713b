"""The parts of a reward, and how much each counts."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

PARTS = ("format", "classification", "target", "explanation")
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


class RewardParts(BaseModel):
    """The parts of one reply, 0 to 1; None where the question has no such part."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Share
    classification: Share | None = None
    target: Share | None = None
    explanation: Share | None = None

    @property
    def known(self) -> dict[str, float]:
        """The parts there are."""
        given = {name: getattr(self, name) for name in PARTS}
        return {name: value for name, value in given.items() if value is not None}


class Weights(BaseModel):
    """How much each part counts; they sum to one."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Share = 0.1
    classification: Share = 0.4
    target: Share = 0.25
    explanation: Share = 0.25

    @model_validator(mode="after")
    def _sum_to_one(self) -> Self:
        total = sum(getattr(self, name) for name in PARTS)
        if abs(total - 1) > 1e-9:
            raise ValueError(f"the weights sum to {total:g}, not to 1")
        return self

    def __str__(self) -> str:
        """As `--weights` takes them."""
        return ",".join(f"{name}={getattr(self, name):g}" for name in PARTS)

    def total(self, parts: RewardParts) -> float:
        """The weighted mean of the parts there are; of their plain mean where all weigh nothing."""
        known = parts.known
        shares = {name: getattr(self, name) for name in known}
        whole = sum(shares.values())
        if whole == 0:
            return sum(known.values()) / len(known)
        return float(sum(shares[name] * value for name, value in known.items()) / whole)
