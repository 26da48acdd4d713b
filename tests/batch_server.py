"""OpenAI's batch API on loopback: files go in, batches are made, and end when they may."""

from __future__ import annotations

import hashlib
import json
import threading
from collections import Counter
from typing import Any

from aiohttp import web

from tests.model_server import Answer, ModelServer, completion, question_of

MODEL = "openai/gpt-4o-mini"


class BatchServer(ModelServer):
    """Answers what comes in batches once `may_finish` is set; `submitted` counts each question."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer)
        self.may_finish = threading.Event()
        self.may_finish.set()
        self.create_status = 200
        self.loses_results = False
        self.turned_down = 0
        """How many questions of the next batches are."""
        self.submitted: Counter[str] = Counter()
        self.batches: dict[str, list[dict[str, Any]]] = {}
        self._files: dict[str, bytes] = {}

    @property
    def environment(self) -> dict[str, str]:
        """What makes Inspect's `openai/…` speak to this server."""
        return {"OPENAI_API_KEY": "not-a-secret", "OPENAI_BASE_URL": self.url}

    def add_routes(self, app: web.Application) -> None:
        super().add_routes(app)
        app.router.add_post("/v1/files", self._upload)
        app.router.add_get("/v1/files/{file}/content", self._download)
        app.router.add_post("/v1/batches", self._create)
        app.router.add_get("/v1/batches/{batch}", self._look)

    async def _upload(self, request: web.Request) -> web.Response:
        form = await request.post()
        file = form["file"]
        assert isinstance(file, web.FileField)
        name = f"file-{len(self._files) + 1}"
        self._files[name] = file.file.read()
        about = {"id": name, "object": "file", "bytes": 1, "created_at": 1, "filename": "in.jsonl"}
        return web.json_response({**about, "purpose": "batch", "status": "processed"})

    async def _create(self, request: web.Request) -> web.Response:
        if self.create_status != 200:
            error = {"error": {"message": "billing hard limit reached"}}
            return web.json_response(error, status=self.create_status)
        file = (await request.json())["input_file_id"]
        name = f"batch_{len(self.batches) + 1}"
        self.batches[name] = [json.loads(line) for line in self._files[file].splitlines()]
        for line in self.batches[name]:
            self.submitted[_key(line["body"])] += 1
        return web.json_response(self._about(name))

    async def _look(self, request: web.Request) -> web.Response:
        return web.json_response(self._about(request.match_info["batch"]))

    def _about(self, name: str) -> dict[str, Any]:
        """A batch as OpenAI tells of it."""
        done, lines = self.may_finish.is_set(), self.batches[name]
        about = {
            "id": name,
            "object": "batch",
            "endpoint": "/v1/chat/completions",
            "input_file_id": "file-1",
            "completion_window": "24h",
            "created_at": 1,
            "status": "completed" if done else "in_progress",
            "request_counts": {"total": len(lines), "completed": len(lines) * done, "failed": 0},
        }
        return {**about, "output_file_id": f"out-{name}"} if done else about

    async def _download(self, request: web.Request) -> web.Response:
        if self.loses_results:
            return web.json_response({"error": {"message": "no such file"}}, status=404)
        lines = self.batches[request.match_info["file"].removeprefix("out-")]
        return web.Response(text="\n".join(json.dumps(self._line(one)) for one in lines))

    def _line(self, asked: dict[str, Any]) -> dict[str, Any]:
        """One line of the output file. What is turned down has its status inside of the line."""
        picture, prompt = question_of(asked["body"])
        status, body = 200, completion(asked["body"], self.answer(picture, prompt))
        if self.turned_down:
            self.turned_down -= 1
            status, body = 400, {"error": {"message": "that is not allowed"}}
        response = {"status_code": status, "request_id": "r", "body": body}
        return {"id": "x", "custom_id": asked["custom_id"], "response": response, "error": None}


def _key(body: dict[str, Any]) -> str:
    return hashlib.sha256("|".join(question_of(body)).encode()).hexdigest()
