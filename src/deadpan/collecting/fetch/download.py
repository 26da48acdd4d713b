"""One address to one HTML page or one checked picture on disk, redirects and retries included."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import httpx
from PIL import ImageSequence

from deadpan.base.errors import InputError
from deadpan.collecting.fetch.exchange import Exchange, decoded_body, printable, redirect_target
from deadpan.collecting.fetch.manifest import EXTENSIONS, PartFile
from deadpan.collecting.fetch.pages import Page
from deadpan.collecting.fetch.records import ItemError, TransientError
from deadpan.collecting.fetch.robots import Robots
from deadpan.media.images import MOST_PIXELS, NotAPicture, decoding, open_image

HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
HTML_STARTS = (b"<!doctype html", b"<html")
PICTURE_STARTS = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"RIFF", b"II*\x00", b"MM\x00*")
ANIMATED = frozenset({"GIF", "WEBP", "PNG"})
MOST_FRAME_PIXELS = 20 * MOST_PIXELS
"""Pixels of all frames of an animation together."""


@dataclass(frozen=True)
class Picture:
    """A picture that decodes, still in its part file."""

    file: PartFile
    content_type: str | None
    extension: str
    width: int
    height: int


class Downloader:
    """Fetches single addresses for a run."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange
        self._robots = Robots(exchange)
        self._settings = exchange.settings

    async def get(
        self, url: httpx.URL, part: Path, referer: httpx.URL | None = None
    ) -> Page | Picture:
        """The page, or the picture written to `part`; `ItemError` when there is neither."""
        start = url
        for _ in range(self._settings.max_redirects + 1):
            await self._robots.check(url)
            attempt = partial(self._attempt, url, part, referer)
            reply = await self._exchange.host(url).retry(attempt)
            if not isinstance(reply, httpx.URL):
                return reply
            url = reply
        raise ItemError(
            "failed",
            f"{printable(start)}: more than {self._settings.max_redirects} redirects, "
            f"the last to {printable(url)}",
        )

    async def _attempt(
        self, url: httpx.URL, part: Path, referer: httpx.URL | None
    ) -> Page | Picture | httpx.URL:
        async with self._exchange.response(url, referer) as response:
            if (target := redirect_target(response, url)) is not None:
                return target
            if (status := response.status_code) in (404, 410):
                what = f"{printable(url)}: HTTP {status}; the site no longer has it"
                raise ItemError("gone", what)
            if not response.is_success:
                raise ItemError("failed", f"{printable(url)}: HTTP {status}; expected 200")
            body = await self._body(response, url, part)
        if isinstance(body, Page):
            return body
        content_type = _media_type(response)
        try:
            return Picture(body, content_type, *await asyncio.to_thread(picture_facts, part))
        except NotAPicture as error:
            what = f"not a picture to keep: {error.what}"
            kind = f"Content-Type {content_type}, {body.size} bytes"
            raise ItemError("not_image", f"{printable(url)}: {what} ({kind})") from error
        except InputError as error:
            what = f"the picture does not decode to its end: {error.what}"
            raise TransientError(f"{printable(url)}: {what}") from error

    async def _body(self, response: httpx.Response, url: httpx.URL, part: Path) -> Page | PartFile:
        length = response.headers.get("Content-Length", "")
        declared = int(length) if length.isascii() and length.isdigit() else None
        limit = self._settings.max_bytes
        _check_size(declared or 0, limit, "max_bytes", url)
        chunks = decoded_body(response, url)
        first = await anext(chunks, b"")
        body: Page | PartFile
        if _is_html(_media_type(response), first):
            text = bytearray(first)
            async for chunk in chunks:
                text += chunk
                _check_size(len(text), self._settings.max_page_bytes, "max_page_bytes", url)
            body = Page(url, bytes(text), response.charset_encoding)
        else:
            with PartFile(part) as body:
                body.write(first)
                async for chunk in chunks:
                    body.write(chunk)
                    _check_size(body.size, limit, "max_bytes", url)
                _check_size(body.size, limit, "max_bytes", url)
        found = response.num_bytes_downloaded
        if declared is not None and found != declared:
            raise TransientError(f"{printable(url)}: cut off after {found} of {declared} bytes")
        return body


def _check_size(size: int, limit: int, setting: str, url: httpx.URL) -> None:
    if size > limit:
        raise ItemError(
            "failed",
            f"{printable(url)}: more than the {limit} bytes accepted; raise {setting} if it "
            "really is a picture wanted here",
        )


def _media_type(response: httpx.Response) -> str | None:
    value: str = response.headers.get("Content-Type", "")
    return value.partition(";")[0].strip().lower() or None


def _is_html(media_type: str | None, start: bytes) -> bool:
    if media_type in HTML_TYPES:
        return not start.startswith(PICTURE_STARTS)
    return start.lstrip(b"\xef\xbb\xbf \t\r\n").lower().startswith(HTML_STARTS)


def picture_facts(path: Path) -> tuple[str, int, int]:
    """The file extension that belongs to the format found, width and height of a picture that
    decodes completely, every frame of an animation; others raise."""
    with open_image(path) as image, decoding(path):
        image.verify()
    with open_image(path) as image, decoding(path):
        kind = image.format or ""
        width, height = image.size
        image.load()
        seen = 0
        for frame in ImageSequence.Iterator(image) if kind in ANIMATED else ():
            seen += frame.width * frame.height
            if seen > MOST_FRAME_PIXELS:
                raise NotAPicture(path, "an animation of absurd length", "Fetch another copy.")
            frame.load()
    return EXTENSIONS[kind], width, height
