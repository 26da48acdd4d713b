"""The editors and illustrators behind image services: OpenAI-compatible ones, and Google's."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass, field
from typing import Annotated, Any
from urllib.parse import quote

import httpx
from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from deadpan.core.editors import NotEdited
from deadpan.editing.received import CallFailed, Refused
from deadpan.editing.remote import ImageService
from deadpan.media.prepared import PreparedImage
from deadpan.parsing.replies import is_refusal

_WITHHELD = ("SAFETY", "PROHIBITED", "BLOCKLIST", "SPII", "RECITATION")


class _OpenAIPicture(BaseModel):
    b64_json: str | None = None
    url: str | None = None


class _OpenAIReply(BaseModel):
    data: Annotated[tuple[_OpenAIPicture, ...], Field(max_length=100)] = ()


@dataclass
class OpenAIImages(ImageService):
    """`{base}/images/edits` and `{base}/images/generations` of an OpenAI-compatible service. The
    picture is taken from the reply itself, or from an address on the very same host."""

    kind = "openai-images"
    keys = ("OPENAI_API_KEY",)
    header = ("Authorization", "Bearer {}")
    base = ("OPENAI_BASE_URL", "https://api.openai.com/v1")
    refusals = re.compile(r"moderation_blocked|content_policy|safety system|content filter", re.I)
    # Some servers must be asked to send the picture itself, others refuse to be asked.
    _format: dict[str, str] = field(default_factory=lambda: {"response_format": "b64_json"})

    def _ask(self, prompt: str, sent: PreparedImage | None) -> httpx.Response:
        reply = self._require_accepted(self._post(prompt, sent))
        if reply.status_code == 400 and self._format and "response_format" in reply.text:
            self._format = {}
            reply = self._post(prompt, sent)
        return reply

    def _post(self, prompt: str, sent: PreparedImage | None) -> httpx.Response:
        body: dict[str, Any] = {"model": self.model, "prompt": prompt, **self._format}
        if sent is None:
            url = f"{self.address}/images/generations"
            return self._request("POST", url, json={**body, "n": 1})
        file = (f"meme.{sent.mime.removeprefix('image/')}", sent.data, sent.mime)
        url = f"{self.address}/images/edits"
        return self._request("POST", url, data=body, files={"image": file})

    def _first_picture(self, body: bytes) -> tuple[bytes, int]:
        reply = _OpenAIReply.model_validate_json(body)
        pictures = [one for one in reply.data if one.b64_json or one.url]
        if not pictures:
            raise NotEdited(f"{self.name} gave no picture")
        encoded, url = pictures[0].b64_json, pictures[0].url or ""
        if not encoded and url.startswith("data:"):
            encoded = url.partition(",")[2]
        return self._decode(encoded) if encoded else self._fetch(url), len(pictures)

    def _fetch(self, url: str) -> bytes:
        """A picture from an address on the service's own host."""
        try:
            one, own = httpx.URL(url), httpx.URL(self.address)
            same = (one.scheme, one.netloc) == (own.scheme, own.netloc)
        except (httpx.InvalidURL, ValueError):
            same = False
        if not same:
            raise NotEdited(f"{self.name} gave no picture, but an address that is not its own")
        reply = self._request("GET", url)
        if reply.status_code != 200:
            what = f"the edited picture cannot be had (HTTP {reply.status_code})"
            raise CallFailed(f"{self.name}: {what}")
        return reply.content


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
    content: _Content = _Content()
    finish_reason: str = ""


class _Feedback(_Part):
    block_reason: str = ""


class _GoogleReply(_Part):
    candidates: Annotated[tuple[_Candidate, ...], Field(max_length=100)] = ()
    prompt_feedback: _Feedback = _Feedback()


@dataclass
class GoogleImages(ImageService):
    """`models/{model}:generateContent` of Google."""

    kind = "google-images"
    keys = ("GOOGLE_API_KEY", "GEMINI_API_KEY")
    header = ("x-goog-api-key", "{}")  # not in the address, which ends up in logs
    base = ("GOOGLE_BASE_URL", "https://generativelanguage.googleapis.com/v1beta")

    def _ask(self, prompt: str, sent: PreparedImage | None) -> httpx.Response:
        parts: list[dict[str, Any]] = [{"text": prompt}]
        if sent is not None:
            data = base64.b64encode(sent.data).decode()
            parts.append({"inlineData": {"mimeType": sent.mime, "data": data}})
        body = {
            "contents": [{"role": "user", "parts": parts}],
            "generationConfig": {"responseModalities": ["TEXT", "IMAGE"]},
        }
        url = f"{self.address}/models/{quote(self.model, safe='')}:generateContent"
        reply = self._request("POST", url, json=body)
        if reply.status_code == 400 and "API_KEY_INVALID" in reply.text:
            reply.status_code = 401
        return self._require_accepted(reply)

    def _first_picture(self, body: bytes) -> tuple[bytes, int]:
        reply = _GoogleReply.model_validate_json(body)
        whole = [piece for one in reply.candidates for piece in one.content.parts]
        pieces = [piece for piece in whole if not piece.thought]
        pictures = [piece.inline_data.data for piece in pieces if piece.inline_data]
        if pictures:
            return self._decode(pictures[0]), len(pictures)
        # Withheld, refused in words, or just none.
        block = reply.prompt_feedback.block_reason
        ends = [block, *(one.finish_reason for one in reply.candidates)]
        withheld = [end for end in ends if any(word in end.upper() for word in _WITHHELD)]
        text = " ".join(piece.text for piece in pieces).strip()
        said = self._without_key(text) if text else ", ".join(filter(None, ends))
        if withheld or block or is_refusal(text):
            raise Refused(f"{self.name} refused ({', '.join(withheld) or said})")
        raise NotEdited(f"{self.name} gave no picture ({said or 'an empty reply'})")
