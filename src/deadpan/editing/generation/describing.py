"""What pictures show, in a model's words, for pairs that nobody has described."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from deadpan.base.files import folder_name
from deadpan.benchmarks.cfms.records import Pair
from deadpan.core.judge import Judge
from deadpan.core.prompts import Prompts
from deadpan.editing.generation.study import LANGUAGES, PROMPTS
from deadpan.editing.reappraise.planning import Text, checked, sent
from deadpan.engine.asker import Asker
from deadpan.engine.conversation import FormRequest, ask_form


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
        label = f"describe-cfms.{folder_name(asker.engine.name)}"

        async def describe(pair: Pair) -> str:
            request = await asyncio.to_thread(_request, pair, prompts, label)
            return (await ask_form(asker, request)).description

        async with asker:
            async for pair, words in asker.each(pairs, describe):
                found[pair.name] = words
                report(pair)
        return found

    return asyncio.run(everything())


def _request(pair: Pair, prompts: Prompts, label: str) -> FormRequest[Description]:
    language = pair.row.language
    return FormRequest(
        label=label,
        system=prompts.system[language],
        text=prompts.user[language],
        images=(sent(Path(pair.path)),),
        form=Description,
        read=partial(checked, form=Description),
        again=Judge.again[language],
    )
