"""A worker by itself: what goes wrong is told, and nothing is raised."""

import asyncio
import pickle
import threading
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from deadpan.engine.calls import CallOptions, GaveUp
from deadpan.engine.opening import open_engine
from deadpan.engine.ray import worker as workers
from deadpan.engine.ray.blocks import Order, Told
from deadpan.engine.ray.worker import BLOCK, TOLD, Desk, Worker
from deadpan.engine.requests import Request, Sampling, Text, Turn
from tests.engine.kill_harness import MODEL, CountingServer


class Ended(Exception):
    """What Ray raises where an actor is gone."""


class Handle:
    """An actor's handle, of an actor in this process."""

    def __init__(self) -> None:
        self.desk, self.gone = Desk(), threading.Event()

    def __getattr__(self, name: str) -> Any:
        def call(*arguments: Any) -> Any:
            if name == "stay":
                return self.gone.wait
            return lambda: asyncio.run(getattr(self.desk, name)(*arguments))

        return SimpleNamespace(remote=call)


def get(reference: Any) -> Any:
    found = reference()
    if found is True:
        raise Ended
    return found


@pytest.fixture
def handle(monkeypatch: pytest.MonkeyPatch) -> Iterator[Handle]:
    """Ray played by this process; the desk is gone when the test ends."""
    played = SimpleNamespace(get=get, exceptions=SimpleNamespace(RayError=Ended))
    monkeypatch.setattr(workers, "library", lambda: played)
    made = Handle()
    yield made
    made.gone.set()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[CountingServer]:
    with CountingServer(delay=0.0) as made:
        made.offer(monkeypatch)
        yield made


def hired(handle: Handle, model: str = MODEL, identity: str | None = None, **calls: Any) -> Worker:
    options = CallOptions(4, **calls)
    order = Order(model, identity or model, "", Sampling(), options, "--model", "/nowhere")
    asyncio.run(handle.desk.put(order))
    return Worker(handle)


def told(worker: Worker, count: int = 30) -> Told:
    """What comes of a block of short questions."""
    turns = {str(n): (Turn("user", (Text(f"question {n}"),)),) for n in range(count)}
    block = {key: Request("toy", one, Sampling(temperature=0)) for key, one in turns.items()}
    (found,) = worker({BLOCK: [pickle.dumps((7, block))]})[TOLD]
    made: Told = pickle.loads(found)
    return made


def test_a_block_is_answered(handle: Handle, server: CountingServer) -> None:
    worker = hired(handle)
    found = told(worker)
    assert {one.key for one in found.answers} == {str(n) for n in range(30)}
    assert {one.text for one in found.answers} == {"Yes"}
    assert found.failure is None
    assert asyncio.run(handle.desk.begun()) == 1


def test_a_model_that_is_down_is_given_up(handle: Handle, server: CountingServer) -> None:
    server.broken = True
    found = told(hired(handle, max_retries=0))
    assert len(found.answers) in range(19, 30) and all(one.error for one in found.answers)
    assert found.failure is not None
    assert isinstance(found.failure.error, GaveUp)
    assert "the first 20 questions all failed" in str(found.failure.error)


def test_other_weights_and_no_weights_are_told_with_the_node(
    handle: Handle, server: CountingServer
) -> None:
    other = told(hired(handle, identity=f"{MODEL}@123"))
    assert other.failure is not None and not other.answers
    assert "on Ray's node" in other.failure.message and "@123" in other.failure.message
    none = told(hired(handle, model="local/./nowhere"))
    assert none.failure is not None and "there is no such folder" in none.failure.message
    assert not server.total


def test_a_block_that_its_workers_die_of_fails_in_the_end(
    handle: Handle, server: CountingServer
) -> None:
    for _ in range(4):
        asyncio.run(handle.desk.tries(7))
    found = told(hired(handle), 3)
    assert {one.error for one in found.answers} == {
        "the worker's process died each of the 4 times that this was asked"
    }
    assert found.failure is None and not server.total


def test_an_ended_job_stops_what_is_being_asked(handle: Handle, server: CountingServer) -> None:
    server.delay = 60.0
    worker = hired(handle)
    asked = threading.Thread(target=lambda: found.append(told(worker)))
    found: list[Told] = []
    asked.start()
    while not server.total:
        asked.join(0.01)
    handle.gone.set()
    asked.join(30)
    assert found and found[0].failure is not None
    assert found[0].failure.message == "the job was ended" and not found[0].answers


def test_the_key_goes_to_the_worker_and_not_into_what_is_sent(server: CountingServer) -> None:
    engine: Any = open_engine(MODEL, Sampling(), CallOptions())
    assert engine.connection == {"base_url": server.url, "api_key": "not-a-secret"}
