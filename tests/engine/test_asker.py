"""The asker: each question once, tries that do not multiply, and nothing lost when it stops."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, JsonValue

from deadpan.engine import asker as asking
from deadpan.engine.answers import Answer
from deadpan.engine.asker import Asker, AskerEvents
from deadpan.engine.calls import CallError, CallOptions, GaveUp, Generated
from deadpan.engine.requests import Message, Request, Sampling, Text, Turn
from deadpan.engine.segments import Busy
from deadpan.engine.store import AnswerStore

GREEDY = Sampling(temperature=0.0)


class Failing(Exception):
    """A call that fails as it is told to."""

    def __init__(self, retry: bool, after: float | None = None) -> None:
        super().__init__("broken")
        self.retry, self.after = retry, after


class Toy:
    """An engine in memory: answers by `reply`, and counts calls and how many there are at once."""

    name = identity = "toy"
    server = ""
    max_connections = 3
    is_embedded = reads_card = False
    is_local = True

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        self.at_once = self.most = 0
        self.closed = False
        self.faults: dict[str, list[Exception]] = {}

    async def generate(
        self,
        messages: Sequence[Message],
        sampling: Sampling,
        schema: type[BaseModel] | None,
        card: JsonValue = None,
    ) -> Generated:
        text = str(messages[-1].contents[0])
        self.calls[text] += 1
        self.at_once += 1
        self.most = max(self.most, self.at_once)
        await asyncio.sleep(0)
        self.at_once -= 1
        if self.faults.get(text):
            raise self.faults[text].pop(0)
        return Generated(f"re: {text}", None, "stop", None, "toy-1", 5, 2, 0, 0.1)

    def describe(self, error: Exception) -> CallError:
        assert isinstance(error, Failing), error
        return CallError("broken", error.retry, error.after)

    async def reaches(self, seconds: float) -> str | None:
        return None

    async def close(self) -> None:
        self.closed = True


class Heard(AskerEvents):
    def __init__(self) -> None:
        self.known: list[bool] = []
        self.waits: list[float] = []

    def answered(self, request: Request, answer: Answer, known: bool) -> None:
        self.known.append(known)

    def waiting(self, reason: str, seconds: float) -> None:
        self.waits.append(seconds)


def request(text: str, label: str = "toy", **more: Any) -> Request:
    return Request(label, (Turn("user", (Text(text),)),), GREEDY, **more)


def asked(
    store: Path,
    engine: Toy,
    requests: Sequence[Request],
    events: Heard | None = None,
    **options: Any,
) -> list[Answer]:
    async def ask() -> list[Answer]:
        calls = CallOptions(**options)
        async with Asker(engine, AnswerStore(store), calls, events) as asker:  # type: ignore[arg-type]
            found = {id(one): answer async for one, answer in asker.ask(requests)}
        return [found[id(one)] for one in requests]

    return asyncio.run(ask())


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "answers"


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long was waited, in place of waiting."""
    waits: list[float] = []
    sleep = asyncio.sleep

    async def at_once(seconds: float) -> None:
        waits.append(seconds)
        await sleep(0)

    monkeypatch.setattr(asking.asyncio, "sleep", at_once)
    return waits


def test_every_question_is_asked_once_whoever_asks_and_however_often(store: Path) -> None:
    engine, heard = Toy(), Heard()
    wanted = [request(f"q{number % 7}", label=f"task{number % 2}") for number in range(28)]
    answers = asked(store, engine, wanted, heard)
    assert [one.text for one in answers] == [f"re: q{number % 7}" for number in range(28)]
    assert set(engine.calls.values()) == {1} and len(engine.calls) == 7
    assert heard.known.count(False) == 7 and len(heard.known) == 28
    assert engine.most <= engine.max_connections and engine.closed

    again, later = Toy(), Heard()
    assert asked(store, again, wanted, later) == answers
    assert not again.calls and all(later.known)


def test_again_and_another_epoch_are_asked_and_kept_apart(store: Path) -> None:
    engine = Toy()
    ways = [request("q"), request("q", epoch=2), request("q", again="x"), request("q", again="y")]
    asked(store, engine, ways)
    asked(store, engine, ways)
    assert engine.calls == {"q": 4}


def test_a_call_is_tried_again_as_often_as_is_allowed_and_no_more(
    store: Path, slept: list[float]
) -> None:
    engine, heard = Toy(), Heard()
    engine.faults = {"good": [Failing(True)] * 2, "bad": [Failing(True)] * 99}
    good, bad = asked(store, engine, [request("good"), request("bad")], heard, max_retries=3)
    assert (good.text, good.calls, good.error) == ("re: good", 3, None)
    assert (bad.text, bad.calls) == (None, 4) and bad.error == "broken (tried 4 times)"
    assert engine.calls == {"good": 3, "bad": 4}
    waits = [seconds for seconds in slept if seconds]
    assert sorted(waits) == sorted(heard.waits) and len(waits) == 2 + 3
    assert all(1.5 <= seconds <= 10 for seconds in waits), "2, 4, 8 seconds and some chance"


