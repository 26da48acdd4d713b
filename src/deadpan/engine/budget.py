"""Money that may be spent: no call begins that could go over it, and those in flight are kept."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
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
    """An amount as it is printed: cents, and more digits where these would round off much."""
    is_whole = abs(amount - round(amount, 2)) < 1e-9
    return f"${amount:.2f}" if amount >= 1 or is_whole else f"${amount:.3g}"


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
    before it began, and `dearest` is what the dearest call of each model cost then. A call in
    flight counts as much as the dearest one of its model so far; before any came back, as its
    prompt and a usual reply would cost."""

    def __init__(
        self,
        limit: float,
        prices: Prices,
        spent: float = 0.0,
        dearest: Mapping[str, float] | None = None,
    ) -> None:
        self.limit, self.spent = limit, spent
        self._prices = prices
        self._dearest = dict(dearest or {})
        self._calls: Counter[str] = Counter()
        """In flight, by model; and what they were taken for when they began."""
        self._guessed: dict[str, float] = {}
        self._waiting: list[asyncio.Future[None]] = []
        self._over: OverBudget | None = None

    @asynccontextmanager
    async def call(self, model: str, request: Request) -> AsyncIterator[Callable[[Answer], None]]:
        """Room for one call, which is told its answer. Where there is none, it waits for what is in
        flight to come back, and may cost less; if there is none then either, raises from then on
        for every call that costs something. A model without a price raises too."""
        price = self._price(model)
        if price.free:
            yield lambda answer: None
            return
        guess = price.of(input_tokens(request), _ANSWER_TOKENS)
        await self._admit(model, guess)
        self._calls[model] += 1
        self._guessed[model] = self._guessed.get(model, 0.0) + guess

        def paid(answer: Answer) -> None:
            cost = cost_of(answer, price)
            self.spent += cost
            if cost:
                self._dearest[model] = max(cost, self._dearest.get(model, 0.0))

        try:
            yield paid
        finally:
            self._calls[model] -= 1
            self._guessed[model] = self._guessed[model] - guess if self._calls[model] else 0.0
            self._wake()

    def require_room(self, model: str, request: Request) -> None:
        """Raises where the request could not be asked, though nothing were in flight."""
        price = self._price(model)
        guess = price.of(input_tokens(request), _ANSWER_TOKENS)
        if not price.free and self.spent + self._dearest.get(model, guess) > self.limit:
            raise self._stop(self._dearest.get(model, guess))

    async def _admit(self, model: str, guess: float) -> None:
        while True:
            if self._over is not None:
                raise self._over
            cost = self._dearest.get(model, guess)
            if self.spent + self._in_flight + cost <= self.limit:
                return
            if not self._calls.total():
                raise self._stop(cost)
            came_back = asyncio.get_running_loop().create_future()
            self._waiting.append(came_back)
            await came_back

    @property
    def _in_flight(self) -> float:
        """What the calls that have not come back may cost."""
        dearest, guessed = self._dearest, self._guessed
        return sum(
            dearest[model] * count if model in dearest else guessed[model]
            for model, count in self._calls.items()
        )

    def _wake(self) -> None:
        """Has everybody look again who waits for room."""
        waiting, self._waiting = self._waiting, []
        for one in waiting:
            if not one.done():
                one.set_result(None)

    def _stop(self, cost: float) -> OverBudget:
        """What ends the asking: there is no room for a call that costs so much."""
        spent = f"{dollars(self.spent)} of {dollars(self.limit)} (--max-cost) is spent"
        self._over = OverBudget(
            f"{spent}, and one more call, reckoned at {dollars(cost)}, could go over. What was "
            "answered is kept: the same command with a higher --max-cost goes on"
        )
        self._wake()
        return self._over

    def _price(self, model: str) -> Price:
        price = price_of(model, self._prices)
        if price is None:
            raise DeadpanError(f"--max-cost: {model} has no price. {HOW_TO_PRICE}")
        return price
