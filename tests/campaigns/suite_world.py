"""A server whose models answer in any form they are asked for, and campaigns that ask them."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import Counter
from pathlib import Path
from typing import Any

from aiohttp import web

from tests.engine.faulty_server import PROBE
from tests.model_server import ModelServer, _reply, question_of

FIRST, SECOND = "openai-api/loopback/first", "openai-api/loopback/second"
JUDGE = "openai-api/loopback/teacher"
PRICE = "price: {input: 1000, output: 1000}"


class FormServer(ModelServer):
    """Replies what `answer` gives for model and prompt, else by the schema that a request asks
    for, and counts calls by all that was sent, apart for each model."""

    def __init__(self, delay: float = 0.0) -> None:
        super().__init__(lambda model, prompt: "", delay=delay)
        self.by_model: Counter[str] = Counter()

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        try:
            data = await request.read()
        except ConnectionResetError:  # killed while it sent: no call arrived
            return web.Response()
        body = json.loads(data)
        if PROBE in data.decode():
            return _reply(body, "OK")
        self.calls[hashlib.sha256(data).hexdigest()] += 1
        self.by_model[body["model"]] += 1
        await asyncio.sleep(self.delay)
        said = self.answer(body["model"], question_of(body)[1])
        return _reply(body, said or _in_form(body))


def _in_form(body: dict[str, Any]) -> str:
    form = body.get("response_format", {}).get("json_schema", {}).get("schema")
    if form is None:
        return "Yes. The joke is that nobody likes the rain, and so it mocks the weather: 1"
    return json.dumps(_example(form, form.get("$defs", {})))


def _example(schema: dict[str, Any], known: dict[str, Any]) -> Any:
    """The first thing that a JSON schema allows; nothing, where that is allowed."""
    if "$ref" in schema:
        return _example(known[schema["$ref"].rpartition("/")[2]], known)
    if "const" in schema or "enum" in schema:
        return schema.get("const", schema.get("enum", [None])[0])
    for several in ("anyOf", "allOf", "oneOf"):
        if several in schema:
            forms = schema[several]
            return None if {"type": "null"} in forms else _example(forms[0], known)
    match schema.get("type"):
        case "object":
            parts = schema.get("properties", {})
            return {name: _example(part, known) for name, part in parts.items()}
        case "array":
            count = max(schema.get("minItems", 1), 1)
            return [_example(schema.get("items", {}), known)] * count
        case "integer" | "number":
            return schema.get("minimum", 1)
        case "boolean":
            return True
    return "because nobody likes the rain"


def campaign(folder: Path, benchmarks: str = "all", limit: int = 2, more: str = "") -> Path:
    """The file of a campaign of two models over benchmarks, with a judge; `more` is added."""
    path = folder / "paper.yaml"
    path.write_text(
        f"""title: Two models 两个模型
store: {folder / "answers"}
out: {folder / "out"}
models:
  - {{name: {FIRST}, title: First & best, {PRICE}, max_connections: 4}}
  - {{name: {SECOND}, title: 第二, {PRICE}, max_connections: 4}}
benchmarks:
  - {{name: '{benchmarks}', limit: {limit}}}
judge: {{name: {JUDGE}, {PRICE}, max_connections: 4}}
{more}""",
        encoding="utf-8",
    )
    return path
