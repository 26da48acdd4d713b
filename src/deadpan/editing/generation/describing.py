"""What pictures show, in a model's words, for pairs that nobody has described."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from deadpan.base.files import folder_name
from deadpan.benchmarks.cfms.records import Pair
from deadpan.core.judge import Judge
from deadpan.core.prompts import Prompts
from deadpan.editing.generation.study import LANGUAGES, PROMPTS
from deadpan.editing.reappraise.planning import Form, Text, picture_for_model, read_form
from deadpan.engine.asker import Asker
from deadpan.engine.conversation import FormRequest, ask_form


class Description(Form):
    """The reply: what is to be seen."""

    description: Text


def descriptions(
    pairs: Sequence[Pair], asker: Asker, report: Callable[[Pair], None] = lambda pair: None
) -> dict[str, str]:
    """What a model sees in the pictures, by item; replies that were had once are kept. A picture
    that cannot be read, or is not described, raises."""
    prompts = Prompts.read(PROMPTS, "description", LANGUAGES)
    found: dict[str, str] = {}

    async def describe(pair: Pair) -> str:
        language = pair.row.language
        request = FormRequest(
            label=f"describe-cfms.{folder_name(asker.engine.name)}",
            system=prompts.system[language],
            text=prompts.user[language],
            images=(await asyncio.to_thread(picture_for_model, Path(pair.path)),),
            form=Description,
            read=partial(read_form, form=Description),
            again=Judge.again[language],
        )
        return (await ask_form(asker, request)).description

    async def everything() -> None:
        async with asker:
            async for pair, words in asker.each(pairs, describe):
                found[pair.name] = words
                report(pair)

    asyncio.run(everything())
    return found
