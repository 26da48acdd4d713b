"""What pictures show, in a model's words, for pairs that nobody has described."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from deadpan.benchmarks.cfms.generation import LANGUAGES, PROMPTS
from deadpan.benchmarks.cfms.records import Pair
from deadpan.engine.asking import Asker, Request
from deadpan.judges.judge import Judge
from deadpan.prompts import Prompts
from deadpan.reappraise.planning import Text, checked, sent


class Description(BaseModel):
    """The reply: what is to be seen."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    description: Text


def descriptions(
    pairs: Sequence[Pair], asker: Asker, report: Callable[[Pair], None] = lambda pair: None
) -> dict[str, str]:
    """What a model sees in the pictures, by item; replies that were had once are kept. A picture
    that cannot be read, or is not described, raises."""
    prompts = Prompts.read(PROMPTS, "description", LANGUAGES)

    async def everything() -> dict[str, str]:
        found: dict[str, str] = {}

        async def one(pair: Pair) -> None:
            found[pair.name] = (await asker.reply(_request(pair, prompts))).description
            report(pair)

        try:
            async with asyncio.TaskGroup() as group:
                for pair in pairs:
                    group.create_task(one(pair))
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from errors
        return found

    return asyncio.run(everything())


def _request(pair: Pair, prompts: Prompts) -> Request[Description]:
    language = pair.row.language
    return Request(
        system=prompts.system[language],
        text=prompts.user[language],
        pictures=(sent(Path(pair.path)),),
        form=Description,
        read=partial(checked, form=Description),
        again=Judge.again[language],
    )
