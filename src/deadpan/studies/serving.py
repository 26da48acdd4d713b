"""A study served: on this machine, or for people elsewhere."""

from __future__ import annotations

import ipaddress
import os
import re
import socket
from collections.abc import Callable
from contextlib import nullcontext
from urllib.parse import urlsplit

from deadpan.base.errors import DeadpanError, InputError
from deadpan.studies.app import study_app
from deadpan.studies.models.adviser import Adviser
from deadpan.studies.pages.rendering import renderer
from deadpan.studies.pages.request_context import Doors, Reception
from deadpan.studies.storage.opened import OpenStudy
from deadpan.studies.work.assignment import Queues
from deadpan.web.serving import LOOPBACK, MOST_PORT, hosts_of, in_address, serve

_USUAL = {"http": 80, "https": 443}
_HOST = re.compile(
    r"(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?"
)


def doors(host: str, port: int, url: str = "") -> Doors:
    """Under which addresses a study is served that listens there."""
    names = {in_address(one) for one in hosts_of(host) if one != "*"}
    public = public_address(url) if url else ""
    return Doors(port, frozenset({"localhost", LOOPBACK, "[::1]", *names}), public)


def public_address(url: str) -> str:
    """An address as browsers name the origin of its pages: in small letters, without the port that
    is usual, and other scripts than Latin as domains are written. One that is none raises."""
    wrong = DeadpanError(f"--url {url}: expected https://HOST, without a path")
    try:
        parts = urlsplit(url.strip().lower())
        port, host = parts.port, _host_name(parts.hostname or "")
    except ValueError:  # of UnicodeError too
        raise wrong from None
    is_plain = not parts.path.strip("/") and not parts.query and not parts.fragment
    if parts.scheme not in _USUAL or "@" in parts.netloc or not is_plain:
        raise wrong
    shown = f":{port}" if port and port != _USUAL[parts.scheme] else ""
    return f"{parts.scheme}://{host}{shown}"


def _host_name(text: str) -> str:
    """A name or a number of a machine, as it stands in an address; what is none raises."""
    if ":" in text:
        return f"[{ipaddress.IPv6Address(text)}]"
    found = text.encode("idna").decode("ascii")
    if not _HOST.fullmatch(found):
        raise ValueError("no name of a machine")
    return found


def joining_address(url: str, port: int) -> str:
    """The address before the path of a link that invites somebody."""
    if url:
        return public_address(url)
    if not 0 < port <= MOST_PORT:
        raise DeadpanError(f"--port {port}: expected 1 to {MOST_PORT}, where the study is served")
    return f"http://{LOOPBACK}:{port}"


def address(found: Doors, host: str = LOOPBACK) -> str:
    """What people open in a browser."""
    shown = host if host not in ("0.0.0.0", "::", "[::]") else LOOPBACK
    return found.url or f"http://{in_address(shown)}:{found.port}"


def require_writable(study: OpenStudy) -> None:
    """Raises where what people say could not be kept: no page may seem to take an answer."""
    study.database.require_writable()
    if not os.access(study.folder, os.W_OK):
        fix = "Serve it as the user that owns the folder, or give this one the right to write it."
        raise InputError(study.folder, "cannot be written", fix)


def serve_study(
    study: OpenStudy,
    listening: socket.socket,
    found: Doors,
    model: str | None = None,
    behind_proxy: bool = False,
    begin: Callable[[], None] = lambda: None,
) -> None:
    """Serves a study until Ctrl-C; `model` gives second opinions where the study has them."""
    with Adviser(model, study.folder) if model else nullcontext() as adviser:
        reception = Reception(study, found, renderer(study.study), Queues(), adviser)
        serve(study_app(reception), listening, begin, behind_proxy)
