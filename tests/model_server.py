"""An OpenAI-compatible server on loopback that misbehaves as told and counts its calls."""

from __future__ import annotations

import asyncio
import hashlib
import json
import threading
from collections import Counter
from collections.abc import Callable
from typing import Any, Self

import pytest
from aiohttp import web

from deadpan.engine.endpoints import QUESTION as PROBE

Answer = Callable[[str, str], str]
"""(picture hash, prompt) → the text a well-behaved reply carries."""


class ModelServer:
    """`with ModelServer(answer, faults) as server:` serves on 127.0.0.1 until the block ends.

    `faults` maps the place of a question in order of first arrival to a fault name; a name that
    ends in `!` happens every time, any other only the first time.

    The first short question that tries the connection is answered and counted in `probes` alone;
    `probe_fault` names a fault for it, or an HTTP status and what is said with it.
    """

    def __init__(
        self, answer: Answer, faults: dict[int, str] | None = None, delay: float = 0.0
    ) -> None:
        self.answer, self.faults, self.delay = answer, faults or {}, delay
        self.refuse_schema = False
        self.most_images: int | None = None
        self.probe_fault: str | tuple[int, str] = ""
        self.probes: list[dict[str, Any]] = []
        self.calls: Counter[str] = Counter()
        self.finished: Counter[str] = Counter()
        self.requests: list[dict[str, Any]] = []
        self.order: dict[str, int] = {}
        self._ready = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def environment(self) -> dict[str, str]:
        """What makes Inspect's `openai-api/loopback/…` speak to this server."""
        return {"LOOPBACK_API_KEY": "not-a-secret", "LOOPBACK_BASE_URL": self.url}

    def offer(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Sets `environment` for the test."""
        for name, value in self.environment.items():
            monkeypatch.setenv(name, value)

    @property
    def total(self) -> int:
        return sum(self.calls.values())

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._main())
        left = asyncio.all_tasks(self._loop)
        for task in left:
            task.cancel()
        self._loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
        self._loop.close()

    async def _main(self) -> None:
        self._stop = asyncio.Event()
        app = web.Application(client_max_size=1 << 28)
        self.add_routes(app)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        self.port = runner.addresses[0][1]
        self._ready.set()
        await self._stop.wait()
        await runner.cleanup()

    def add_routes(self, app: web.Application) -> None:
        """What is served."""
        app.router.add_post("/v1/chat/completions", self._chat)

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        picture, prompt = question_of(body)
        if prompt == PROBE:
            return await self._probed(request, body)
        key = hashlib.sha256(f"{picture}|{prompt}".encode()).hexdigest()
        self.calls[key] += 1
        self.requests.append(
            {
                "model": body["model"],
                "temperature": body.get("temperature"),
                "images": _images(body),
                "roles": [message["role"] for message in body["messages"]],
                "max_tokens": body.get("max_completion_tokens", body.get("max_tokens")),
                "schema": "response_format" in body,
            }
        )
        if refused := self._refused(body):
            return web.json_response({"error": {"message": refused}}, status=400)
        place = self.order.setdefault(key, len(self.order))
        fault = self.faults.get(place, "")
        if fault and (fault.endswith("!") or self.calls[key] == 1):
            return await self._misbehave(fault.rstrip("!"), request, body)
        await asyncio.sleep(self.delay)
        self.finished[key] += 1
        return _reply(body, self.answer(picture, prompt))

    async def _probed(self, request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
        self.probes.append({"model": body["model"], "images": _images(body)})
        if isinstance(self.probe_fault, tuple):
            status, said = self.probe_fault
            return web.json_response({"error": {"message": said}}, status=status)
        if self.probe_fault:
            return await self._misbehave(self.probe_fault, request, body)
        return _reply(body, "OK")

    def _refused(self, body: dict[str, Any]) -> str:
        """Why the request is turned down, as servers word it; empty where it is not."""
        if self.refuse_schema and "response_format" in body:
            return "Invalid parameter: 'response_format' of type 'json_schema' is not supported"
        if self.most_images is not None and _images(body) > self.most_images:
            return f"At most {self.most_images} image(s) may be provided in one request."
        return ""

    async def _misbehave(
        self, fault: str, request: web.Request, body: dict[str, Any]
    ) -> web.StreamResponse:
        match fault:
            case "429":
                error = {"error": {"message": "slow down", "type": "rate_limit_exceeded"}}
                return web.json_response(error, status=429, headers={"Retry-After": "1"})
            case "500":
                return web.json_response({"error": {"message": "broken"}}, status=500)
            case "timeout":
                await self._stop.wait()
            case "cut":
                assert request.transport is not None
                request.transport.abort()
            case "malformed":
                return web.Response(
                    text='{"id": "x", "choices": [{', content_type="application/json"
                )
            case "page":
                return web.Response(text="<html><h1>Welcome</h1></html>", content_type="text/html")
            case "cut off":
                return _reply(body, '{"reasoning": "It', finish="length")
            case "filter":
                return _reply(body, "", finish="content_filter")
        return _reply(
            body,
            {
                "empty": "",
                "refusal": "I'm sorry, but I can't assist with that.",
                "nonsense": "Purple.",
            }.get(fault, ""),
        )


def _images(body: dict[str, Any]) -> int:
    content = body["messages"][-1]["content"]
    if isinstance(content, str):
        return 0
    return sum(part["type"] == "image_url" for part in content)


def question_of(body: dict[str, Any]) -> tuple[str, str]:
    """The picture's hash and the prompt of a request."""
    content = body["messages"][-1]["content"]
    if isinstance(content, str):
        return "", content
    picture = next((p["image_url"]["url"] for p in content if p["type"] == "image_url"), "")
    prompt = next(p["text"] for p in content if p["type"] == "text")
    return hashlib.sha256(picture.encode()).hexdigest(), prompt


def _reply(body: dict[str, Any], text: str, finish: str = "stop") -> web.Response:
    made = completion(body, text, finish)
    return web.json_response(made, dumps=lambda value: json.dumps(value, ensure_ascii=False))


def completion(body: dict[str, Any], text: str, finish: str = "stop") -> dict[str, Any]:
    """A reply as OpenAI's chat has it."""
    message = {"role": "assistant", "content": text}
    return {
        "id": "reply",
        "object": "chat.completion",
        "created": 1,
        "model": body["model"],
        "choices": [{"index": 0, "finish_reason": finish, "message": message}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 3, "total_tokens": 103},
    }
