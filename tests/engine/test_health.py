"""A model that stopped answering ends the run with its reason; one that is merely slow does not."""

import pytest

from deadpan.engine.calls import FIRST_FAILURES, GaveUp, Health


class Clock:
    """Seconds that pass when they are told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    one = Clock()
    monkeypatch.setattr("deadpan.engine.calls.time.monotonic", one)
    return one


def test_silence_ends_the_run_with_the_last_reason(clock: Clock) -> None:
    health = Health(60, "provider/model")
    with health:
        health.succeeded()
        clock.now += 59
        health.failed("503")
        clock.now += 1
        with pytest.raises(GaveUp, match=r"provider/model has not answered for 60 s: 503.*kept"):
            health.failed("503")


def test_every_success_begins_the_silence_anew(clock: Clock) -> None:
    health = Health(60, "m")
    with health:
        for _ in range(5):
            clock.now += 59
            health.succeeded()
            health.failed("429")


def test_time_in_which_nothing_is_asked_is_no_silence(clock: Clock) -> None:
    health = Health(60, "m")
    with health:
        health.succeeded()
    clock.now += 10_000
    with health:
        health.lost("500")
        clock.now += 30
        with health:  # a second call does not begin the silence anew
            clock.now += 30
            with pytest.raises(GaveUp):
                health.lost("500")


def test_the_first_questions_may_not_all_fail(clock: Clock) -> None:
    health = Health(10_000, "m")
    with health:
        for _ in range(FIRST_FAILURES - 1):
            health.lost("broken")
        health.failed("tried again")
        with pytest.raises(GaveUp, match=f"first {FIRST_FAILURES} questions all failed: broken"):
            health.lost("broken")


def test_one_success_among_the_first_is_enough(clock: Clock) -> None:
    health = Health(10_000, "m")
    with health:
        health.succeeded()
        for _ in range(5 * FIRST_FAILURES):
            health.lost("broken")


def test_a_server_that_asks_for_more_patience_than_is_allowed_is_told(clock: Clock) -> None:
    health = Health(60, "m")
    health.will_wait(60, "429")
    with pytest.raises(GaveUp, match=r"asks to wait 3600 s: 429.*--give-up SECONDS"):
        health.will_wait(3600, "429")


def test_nought_never_gives_up(clock: Clock) -> None:
    health = Health(0, "m")
    with health:
        clock.now += 10**6
        for _ in range(5 * FIRST_FAILURES):
            health.lost("broken")
        health.will_wait(10**6, "429")


def test_nobody_is_said_to_ask_for_our_own_waits() -> None:
    assert Health(30, "m").bounded(39.0) == 30.0 and Health(0, "m").bounded(39.0) == 39.0
    Health(30, "m").will_wait(Health(30, "m").bounded(39.0), "502")
