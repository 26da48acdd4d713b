"""A hub on the loopback interface that speaks as `huggingface_hub` is spoken to: commits, trees in
pages, files by HEAD and GET with ranges, large ones behind a redirect. It breaks as it is told."""

from __future__ import annotations

import hashlib
import json
import re
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from deadpan.benchmarks import find

COMMIT = "0123456789abcdef0123456789abcdef01234567"
LATER = "89abcdef0123456789abcdef0123456789abcdef"
_INFO = re.compile(r"^/api/datasets/(?P<repo>[^/]+/[^/]+)(?:/revision/(?P<revision>.+))?$")
_TREE = re.compile(r"^/api/datasets/(?P<repo>[^/]+/[^/]+)/tree/(?P<revision>[^/]+)/?$")
_FILE = re.compile(r"^/datasets/(?P<repo>[^/]+/[^/]+)/resolve/(?P<revision>[^/]+)/(?P<path>.+)$")
LARGE = (".png", ".jpg", ".mp4", ".zip")


def mini_set(name: str) -> dict[str, bytes]:
    """The files of a mini-set by their paths."""
    folder = find(name).folder / "data"
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def git_name(data: bytes) -> str:
    """What git calls a file of this content."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


@dataclass
class StandInHub:
    """A running hub. `files` are those of the one data set, `status` is what it answers instead
    where it is set; `cuts` ends the first answers for a path after so many bytes, `lies` sends
    another content than is listed, `after` breaks every download after so many."""

    repository: str
    files: dict[str, bytes]
    licence: str | None = "mit"
    commit: str = COMMIT
    status: tuple[int, str] | None = None
    cuts: dict[str, list[int]] = field(default_factory=dict)
    lies: dict[str, bytes] = field(default_factory=dict)
    after: int | None = None
    page: int = 1000
    listed: dict[str, str] = field(default_factory=dict)
    """Paths under which files are listed, where it is not their own."""
    requests: list[tuple[str, str, str]] = field(default_factory=list)
    """Method, path and range of every request."""

    def __enter__(self) -> StandInHub:
        hub = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                hub.answer(self, "GET")

            def do_HEAD(self) -> None:
                hub.answer(self, "HEAD")

            def log_message(self, *_: Any) -> None:
                pass

        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def downloads(self) -> list[str]:
        """The paths whose content was sent, in order."""
        return [
            path for method, path, _ in self.requests if method == "GET" and "/api/" not in path
        ]

    def answer(self, call: BaseHTTPRequestHandler, method: str) -> None:
        place = urlsplit(call.path)
        path = unquote(place.path)
        with self._lock:
            self.requests.append((method, path, call.headers.get("Range", "")))
        with suppress(BrokenPipeError, ConnectionResetError):
            if self.status is not None:
                code, name = self.status
                _send(call, code, b"{}", {"X-Error-Code": name} if name else {})
            elif found := _TREE.match(path):
                self._tree(call, found, parse_qs(place.query))
            elif found := _INFO.match(path):
                self._info(call, found)
            elif found := _FILE.match(path):
                self._file(call, method, found)
            elif path.startswith("/cdn/"):
                self._content(call, method, path.removeprefix("/cdn/"))
            else:
                _send(call, 404, b"{}")

    def _known(self, call: BaseHTTPRequestHandler, found: re.Match[str]) -> bool:
        if found["repo"] != self.repository:
            _send(call, 404, b"{}", {"X-Error-Code": "RepoNotFound"})
        elif found["revision"] not in (None, "main", self.commit, COMMIT):
            _send(call, 404, b"{}", {"X-Error-Code": "RevisionNotFound"})
        else:
            return True
        return False

    def _info(self, call: BaseHTTPRequestHandler, found: re.Match[str]) -> None:
        if self._known(call, found):
            asked = found["revision"]
            sha = asked if re.fullmatch("[0-9a-f]{40}", asked or "") else self.commit
            card = {"license": self.licence} if self.licence else {}
            about = {"id": self.repository, "sha": sha, "private": False, "gated": False}
            more = {"cardData": card, "tags": [], "siblings": [], "disabled": False, "downloads": 0}
            _send(call, 200, json.dumps({**about, **more, "likes": 0}).encode())

    def _tree(
        self, call: BaseHTTPRequestHandler, found: re.Match[str], query: dict[str, list[str]]
    ) -> None:
        if not self._known(call, found):
            return
        entries: list[dict[str, Any]] = [{"type": "directory", "path": "folder", "oid": "0" * 40}]
        for path, data in sorted(self.files.items()):
            entry = {"type": "file", "path": self.listed.get(path, path), "size": len(data)}
            entry["oid"] = git_name(data)
            if path.endswith(LARGE):
                sha256 = hashlib.sha256(data).hexdigest()
                entry["lfs"] = {"oid": sha256, "size": len(data), "pointerSize": 130}
            entries.append(entry)
        start = int(query.get("cursor", ["0"])[0])
        part = entries[start : start + self.page]
        headers = {}
        if start + self.page < len(entries):
            following = f"{self.address}{call.path.split('?')[0]}?recursive=True"
            headers["Link"] = f'<{following}&cursor={start + self.page}>; rel="next"'
        _send(call, 200, json.dumps(part).encode(), headers)

    def _file(self, call: BaseHTTPRequestHandler, method: str, found: re.Match[str]) -> None:
        if not self._known(call, found):
            return
        path = found["path"]
        if path not in self.files:
            _send(call, 404, b"", {"X-Error-Code": "EntryNotFound"})
            return
        headers = {"X-Repo-Commit": found["revision"]}
        if path.endswith(LARGE):
            data = self.files[path]
            headers["X-Linked-Etag"] = f'"{hashlib.sha256(data).hexdigest()}"'
            headers["X-Linked-Size"] = str(len(data))
            # Another host than the hub's own, as large files lie elsewhere.
            headers["Location"] = f"{self.address.replace('127.0.0.1', 'localhost')}/cdn/{path}"
            _send(call, 302, b"", headers)
        else:
            headers["ETag"] = f'"{git_name(self.files[path])}"'
            self._content(call, method, path, headers)

    def _content(
        self,
        call: BaseHTTPRequestHandler,
        method: str,
        path: str,
        headers: dict[str, str] | None = None,
    ) -> None:
        data = self.lies.get(path, self.files[path])
        start = 0
        if asked := re.fullmatch(r"bytes=(\d+)-", call.headers.get("Range", "")):
            start = int(asked[1])
        more = dict(headers or {})
        if start:
            more["Content-Range"] = f"bytes {start}-{len(data) - 1}/{len(data)}"
        if method == "HEAD":
            _send(call, 200, data, more, body=False)
            return
        with self._lock:
            cut = self.cuts[path].pop(0) if self.cuts.get(path) else None
            if self.after is not None:
                self.after -= 1
                cut = 0 if self.after < 0 else cut
        _send(call, 206 if start else 200, data[start:], more, cut=cut)


def _send(
    call: BaseHTTPRequestHandler,
    status: int,
    data: bytes,
    headers: dict[str, str] | None = None,
    body: bool = True,
    cut: int | None = None,
) -> None:
    call.send_response(status)
    for name, value in {"Content-Length": str(len(data)), **(headers or {})}.items():
        call.send_header(name, value)
    call.end_headers()
    if body and call.command != "HEAD":
        call.wfile.write(data if cut is None else data[:cut])
    if cut is not None:
        call.close_connection = True
