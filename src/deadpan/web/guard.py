"""Who may ask a local app for anything: only the browser that was given its address.

Pages hold other people's words and pictures, and other sites run in the same browser. So a request
must name the host that is served (a name that was rebound to this machine is not), carry the cookie
that the token in the first address was exchanged for, and, where it changes something, come from a
page of the app itself.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import secrets
from collections.abc import Callable, Collection, Iterable
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import anyio
from fastapi import Request
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from deadpan.base.errors import DeadpanError

TOKEN = "token"
CSRF = "csrf"
_FIELDS = "fields"
LONGEST_FORM = 100_000
"""Bytes of a form that are read."""
SENDING_SECONDS = 30
"""How long a form may take to come in."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Under which a page runs and shows what the app itself sends, and nothing that stands in it."""
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cache-Control": "no-store",
}
WRONG_HOST = "This app is not served under that name."
_NO_COOKIE = "Open the address that the command printed: it holds the token that lets you in."
ELSEWHERE = "This did not come from a page of this app."


class Forbidden(DeadpanError):
    """A request that nobody may make."""


class Access:
    """The secrets of one app: the token of its address, and what a browser gets for it."""

    def __init__(self, port: int, hosts: Iterable[str] = ()) -> None:
        self.token = secrets.token_urlsafe(24)
        self._session = secrets.token_urlsafe(32)
        self.csrf = hmac.digest(self._session.encode(), b"csrf", hashlib.sha256).hex()
        # Cookies know no ports: two apps on one machine must not take each other's.
        self.cookie = f"deadpan_{port}"
        self.port = port
        self._hosts = {"localhost", "127.0.0.1", "::1", *hosts}

    def knows_host(self, host: str) -> bool:
        """Whether a Host header names this app: by a name that is served, and by its port."""
        try:
            parts = urlsplit(f"//{host}")
            name, port = parts.hostname, parts.port or 80
        except ValueError:
            return False
        if port != self.port or not name or parts.username is not None or parts.path:
            return False
        return name in self._hosts or ("*" in self._hosts and _is_address(name))

    def lets_in(self, token: str) -> bool:
        """Whether it is the token."""
        return hmac.compare_digest(token.encode(), self.token.encode())

    def is_signed_in(self, headers: Headers) -> bool:
        """Whether the browser has the cookie."""
        try:
            found = SimpleCookie(headers.get("cookie", "")).get(self.cookie)
        except CookieError:
            return False
        given = found.value if found else ""
        return hmac.compare_digest(given.encode(), self._session.encode())

    def refuse(self, scope: Scope) -> Response | None:
        """What is answered in the app's place; None where the app may answer."""
        headers = Headers(scope=scope)
        if not self.knows_host(headers.get("host", "")):
            return PlainTextResponse(WRONG_HOST, 421)
        asked = parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        if scope["method"] == "GET" and TOKEN in asked:
            if not self.lets_in(asked.pop(TOKEN)[-1]):
                return PlainTextResponse(_NO_COOKIE, 403)
            # The token must not stay in the address, the history, or what a page refers to. One
            # slash: an address that begins with two would lead to another host.
            path = "/" + scope["path"].lstrip("/\\")
            rest = f"?{urlencode(asked, doseq=True)}" if asked else ""
            return self.sign_in(RedirectResponse(path + rest, 303))
        if not self.is_signed_in(headers):
            return PlainTextResponse(_NO_COOKIE, 403)
        if changes(scope) and not is_own_page(headers, [f"http://{headers['host']}"]):
            return PlainTextResponse(ELSEWHERE, 403)
        return None

    def sign_in(self, response: Response) -> Response:
        """The response with the cookie, which no script and no other site can use."""
        response.set_cookie(self.cookie, self._session, httponly=True, samesite="strict", path="/")
        return response


def _is_address(name: str) -> bool:
    """Whether a host is an address: nobody can rebind that."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


Refuse = Callable[[Scope], Response | None]
"""From a request to what is answered in the app's place; None where the app may answer."""


class Guard:
    """Lets through only what may be asked, and puts the security headers on every answer."""

    def __init__(self, app: ASGIApp, refuse: Refuse) -> None:
        self._app, self._refuse = app, refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # no web sockets here

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    if name not in headers:
                        headers[name] = value
                if "server" in headers:
                    del headers["server"]
            await send(message)

        refused = self._refuse(scope)
        await (refused or self._app)(scope, receive, send_guarded)


def changes(scope: Scope) -> bool:
    """Whether a request asks to change something."""
    return scope["method"] not in ("GET", "HEAD")


def is_own_page(headers: Headers, origins: Collection[str]) -> bool:
    """Whether a request comes from a page of the app, as far as the browser says; one that says
    nothing does not."""
    site = headers.get("sec-fetch-site", "same-origin")
    return headers.get("origin") in origins and site == "same-origin"


async def read_fields(request: Request, longest: int = LONGEST_FORM) -> dict[str, list[str]]:
    """The fields of a form of at most `longest` bytes; anything else raises. They are read once,
    however often they are asked for."""
    if (known := getattr(request.state, _FIELDS, None)) is not None:
        return dict(known)
    kind = request.headers.get("content-type", "").partition(";")[0].strip()
    if kind != "application/x-www-form-urlencoded":
        raise Forbidden("expected the form of a page")
    body = await _body(request, longest)
    try:
        fields: dict[str, list[str]] = parse_qs(
            body.decode(), keep_blank_values=True, max_num_fields=200
        )
    except ValueError:
        raise Forbidden("a form that cannot be read") from None
    setattr(request.state, _FIELDS, fields)
    return dict(fields)


async def _body(request: Request, longest: int) -> bytes:
    """The body of a request; one that is too long, too slow, or cut off raises."""
    body = b""
    try:
        with anyio.fail_after(SENDING_SECONDS):
            async for part in request.stream():
                body += part
                if len(body) > longest:
                    raise Forbidden(f"a form of more than {longest:,} bytes")
    except (TimeoutError, ClientDisconnect):
        raise Forbidden("a form that did not come through") from None
    return body


async def read_form(request: Request, access: Access) -> dict[str, list[str]]:
    """The fields of a form that a page of the app sent; anything else raises."""
    fields = await read_fields(request)
    given: Any = fields.pop(CSRF, [""])[-1]
    if not hmac.compare_digest(given.encode(), access.csrf.encode()):
        raise Forbidden(ELSEWHERE)
    return fields
