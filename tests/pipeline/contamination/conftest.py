"""A server whose model may have learnt a benchmark by heart."""

from collections.abc import Callable, Iterator

import pytest

from tests.model_server import ModelServer
from tests.pipeline.contamination.parrot import Answer


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Answer], ModelServer]]:
    """Starts a server that answers so."""
    begun: list[ModelServer] = []

    def start(answer: Answer) -> ModelServer:
        server = ModelServer(answer)
        server.__enter__()
        server.offer(monkeypatch)
        begun.append(server)
        return server

    yield start
    for server in begun:
        server.__exit__()
