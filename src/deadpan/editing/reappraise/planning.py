"""The stages that a model makes: a meme → what it shows and how it feels → what becomes of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import AfterValidator, Field, ValidationError

from deadpan.base.errors import InputError
from deadpan.base.files import folder_name
from deadpan.base.rows import json_object
from deadpan.benchmarks.merbench.records import PAIRS, LayoutType, Polarity, VisualType
from deadpan.benchmarks.merbench.records import Source as NegativeEmotion
from deadpan.benchmarks.merbench.records import Target as PositiveEmotion
from deadpan.core.judge import BrokenReply
from deadpan.core.questions import Language, Prompts, fill_slots
from deadpan.editing.reappraise.plan import Captions, Described, Form, Proposed, require_text
from deadpan.editing.received import emotion_name
from deadpan.engine.asker import Asker
from deadpan.engine.conversation import FormRequest, ask_form
from deadpan.engine.requests import Image
from deadpan.media.images import jpeg_bytes, read_image

PROMPTS = Path(__file__).parent / "prompts"
_LONGEST_SIDE = 2048
_NO_CAPTION: dict[Language, str] = {"en": "(none)", "zh": "（无）"}

Text = Annotated[str, Field(max_length=4000), AfterValidator(require_text)]


class DescribedReply(Form):
    """What is asked for in stage 1."""

    language: Language
    emotion: NegativeEmotion
    visual_type: VisualType
    sentiment_polarity: Polarity
    layout_type: LayoutType
    description: Text
    captions: Captions


class ProposedReply(Form):
    """What is asked for in stage 2."""

    target: PositiveEmotion
    captions: Captions
    specification: Text


FormT = TypeVar("FormT", bound=Form)


async def describe(
    asker: Asker, picture: Image, language: Language | None, wishes: Sequence[str] = ()
) -> tuple[Described, Language]:
    """Stage 1 by a model, and the meme's language: the one given, else as the model reads it.
    `wishes` are why a person sent earlier ones back."""
    read = partial(read_form, form=DescribedReply)
    said = language or "en"
    reply = await _ask(asker, "perceive", said, {}, picture, DescribedReply, read, wishes)
    fields = reply.model_dump(exclude={"language"})
    return Described(**fields, by=asker.engine.name).with_seal(), language or reply.language


async def propose(
    asker: Asker,
    picture: Image,
    seen: Described,
    language: Language,
    target: PositiveEmotion | None = None,
    wishes: Sequence[str] = (),
) -> Proposed:
    """Stage 2 by a model, for the target given, else for the one its emotion is paired with."""
    wanted, count = target or PAIRS[seen.emotion], len(seen.captions)

    def read(text: str) -> ProposedReply:
        reply = read_form(text, ProposedReply)
        if reply.target != wanted:
            raise BrokenReply(f"target: got {reply.target}; expected {wanted}")
        if len(reply.captions) != count:
            raise BrokenReply(f"captions: got {len(reply.captions)}; expected {count}, one each")
        return reply

    numbered = "\n".join(f"{number}. {text}" for number, text in enumerate(seen.captions, start=1))
    values = {
        "target": wanted,
        "target_name": emotion_name(wanted, language),
        "emotion": seen.emotion,
        "emotion_name": emotion_name(seen.emotion, language),
        "description": seen.description,
        "captions": numbered or _NO_CAPTION[language],
        "count": str(count),
    }
    reply = await _ask(asker, "plan", language, values, picture, ProposedReply, read, wishes)
    return Proposed(**reply.model_dump(), by=asker.engine.name).with_seal()


async def _ask(
    asker: Asker,
    stage: str,
    language: Language,
    values: Mapping[str, str],
    picture: Image,
    form: type[FormT],
    read: Callable[[str], FormT],
    wishes: Sequence[str],
) -> FormT:
    """What a model replies to a stage's prompt with its slots filled."""
    prompts = _prompts(stage)
    text = fill_slots(prompts.user[language], values)
    if wishes:
        listed = "\n".join(f"{number}. {wish}" for number, wish in enumerate(wishes, start=1))
        revise = _prompts("revise").user[language]
        text = f"{text}\n\n{fill_slots(revise, {'wishes': listed})}"
    request = FormRequest(
        label=f"reappraise.{folder_name(asker.engine.name)}",
        system=prompts.system[language],
        text=text,
        images=(picture,),
        form=form,
        read=read,
        again=_prompts("again").user[language],
    )
    return await ask_form(asker, request)


@cache
def _prompts(stage: str) -> Prompts:
    return Prompts.read(PROMPTS, stage, ("en", "zh"))


def read_form(text: str, form: type[FormT]) -> FormT:
    """The reply as its form, bare or in a code fence; anything else raises BrokenReply."""
    bare = re.sub(r"^```(?:json)?\s*|\s*```$", "", text.strip())
    try:
        json_object(bare, "reply")
        return form.model_validate_json(bare)
    except InputError as error:
        raise BrokenReply(f"it {error.what}") from None
    except ValidationError as error:
        found = [(".".join(map(str, one["loc"])), one["msg"]) for one in error.errors()]
        raise BrokenReply("; ".join(map(": ".join, found))) from None


def picture_for_model(source: Path) -> Image:
    """The picture as the model gets it, no larger than it can see; a bad picture raises."""
    return Image(jpeg_bytes(read_image(source), _LONGEST_SIDE), "image/jpeg")
