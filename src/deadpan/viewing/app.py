"""The app of `deadpan view`: pages over all answers, rendered here and read from Parquet."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from fastapi import FastAPI, Request
from markupsafe import Markup, escape
from starlette.concurrency import run_in_threadpool
from starlette.responses import (
    FileResponse,
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
)

from deadpan.base.errors import DeadpanError
from deadpan.base.printable import visible
from deadpan.base.version import __version__
from deadpan.benchmarks import find
from deadpan.failures.criteria import Criteria, in_language
from deadpan.reports import report_text
from deadpan.reports.text import LANGUAGES, one_line
from deadpan.viewing.browsing import item_page, list_page
from deadpan.viewing.exporting import Exports
from deadpan.viewing.exports import one_type, type_of
from deadpan.viewing.marks import Marks, read_tags
from deadpan.viewing.media import Media
from deadpan.viewing.queries import ORDERS, has_answer
from deadpan.viewing.rows import VERDICTS
from deadpan.viewing.showing import shown
from deadpan.viewing.watching import Watch
from deadpan.web.guard import Access, Forbidden, Guard, read_form
from deadpan.web.pages import asset, templates

_PACKAGE = "deadpan.viewing"
_REPORT_STYLES = ("report.css", "samples.css")
_ASSETS = {"view.css": "text/css", "view.js": "text/javascript", "icon.svg": "image/svg+xml"}
_FOREVER = {"Cache-Control": "private, max-age=31536000, immutable"}
_REPORT_ITEMS = 24
"""Items in the browser of the report's page: all of them are here."""


@dataclass(frozen=True)
class View:
    """Everything that the app is about."""

    watch: Watch
    marks: Marks
    media: Media
    criteria: Criteria
    access: Access
    exports: Exports
    title: str
    who: str = ""
    given: bool = False
    """Whether the user named the criteria; else they are those of some benchmarks alone."""

    def types_of(self, benchmark: str) -> list[tuple[str, str]]:
        """The types of failure to choose from for a benchmark's answers, name and title each."""
        if not self.given and not find(benchmark).analyses.has_failure_types:
            return []
        return [(one.name, in_language(one.title, "en")) for one in self.criteria.types]


def view_app(view: View) -> FastAPI:
    """The app; it looks for new answers while it runs."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        view.watch.start()
        yield
        view.watch.stop()

    app = FastAPI(
        title="Deadpan", docs_url=None, redoc_url=None, openapi_url=None, lifespan=lifespan
    )
    render = _renderer(view)
    app.add_middleware(Guard, refuse=view.access.refuse)
    app.add_exception_handler(DeadpanError, _told)
    _add_pages(app, view, render)
    _add_marks(app, view, render)
    _add_files(app, view)
    return app


Render = Callable[..., HTMLResponse]


def _renderer(view: View) -> Render:
    environment = templates(_PACKAGE, autoescape=True, finalize=_printable)
    environment.filters |= {
        "outcome": lambda text: str(text).replace("_", " "),
        "language": lambda code: LANGUAGES.get(code, code),
        "metric": lambda name, benchmark: one_line(find(benchmark).metric(name).title),
        "exact": lambda text: escape(str(text)),
    }
    digests = {name: hashlib.sha256(_asset(name).encode()).hexdigest()[:12] for name in _ASSETS}
    environment.globals |= {
        "csrf": view.access.csrf,
        "assets": {name: f"/assets/{name}?v={digest}" for name, digest in digests.items()},
        "version": __version__,
        "types_of": view.types_of,
        "verdicts": VERDICTS,
        "orders": ORDERS,
        "languages": LANGUAGES,
        "type_of": lambda mark: type_of(mark.tags, view.criteria) if mark else None,
        "store": view.title,
        "bar": outcome_bar,
    }

    def render(template: str, status: int = 200, **facts: Any) -> HTMLResponse:
        snapshot = view.watch.snapshot
        known = {"snapshot": snapshot, "problem": view.watch.problem, "tags": view.marks.tags()}
        text = environment.get_template(template).render(**known | facts)
        return HTMLResponse(text, status)

    return render


def _printable(value: Any) -> Any:
    """Text with nothing hidden in it; what is safe already, and numbers, stay as they are."""
    return visible(value) if type(value) is str else value


def outcome_bar(outcomes: Mapping[str, int]) -> Markup:
    """How answers ended, as a bar in parts; widths are attributes, as no style stands in a page."""
    total, start = max(1, sum(outcomes.values())), 0.0
    parts = []
    for name, count in outcomes.items():
        width = 100 * count / total
        if count:
            part = '<rect class="{}" x="{:.2f}" width="{:.2f}" height="10"/>'
            parts.append(Markup(part).format(name, start, width))
        start += width
    said = [f"{count:,} {name.replace('_', ' ')}" for name, count in outcomes.items() if count]
    shape = 'class="bar-svg" viewBox="0 0 100 10" preserveAspectRatio="none" role="img"'
    svg = f'<svg {shape} aria-label="{{}}">{{}}</svg>'
    return Markup(svg).format(", ".join(said), Markup("").join(parts))


def _asset(name: str) -> str:
    """A style or script; the style is the report's, and what the view adds."""
    own = asset(_PACKAGE, name)
    if name != "view.css":
        return own
    return "".join(asset("deadpan.reports", one) for one in _REPORT_STYLES) + own


