"""A study served: on this machine, or for people elsewhere."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import nullcontext
from urllib.parse import urlsplit

from deadpan.base.errors import DeadpanError
from deadpan.studies.advising import Adviser
from deadpan.studies.app import study_app
from deadpan.studies.opened import OpenStudy
from deadpan.studies.pages import renderer
from deadpan.studies.visiting import Doors, Reception
from deadpan.studies.working import Queues
from deadpan.web.serving import LOOPBACK, hosts_of, serve


def doors(host: str, port: int, url: str = "") -> Doors:
    """Under which addresses a study is served that listens there."""
    parts = urlsplit(url)
    if url and (parts.scheme not in ("http", "https") or not parts.netloc or parts.path.strip("/")):
        raise DeadpanError(f"--url {url}: expected https://HOST, without a path")
    names = {one for one in hosts_of(host) if one != "*"}
    return Doors(port, frozenset({"localhost", LOOPBACK, "[::1]", *names}), url.rstrip("/"))


def address(found: Doors, host: str = LOOPBACK) -> str:
    """What people open in a browser."""
    return found.url or f"http://{host if host not in ('0.0.0.0', '::') else LOOPBACK}:{found.port}"


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
