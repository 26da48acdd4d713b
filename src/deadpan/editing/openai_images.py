"""The editor and illustrator behind an OpenAI-compatible image endpoint."""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass, field
from typing import Annotated

import httpx
from pydantic import BaseModel, Field, ValidationError

from deadpan.core.editor import Edited, Instruction, NotEdited
from deadpan.editing.received import CallFailed, Refused, opened
from deadpan.editing.remote import (
    Answer,
    Send,
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

_USUAL = "https://api.openai.com/v1"
_REFUSALS = re.compile(r"moderation_blocked|content_policy|safety system|content filter", re.I)


class _Picture(BaseModel):
    b64_json: str | None = None
    url: str | None = None


class _Reply(BaseModel):
    data: Annotated[tuple[_Picture, ...], Field(max_length=100)] = ()


@dataclass
class OpenAIImages:
    """Sends the meme and the wording to `{base}/images/edits`; gives the picture as it came.

    The reply's picture is taken from the reply itself, or from an address on the very same host.
    """

    model: str
    service: Service
    # Some servers must be told to send the picture itself, others refuse to be told.
    _format: dict[str, str] = field(default_factory=lambda: {"response_format": "b64_json"})

    @property
    def name(self) -> str:
        """`openai-images/` and the model."""
        return f"openai-images/{self.model}"

    def edit(self, instruction: Instruction) -> Edited:
        """The edited meme; a refusal, a reply without a picture and a failed call raise."""
        sent = sent_picture(instruction.source)
        prompt, ending = wording(instruction), sent.mime.removeprefix("image/")

        def send(client: httpx.Client) -> httpx.Request:
            return client.build_request(
                "POST",
                f"{self.service.base}/images/edits",
                data={"model": self.model, "prompt": prompt, **self._format},
                files={"image": (f"meme.{ending}", sent.data, sent.mime)},
            )

        data, of = self._picture(send)
        return first_picture(data, self.name, of, sent)

    def draw(self, prompt: str) -> Edited:
        """A picture from words alone, by `{base}/images/generations`; raises as `edit` does."""

        def send(client: httpx.Client) -> httpx.Request:
            body = {"model": self.model, "prompt": prompt, "n": 1, **self._format}
            return client.build_request(
                "POST", f"{self.service.base}/images/generations", json=body
            )

        data, of = self._picture(send)
        made = opened(data, self.name)
        return Edited(made.image, (*made.notes, *several_notes(of)))

    def _picture(self, send: Send) -> tuple[bytes, int]:
        """The first picture of the reply to a request, and how many it held."""
        found = self._asked(send)
        if found.status >= 400:
            said = self.service.said(f"HTTP {found.status} {told(found.body)}")
            if _REFUSALS.search(found.text):
                raise Refused(f"{self.name} refused ({said})")
            raise NotEdited(f"{self.name} did not accept the request ({said})")
        pictures = _pictures(self.name, found)
        return self._bytes(pictures[0]), len(pictures)

    def _asked(self, send: Send) -> Answer:
        found = accepted(self.service, answer(self.service, send, self._headers))
        if found.status == 400 and self._format and "response_format" in found.text:
            self._format = {}
            found = answer(self.service, send, self._headers)
        return found

    @property
    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.service.key}"} if self.service.key else {}

    def _bytes(self, picture: _Picture) -> bytes:
        """The picture's bytes from the reply, or from an address on the service's own host."""
        encoded, url = picture.b64_json, picture.url or ""
        if not encoded and url.startswith("data:"):
            encoded = url.partition(",")[2]
        if encoded:
            return decoded(encoded, self.name)
        if not _same_host(url, self.service.base):
            raise NotEdited(f"{self.name} gave no picture, but an address that is not its own")
        found = answer(self.service, lambda client: client.build_request("GET", url), self._headers)
        if found.status != 200:
            raise CallFailed(f"{self.name}: the edited picture cannot be had (HTTP {found.status})")
        return found.body


def openai_images(model: str) -> OpenAIImages:
    """The editor for a model, with OPENAI_API_KEY and OPENAI_BASE_URL; neither raises."""
    found = service("openai-images", ("OPENAI_API_KEY",), "OPENAI_BASE_URL", _USUAL, model)
    return OpenAIImages(model, found)


def decoded(encoded: str, whose: str) -> bytes:
    """The bytes of a base64 text; anything else raises NotEdited."""
    try:
        return base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        raise NotEdited(f"{whose} gave a picture that is not base64") from None


def _pictures(whose: str, found: Answer) -> tuple[_Picture, ...]:
    try:
        reply = _Reply.model_validate_json(found.body)
    except ValidationError:
        raise NotEdited(f"{whose} gave a reply that is not what the endpoint promises") from None
    pictures = tuple(one for one in reply.data if one.b64_json or one.url)
    if not pictures:
        raise NotEdited(f"{whose} gave no picture")
    return pictures


def _same_host(url: str, base: str) -> bool:
    try:
        one, other = httpx.URL(url), httpx.URL(base)
    except (httpx.InvalidURL, ValueError):
        return False
    return one.scheme in ("http", "https") and (one.scheme, one.netloc) == (
        other.scheme,
        other.netloc,
    )
