"""robots.txt (RFC 9309), read once per host and kept for the run."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from functools import partial

import httpx
from protego import Protego

from deadpan.collecting.fetch.exchange import Exchange, decoded_body, printable, redirect_target
from deadpan.collecting.fetch.records import AGENT_TOKEN, ItemError

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
