"""A scripted model for drafting protocols: what it replies to each step, and what it was asked;
posts to be drafted, and released files on disk."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from PIL import Image
from pydantic import BaseModel, ValidationError

from deadpan.core.curation import (
    Building,
    Drafted,
    FormT,
    Post,
    PostMedia,
    ReadLine,
    ReleasedFiles,
    Unusable,
)
from deadpan.core.questions import Language, Prompts, fill_slots

TRIES = 3
"""How often a step is asked for a reply that can be used."""
Said = Mapping[str, Any] | Exception | str
"""A reply: the fields of a form, words that are no form, or why there is none."""
_SLOT = re.compile(r"\{[a-z_]+\}")


@dataclass(frozen=True)
class Asked:
    """One question of a protocol, the prompt as the model reads it among it."""

    step: str
    values: Mapping[str, str]
    media: tuple[Path, ...]
    role: Literal["writer", "validator"]
    attempt: int
    form: type[BaseModel]
    prompt: str = ""


@dataclass
class ScriptedInterview:
    """Replies by step: one reply to every asking, or a list that is worked off, of which the last
    stays. A reply that has not the form, or that `check` refuses, is asked for again, as a real
    model is, and the next of the list follows; after three the step is `Unusable`, and `refusals`
    holds why each was refused. With `prompts`, the folder of a benchmark's prompts, a slot that
    nothing fills fails the test."""

    replies: Mapping[str, Said | Sequence[Said]]
    prompts: Path | None = None
    language: Language = "en"
    asked: list[Asked] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    _used: dict[str, int] = field(default_factory=dict)

    async def __call__(
        self,
        step: str,
        form: type[FormT],
        values: Mapping[str, str],
        media: Sequence[Path] = (),
        check: Callable[[FormT], None] = lambda reply: None,
        role: Literal["writer", "validator"] = "writer",
        attempt: int = 1,
    ) -> FormT:
        prompt = self._prompt(step, values)
        self.asked.append(Asked(step, dict(values), tuple(media), role, attempt, form, prompt))
        for _ in range(TRIES):
            said = self._next(step)
            if isinstance(said, Exception):
                raise said
            try:
                reply = (
                    form.model_validate_json(said)
                    if isinstance(said, str)
                    else form.model_validate(said)
                )
                check(reply)
            except (ValidationError, ValueError) as error:
                self.refusals.append(str(error))
                continue
            return reply
        raise Unusable(f"no usable reply to {step}: {self.refusals[-1]}")

    def of(self, step: str) -> list[Asked]:
        """How a step was asked."""
        return [one for one in self.asked if one.step == step]

    def _next(self, step: str) -> Said:
        assert step in self.replies, f"nothing is scripted for the step {step}"
        said = self.replies[step]
        if isinstance(said, (str, Mapping, Exception)):
            return said
        place = self._used.get(step, 0)
        self._used[step] = place + 1
        return said[min(place, len(said) - 1)]

    def _prompt(self, step: str, values: Mapping[str, str]) -> str:
        if self.prompts is None:
            return ""
        template = Prompts.read(self.prompts, step, (self.language,)).user[self.language]
        slots = {slot[1:-1] for slot in _SLOT.findall(template)}
        assert slots == values.keys(), f"{step}: {slots ^ values.keys()}"
        return fill_slots(template, values)


def drafted(
    building: Building, post: Post, interview: ScriptedInterview, media: Path, rounds: int = 3
) -> Drafted:
    """What a protocol makes of a post by a scripted model."""

    async def asking() -> Drafted:
        return await building.draft(post, interview, media, rounds)

    return asyncio.run(asking())


def refusal() -> Unusable:
    """A model that will not."""
    return Unusable("m refused", refused=True)


def pictured_post(media: Path, id: str, *pictures: Sequence[str], **fields: Any) -> Post:
    """A post with a picture on disk for each list of lines that is to be read in it."""
    shown = []
    for number, lines in enumerate(pictures):
        name = f"{id}-{number}.png"
        Image.new("RGB", (24, 16), (40 * number, 90, 120)).save(media / name)
        read = [ReadLine(text=one, confidence=0.9, x1=0, y1=0, x2=9, y2=9) for one in lines]
        shown.append(PostMedia(given=name, file=name, width=24, height=16, lines=tuple(read)))
    return Post.model_validate(
        {"id": id, "source": "made", "where": f"made:{id}", "media": tuple(shown), **fields}
    )


def write_release(files: ReleasedFiles, media: Path, folder: Path) -> Path:
    """The files of a release on disk."""
    for name, text in files.texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    for name, given in files.media.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes((media / given).read_bytes())
    return folder
