"""The editor and illustrator behind Google's generateContent: words, and a picture to edit."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import quote

import httpx
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from deadpan.core.editor import Edited, Instruction, NotEdited
from deadpan.editing.openai_images import decoded
from deadpan.editing.received import Refused, opened
from deadpan.editing.remote import (
    Answer,
    Service,
    accepted,
    answer,
    first_picture,
    sent_picture,
    service,
    several_notes,
    told,
)
from deadpan.editing.wording import wording
from deadpan.parsing.replies import is_refusal

_USUAL = "https://generativelanguage.googleapis.com/v1beta"
_WITHHELD = ("SAFETY", "PROHIBITED", "BLOCKLIST", "SPII", "RECITATION")


class _Part(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)


class _Inline(_Part):
    data: str


class _Piece(_Part):
    text: str = ""
    thought: bool = False
    inline_data: _Inline | None = None


class _Content(_Part):
    parts: tuple[_Piece, ...] = ()


class _Candidate(_Part):
    content: _Content = Field(default_factory=_Content)
    finish_reason: str = ""
    finish_message: str = ""


class _Feedback(_Part):
    block_reason: str = ""


class _Reply(_Part):
    candidates: Annotated[tuple[_Candidate, ...], Field(max_length=100)] = ()
    prompt_feedback: _Feedback = Field(default_factory=_Feedback)

    @property
    def pieces(self) -> tuple[_Piece, ...]:
        """What was answered, without what was only thought."""
        whole = (piece for candidate in self.candidates for piece in candidate.content.parts)
        return tuple(piece for piece in whole if not piece.thought)


@dataclass(frozen=True)
class GoogleImages:
    """Sends the meme and the wording to `models/{model}:generateContent`; gives the picture as it
    came."""

    model: str
    service: Service

    @property
    def name(self) -> str:
        """`google-images/` and the model."""
        return f"google-images/{self.model}"

    def edit(self, instruction: Instruction) -> Edited:
        """The edited meme; a refusal, a reply without a picture and a failed call raise."""
        sent = sent_picture(instruction.source)
        picture = {"mimeType": sent.mime, "data": base64.b64encode(sent.data).decode()}
        data, of = self._picture([{"text": wording(instruction)}, {"inlineData": picture}])
        return first_picture(data, self.name, of, sent)

    def draw(self, prompt: str) -> Edited:
        """A picture from words alone; raises as `edit` does."""
        data, of = self._picture([{"text": prompt}])
        made = opened(data, self.name)
        return Edited(made.image, (*made.notes, *several_notes(of)))

    def _picture(self, parts: list[dict[str, object]]) -> tuple[bytes, int]:
        """The first picture of the reply to what is sent, and how many it held."""
        found = self._asked(parts)
        if found.status >= 400:
            said = self.service.said(f"HTTP {found.status} {told(found.body)}")
            raise NotEdited(f"{self.name} did not accept the request ({said})")
        try:
            reply = _Reply.model_validate_json(found.body)
        except ValidationError:
            what = "gave a reply that is not what the endpoint promises"
            raise NotEdited(f"{self.name} {what}") from None
        pictures = [piece.inline_data.data for piece in reply.pieces if piece.inline_data]
        if not pictures:
            raise self._nothing(reply)
        return decoded(pictures[0], self.name), len(pictures)

    def _asked(self, parts: list[dict[str, object]]) -> Answer:
        body = {
            "contents": [{"role": "user", "parts": parts}],
            "generationConfig": {"responseModalities": ["TEXT", "IMAGE"]},
        }
        url = f"{self.service.base}/models/{quote(self.model, safe='')}:generateContent"

        def send(client: httpx.Client) -> httpx.Request:
            return client.build_request("POST", url, json=body)

        # In a header, as addresses end up in logs.
        headers = {"x-goog-api-key": self.service.key} if self.service.key else {}
        found = answer(self.service, send, headers)
        if found.status == 400 and "API_KEY_INVALID" in found.text:
            found = Answer(401, found.body)
        return accepted(self.service, found)

    def _nothing(self, reply: _Reply) -> NotEdited:
        """Why there is no picture: withheld, refused in words, or just none."""
        ends = [one.finish_reason for one in reply.candidates]
        blocked = [reply.prompt_feedback.block_reason, *ends]
        withheld = [end for end in blocked if any(word in end.upper() for word in _WITHHELD)]
        text = " ".join(piece.text for piece in reply.pieces).strip()
        said = self.service.said(text) if text else ", ".join(filter(None, blocked))
        if withheld or reply.prompt_feedback.block_reason or is_refusal(text):
            return Refused(f"{self.name} refused ({', '.join(withheld) or said})")
        return NotEdited(f"{self.name} gave no picture ({said or 'an empty reply'})")


def google_images(model: str) -> GoogleImages:
    """The editor for a model, with GOOGLE_API_KEY or GEMINI_API_KEY, and GOOGLE_BASE_URL."""
    keys = ("GOOGLE_API_KEY", "GEMINI_API_KEY")
    found = service("google-images", keys, "GOOGLE_BASE_URL", _USUAL, model)
    return GoogleImages(model, found)
