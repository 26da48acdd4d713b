"""Money that may be spent: no call begins that could go over it, and those in flight are kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from deadpan.base.errors import DeadpanError
from deadpan.core.usage import HOW_TO_PRICE, Price, Prices
from deadpan.engine.token_estimates import input_tokens

if TYPE_CHECKING:
    from deadpan.engine.answers import Answer
    from deadpan.engine.requests import Request

_ANSWER_TOKENS = 500
"""What a reply is taken for before the first one of its model came back."""
FREE = ("baseline/", "judge/", "local/", "hf/", "editor/caption", "editor/folder", "editor/flawed")
"""How the names of what costs no call begin."""


class OverBudget(DeadpanError):
    """What may be spent is spent: questions remain, and what was answered is kept."""

    exit_code = 1


def dollars(amount: float) -> str:
    """An amount as it is printed: cents, and more digits where there are less."""
    return f"${amount:.2f}" if amount >= 0.1 or amount == 0 else f"${amount:.2g}"


def price_of(name: str, prices: Prices) -> Price | None:
    """The price of a model, by its name or by what its answers are known by; nothing where it runs
    on this machine."""
    plain = name.partition("@")[0]
    known = prices.of(name) or prices.of(plain)
    return Price(input=0, output=0) if known is None and plain.startswith(FREE) else known


def cost_of(answer: Answer, price: Price) -> float:
    """What an answer cost; nothing where its tokens were not told."""
    return price.of(answer.input_tokens or 0, answer.output_tokens or 0)


class Budget:
    """Dollars that a command may spend, among all whom it asks. `spent` counts what was spent
    before it began. A call in flight counts as much as the dearest one of its model so far; before
    any came back, as its prompt and a usual reply would cost."""

    def __init__(self, limit: float, prices: Prices, spent: float = 0.0) -> None:
        self.limit, self.spent = limit, spent
        self._prices, self._in_flight = prices, 0.0
        self._dearest: dict[str, float] = {}
        self._over: OverBudget | None = None

    @contextmanager
    def call(self, model: str, request: Request) -> Iterator[Callable[[Answer], None]]:
        """Room for one call, which is told its answer; where there is none, raises from then on for
        every call that costs something. A model without a price raises too."""
        price, held = self._held(model, request)
        self._admit(held)
        self._in_flight += held

        def paid(answer: Answer) -> None:
            cost = cost_of(answer, price)
            self.spent += cost
            if cost:
                self._dearest[model] = max(cost, self._dearest.get(model, 0.0))

        try:
            yield paid
        finally:
            self._in_flight -= held

    def require_room(self, model: str, request: Request) -> None:
        """Raises where the request could not be asked."""
        self._admit(self._held(model, request)[1])

    def _admit(self, held: float) -> None:
        if not held:
            return
        if self._over is None and self.spent + self._in_flight + held > self.limit:
            spent = f"{dollars(self.spent)} of {dollars(self.limit)} (--max-cost) is spent"
            self._over = OverBudget(
                f"{spent}, and one more call, reckoned at {dollars(held)}, could go over. What was "
                "answered is kept: the same command with a higher --max-cost goes on"
            )
        if self._over is not None:
            raise self._over

    def _held(self, model: str, request: Request) -> tuple[Price, float]:
        """The price of a model, and what a call counts as while it is in flight."""
        price = price_of(model, self._prices)
        if price is None:
            raise DeadpanError(f"--max-cost: {model} has no price. {HOW_TO_PRICE}")
        if price.free or model in self._dearest:
            return price, self._dearest.get(model, 0.0)
        return price, price.of(input_tokens(request), _ANSWER_TOKENS)
