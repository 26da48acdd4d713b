"""The stages that a model makes: a meme → what it shows and how it feels → what becomes of it."""

from __future__ import annotations

import re
from functools import cache, partial
from pathlib import Path
from typing import Annotated, Literal, TypedDict, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from deadpan.base.errors import InputError
from deadpan.base.files import folder_name
from deadpan.base.json_lines import json_object
from deadpan.benchmarks.merbench.records import PAIRS
from deadpan.benchmarks.merbench.records import Source as NegativeEmotion
from deadpan.benchmarks.merbench.records import Target as PositiveEmotion
from deadpan.core.judge import BrokenReply
from deadpan.core.prompts import Prompts
from deadpan.core.questions import Language, unframed
from deadpan.editing.reappraise.plan import Captions, Described, Proposed, written
from deadpan.editing.wording import emotion_name
from deadpan.engine.asker import Asker
from deadpan.engine.conversation import FormRequest, ask_form
from deadpan.engine.requests import Image
from deadpan.media.images import jpeg_bytes, read_image

PROMPTS = Path(__file__).parent / "prompts"
_LONGEST_SIDE = 2048
_SLOT = re.compile(r"\{(target|target_name|emotion_name|emotion|description|captions|count)\}")
_AGAIN: dict[Language, str] = {
    "en": "That reply cannot be used: {why}. Reply again with the JSON object alone, complete and "
    "exactly as asked for.",
    "zh": "上面的回复无法使用：{why}。请重新回复，只给出完整的 JSON 对象，与要求完全一致。",
}
_NO_CAPTION: dict[Language, str] = {"en": "(none)", "zh": "（无）"}

Text = Annotated[str, Field(max_length=4000), AfterValidator(written)]
FormT = TypeVar("FormT", bound=BaseModel)


class _Reply(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class DescribedReply(_Reply):
    """What is asked for in stage 1."""

    language: Language
    emotion: NegativeEmotion
    description: Text
    captions: Captions


class ProposedReply(_Reply):
    """What is asked for in stage 2."""

    target: PositiveEmotion
    captions: Captions
    specification: Text


class _Worded(TypedDict):
    system: str
    text: str
    again: str


def label_of(asker: Asker) -> str:
    """What a store calls the answers of planning."""
    return f"reappraise.{folder_name(asker.engine.name)}"


async def description(
    asker: Asker, picture: Image, language: Language | None
) -> tuple[Described, Language]:
    """Stage 1 by a model, and the meme's language: the one given, else as the model reads it."""
    request = FormRequest(
        label=label_of(asker),
        **_words("perceive", language or "en", {}),
        images=(picture,),
        form=DescribedReply,
        read=partial(checked, form=DescribedReply),
    )
    reply = await ask_form(asker, request)
    stage = Described(
        emotion=reply.emotion,
        description=reply.description,
        captions=reply.captions,
        by=asker.engine.name,
    )
    return stage.sealed(), language or reply.language


async def proposal(
    asker: Asker,
    picture: Image,
    seen: Described,
    language: Language,
    target: PositiveEmotion | None = None,
) -> Proposed:
    """Stage 2 by a model, for the target given, else for the one its emotion is paired with."""
    wanted = target or PAIRS[seen.emotion]
    request = FormRequest(
        label=label_of(asker),
        **_words("plan", language, _values(seen, wanted, language)),
        images=(picture,),
        form=ProposedReply,
        read=partial(_fitting, wanted=wanted, count=len(seen.captions)),
    )
    reply = await ask_form(asker, request)
    stage = Proposed(
        target=reply.target,
        captions=reply.captions,
        specification=reply.specification,
        by=asker.engine.name,
    )
    return stage.sealed()


def checked(text: str, form: type[FormT]) -> FormT:
    """The reply as its form, bare or in a code fence; anything else raises BrokenReply."""
    bare = re.sub(r"^```(?:json)?\s*|\s*```$", "", text.strip())
    try:
        json_object(bare, "reply")
        return form.model_validate_json(bare)
    except InputError as error:
        raise BrokenReply(f"it {error.what}") from None
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False)
        raise BrokenReply(
            "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in problems)
        ) from None


def _fitting(text: str, wanted: PositiveEmotion, count: int) -> ProposedReply:
    reply = checked(text, ProposedReply)
    if reply.target != wanted:
        raise BrokenReply(f"target: got {reply.target}; expected {wanted}")
    if len(reply.captions) != count:
        raise BrokenReply(f"captions: got {len(reply.captions)}; expected {count}, one each")
    return reply


def sent(source: Path) -> Image:
    """The picture as the model gets it, no larger than it can see; a bad picture raises."""
    return Image(jpeg_bytes(read_image(source), _LONGEST_SIDE), "image/jpeg")


def _words(
    stage: Literal["perceive", "plan"], language: Language, values: dict[str, str]
) -> _Worded:
    """The texts of a stage's request with the slots filled."""
    prompts = _prompts(stage)
    text = _SLOT.sub(lambda slot: unframed(values[slot[1]]), prompts.user[language])
    return {"system": prompts.system[language], "text": text, "again": _AGAIN[language]}


def _values(seen: Described, target: PositiveEmotion, language: Language) -> dict[str, str]:
    numbered = "\n".join(f"{number}. {text}" for number, text in enumerate(seen.captions, start=1))
    return {
        "target": target,
        "target_name": emotion_name(target, language),
        "emotion": seen.emotion,
        "emotion_name": emotion_name(seen.emotion, language),
        "description": seen.description,
        "captions": numbered or _NO_CAPTION[language],
        "count": str(len(seen.captions)),
    }


@cache
def _prompts(stage: str) -> Prompts:
    return Prompts.read(PROMPTS, stage, ("en", "zh"))