async def _told(request: Request, error: Exception) -> Response:
    status = 403 if isinstance(error, Forbidden) else 400
    return PlainTextResponse(visible(str(error)), status)


def _asked(request: Request) -> Mapping[str, str]:
    return dict(request.query_params)


def _add_pages(app: FastAPI, view: View, render: Render) -> None:
    @app.get("/")
    def overview() -> Response:
        return render("overview.html", here="overview")

    @app.get("/answers")
    def answers(request: Request) -> Response:
        asked = _asked(request)
        facts = list_page(view.watch.snapshot, view.marks, view.media, asked)
        return render("answers.html", here="answers", **facts)

    @app.get("/item")
    def item(request: Request) -> Response:
        facts = item_page(view.watch.snapshot, view.marks, view.media, _asked(request))
        if facts is None:
            return render("missing.html", 404, here="answers")
        return render("item.html", here="answers", **facts)

    @app.get("/report")
    def report() -> Response:
        sections = view.watch.sections()
        if not sections:
            return render("overview.html", here="report")
        text = report_text(view.exports.with_pictures(sections), ".html", items=_REPORT_ITEMS)
        # The page says itself which scripts may run in it.
        return HTMLResponse(text, headers={"Content-Security-Policy": "frame-ancestors 'none'"})

    @app.get("/state")
    def state(request: Request) -> Response:
        view.marks.look()
        snapshot = view.watch.snapshot
        etag = f'"{snapshot.version}.{view.marks.version}.{len(view.watch.problem)}"'
        if request.headers.get("if-none-match") == etag:
            return Response(status_code=304, headers={"ETag": etag})
        told = {"answers": snapshot.answers, "problem": view.watch.problem}
        return JSONResponse(told, headers={"ETag": etag})


def _add_marks(app: FastAPI, view: View, render: Render) -> None:
    @app.get("/tags")
    def tags() -> Response:
        named = _named(view)
        types = dict(one for name in named for one in view.types_of(name))
        marks = view.marks.all()[::-1]
        return render("tags.html", here="tags", marks=marks, benchmarks=named, types=types)

    @app.post("/mark")
    async def mark(request: Request) -> Response:
        fields = await read_form(request, view.access)
        given = {name: values[-1] for name, values in fields.items()}
        row = await run_in_threadpool(_keep, view, given)
        if request.headers.get("x-fragment"):
            return render("marked.html", one=shown(row, view.marks, view.media))
        return RedirectResponse(_local(given.get("back", "")), 303)

    @app.get("/export/{form}")
    def export(form: str, request: Request) -> Response:
        name, kind, text = view.exports.file(form, _asked(request).get("benchmark", ""))
        told = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(text.encode("utf-8", "replace"), media_type=kind, headers=told)


def _keep(view: View, given: Mapping[str, str]) -> dict[str, Any]:
    """The answer that a form is about, once what it says of it is kept."""
    row = has_answer(view.watch.snapshot, given.get("id", ""))
    if row is None:
        raise DeadpanError("this answer is not there any more; load the page again")
    known = [name for name, _ in view.types_of(row["benchmark"])]
    kind = given.get("type", "")
    if kind and kind not in known:
        expected = f"expected one of {', '.join(known)}" if known else "there are none here"
        raise DeadpanError(f'type: got "{kind[:40]}"; {expected}')
    said = read_tags([given.get("tags", ""), kind])
    was = view.marks.of(row["id"])
    kept = view.marks.add(row, one_type(said, view.criteria), given.get("note", ""), view.who)
    if kept is None and was is None:
        raise DeadpanError("nothing to keep: write a tag or a note")
    return row


def _named(view: View) -> dict[str, int]:
    """How many answers of each benchmark have a type of failure."""
    found = {chapter.name: 0 for chapter in view.watch.snapshot.chapters}
    for mark in view.marks.all():
        if mark.benchmark in found and type_of(mark.tags, view.criteria):
            found[mark.benchmark] += 1
    return found


def _local(address: str) -> str:
    """The address of a page of ours; the list where it is another."""
    parts = urlsplit(address)
    if parts.scheme or parts.netloc or parts.path not in ("/answers", "/item"):
        return "/answers"
    query = f"?{parts.query}" if parts.query else ""
    return f"{parts.path}{query}"


def _add_files(app: FastAPI, view: View) -> None:
    @app.get("/assets/{name}")
    def assets(name: str) -> Response:
        if name not in _ASSETS:
            return PlainTextResponse("no such file", 404)
        return Response(_asset(name), media_type=_ASSETS[name], headers=_FOREVER)

    @app.get("/small/{checksum}")
    def small(checksum: str) -> Response:
        try:
            data = view.media.small(checksum)
        except DeadpanError as error:
            return PlainTextResponse(visible(str(error)), 404)
        return Response(data, media_type="image/webp", headers=_FOREVER)

    @app.get("/media/{checksum}")
    def media(checksum: str) -> Response:
        try:
            path, kind = view.media.path(checksum), view.media.kind(checksum)
        except DeadpanError as error:
            return PlainTextResponse(visible(str(error)), 404)
        return FileResponse(path, media_type=kind, headers=_FOREVER)
