"""Cards of policies."""

from __future__ import annotations

from deadpan.engine.fewshot.policy import Card, Policy
from deadpan.engine.fewshot.specification import Weights


def a_card(policy: Policy, encoder: str) -> Card:
    return Card(
        benchmark="moods", task="joint", model="m", shots=1, width=policy.width,
        hidden=policy.hidden, prior=policy.prior, encoder=encoder, text=None, image="plain",
        pool="p", rewards="r", weights=Weights(), validation=0.5, updates=3,
        checksum=policy.checksum,
    )  # fmt: skip
