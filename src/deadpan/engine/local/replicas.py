"""A model on several GPUs: a process for each, and prompts about one picture to the same."""

from __future__ import annotations

import os
import signal
import threading
from collections import OrderedDict
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

from PIL import Image

from deadpan.base.errors import DeadpanError
from deadpan.engine.local.lanes import Reply, fail, fulfil
from deadpan.engine.local.models import LoadOptions
from deadpan.engine.local.prompts import Prompt
from deadpan.engine.local.talks import Part, Turn

_PICTURES_KEPT = 128
_VISIBLE = "CUDA_VISIBLE_DEVICES"


@dataclass(frozen=True)
class _Shown:
    """A picture that the process has, by its number."""

    number: int


@dataclass(eq=False)
class _Asked:
    """A prompt on its way."""

    prompt: Prompt
    future: Future[Reply]
    tries: int = 0


@dataclass(eq=False)
class Replica:
    """One process with the model, as the parent sees it."""

    process: Any
    pipe: Connection
    asked: dict[int, _Asked] = field(default_factory=dict)
    pictures: OrderedDict[int, tuple[int, Image.Image]] = field(default_factory=OrderedDict)
    numbers: int = 0

    def send(self, number: int, prompt: Prompt) -> None:
        """Hands a prompt over; pictures that the process has already are only named."""
        new: dict[int, Image.Image] = {}
        turns = tuple(
            replace(turn, parts=tuple(self._named(part, new) for part in turn.parts))
            for turn in prompt.turns
        )
        gone = []
        while len(self.pictures) > _PICTURES_KEPT:
            gone.append(self.pictures.popitem(last=False)[1][0])
        self.pipe.send((number, replace(prompt, turns=turns), new, gone))

    def _named(self, part: Part, new: dict[int, Image.Image]) -> Any:
        if isinstance(part, str):
            return part
        if id(part) not in self.pictures:
            self.numbers += 1
            self.pictures[id(part)] = (self.numbers, part)  # kept, so that its number is its own
            new[self.numbers] = part
        self.pictures.move_to_end(id(part))
        return _Shown(self.pictures[id(part)][0])


class Replicas:
    """Answers prompts with one process a device. What a process that ended was asked, another is
    asked once more."""

    def __init__(self, name: str, options: LoadOptions, devices: list[str]) -> None:
        self._lock = threading.Lock()
        self._count = 0
        self._homes: OrderedDict[tuple[int, ...], Replica] = OrderedDict()
        self._replicas = [_start(name, options, device) for device in devices]
        for replica in self._replicas:
            ready = replica.pipe.recv()
            if isinstance(ready, Exception):
                self.close()
                raise ready
        self._threads = [
            threading.Thread(target=self._listen, args=(one,), daemon=True)
            for one in self._replicas
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, prompt: Prompt) -> Future[Reply]:
        """The reply, once it is there."""
        asked = _Asked(prompt, Future())
        with self._lock:
            self._send(asked)
        return asked.future

    def close(self) -> None:
        """Ends the processes; what is being written is given up."""
        for replica in self._replicas:
            replica.process.terminate()
            replica.process.join()

    def _send(self, asked: _Asked) -> None:
        alive = [one for one in self._replicas if one.process.is_alive()]
        if not alive or asked.tries > 1:
            codes = sorted({one.process.exitcode for one in self._replicas} - {None})
            fail(asked.future, DeadpanError(f"the model's process ended ({codes})"))
            return
        about = tuple(map(id, asked.prompt.pictures))
        least = min(alive, key=lambda one: len(one.asked))
        home = self._homes.setdefault(about, least) if about else least
        if home not in alive:
            home = self._homes[about] = least
        if len(self._homes) > _PICTURES_KEPT:
            self._homes.popitem(last=False)
        self._count += 1
        home.asked[self._count] = asked
        asked.tries += 1
        try:
            home.send(self._count, asked.prompt)
        except OSError:  # it ended just now: whoever listens to it asks another
            return

    def _listen(self, replica: Replica) -> None:
        while True:
            try:
                number, reply = replica.pipe.recv()
            except (EOFError, OSError):
                break
            with self._lock:
                asked = replica.asked.pop(number)
            if isinstance(reply, Exception):
                fail(asked.future, reply)
            else:
                fulfil(asked.future, reply)
        replica.process.join()
        with self._lock:
            left, replica.asked = list(replica.asked.values()), {}
            for asked in left:
                self._send(asked)


def _start(name: str, options: LoadOptions, device: str) -> Replica:
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(name, options, theirs), daemon=True)
    before = os.environ.get(_VISIBLE)
    os.environ[_VISIBLE] = device  # what a process begins with decides which GPU is its own
    try:
        process.start()
    finally:
        if before is None:
            del os.environ[_VISIBLE]
        else:
            os.environ[_VISIBLE] = before
    theirs.close()
    return Replica(process, ours)


def _serve(name: str, options: LoadOptions, pipe: Connection) -> None:
    """What a process does: loads the model, says that it is ready, answers until it is ended."""
    from deadpan.engine.local.loaded import load_answerer

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends this
    try:
        loaded = load_answerer(name, options)
    except Exception as error:
        pipe.send(error if isinstance(error, DeadpanError) else DeadpanError(repr(error)))
        return
    pipe.send(None)
    sending = threading.Lock()
    pictures: dict[int, Image.Image] = {}

    def answered(number: int, future: Future[Reply]) -> None:
        error = future.exception()
        said = error if error is None or isinstance(error, DeadpanError) else None
        reply = said or (DeadpanError(repr(error)) if error else future.result())
        with sending:
            pipe.send((number, reply))

    while True:
        try:
            number, prompt, new, gone = pipe.recv()
        except (EOFError, OSError):
            loaded.answerer.close()
            return
        pictures |= new
        turns = tuple(
            Turn(turn.role, tuple(_opened(part, pictures) for part in turn.parts))
            for turn in prompt.turns
        )
        for one in gone:
            pictures.pop(one, None)
        future = loaded.answerer.submit(replace(prompt, turns=turns))
        future.add_done_callback(partial(answered, number))


def _opened(part: Any, pictures: dict[int, Image.Image]) -> Part:
    return pictures[part.number] if isinstance(part, _Shown) else part
