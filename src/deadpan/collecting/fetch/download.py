"""One address to one HTML page or one checked picture on disk, redirects and retries included."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import httpx

from deadpan.collecting.fetch.addresses import shown
from deadpan.collecting.fetch.errors import ItemError, TransientError
from deadpan.collecting.fetch.exchange import Exchange, decoded_body, redirect_target
from deadpan.collecting.fetch.images import BrokenImage, NotAnImage, PictureFacts, picture_facts
from deadpan.collecting.fetch.pages import Page
from deadpan.collecting.fetch.retries import with_retries
from deadpan.collecting.fetch.robots import Robots
from deadpan.collecting.fetch.settings import FetchSettings
from deadpan.collecting.fetch.storage import PartFile

HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
HTML_STARTS = (b"<!doctype html", b"<html")
PICTURE_STARTS = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"RIFF", b"II*\x00", b"MM\x00*")


@dataclass(frozen=True)
class StoredBody:
    """A whole body in its part file."""

    sha256: str
    size: int
    content_type: str | None


@dataclass(frozen=True)
class Picture:
    """A picture that decodes, still in its part file."""

    body: StoredBody
    facts: PictureFacts


class Downloader:
    """Fetches single addresses for a run."""

    def __init__(self, exchange: Exchange, robots: Robots, settings: FetchSettings) -> None:
        self._exchange = exchange
        self._robots = robots
        self._settings = settings

    async def get(
        self, url: httpx.URL, part: Path, referer: httpx.URL | None = None
    ) -> Page | Picture:
        """The page, or the picture written to `part`; `ItemError` when there is neither."""
        start = url
        for _ in range(self._settings.max_redirects + 1):
            await self._robots.check(url)
            attempt = partial(self._attempt, url, part, referer)
            reply = await with_retries(attempt, self._exchange.hosts.of(url), self._settings)
            if not isinstance(reply, httpx.URL):
                return reply
            url = reply
        raise ItemError(
            "failed",
            f"{shown(start)}: more than {self._settings.max_redirects} redirects, "
            f"the last to {shown(url)}",
        )

    async def _attempt(
        self, url: httpx.URL, part: Path, referer: httpx.URL | None
    ) -> Page | Picture | httpx.URL:
        async with self._exchange.response(url, referer) as response:
            if (target := redirect_target(response, url)) is not None:
                return target
            _check_found(response, url)
            body = await self._body(response, url, part)
        if isinstance(body, Page):
            return body
        try:
            return Picture(body, await asyncio.to_thread(picture_facts, part))
        except BrokenImage as error:
            raise TransientError(f"{shown(url)}: {error}") from error
        except NotAnImage as error:
            kind = f"Content-Type {body.content_type}, {body.size} bytes"
            raise ItemError("not_image", f"{shown(url)}: {error} ({kind})") from error

    async def _body(
        self, response: httpx.Response, url: httpx.URL, part: Path
    ) -> Page | StoredBody:
        declared = _declared_length(response)
        self._check_size(declared or 0, self._settings.max_bytes, "max_bytes", url)
        chunks = decoded_body(response, url)
        first = await anext(chunks, b"")
        if _is_html(_media_type(response), first):
            body: Page | StoredBody = await self._page(response, url, first, chunks)
        else:
            body = await self._stored(response, url, part, first, chunks)
        if declared is not None and response.num_bytes_downloaded != declared:
            raise TransientError(
                f"{shown(url)}: cut off after {response.num_bytes_downloaded} of {declared} bytes"
            )
        return body

    async def _page(
        self, response: httpx.Response, url: httpx.URL, first: bytes, chunks: AsyncIterator[bytes]
    ) -> Page:
        body = bytearray(first)
        async for chunk in chunks:
            body += chunk
            self._check_size(len(body), self._settings.max_page_bytes, "max_page_bytes", url)
        return Page(url, bytes(body), response.charset_encoding)

    async def _stored(
        self,
        response: httpx.Response,
        url: httpx.URL,
        part: Path,
        first: bytes,
        chunks: AsyncIterator[bytes],
    ) -> StoredBody:
        limit = self._settings.max_bytes
        with PartFile(part) as file:
            file.write(first)
            async for chunk in chunks:
                file.write(chunk)
                self._check_size(file.size, limit, "max_bytes", url)
            self._check_size(file.size, limit, "max_bytes", url)
        return StoredBody(file.sha256, file.size, _media_type(response))

    def _check_size(self, size: int, limit: int, setting: str, url: httpx.URL) -> None:
        if size > limit:
            raise ItemError(
                "failed",
                f"{shown(url)}: more than the {limit} bytes accepted; raise {setting} if it "
                "really is a picture wanted here",
            )


def _check_found(response: httpx.Response, url: httpx.URL) -> None:
    status = response.status_code
    if status in (404, 410):
        raise ItemError("gone", f"{shown(url)}: HTTP {status}; the site no longer has it")
    if not response.is_success:
        raise ItemError("failed", f"{shown(url)}: HTTP {status}; expected 200")


def _declared_length(response: httpx.Response) -> int | None:
    value = response.headers.get("Content-Length", "")
    return int(value) if value.isascii() and value.isdigit() else None


def _media_type(response: httpx.Response) -> str | None:
    value: str = response.headers.get("Content-Type", "")
    return value.partition(";")[0].strip().lower() or None


def _is_html(media_type: str | None, start: bytes) -> bool:
    if media_type in HTML_TYPES:
        return not start.startswith(PICTURE_STARTS)
    return start.lstrip(b"\xef\xbb\xbf \t\r\n").lower().startswith(HTML_STARTS)
