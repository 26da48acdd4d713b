"""One address to one HTML page or one checked picture on disk, as robots.txt (RFC 9309) allows."""

from __future__ import annotations

import asyncio
import hashlib
from collections import defaultdict
from functools import partial
from pathlib import Path
from typing import NamedTuple

import httpx
from PIL import ImageSequence
from protego import Protego

from deadpan.base.errors import InputError
from deadpan.collecting.fetch.exchange import Exchange, decode_body, printable, redirect_target
from deadpan.collecting.fetch.pages import Page
from deadpan.collecting.fetch.records import AGENT_TOKEN, ItemError, TransientError, writing
from deadpan.media.images import MOST_PIXELS, NotAPicture, decoding, open_image

ROBOTS_BYTES = 500 * 1024
ROBOTS_REDIRECTS = 5
HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
HTML_STARTS = (b"<!doctype html", b"<html")
PICTURE_STARTS = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"RIFF", b"II*\x00", b"MM\x00*")
EXTENSIONS = {"JPEG": ".jpg", "MPO": ".jpg", "PNG": ".png", "GIF": ".gif"}
EXTENSIONS |= {"WEBP": ".webp", "BMP": ".bmp", "TIFF": ".tif"}
ANIMATED = frozenset({"GIF", "WEBP", "PNG"})
MOST_FRAME_PIXELS = 20 * MOST_PIXELS  # of all frames of an animation together
Line = tuple[str, str]  # the field and the value of a line of robots.txt


class RobotsRules:
    """The rules for one agent: those of the groups that name it, or else of those for everyone.
    Protego takes names that begin alike for the same and does not say which rule forbids; so the
    groups are told apart here, by whole names, and every rule can be asked alone."""

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
        self._rules = _parse(self._lines)
        delays = [_parse([line]) for line in self._lines if line[0] == "crawl-delay"]
        self.crawl_delay = max((one.crawl_delay("*") or 0.0 for one in delays), default=0.0)

    def forbidding(self, path: str) -> str | None:
        """The Disallow pattern that rules the path out, or None: the longest match decides."""
        url = f"http://host{path}"
        if self._rules.can_fetch(url, "*"):
            return None
        forbid = (line[1] for line in self._lines if not _parse([line]).can_fetch(url, "*"))
        return max(forbid, key=len)


def _parse(lines: list[Line]) -> Protego:
    return Protego.parse("\n".join(["user-agent: *", *map(": ".join, lines)]))


ALLOW_ALL = RobotsRules("", AGENT_TOKEN)
DISALLOW_ALL = RobotsRules("user-agent: *\ndisallow: /", AGENT_TOKEN)


class Picture(NamedTuple):
    """A picture that decodes, still in its part file."""

    sha256: str
    bytes: int
    content_type: str | None
    extension: str
    width: int
    height: int


class Downloader:
    """Fetches single addresses for a run, as the robots.txt of their hosts allow, each read once;
    a host whose robots.txt cannot be read is given up."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange
        self._settings = exchange.settings
        self._robots: dict[str, RobotsRules] = {}
        self._locks: dict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def get(
        self, url: httpx.URL, part: Path, referer: httpx.URL | None = None
    ) -> Page | Picture:
        """The page, or the picture written to `part`; `ItemError` when there is neither."""
        start = url
        for _ in range(self._settings.max_redirects + 1):
            await self._check_robots(url)
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

    async def _check_robots(self, url: httpx.URL) -> None:
        """Raises `ItemError` robots for what is forbidden, host_dead for a host without answer."""
        host = self._exchange.host(url)
        most = self._settings.max_crawl_delay
        host.check_alive()
        async with self._locks[host.key]:
            host.check_alive()
            if host.key not in self._robots:
                try:
                    self._robots[host.key] = await self._read_robots(url)
                except ItemError as error:
                    refused = error.status == "refused"
                    reason = f"its robots.txt could not be read: {error}"
                    host.give_up(reason, "refused" if refused else "host_dead")
                    host.check_alive()
                delay = min(self._robots[host.key].crawl_delay, most)
                host.interval = max(host.interval, delay)
                host.pause(delay)
        rules = self._robots[host.key]
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

    async def _read_robots(self, url: httpx.URL) -> RobotsRules:
        target = url.copy_with(raw_path=b"/robots.txt", fragment=None)
        for _ in range(ROBOTS_REDIRECTS + 1):
            answer = await self._exchange.host(target).retry(partial(self._ask_robots, target))
            if isinstance(answer, RobotsRules):
                return answer
            target = answer
        return ALLOW_ALL

    async def _ask_robots(self, url: httpx.URL) -> RobotsRules | httpx.URL:
        async with self._exchange.response(url) as response:
            if (target := redirect_target(response, url)) is not None:
                return target
            if response.status_code in (401, 403):
                return DISALLOW_ALL
            if not response.is_success:
                return ALLOW_ALL
            body = b""
            async for chunk in decode_body(response, url):
                body += chunk
                if len(body) >= ROBOTS_BYTES:
                    break
        return RobotsRules(body[:ROBOTS_BYTES].decode("utf-8-sig", "replace"), AGENT_TOKEN)

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
            content_type = response.headers.get("Content-Type", "").partition(";")[0]
            content_type = content_type.strip().lower() or None
            body = await self._body(response, url, content_type, part)
        if isinstance(body, Page):
            return body
        sha256, size = body
        try:
            facts = await asyncio.to_thread(picture_facts, part)
            return Picture(sha256, size, content_type, *facts)
        except NotAPicture as error:
            what = f"not a picture to keep: {error.what}"
            kind = f"Content-Type {content_type}, {size} bytes"
            raise ItemError("not_image", f"{printable(url)}: {what} ({kind})") from error
        except InputError as error:
            what = f"the picture does not decode to its end: {error.what}"
            raise TransientError(f"{printable(url)}: {what}") from error

    async def _body(
        self, response: httpx.Response, url: httpx.URL, content_type: str | None, part: Path
    ) -> Page | tuple[str, int]:
        """The page, or the SHA-256 and the size of what was written to `part`."""

        def check_size(size: int, setting: str) -> None:
            if size > (limit := getattr(self._settings, setting)):
                raise ItemError(
                    "failed",
                    f"{printable(url)}: more than the {limit} bytes accepted; raise {setting} if "
                    "it really is a picture wanted here",
                )

        length = response.headers.get("Content-Length", "")
        declared = int(length) if length.isascii() and length.isdigit() else None
        check_size(declared or 0, "max_bytes")
        chunks = decode_body(response, url)
        first = await anext(chunks, b"")
        body: Page | tuple[str, int]
        is_html = first.lstrip(b"\xef\xbb\xbf \t\r\n").lower().startswith(HTML_STARTS)
        if content_type in HTML_TYPES:
            is_html = not first.startswith(PICTURE_STARTS)
        if is_html:
            text = bytearray(first)
            async for chunk in chunks:
                text += chunk
                check_size(len(text), "max_page_bytes")
            body = Page(url, bytes(text), response.charset_encoding)
        else:
            digest = hashlib.sha256(first)
            with writing(part), part.open("wb") as file:
                file.write(first)
                async for chunk in chunks:
                    digest.update(chunk)
                    file.write(chunk)
                    check_size(file.tell(), "max_bytes")
                check_size(file.tell(), "max_bytes")
                body = digest.hexdigest(), file.tell()
        found = response.num_bytes_downloaded
        if declared is not None and found != declared:
            raise TransientError(f"{printable(url)}: cut off after {found} of {declared} bytes")
        return body


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
