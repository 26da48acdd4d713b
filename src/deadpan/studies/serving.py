"""A study served: on this machine, or for people elsewhere."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from contextlib import nullcontext
from urllib.parse import urlsplit

from deadpan.base.errors import DeadpanError, InputError
from deadpan.studies.app import study_app
from deadpan.studies.models.advising import Adviser
from deadpan.studies.pages.rendering import renderer
from deadpan.studies.pages.visiting import Doors, Reception
from deadpan.studies.storage.opened import OpenStudy
from deadpan.studies.work.working import Queues
from deadpan.web.serving import LOOPBACK, hosts_of, serve

_USUAL = {"http": 80, "https": 443}


def doors(host: str, port: int, url: str = "") -> Doors:
    """Under which addresses a study is served that listens there."""
    names = {one for one in hosts_of(host) if one != "*"}
    public = _as_browsers_say(url) if url else ""
    return Doors(port, frozenset({"localhost", LOOPBACK, "[::1]", *names}), public)


def _as_browsers_say(url: str) -> str:
    """An address as the origin of its pages: in small letters, without the port that is usual."""
    try:
        parts = urlsplit(url.strip().lower())
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    is_plain = not parts.path.strip("/") and not parts.query and not parts.fragment
    if parts.scheme not in _USUAL or not parts.hostname or "@" in parts.netloc or not is_plain:
        raise DeadpanError(f"--url {url}: expected https://HOST, without a path")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    shown = f":{port}" if port and port != _USUAL[parts.scheme] else ""
    return f"{parts.scheme}://{host}{shown}"


def address(found: Doors, host: str = LOOPBACK) -> str:
    """What people open in a browser."""
    return found.url or f"http://{host if host not in ('0.0.0.0', '::') else LOOPBACK}:{found.port}"


def require_writable(study: OpenStudy) -> None:
    """Raises where what people say could not be kept: no page may seem to take an answer."""
    study.database.require_writable()
    if not os.access(study.folder, os.W_OK):
        raise InputError(study.folder, "cannot be written", "Check who may write the folder.")


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
