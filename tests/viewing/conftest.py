"""A store, the app over it, a signed-in client, and a browser."""

from __future__ import annotations

import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("fastapi", reason="the [web] extra is not installed")

import uvicorn
from starlette.testclient import TestClient

from deadpan.core.score import ScoringOptions
from deadpan.failures.criteria import shipped_criteria
from deadpan.pipeline.growing import Choices, GrowingTable
from deadpan.viewing.app import View, view_app
from deadpan.viewing.exporting import Exports
from deadpan.viewing.marks import Marks
from deadpan.viewing.media import Media
from deadpan.viewing.snapshots import Snapshots
from deadpan.viewing.watching import Watch
from deadpan.web.guard import Access
from tests.viewing.stores import small_store

if TYPE_CHECKING:
    pass

PORT = 8377
HOST = f"127.0.0.1:{PORT}"


@pytest.fixture(scope="session")
def made_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that no test may change."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DEADPAN_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))
        return small_store(tmp_path_factory.mktemp("made") / "answers")


@pytest.fixture
def store(made_store: Path, tmp_path: Path) -> Path:
    """A store of its own for each test."""
    return Path(shutil.copytree(made_store, tmp_path / "answers"))


def a_view(
    *sources: Path, port: int = PORT, who: str = "", given: bool = True, **choices: Any
) -> View:
    """Everything that the app is about, over some sources, with criteria as if they were named."""
    folders = [source for source in sources if source.is_dir()]
    growing, marks = GrowingTable(sources, Choices(**choices)), Marks(sources)

    def answers() -> Any:
        growing.look()
        return growing.table()

    def options(table: Any) -> ScoringOptions:
        return ScoringOptions()

    watch = Watch(Snapshots(sources, growing, options, choices))
    exports = Exports(marks, shipped_criteria(), answers, options, folders)
    title = " ".join(map(str, sources))
    media, access = Media(folders), Access(port)
    types = shipped_criteria()
    return View(watch, marks, media, types, access, exports, title, who, given)


def signed_in(view: View) -> TestClient:
    """A client that has the cookie."""
    client = TestClient(view_app(view), base_url=f"http://127.0.0.1:{view.access.port}")
    reply = client.get(f"/?token={view.access.token}")
    assert reply.status_code == 200
    client.headers["origin"] = f"http://127.0.0.1:{view.access.port}"
    return client


@pytest.fixture
def view(store: Path) -> View:
    return a_view(store, who="Ann")


@pytest.fixture
def client(view: View) -> TestClient:
    return signed_in(view)


@dataclass(frozen=True)
class Served:
    """An app that is being served."""

    view: View
    address: str

    @property
    def entrance(self) -> str:
        return f"{self.address}/?token={self.view.access.token}"


@pytest.fixture
def served() -> Iterator[Callable[..., Served]]:
    """A function that serves sources on a free port until the test ends."""
    running: list[tuple[uvicorn.Server, threading.Thread]] = []

    def serve(*sources: Path, **choices: Any) -> Served:
        listening = socket.create_server(("127.0.0.1", 0))
        port = listening.getsockname()[1]
        view = a_view(*sources, port=port, **choices)
        server = uvicorn.Server(uvicorn.Config(view_app(view), log_level="error"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.02)
        running.append((server, thread))
        return Served(view, f"http://127.0.0.1:{port}")

    yield serve
    for server, thread in running:
        server.should_exit = True
        thread.join(timeout=20)
