"""An image-editing service on loopback, OpenAI's and Google's way, that answers as told."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from typing import Any

from PIL import Image


@dataclass(frozen=True)
class Reply:
    """One answer; `cut` closes the connection in the middle of it."""

    status: int = 200
    body: bytes = b"{}"
    headers: dict[str, str] = field(default_factory=dict)
    cut: bool = False


@dataclass(frozen=True)
class Seen:
    """One request as the service saw it."""

    method: str
    path: str
    headers: Message
    body: bytes


class ImageService:
    """Gives its replies in order; the last repeats."""

    def __init__(self) -> None:
        self.replies: list[Reply] = [Reply()]
        self.pages: dict[str, Reply] = {}
        self.requests: list[Seen] = []
        self._lock = threading.Lock()
        service = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle(self) -> None:
                with suppress(ConnectionError):
                    super().handle()

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                with service._lock:
                    service.requests.append(Seen("POST", self.path, self.headers, body))
                    reply = (
                        service.replies.pop(0) if len(service.replies) > 1 else service.replies[0]
                    )
                self._send(reply)

            def do_GET(self) -> None:
                service.requests.append(Seen("GET", self.path, self.headers, b""))
                self._send(service.pages.get(self.path, Reply(404)))

            def _send(self, reply: Reply) -> None:
                self.send_response(reply.status)
                self.send_header("Content-Length", str(len(reply.body)))
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(reply.body[: len(reply.body) // 2 if reply.cut else None])
                if reply.cut:
                    self.close_connection = True

            def log_message(self, *_: object) -> None:
                return

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.base = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    def close(self) -> None:
        """Stops the service and frees its port."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@contextmanager
def image_service() -> Iterator[ImageService]:
    """A running service until the block ends."""
    service = ImageService()
    try:
        yield service
    finally:
        service.close()


def picture(size: tuple[int, int] = (60, 40), colour: str = "teal", kind: str = "PNG") -> bytes:
    """A plain picture."""
    stream = BytesIO()
    Image.new("RGB", size, colour).save(stream, kind)
    return stream.getvalue()


def openai_reply(*pictures: bytes, **more: Any) -> Reply:
    """A reply with pictures, as the image-edit endpoint gives them."""
    data = [{"b64_json": base64.b64encode(one).decode()} for one in pictures]
    return Reply(body=json.dumps({"created": 1, "data": data, **more}).encode())


def google_reply(*parts: dict[str, Any], finish: str = "STOP", **more: Any) -> Reply:
    """A reply of generateContent with the parts given."""
    candidate = {"content": {"role": "model", "parts": list(parts)}, "finishReason": finish}
    return Reply(body=json.dumps({"candidates": [candidate], **more}).encode())


def inline(data: bytes, **more: Any) -> dict[str, Any]:
    """A picture as a part of Google's replies."""
    return {
        "inlineData": {"mimeType": "image/png", "data": base64.b64encode(data).decode()},
        **more,
    }


def error(status: int, message: str, **more: Any) -> Reply:
    """An error as both services word it."""
    return Reply(status, json.dumps({"error": {"message": message, **more}}).encode())
