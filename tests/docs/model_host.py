"""A server on loopback whose models know the mini-sets, fill any schema, and draw pictures."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import io
import json
import random
from collections.abc import Iterator
from typing import Any

from aiohttp import web
from PIL import Image

from deadpan.engine.endpoints import QUESTION as PROBE
from tests.docs.judging import verdict
from tests.docs.reappraisals import reappraisal
from tests.docs.right_replies import Answerer
from tests.model_server import ModelServer, _reply

SENTENCE = "Nobody likes the rain, and so the post makes light of the weather."


class ModelHost(ModelServer):
    """`with ModelHost() as host:` serves until the block ends."""

    def __init__(self) -> None:
        super().__init__(lambda picture, prompt: "")
        self.answerer = Answerer()

    def add_routes(self, app: web.Application) -> None:
        super().add_routes(app)
        app.router.add_post("/v1/images/edits", self._edit)
        app.router.add_get("/v1/models", lambda request: web.json_response({"data": []}))

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        system, prompt = _texts(body["messages"])
        picture = next(_pictures(body["messages"][-1]["content"]), "")
        if prompt == PROBE:
            return _reply(body, "OK")
        examples = [_words(m["content"]) for m in body["messages"] if m["role"] == "assistant"]
        if said := self.answerer(body["model"], system, prompt, picture, examples):
            return _reply(body, said)
        if said := verdict(body["model"], prompt):
            return _reply(body, said)
        draw = random.Random(hashlib.sha256(f"{body['model']} {prompt}".encode()).digest())
        form = body.get("response_format", {}).get("json_schema", {}).get("schema")
        if said := reappraisal(form, prompt, picture, draw):
            return _reply(body, said)
        if form is None:
            return _reply(body, _said(prompt, draw))
        return _reply(body, json.dumps(_filled(form, form.get("$defs", {}), draw)))

    async def _edit(self, request: web.Request) -> web.StreamResponse:
        """The picture that was sent, mirrored."""
        parts = await request.post()
        sent = next(part for part in parts.values() if isinstance(part, web.FileField))
        made = io.BytesIO()
        content = await asyncio.to_thread(sent.file.read)
        with Image.open(io.BytesIO(content)) as picture:
            picture.convert("RGB").transpose(Image.Transpose.FLIP_LEFT_RIGHT).save(made, "png")
        return web.json_response(
            {"data": [{"b64_json": base64.b64encode(made.getvalue()).decode()}]}
        )


def _said(prompt: str, draw: random.Random) -> str:
    """Something that answers what no form is asked for."""
    for either in (("yes", "no"), ("是", "否")):
        if " or ".join(either) in prompt or "或".join(either) in prompt:
            return draw.choice(either)
    return "5" if "number" in prompt else SENTENCE


def _texts(messages: list[dict[str, Any]]) -> tuple[str, str]:
    """The system message and the words of the last one."""
    system = "\n".join(
        _words(m["content"]) for m in messages if m["role"] in ("system", "developer")
    )
    return system, _words(messages[-1]["content"])


def _words(content: str | list[dict[str, Any]]) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(part["text"] for part in content if part["type"] == "text")


def _pictures(content: str | list[dict[str, Any]]) -> Iterator[str]:
    parts = () if isinstance(content, str) else content
    return (part["image_url"]["url"] for part in parts if part["type"] == "image_url")


def _filled(schema: dict[str, Any], known: dict[str, Any], draw: random.Random) -> Any:
    """Something that a JSON schema allows."""
    if "$ref" in schema:
        return _filled(known[schema["$ref"].rpartition("/")[2]], known, draw)
    if "const" in schema or "enum" in schema:
        return schema.get("const", draw.choice(schema.get("enum", [None])))
    for several in ("anyOf", "allOf", "oneOf"):
        if several in schema:
            return _filled(schema[several][0], known, draw)
    match schema.get("type"):
        case "object":
            parts = schema.get("properties", {})
            return {name: _filled(part, known, draw) for name, part in parts.items()}
        case "array":
            count = max(schema.get("minItems", 1), 1)
            return [_filled(schema.get("items", {}), known, draw) for _ in range(count)]
        case "integer" | "number":
            return draw.randint(int(schema.get("minimum", 1)), int(schema.get("maximum", 5)))
        case "boolean":
            return draw.random() < 0.7
    return SENTENCE
