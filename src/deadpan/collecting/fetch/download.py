"""One address to one HTML page or one checked picture on disk, as far as robots.txt (RFC 9309)
allows; redirects and retries included."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import httpx
from PIL import ImageSequence
from protego import Protego

from deadpan.base.errors import InputError
from deadpan.collecting.fetch.exchange import Exchange, decoded_body, printable, redirect_target
from deadpan.collecting.fetch.manifest import EXTENSIONS, PartFile
from deadpan.collecting.fetch.pages import Page
from deadpan.collecting.fetch.records import AGENT_TOKEN, ItemError, TransientError
from deadpan.media.images import MOST_PIXELS, NotAPicture, decoding, open_image

MAX_BYTES = 500 * 1024
MAX_REDIRECTS = 5
Line = tuple[str, str]
"""The field and the value of a line."""


class RobotsRules:
    """The rules for one agent: those of the groups that name it, or else of those for everyone.

    Protego takes names that begin alike for the same and does not say which rule forbids; so the
    groups are told apart here, by whole names, and every rule can be asked alone.
    """

    def __init__(self, text: str, agent: str) -> None:
        groups: dict[str, list[Line]] = defaultdict(list)
        current: list[str] = []
        in_group_head = False
        for line in text.splitlines():
            field, colon, value = line.split("#", 1)[0].partition(":")
            field, value = field.strip().lower(), value.strip()
            if not colon:
                continue
            if field == "user-agent":
                current = current if in_group_head else []
                current.append(value.split("/")[0].strip().lower())
                groups[current[-1]]  # a group without rules still is the agent's group
            elif field in ("allow", "disallow", "crawl-delay"):
                for name in current:
                    groups[name].append((field, value))
            in_group_head = field == "user-agent"
        self._lines = groups[agent.lower() if agent.lower() in groups else "*"]
        self._rules = _parsed(self._lines)
        delays = [_parsed([line]) for line in self._lines if line[0] == "crawl-delay"]
        self.crawl_delay = max((one.crawl_delay("*") or 0.0 for one in delays), default=0.0)
        """The gap asked for between requests."""

    def forbidding(self, path: str) -> str | None:
        """The Disallow pattern that rules the path out, or None: the longest match decides."""
        url = f"http://host{path}"
        if self._rules.can_fetch(url, "*"):
            return None
        return max(
            (line[1] for line in self._lines if not _parsed([line]).can_fetch(url, "*")), key=len
        )


def _parsed(lines: list[Line]) -> Protego:
    return Protego.parse("\n".join(["user-agent: *", *map(": ".join, lines)]))


ALLOW_ALL = RobotsRules("", AGENT_TOKEN)
DISALLOW_ALL = RobotsRules("user-agent: *\ndisallow: /", AGENT_TOKEN)


class Robots:
    """What the hosts of a run allow; a host whose robots.txt cannot be read is given up."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange
        self._rules: dict[str, RobotsRules] = {}
        self._locks: dict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def check(self, url: httpx.URL) -> None:
        """Raises `ItemError` robots for what is forbidden, host_dead for a host without answer."""
        host = self._exchange.host(url)
        most = self._exchange.settings.max_crawl_delay
        host.check_alive()
        async with self._locks[host.key]:
            host.check_alive()
            if host.key not in self._rules:
                try:
                    self._rules[host.key] = await self._read(url)
                except ItemError as error:
                    refused = error.status == "refused"
                    reason = f"its robots.txt could not be read: {error}"
                    host.give_up(reason, "refused" if refused else "host_dead")
                    host.check_alive()
                delay = min(self._rules[host.key].crawl_delay, most)
                host.interval = max(host.interval, delay)
                host.pause(delay)
        rules = self._rules[host.key]
        if rules.crawl_delay > most:
            raise ItemError(
                "robots",
                f"{printable(url)}: robots.txt asks for {rules.crawl_delay:g} s between requests; "
                f"at most {most:g} s are accepted; raise max_crawl_delay",
            )
        if (pattern := rules.forbidding(url.raw_path.decode("ascii"))) is not None:
            raise ItemError(
                "robots",
                f"{printable(url)}: forbidden by robots.txt of {host.key} (Disallow: {pattern}) "
                f"for {AGENT_TOKEN}; ask the site for permission or another copy",
            )

    async def _read(self, url: httpx.URL) -> RobotsRules:
        target = url.copy_with(raw_path=b"/robots.txt", fragment=None)
        for _ in range(MAX_REDIRECTS + 1):
            answer = await self._exchange.host(target).retry(partial(self._answer, target))
            if isinstance(answer, RobotsRules):
                return answer
            target = answer
        return ALLOW_ALL

    async def _answer(self, url: httpx.URL) -> RobotsRules | httpx.URL:
        async with self._exchange.response(url) as response:
            if (target := redirect_target(response, url)) is not None:
                return target
            if response.status_code in (401, 403):
                return DISALLOW_ALL
            if not response.is_success:
                return ALLOW_ALL
            body = b""
            async for chunk in decoded_body(response, url):
                body += chunk
                if len(body) >= MAX_BYTES:
                    break
        return RobotsRules(body[:MAX_BYTES].decode("utf-8-sig", "replace"), AGENT_TOKEN)


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
