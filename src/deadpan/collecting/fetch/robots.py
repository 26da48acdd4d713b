"""robots.txt (RFC 9309): parsed rules, read once per host and kept for the run."""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from urllib.parse import quote, unquote

import httpx

from deadpan.collecting.fetch.addresses import shown
from deadpan.collecting.fetch.errors import ItemError
from deadpan.collecting.fetch.exchange import Exchange, decoded_body, redirect_target
from deadpan.collecting.fetch.retries import with_retries
from deadpan.collecting.fetch.settings import AGENT_TOKEN, FetchSettings

MAX_BYTES = 500 * 1024
MAX_REDIRECTS = 5
ESCAPE = re.compile("%[0-9A-Fa-f]{2}")
UNRESERVED = re.compile(r"[A-Za-z0-9_.~-]")


@dataclass(frozen=True)
class RobotsRules:
    """The rules for one agent: (allow?, pattern) pairs and the gap asked for between requests."""

    rules: tuple[tuple[bool, str], ...] = ()
    crawl_delay: float = 0.0

    def forbidding(self, path: str) -> str | None:
        """The Disallow pattern that rules the path out, or None: the longest match decides."""
        if path == "/robots.txt":
            return None
        target = _normal(path)
        matching = [(len(pat), allow, pat) for allow, pat in self.rules if _matches(pat, target)]
        _, allow, pattern = max(matching, default=(0, True, ""))
        return None if allow else pattern


ALLOW_ALL = RobotsRules()
DISALLOW_ALL = RobotsRules(((False, "/"),))


def parse_robots(text: str, agent: str) -> RobotsRules:
    """The rules of the groups that name the agent, or else of the groups for everyone."""
    rules: dict[str, list[tuple[bool, str]]] = defaultdict(list)
    delays: dict[str, float] = {}
    current: list[str] = []
    in_group_head = False
    for key, value in _fields(text):
        if key == "user-agent":
            current = current if in_group_head else []
            current.append(value.split("/")[0].strip().lower())
            rules[current[-1]]  # a group without rules still is the agent's group
            in_group_head = True
            continue
        in_group_head = False
        for name in current:
            if key in ("allow", "disallow") and value:
                rules[name].append((key == "allow", _normal(value)))
            elif key == "crawl-delay" and re.fullmatch(r"\d+(\.\d+)?", value):
                delays[name] = max(delays.get(name, 0.0), float(value))
    chosen = agent.lower() if agent.lower() in rules else "*"
    return RobotsRules(tuple(rules.get(chosen, ())), delays.get(chosen, 0.0))


class Robots:
    """What the hosts of a run allow; a host whose robots.txt cannot be read is given up."""

    def __init__(self, exchange: Exchange, settings: FetchSettings) -> None:
        self._exchange = exchange
        self._settings = settings
        self._rules: dict[str, RobotsRules] = {}
        self._locks: dict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def check(self, url: httpx.URL) -> None:
        """Raises `ItemError` robots for what is forbidden, host_dead for a host without answer."""
        host = self._exchange.hosts.of(url)
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
                host.interval = max(host.interval, self._accepted_delay(host.key))
                host.pause(self._accepted_delay(host.key))
        rules = self._rules[host.key]
        if rules.crawl_delay > self._settings.max_crawl_delay:
            raise ItemError(
                "robots",
                f"{shown(url)}: robots.txt asks for {rules.crawl_delay:g} s between requests; at "
                f"most {self._settings.max_crawl_delay:g} s are accepted; raise max_crawl_delay",
            )
        if (pattern := rules.forbidding(url.raw_path.decode("ascii"))) is not None:
            raise ItemError(
                "robots",
                f"{shown(url)}: forbidden by robots.txt of {host.key} (Disallow: {pattern}) "
                f"for {AGENT_TOKEN}; ask the site for permission or another copy",
            )

    def _accepted_delay(self, key: str) -> float:
        return min(self._rules[key].crawl_delay, self._settings.max_crawl_delay)

    async def _read(self, url: httpx.URL) -> RobotsRules:
        target = url.copy_with(raw_path=b"/robots.txt", fragment=None)
        for _ in range(MAX_REDIRECTS + 1):
            host = self._exchange.hosts.of(target)
            answer = await with_retries(partial(self._answer, target), host, self._settings)
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
        return parse_robots(body[:MAX_BYTES].decode("utf-8-sig", "replace"), AGENT_TOKEN)


def _fields(text: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        key, colon, value = line.split("#", 1)[0].partition(":")
        if colon:
            yield key.strip().lower(), value.strip()


def _normal(path: str) -> str:
    """The path with equal percent-encodings written equally."""
    encoded = quote(path, safe="%/:?#[]@!$&'()*+,;=~")
    return ESCAPE.sub(_normal_escape, encoded)


def _normal_escape(found: re.Match[str]) -> str:
    character = unquote(found[0], encoding="latin-1")
    return character if UNRESERVED.match(character) else found[0].upper()


def _matches(pattern: str, path: str) -> bool:
    """Whether a rule's pattern (`*` any run, `$` at the end) fits the start of the path."""
    anchored = pattern.endswith("$")
    first, *rest = pattern.removesuffix("$").split("*")
    if not path.startswith(first):
        return False
    if not rest:
        return not anchored or path == first
    position = len(first)
    for piece in rest[:-1]:
        found = path.find(piece, position)
        if found < 0:
            return False
        position = found + len(piece)
    if anchored:
        return path.endswith(rest[-1]) and len(path) - len(rest[-1]) >= position
    return path.find(rest[-1], position) >= 0
