"""A model asked until its reply can be used: again with what was wrong, at the same temperature."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from pydantic import BaseModel

from deadpan.base.errors import DeadpanError
from deadpan.core.judge import ATTEMPTS, BrokenReply
from deadpan.engine.answers import Answer
from deadpan.engine.asker import Asker
from deadpan.engine.requests import Image, ImageBytes, Part, Request, Sampling, Text, Turn
from deadpan.parsing.replies import is_refusal

ReplyT = TypeVar("ReplyT")


@dataclass(frozen=True)
class Conversation(Generic[ReplyT]):
    """What came of it: the reply as it was read, else why there is none, and every answer."""

    found: ReplyT | None
    problem: str | None
    answers: tuple[Answer, ...]


async def converse(
    asker: Asker, request: Request, read: Callable[[str], ReplyT], again: str
) -> Conversation[ReplyT]:
    """Asks until `read` raises no BrokenReply, at most ATTEMPTS times in a row; `again`, with its
    {why}, asks for another reply. All attempts are kept: what was broken in an earlier run is asked
    for in a new round."""
    answers: list[Answer] = []
    turns: list[Turn] = []
    new = False
    while True:
        wanted = replace(request, attempt=len(answers) + 1, conversation=tuple(turns))
        if not new and asker.known(wanted) is None:
            new = True
            if answers:
                asker.events.reopened(wanted)
        answer = await asker.answer(wanted)
        answers.append(answer)
        if answer.error is not None:
            return Conversation(None, answer.error, tuple(answers))
        try:
            return Conversation(read(answer.text or ""), None, tuple(answers))
        except BrokenReply as error:
            why = str(error)
        turns += [
            Turn("assistant", (Text(answer.text or " "),)),
            Turn("user", (Text(again.replace("{why}", why)),)),
        ]
        if len(answers) % ATTEMPTS == 0:
            if new:
                return Conversation(None, why, tuple(answers))
            turns = []


class Unanswered(DeadpanError):
    """A model gave no reply that can be used; `refused` tells whether it would not."""

    def __init__(self, message: str, refused: bool = False) -> None:
        super().__init__(message)
        self.refused = refused


@dataclass(frozen=True)
class FormRequest(Generic[ReplyT]):
    """What is asked in a form, and how the reply is read: `read` raises BrokenReply for one that
    cannot be used, and `again`, with its {why}, asks for another."""

    label: str
    system: str
    text: str
    images: tuple[Image, ...]
    form: type[BaseModel]
    read: Callable[[str], ReplyT]
    again: str


_FORM_TOKENS = 2048


async def ask_form(asker: Asker, wanted: FormRequest[ReplyT]) -> ReplyT:
    """What the model replied, read. Raises Unanswered."""
    parts: tuple[Part, ...] = (*map(ImageBytes, wanted.images), Text(wanted.text))
    request = Request(
        wanted.label,
        (Turn("system", (Text(wanted.system),)), Turn("user", parts)),
        Sampling().over(0.0, None, _FORM_TOKENS),
        schema=wanted.form,
    )
    done = await converse(asker, request, wanted.read, wanted.again)
    if done.found is not None:
        return done.found
    last, model = done.answers[-1], asker.engine.name
    if last.error is not None:
        raise Unanswered(f"{model} could not be asked ({last.error})")
    if last.stop == "content_filter":
        raise Unanswered(f"{model} refused: its content filter stopped it", True)
    if is_refusal(last.text or ""):
        raise Unanswered(f"{model} refused", True)
    raise Unanswered(f"{model} gave no usable reply in {ATTEMPTS} attempts ({done.problem})")
