"""A small web server on the loopback interface that misbehaves as told and notes what it saw."""

from __future__ import annotations

import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO

import httpx
from PIL import Image


@dataclass(frozen=True)
class Reply:
    """One answer: `cut` ends it after so many bytes, `hang` waits there instead of closing."""

    status: int = 200
    body: bytes = b""
    kind: str | None = None
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    cut: int | None = None
    hang: bool = False
    length: bool = True


@dataclass(frozen=True)
class Seen:
    """One request as the server saw it."""

    path: str
    host: str
    at: float
    headers: dict[str, str]


class Site:
    """A running server; `routes` maps a path, or host and path, to its answers in order.

    The last answer repeats. Unknown paths, robots.txt among them, are 404.
    """

    def __init__(self, address: str = "127.0.0.1") -> None:
        self.routes: dict[str, list[Reply]] = {}
        self.requests: list[Seen] = []
        self.most_at_once = 0
        self.closing = threading.Event()
        self.hanging = threading.Event()
        self._at_once = 0
        self._lock = threading.Lock()
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def handle(self) -> None:
                with suppress(ConnectionError):
                    super().handle()

            def do_GET(self) -> None:
                site.answer(self)

            def log_message(self, *_: object) -> None:
                return

        self._server = ThreadingHTTPServer((address, 0), Handler)
        self._server.daemon_threads = True
        self.address = address
        self.port = int(self._server.server_address[1])
        self.base = f"http://{address}:{self.port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    def close(self) -> None:
        """Stops the server and frees its port."""
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def put(self, path: str, *replies: Reply) -> str:
        """The URL of a path that now gives these answers."""
        self.routes[path] = list(replies)
        return self.base + path

    def asked(self) -> Counter[str]:
        """How often each path was requested, robots.txt left out."""
        return Counter(seen.path for seen in self.requests if seen.path != "/robots.txt")

    def times(self) -> list[float]:
        """When the requests came, robots.txt included."""
        return [seen.at for seen in self.requests]

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        """Notes the request and gives the next answer of its route."""
        host = handler.headers["Host"]
        with self._lock:
            self.requests.append(
                Seen(handler.path, host, time.monotonic(), dict(handler.headers.items()))
            )
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
            replies = self.routes.get(host + handler.path, self.routes.get(handler.path))
            reply = Reply(404)
            if replies:
                reply = replies.pop(0) if len(replies) > 1 else replies[0]
        try:
            if reply.delay:
                self.closing.wait(reply.delay)
            self._send(handler, reply)
        except ConnectionError:
            handler.close_connection = True
        finally:
            with self._lock:
                self._at_once -= 1

    def _send(self, handler: BaseHTTPRequestHandler, reply: Reply) -> None:
        handler.send_response(reply.status)
        if reply.kind:
            handler.send_header("Content-Type", reply.kind)
        if reply.length:
            handler.send_header("Content-Length", str(len(reply.body)))
        else:
            handler.close_connection = True
        for name, value in reply.headers.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(reply.body[: reply.cut])
        if reply.cut is not None:
            handler.close_connection = True
        if reply.hang:
            self.hanging.set()
            self.closing.wait(30)


class Mapped(httpx.AsyncBaseTransport):
    """A transport that sends every request to one loopback server, the Host header kept."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._inner = httpx.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        request.url = request.url.copy_with(
            scheme="http", host=self._site.address, port=self._site.port
        )
        return await self._inner.handle_async_request(request)

    async def aclose(self) -> None:
        await self._inner.aclose()


@cache
def picture(seed: int = 0, kind: str = "PNG", size: tuple[int, int] = (48, 32)) -> bytes:
    """A picture of seeded noise, so that cutting it anywhere shows."""
    noise = bytes((seed * 31 + i * i * 7 + i // 5) % 251 for i in range(size[0] * size[1] * 3))
    file = BytesIO()
    Image.frombytes("RGB", size, noise).save(file, kind)
    return file.getvalue()


def png(seed: int = 0) -> Reply:
    """An answer with a PNG picture."""
    return Reply(body=picture(seed), kind="image/png")


def html(text: str) -> Reply:
    """An answer with an HTML page."""
    return Reply(body=text.encode(), kind="text/html; charset=utf-8")
