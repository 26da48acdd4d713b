"""What a training run or a trial took: calls, tokens, and answers that were had before."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from deadpan.core.outcomes import NOT_ASKED
from deadpan.core.questions import Reply
from deadpan.core.usage import Prices, Usage


@dataclass(frozen=True)
class Spent:
    """What answers took: calls made, of how many of them tokens are known, and answers kept from
    earlier that took none."""

    calls: int = 0
    known: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    kept: int = 0

    def more(self, reply: Reply) -> Spent:
        """With one more call."""
        given, made = reply.input_tokens or 0, reply.output_tokens or 0
        return Spent(
            self.calls + 1,
            self.known + bool(given or made),
            self.input_tokens + given,
            self.output_tokens + made,
            self.kept,
        )

    def kept_one(self) -> Spent:
        """With one more answer that was had before."""
        return replace(self, kept=self.kept + 1)

    def usage(self, model: str, task: str, prices: Prices) -> Usage:
        """As the usage of a model; without a price or a known token there is no cost."""
        price = prices.of(model)
        counted = price is not None and (price.free or self.known > 0)
        cost = price.of(self.input_tokens, self.output_tokens) if price and counted else None
        tokens = (self.input_tokens, self.output_tokens)
        return Usage("model", model, task, self.calls, self.known, *tokens, cost, price is not None)


def spent_on(replies: Iterable[Reply]) -> Spent:
    """What replies took, whenever they were made; what was not asked took nothing."""
    whole = Spent()
    for reply in replies:
        if not (reply.error or "").startswith(NOT_ASKED):
            whole = whole.more(reply)
    return whole
