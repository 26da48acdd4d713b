"""CFMS's generation study: description, target and explanation → a picture people can rate. Every
picture is stored with the prompt it came from, so that a second call draws only what is missing."""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from deadpan.base.errors import DeadpanError, InputError
from deadpan.base.files import folder_name, write_bytes, write_text
from deadpan.base.rows import json_lines
from deadpan.benchmarks.cfms.records import Pair
from deadpan.core.judge import Judge
from deadpan.core.questions import Language, Prompts, fill_slots
from deadpan.core.record_files import FIX
from deadpan.core.signature import checksum
from deadpan.editing import Illustrator
from deadpan.editing.reappraise.plan import Form
from deadpan.editing.reappraise.planning import Text, picture_for_model, read_form
from deadpan.editing.received import Refused
from deadpan.editing.remote import HOPELESS
from deadpan.engine.asker import Asker
from deadpan.engine.conversation import FormRequest, ask_form
from deadpan.media.images import png_bytes

PROMPTS = Path(__file__).parent / "prompts"
LANGUAGES: tuple[Language, ...] = ("en", "zh")
Ending = Literal["drawn", "refused", "failed"]


@dataclass(frozen=True)
class Order:
    """A picture to be drawn of a sarcastic pair, and the prompt it is drawn from."""

    pair: Pair
    description: str
    prompt: str


class Record(Form):
    """What is stored of a picture: who drew it from which prompt, and how it ended."""

    item: str
    illustrator: str
    prompt: str
    ending: Ending
    file: str = ""
    sha256: str = ""
    notes: tuple[str, ...] = ()
    problem: str = ""


@dataclass(frozen=True)
class Done:
    """How one picture ended; `reused` where an earlier run had drawn it."""

    order: Order
    record: Record
    reused: bool = False


def orders(
    pairs: Sequence[Pair], descriptions: Mapping[str, str], override: Path | None = None
) -> list[Order]:
    """The pictures to be drawn of the sarcastic pairs; a pair that nobody described raises. A
    description that is given goes before the record's own."""
    prompts = Prompts.read(PROMPTS, "generation", LANGUAGES, override)
    made = []
    for pair in pairs:
        if not pair.row.sarcastic:
            continue
        described = descriptions.get(pair.name) or pair.row.description
        if described is None:
            fix = "Add it to the record, give --descriptions, or name a --model that describes."
            raise InputError(f"{pair.where} description", "nobody says what is to be drawn", fix)
        given = {"target": pair.row.target or "", "explanation": pair.row.explanation or ""}
        values = {"description": described, **given}
        prompt = fill_slots(prompts.user[pair.row.language], values)
        made.append(Order(pair, described, prompt))
    return made


def read_descriptions(path: Path) -> dict[str, str]:
    """Descriptions by item, from lines {"id": …, "description": …}; one there twice raises."""
    found: dict[str, str] = {}
    for where, row in json_lines(path):
        name, said = row.get("id"), row.get("description")
        if not isinstance(name, str) or not isinstance(said, str) or not said.strip():
            raise InputError(where, "expected an id and a description, both text", FIX)
        if name in found:
            raise InputError(f"{where} id", f"got {name} a second time", FIX)
        found[name] = said.strip()
    return found


@dataclass(frozen=True)
class Generation:
    """Who draws, where the pictures go, and how many are drawn at once."""

    illustrator: Illustrator
    folder: Path
    at_once: int = 4

    def run(
        self, wanted: Sequence[Order], report: Callable[[Done], None] = lambda done: None
    ) -> list[Done]:
        """How each picture ended, in order; only what would fail for all raises."""
        with ThreadPoolExecutor(max_workers=self.at_once) as pool:
            waiting = [pool.submit(self._one, order) for order in wanted]
            try:
                for future in as_completed(waiting):
                    report(future.result())
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        return [future.result() for future in waiting]

    def _one(self, order: Order) -> Done:
        stem = safe_name(order.pair.name)
        image, stored = self.folder / f"images/{stem}.png", self.folder / f"records/{stem}.json"
        record = Record(
            item=order.pair.name,
            illustrator=self.illustrator.name,
            prompt=order.prompt,
            ending="drawn",
            file=image.name,
        )
        with suppress(OSError, ValidationError):
            known = Record.model_validate_json(stored.read_bytes())
            same = (known.illustrator, known.prompt) == (record.illustrator, record.prompt)
            if same and known.sha256 == hashlib.sha256(image.read_bytes()).hexdigest():
                return Done(order, known, reused=True)
        try:
            made = self.illustrator.draw(order.prompt)
        except HOPELESS:
            raise
        except DeadpanError as error:
            image.unlink(missing_ok=True)
            ending = "refused" if isinstance(error, Refused) else "failed"
            outcome: dict[str, object] = {"ending": ending, "problem": str(error), "file": ""}
        else:
            data = png_bytes(made.image)
            write_bytes(image, data)
            outcome = {"sha256": hashlib.sha256(data).hexdigest(), "notes": made.notes}
        record = record.model_copy(update=outcome)
        write_text(stored, record.model_dump_json(indent=1) + "\n")
        return Done(order, record)


def safe_name(item: str) -> str:
    """A file name for an item's id: the id itself where that is one, else with a checksum."""
    plain = re.sub(r"[^\w.-]+", "_", item).strip("._")[:80]
    return plain if plain == item else f"{plain}-{checksum(item)}"


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
