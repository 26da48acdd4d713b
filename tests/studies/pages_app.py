"""A tiny app that serves made-up tasks and keeps what their pages send, for browser tests."""

from __future__ import annotations

import io
import struct
import wave
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import parse_qs

from fastapi import FastAPI, Request
from PIL import Image, ImageDraw
from pydantic import JsonValue
from starlette.responses import HTMLResponse, RedirectResponse, Response

from deadpan.core.questions import Language
from deadpan.core.study.words import WrongAnswer
from deadpan.studies.pages.rendering import OwnTask, Reader, asset_file, renderer
from deadpan.web.guard import HEADERS
from tests.studies.made_pages import task_page
from tests.studies.made_questions import ITEM, STUDY

CSRF = "c" * 32


@dataclass
class Desk:
    """What pages sent, and what becomes of it."""

    language: Language = "en"
    posts: list[tuple[str, dict[str, list[str]]]] = field(default_factory=list)
    values: dict[str, dict[str, JsonValue]] = field(default_factory=dict)
    failing: list[int] = field(default_factory=list)
    """The status of the next requests that change something."""
    led: dict[str, str] = field(default_factory=dict)
    """Headers of those."""

    def sent(self, path: str) -> list[dict[str, list[str]]]:
        return [fields for where, fields in self.posts if where == path]


def _fields(request: Request, body: bytes) -> dict[str, list[str]]:
    if request.headers["content-type"].startswith("multipart/"):
        return {"file": ["…"], "csrf": [CSRF] if CSRF.encode() in body else [], "key": ["file"]}
    return parse_qs(body.decode(), keep_blank_values=True)


def pages_app(desk: Desk) -> FastAPI:
    """The app; what it answers is in the desk's language."""
    app = FastAPI()
    render = renderer(STUDY)

    def page(template: str, status: int = 200, here: str = "", **facts: Any) -> Response:
        reader = Reader(desk.language, CSRF, "Ann", "rater", here, "/work", 12, 100)
        return HTMLResponse(render(template, reader, **facts), status)

    def task(name: str, status: int = 200, **changes: Any) -> Response:
        found = task_page(name, desk.language, desk.values.get(name, {}))
        return page("task.html", status, "work", page=replace(found, **changes))

    @app.middleware("http")
    async def guarded(request: Request, call_next: Any) -> Response:
        body = await request.body()
        if request.method == "POST":
            fields = _fields(request, body)
            desk.posts.append((request.url.path, fields))
            if fields.get("csrf") != [CSRF]:
                return Response("no csrf", 403)
            if desk.failing:
                return Response(status_code=desk.failing.pop(0), headers=desk.led)
        response: Response = await call_next(request)
        response.headers.update({name: HEADERS[name] for name in HEADERS})
        return response

    @app.get("/t/{name}")
    def shown(name: str) -> Response:
        return task(name)

    @app.post("/t/{name}/answer/{question}")
    async def answer(name: str, question: str, request: Request) -> Response:
        asked = next(
            one.asked
            for one in task_page(name, desk.language, {}).questions
            if one.asked.name == question
        )
        given = parse_qs((await request.body()).decode(), keep_blank_values=True).get("value", [])
        try:
            value = asked.read(asked.from_form(given), ITEM[desk.language])
        except WrongAnswer as error:
            return page("wrong.html", 422, message=error.words[desk.language])
        desk.values.setdefault(name, {})[question] = value
        return page("saved.html", question=question, mark="")

    @app.post("/t/{name}/upload/{question}")
    def upload(name: str, question: str) -> Response:
        return page("saved.html", question=question, mark="")

    @app.post("/t/{name}/submit")
    def submit(name: str) -> Response:
        if name == "rate":
            return RedirectResponse("/t/choose", 303)
        if name == "discuss":
            return task(name, 422, missing=["panel"])
        response = task("choose")
        response.headers["HX-Push-Url"] = "/t/choose"
        return response

    @app.post("/t/{name}/{action}")
    def act(name: str, action: str) -> Response:
        if action == "undo":
            desk.values.get(name, {}).clear()
        return task(name)

    @app.get("/media/t/{number}")
    def media(number: str) -> Response:
        if number == "sound":
            return Response(_sound(), media_type="audio/wav")
        return Response(picture(int(number)), media_type="image/png")

    @app.get("/assets/{name}")
    def assets(name: str) -> Response:
        found = asset_file(name)
        return Response(found[0], media_type=found[1]) if found else Response(status_code=404)

    @app.get("/{name}")
    def plain(name: str) -> Response:
        tasks = [
            OwnTask("annotate", "Annotate", "14:02", "submitted", [("Q1", "yes")], True),
            OwnTask("rate", "Rate", "14:00", "returned", [("Q1", "3")]),
        ]
        facts: dict[str, dict[str, Any]] = {
            "login": {"name": "", "error": "Wrong name or password."},
            "join": {"token": "x", "name": "Ann", "role": "rater", "shortest": 10, "error": ""},
            "start": {"parameters": {"PROLIFIC_PID": "p1"}, "error": ""},
            "consent": {"error": ""},
            "guidelines": {"version": 2, "is_first": True},
            "mine": {"tasks": tasks, "can_withdraw": True},
            "done": {"is_finished": True, "code": "C1AB2CD3", "return_to": "https://example.org/"},
            "message": {"title": "404", "text": "Nothing is here.", "action": ("/work", "Work")},
        }
        return page(f"{name}.html", here=name, **facts[name])

    @app.post("/language")
    def language() -> Response:
        return RedirectResponse("/login", 303)

    return app


def picture(number: int) -> bytes:
    """A comic of four panels, a plain picture, or a strip."""
    size = {0: (900, 620), 3: (1800, 420)}.get(number, (480, 480))
    image = Image.new("RGB", size, ("#fffdf5", "#dbe7f5", "#f6e0d8")[number % 3])
    pen = ImageDraw.Draw(image)
    for at in range(4 if number in (0, 3) else 1):
        x, y = (20 + at * 440, 70) if number == 3 else (20 + at % 2 * 440, 20 + at // 2 * 300)
        pen.rectangle((x, y, x + 420, y + 280), outline="#222", width=4)
        pen.ellipse((x + 140, y + 70, x + 260, y + 190), outline="#222", width=5)
        pen.line((x + 170, y + 150, x + 230, y + 150), fill="#222", width=5)
        pen.text((x + 14, y + 10), str(at + 1), fill="#c00", font_size=34)
    data = io.BytesIO()
    image.save(data, "PNG")
    return data.getvalue()


def _sound() -> bytes:
    data = io.BytesIO()
    with wave.open(data, "wb") as file:
        file.setparams((1, 2, 8000, 800, "NONE", ""))
        file.writeframes(struct.pack("<800h", *[0] * 800))
    return data.getvalue()
