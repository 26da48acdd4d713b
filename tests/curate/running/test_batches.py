"""Batches come back whoever dies over them."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

pytest.importorskip("daft")

from deadpan.curate.running.batches import BatchLost, Runner, run_batches
from tests.curate.running.deadly import ends_its_worker, ends_once, turned_round

RUNNER = Runner(2)


def test_every_batch_comes_back_once() -> None:
    batches = {f"k{number}": str(number).encode() for number in range(12)}
    found = list(run_batches(turned_round, batches, RUNNER))
    assert dict(found) == {key: value[::-1] for key, value in batches.items()}
    assert len(found) == 12


def test_no_batch_is_no_work() -> None:
    assert list(run_batches(turned_round, {}, RUNNER)) == []


def test_what_ends_its_worker_is_lost_and_nothing_else() -> None:
    batches = {"good": b"a", "bad": b"end", "also good": b"b"}
    found = dict(run_batches(ends_its_worker, batches, RUNNER))
    lost = found.pop("bad")
    assert isinstance(lost, BatchLost) and "ended its worker 3 times" in str(lost)
    assert found == {"good": b"a", "also good": b"b"}


def test_a_worker_that_dies_once_costs_nothing(tmp_path: Path) -> None:
    batches = {str(n): f"{tmp_path / 'died'}\n{n}".encode() for n in range(6)}
    found = dict(run_batches(ends_once, batches, RUNNER))
    assert found == {str(n): str(n).encode() for n in range(6)}
    assert (tmp_path / "died").exists()


def test_this_process_is_not_the_one_that_works() -> None:
    ((_, worker),) = run_batches(_who, {"one": b""}, RUNNER)
    assert isinstance(worker, bytes) and int(worker) != os.getpid()
    assert signal.getsignal(signal.SIGINT) is not signal.SIG_IGN


def _who(batch: bytes) -> bytes:
    return str(os.getpid()).encode()