def test_what_cannot_pass_is_not_tried_again(store: Path, slept: list[float]) -> None:
    engine = Toy()
    engine.faults = {"bad": [Failing(False)]}
    (bad,) = asked(store, engine, [request("bad")], max_retries=5)
    assert (bad.error, bad.calls) == ("broken", 1) and not any(slept)
    assert asked(store, engine, [request("bad")])[0].text == "re: bad", "the next run asks again"


def test_a_server_s_wish_to_wait_is_kept(store: Path, slept: list[float]) -> None:
    engine = Toy()
    engine.faults = {"q": [Failing(True, after=17.0)]}
    asked(store, engine, [request("q")])
    assert [seconds for seconds in slept if seconds] == [17.0]
    engine.faults = {"r": [Failing(True, after=3600.0)]}
    with pytest.raises(GaveUp, match="asks to wait 3600 s"):
        asked(store, engine, [request("r")])


def test_a_model_that_never_answers_ends_the_run_and_keeps_what_was_told(store: Path) -> None:
    engine = Toy()
    engine.faults = {f"q{number}": [Failing(False)] for number in range(50)}
    with pytest.raises(GaveUp, match="first 20 questions all failed: broken"):
        asked(store, engine, [request(f"q{number}") for number in range(50)])
    assert sum(engine.calls.values()) < 30 and engine.closed
    assert not list(store.glob("*.lock")), "the lock is given back"


def test_an_error_stops_all_others_and_loses_nothing(store: Path) -> None:
    engine = Toy()
    engine.faults = {"q9": [ValueError("a bug")]}
    with pytest.raises(AssertionError):
        asked(store, engine, [request(f"q{number}") for number in range(40)])
    kept = AnswerStore(store).answers()
    assert 0 < len(kept) < 40
    later = Toy()
    asked(store, later, [request(f"q{number}") for number in range(40)])
    assert sum(later.calls.values()) == 40 - len(kept)


def test_answers_of_another_server_count_only_where_that_is_asked_for(store: Path) -> None:
    here, there = Toy(), Toy()
    there.server = "http://elsewhere/v1"
    asked(store, here, [request("q")])
    asked(store, there, [request("q")], any_server=True)
    assert not there.calls
    asked(store, there, [request("q")])
    assert there.calls == {"q": 1}


def test_two_at_once_are_refused_on_one_task_and_safe_on_two(store: Path) -> None:
    async def both() -> None:
        options = CallOptions()
        first = Asker(Toy(), AnswerStore(store), options)  # type: ignore[arg-type]
        second = Asker(Toy(), AnswerStore(store), options)  # type: ignore[arg-type]
        async with first, second:
            await first.answer(request("a", label="one"))
            with pytest.raises(Busy):
                await second.answer(request("b", label="one"))
            await second.answer(request("c", label="two"))

    asyncio.run(both())
    assert sorted(AnswerStore(store).answers()["text"]) == ["re: a", "re: c"]
    assert len(list(store.glob("*.parquet"))) == 2


def test_what_cannot_be_made_ready_is_a_failure_without_a_call(store: Path) -> None:
    from deadpan.core.questions import Picture
    from deadpan.engine.question_parts import PicturePart

    engine = Toy()
    turns = (Turn("user", (PicturePart(Picture(path="gone.png")),)),)
    (answer,) = asked(store, engine, [Request("toy", turns, GREEDY)])
    assert answer.calls == 0 and not engine.calls
    assert (answer.error or "").startswith("not asked: gone.png: there is no such picture")


class BulkToy(Toy):
    """Takes many questions at once; raises after so many answers, once they were given."""

    def __init__(self, most: int | None = None) -> None:
        super().__init__()
        self.most_answers = most

    async def answers(
        self, requests: Mapping[str, Request], options: CallOptions
    ) -> AsyncGenerator[Answer]:
        for place, key in enumerate(reversed(requests)):
            if place == self.most_answers:
                raise GaveUp("toy is down")
            self.calls[key] += 1
            yield Answer(key, self.identity, self.server, "now", text=f"re: {key}")


def test_what_a_bulk_engine_gave_before_it_failed_is_kept(store: Path) -> None:
    wanted = [request(f"q{number % 600}", label=f"task{number % 2}") for number in range(1200)]
    failing = BulkToy(450)
    with pytest.raises(GaveUp):
        asked(store, failing, wanted)
    assert len(AnswerStore(store).answers()) == 450

    heard, going_on = Heard(), BulkToy()
    answers = asked(store, going_on, wanted, heard)
    assert not set(going_on.calls) & set(failing.calls)
    assert len(going_on.calls) == 150 and heard.known.count(False) == 150
    assert len({one.key for one in answers}) == 600 == len(AnswerStore(store).answers())
