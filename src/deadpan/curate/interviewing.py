"""How a protocol's steps reach models: a prompt with what it is about, a reply in a form, asked for
again with what was wrong with it, and what that took."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

from pydantic import JsonValue, ValidationError

from deadpan.base.errors import DeadpanError, InputError
from deadpan.base.files import folder_name, read_text
from deadpan.base.rows import json_object
from deadpan.core.curation import FormT, StageName, Unusable
from deadpan.core.judge import ATTEMPTS, BrokenReply
from deadpan.core.outcomes import NOT_ASKED
from deadpan.core.questions import Language, Picture, Prompts, fill_slots
from deadpan.core.usage import Prices, Usage
from deadpan.engine.answers import Answer
from deadpan.engine.asker import Asker
from deadpan.engine.budget import price_of
from deadpan.engine.conversation import Conversation, converse
from deadpan.engine.question_parts import PicturePart
from deadpan.engine.requests import Built, Image, Part, Request, Sampling, Text, Turn
from deadpan.media.checksums import file_checksum
from deadpan.media.video import FRAMES, LONGEST, sampled_frames
from deadpan.media.video import RENDERING as CUTTING
from deadpan.parsing.json_objects import json_objects
from deadpan.parsing.replies import Unparseable, is_refusal, split_reasoning

BLIND = "blind"
"""The step that a model of its own may have, which is shown nothing."""
TASK: StageName = "draft"
"""What the store calls the task."""
LostKind = Literal["refused", "failed", "truncated", "invalid", "unreadable"]
_AGAIN = Path(__file__).parent / "prompts"
_ANSWER_TOKENS = 2_048
_CUT_OFF = {
    "max_tokens": "raise draft: max_tokens, with which every post is asked about anew",
    "model_length": "what it is shown and its reply do not fit into its context: take another",
}
_VIDEOS = frozenset({".mp4", ".webm", ".mkv", ".mov", ".m4v", ".avi"})
_SLOT = re.compile(r"\{([a-z_]+)\}")
_TAKEN_BACK = re.compile(
    r"\b(?:actually|wait|wrong|incorrect|mistaken?|correction|on (?:second|further|reflection)"
    r"|reconsider\w*|should (?:have been|be|say)|instead|change my)\b"
    r"|不对|错了|有误|更正|纠正|其实|应为|应该(?:是|为)|改为|等等|重新考虑",
    re.IGNORECASE,
)
"""What follows on a reply that its writer does not stand by."""
_FENCE = re.compile(r"^```(?:json)?\s*|\s*```$")


class Lost(Unusable):
    """A step without a reply that can be used: the model would not, its call failed, its last reply
    was cut off, its replies have not the form, or what it is to see cannot be opened."""

    def __init__(self, message: str, kind: LostKind) -> None:
        super().__init__(message, refused=kind == "refused")
        self.kind = kind


class Used(NamedTuple):
    """An answer that a draft rests on, who gave it at which step, and of which post."""

    model: str
    step: str
    answer: Answer
    post: str


@dataclass(frozen=True)
class FramesPart:
    """Frames of a video at equal distances, known by its file and how they are cut."""

    path: str
    shows_media = True

    @property
    def identity(self) -> JsonValue:
        return {"file": file_checksum(self.path), "shown": f"{FRAMES}x{LONGEST}.{CUTTING}"}

    def build(self, most_images: int | None) -> Built:
        sampled = sampled_frames(Path(self.path), min(FRAMES, most_images or FRAMES))
        images = tuple(Image(frame.data, "image/jpeg") for frame in sampled.frames)
        about: dict[str, JsonValue] = {
            "path": self.path,
            "sha256": sampled.sha256,
            "notes": list(sampled.notes),
        }
        return Built(images, (about,), len(images))


@dataclass(frozen=True)
class Interviewer:
    """Asks models about one post, in its language; `askers` has who answers by role, and whoever
    is shown nothing."""

    post: str
    language: Language
    benchmark: str
    prompts: Path
    askers: Mapping[str, Asker]
    sampling: Sampling
    used: list[Used]

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
        """The reply to a step. Raises Lost. Once so many replies could not be used as are asked
        for, no run asks again."""
        asker = self.askers[BLIND if step == BLIND else role]
        prompts = _prompts(self.prompts, step, self.language)
        shown: list[Part] = [_part(path) for path in media]
        asked = prompts.user[self.language]
        if unknown := sorted({*_SLOT.findall(asked)} - values.keys()):
            where = self.prompts / self.language / f"{step}.txt"
            given = ", ".join(values) or "none"
            raise DeadpanError(f"{where}: nothing fills {{{unknown[0]}}}; expected slots: {given}")
        words = Text(fill_slots(asked, values))
        request = Request(
            f"{self.benchmark}-{TASK}.{folder_name(asker.engine.name)}",
            (
                Turn("system", (Text(prompts.system[self.language]),)),
                Turn("user", (*shown, words)),
            ),
            self.sampling.over(0.0, None, _ANSWER_TOKENS),
            schema=form,
            item=self.post,
            epoch=attempt,
        )

        def read(text: str) -> FormT:
            return _checked(text, form, check)

        done = _given_up(asker, request, read)
        if done is None:
            done = await converse(asker, request, read, _again(self.language))
        name = asker.engine.name
        self.used.extend(Used(name, step, answer, self.post) for answer in done.answers)
        if done.found is None:
            raise _lost(step, name, done)
        return done.found


def _given_up(
    asker: Asker, request: Request, read: Callable[[str], FormT]
) -> Conversation[FormT] | None:
    """What the store has of a question whose replies were all of no use; None where there is more
    to ask, or one that can be used."""
    tried = [replace(request, attempt=number) for number in range(1, ATTEMPTS + 1)]
    answers = [answer for one in tried if (answer := asker.known(one)) is not None]
    if len(answers) < ATTEMPTS:
        return None
    why = ""
    for answer in answers:
        try:
            read(answer.text or "")
        except BrokenReply as error:
            why = str(error)
        else:
            return None
    return Conversation(None, why, tuple(answers))


def _lost(step: str, model: str, done: Conversation[FormT]) -> Lost:
    """Why a step has no reply."""
    last = done.answers[-1]
    if last.error is not None:
        kind: LostKind = "unreadable" if last.error.startswith(NOT_ASKED) else "failed"
        return Lost(f"{step}: {model} could not be asked ({last.error})", kind)
    if last.stop == "content_filter":
        return Lost(f"{step}: {model} refused: its content filter stopped it", "refused")
    if is_refusal(last.text or ""):
        return Lost(f"{step}: {model} refused", "refused")
    if fix := _CUT_OFF.get(last.stop or ""):
        return Lost(f"{step}: {model} was cut off; {fix}", "truncated")
    what = f"{model} gave no usable reply in {len(done.answers)} attempts ({done.problem})"
    return Lost(f"{step}: {what}", "invalid")


def _object(text: str) -> dict[str, Any]:
    """The JSON object that a reply is, or the only one that it holds among other words."""
    try:
        return json_object(text, "reply")
    except InputError:
        try:
            found = list(json_objects(text))
        except Unparseable:
            found = []
        if len(found) != 1:
            raise
        if taken := _TAKEN_BACK.search(text[text.rfind("}") :]):
            what = f'takes it back behind its object ("{taken[0]}")'
            raise InputError("reply", what, "Give one object.") from None
        return found[0]


def _checked(text: str, form: type[FormT], check: Callable[[FormT], None]) -> FormT:
    """The reply in its form; raises BrokenReply with what is wrong with it."""
    bare = _FENCE.sub("", split_reasoning(text).answer.strip())
    try:
        reply = form.model_validate(_object(bare))
        for name, value in reply.model_dump().items():
            if isinstance(value, str) and is_refusal(value):
                raise ValueError(f"{name}: it is a refusal; expected what was asked for")
        check(reply)
    except InputError as error:
        raise BrokenReply(f"it {error.what}") from None
    except ValidationError as error:
        found = [
            (".".join(map(str, one["loc"])), one["msg"].removeprefix("Value error, "))
            for one in error.errors()[:3]
        ]
        raise BrokenReply("; ".join(": ".join(filter(None, one)) for one in found)) from None
    except ValueError as error:
        raise BrokenReply(str(error)) from None
    return reply


def _part(path: Path) -> Part:
    if path.suffix.lower() in _VIDEOS:
        return FramesPart(str(path))
    return PicturePart(Picture(path=str(path)))


@cache
def _prompts(folder: Path, step: str, language: Language) -> Prompts:
    return Prompts.read(folder, step, (language,))


@cache
def _again(language: Language) -> str:
    return read_text(_AGAIN / language / "again.txt").strip()


def usage_of_steps(used: Sequence[Used], prices: Prices) -> tuple[Usage, ...]:
    """What each model took for each step; an answer that several posts share counts once."""
    groups: dict[tuple[str, str], dict[str, Answer]] = {}
    for one in used:
        groups.setdefault((one.model, one.step), {})[one.answer.key] = one.answer
    return tuple(
        _usage(model, step, list(groups[model, step].values()), prices)
        for model, step in sorted(groups)
    )


def _usage(model: str, step: str, answers: Sequence[Answer], prices: Prices) -> Usage:
    told = [one for one in answers if one.input_tokens or one.output_tokens]
    read = sum(one.input_tokens or 0 for one in told)
    written = sum(one.output_tokens or 0 for one in told)
    price = price_of(model, prices)
    cost = price.of(read, written) if price and (price.free or told) else None
    calls = len(answers), len(told)
    return Usage("model", model, step, *calls, read, written, cost, price is not None)
