"""A model server on loopback with every fault that servers were seen to have, and a thinker."""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
import time
from collections import defaultdict
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

from aiohttp import web

from tests.model_server import Answer, ModelServer, _reply, question_of

PROBE = "This is a test of the connection"
KEY = "sk-loopback-0123456789abcdefghij"
"""What the server takes for the caller's key, and says aloud."""
OUTCOMES = {
    "429 seconds": "failed",
    "429 date": "failed",
    "429 forever": "failed",
    "500": "failed",
    "502 page": "failed",
    "503": "failed",
    "timeout": "failed",
    "cut before": "failed",
    "cut within": "failed",
    "malformed": "failed",
    "wrong shape": "failed",
    "empty body": "failed",
    "null content": "invalid",
    "empty content": "invalid",
    "filter": "refused",
    "5 MB": "invalid",
    "odd characters": "answered",
    "key in error": "failed",
    "key in reply": "answered",
    "wrong type": "answered",
    "chunked garbage": "failed",
    "redirect": "failed",
}
"""Every fault, and how a question about presence ends that meets nothing else."""

Choose = Callable[[int, int], str | None]
"""(place of the question in order of arrival, how often it was asked) → the fault, if any."""


class FaultyServer(ModelServer):
    """Answers the first short question well, and then as `choose` says."""

    def __init__(self, answer: Answer, choose: Choose) -> None:
        super().__init__(answer)
        self.choose = choose
        self.arrivals: dict[str, list[float]] = defaultdict(list)
        self.met: dict[str, list[str]] = defaultdict(list)
        self.bodies: list[dict[str, Any]] = []

    @property
    def environment(self) -> dict[str, str]:
        """What makes Inspect speak to this server, with the key that it echoes."""
        return {**super().environment, "LOOPBACK_API_KEY": KEY}

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        picture, prompt = question_of(body)
        if PROBE in prompt:
            return _reply(body, "OK")
        self.bodies.append(body)
        key = hashlib.sha256(f"{picture}|{prompt}".encode()).hexdigest()
        self.calls[key] += 1
        self.arrivals[key].append(time.monotonic())
        place = self.order.setdefault(key, len(self.order))
        fault = self.choose(place, self.calls[key])
        if fault is not None:
            self.met[key].append(fault)
            return await self._misbehave(fault, request, body)
        self.finished[key] += 1
        return _reply(body, self.answer(picture, prompt))

    async def _misbehave(
        self, fault: str, request: web.Request, body: dict[str, Any]
    ) -> web.StreamResponse:
        kind, _, rest = fault.partition(" ")
        if kind == "429":
            return self._slow_down(rest)
        if kind in ("500", "503"):
            return web.json_response({"error": {"message": "broken"}}, status=int(kind))
        if fault in ("cut before", "cut within", "chunked garbage"):
            return await _torn(fault, request)
        if fault == "timeout":
            await self._stop.wait()
            return _reply(body, "")
        if fault == "redirect":
            raise web.HTTPFound("/v1/nowhere")
        if fault in _PLAIN:
            text, kind, status = _PLAIN[fault]
            return web.Response(text=text, content_type=kind, status=status)
        return _odd_reply(fault, body)

    def _slow_down(self, how: str) -> web.Response:
        error = {"error": {"message": "slow down", "type": "rate_limit_exceeded"}}
        headers = {}
        if how == "seconds":
            headers["Retry-After"] = "2"
        if how == "date":
            until = datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=3)
            headers["Retry-After"] = format_datetime(until, usegmt=True)
        return web.json_response(error, status=429, headers=headers)


_GOOD = {
    "id": "reply",
    "object": "chat.completion",
    "created": 1,
    "model": "m",
    "choices": [
        {
            "index": 0,
            "finish_reason": "stop",
            "message": {"role": "assistant", "content": "Yes"},
        }
    ],
}
_PLAIN = {
    "502 page": ("<html><body><h1>502 Bad Gateway</h1></body></html>", "text/html", 502),
    "malformed": ('{"id": "x", "choices": [{', "application/json", 200),
    "wrong shape": ('{"hello": [1, 2, {"choices": "none"}]}', "application/json", 200),
    "empty body": ("", "application/json", 200),
    "wrong type": (json.dumps(_GOOD), "text/plain", 200),
    "key in error": (
        json.dumps({"error": {"message": f"Incorrect API key provided: {KEY}. Bearer {KEY}"}}),
        "application/json",
        400,
    ),
}


def _odd_reply(fault: str, body: dict[str, Any]) -> web.Response:
    match fault:
        case "filter":
            return _reply(body, "", finish="content_filter")
        case "5 MB":
            return _reply(body, "la " * (5_000_000 // 3))
        case "key in reply":
            return _reply(body, f"Yes. Your key is {KEY}.")
        case "odd characters":
            text = json.dumps(_GOOD).replace('"Yes"', r'"Yes \u001b[31m \u0000 \ud800 \u202e"')
            return web.Response(text=text, content_type="application/json")
        case "null content":
            text = json.dumps(_GOOD).replace('"Yes"', "null")
            return web.Response(text=text, content_type="application/json")
    assert fault == "empty content", fault
    return _reply(body, "")


async def _torn(fault: str, request: web.Request) -> web.StreamResponse:
    """An answer that breaks off, or is no HTTP."""
    assert request.transport is not None
    if fault == "cut before":
        request.transport.abort()
    else:
        head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
        if fault == "cut within":
            request.transport.write(head + b'Content-Length: 500\r\n\r\n{"id": "reply", "choi')
        else:
            request.transport.write(head + b"Transfer-Encoding: chunked\r\n\r\nZZ\r\n\x00\xff\r\n")
        request.transport.close()
    await asyncio.sleep(0)
    return web.Response()


def seeded(seed: int, share: float) -> Choose:
    """Faults of all kinds for this share of calls, the same for the same question and seed."""

    def choose(place: int, call: int) -> str | None:
        draw = random.Random(f"{seed}|{place}|{call}")
        return draw.choice(list(OUTCOMES)) if draw.random() < share else None

    return choose


THOUGHT = 3000
"""Tokens that the thinking model thinks for."""


class ThinkingServer(ModelServer):
    """Thinks before it answers, in a field of its own or between tags, and keeps `max_tokens`: a
    word is a token."""

    def __init__(self, answer: Answer, tags: bool) -> None:
        super().__init__(answer)
        self.tags = tags

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        picture, prompt = question_of(body)
        self.calls[hashlib.sha256(f"{picture}|{prompt}".encode()).hexdigest()] += 1
        thought = ["No,", "it", "is", "not", "funny."] * (THOUGHT // 5)
        answer = self.answer(picture, prompt).split()
        room = body.get("max_tokens") or body.get("max_completion_tokens") or 10**9
        cut = len(thought) + len(answer) > room
        thought, answer = thought[:room], answer[: max(0, room - len(thought))]
        message: dict[str, Any] = {"role": "assistant", "content": " ".join(answer)}
        if self.tags:
            end = " </think> " if answer or not cut else ""
            message["content"] = f"<think> {' '.join(thought)}{end}{' '.join(answer)}"
        else:
            message["reasoning_content"] = " ".join(thought)
        choice = {"index": 0, "finish_reason": "length" if cut else "stop", "message": message}
        spent = len(thought) + len(answer)
        usage = {"prompt_tokens": 100, "completion_tokens": spent, "total_tokens": 100 + spent}
        return web.json_response({**_GOOD, "choices": [choice], "usage": usage})
