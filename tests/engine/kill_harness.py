"""Commands killed with -9 at moments of one's choice, and the accounts kept at the server.

After each kill the store is read: what arrived at the server in that run and is not in the store
was in flight, and is all that may be asked again.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl
from aiohttp import web

from deadpan.engine.store import AnswerStore
from tests.engine.faulty_server import PROBE
from tests.model_server import ModelServer, _reply

PATIENCE = 300.0
MODEL, JUDGE = "openai-api/loopback/pupil", "openai-api/loopback/teacher"
_JOINT = '{"sarcastic": true, "target": "rain", "explanation": "nobody likes rain"}'
_GRADE = json.dumps({"same_meaning": True, "reason": "the same"})


class CountingServer(ModelServer):
    """Counts calls by the whole of what was sent, those of the judge apart."""

    def __init__(self, delay: float) -> None:
        super().__init__(lambda picture, prompt: "", delay=delay)
        self.judged: Counter[str] = Counter()
        self.broken = False

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        try:
            data = await request.read()
        except ConnectionResetError:  # killed while it sent: no call arrived
            return web.Response()
        body = json.loads(data)
        if PROBE in data.decode():
            return _reply(body, "OK")
        key = hashlib.sha256(data).hexdigest()
        self.calls[key] += 1
        judging = b"same_meaning" in data
        self.judged[key] += judging
        await asyncio.sleep(self.delay)
        if self.broken:
            return web.json_response({"error": {"message": "broken"}}, status=500)
        if judging:
            return _reply(body, _GRADE)
        joint = b"explanation" in data
        return _reply(body, _JOINT if joint else "Yes")


@dataclass
class Accounts:
    """What came of one phase."""

    phase: str
    kills: int = 0
    distinct: int = 0
    calls: int = 0
    repeats: int = 0
    most_in_flight: int = 0
    lost: int = 0
    doubled: int = 0
    rows: int = 0
    notes: list[str] = field(default_factory=list)

    @property
    def line(self) -> str:
        """A row of the printed table."""
        counts = (self.kills, self.distinct, self.calls, self.repeats, self.most_in_flight)
        told = "".join(f"{count:>10}" for count in (*counts, self.lost, self.doubled, self.rows))
        return f"{self.phase:12}{told}  {'; '.join(self.notes)}"


HEADER = f"{'phase':12}" + "".join(
    f"{name:>10}"
    for name in ("kills", "distinct", "calls", "repeats", "in flight", "lost", "doubled", "rows")
)


class Harness:
    """Commands against one server, with a store of its own for each phase."""

    def __init__(self, server: CountingServer, folder: Path, connections: int, seed: int) -> None:
        self.server, self.folder, self.connections = server, folder, connections
        self.draw = random.Random(seed)
        self.environment = {
            **os.environ,
            **server.environment,
            "DEADPAN_CACHE": str(folder / "cache"),
            "OMP_NUM_THREADS": "1",
        }

    def start(self, arguments: list[str], **environment: str) -> subprocess.Popen[str]:
        """The command in a session of its own."""
        return subprocess.Popen(
            [sys.executable, "-c", "from deadpan.cli import main; main()", *arguments],
            env={**self.environment, **environment},
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def finish(self, arguments: list[str], **environment: str) -> tuple[int, str]:
        """Exit code and output of the command, run to its end."""
        process = self.start(arguments, **environment)
        told, _ = process.communicate(timeout=PATIENCE)
        return process.returncode, told

    def kill_when(self, arguments: list[str], due: Callable[[], bool], pause: float = 0.0) -> bool:
        """Whether the command was killed: as soon as `due`, less than `pause` seconds later. False
        where it ended before."""
        process = self.start(arguments)
        deadline = time.monotonic() + PATIENCE
        while process.poll() is None and not due() and time.monotonic() < deadline:
            time.sleep(0.0005)
        time.sleep(self.draw.random() * pause)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return process.returncode == -signal.SIGKILL

    def killed_often(
        self, phase: str, arguments: list[str], store: Path, kills: int, count: Callable[[], int]
    ) -> Accounts:
        """Kills the command so often, each a few calls (by `count`) later, then lets it end."""
        accounts = Accounts(phase)
        self.server.calls.clear()
        stored = 0
        for _ in range(kills):
            before, calls = count(), self.server.total
            wanted = before + self.draw.randint(1, 2 * self.connections)
            done = self.kill_when(arguments, lambda: count() >= wanted, 0.5 * self.server.delay)  # noqa: B023
            accounts.kills += done
            stored = self._settle(accounts, store, calls, stored)
            if not done:
                break
        calls = self.server.total
        status, told = self.finish(arguments)
        accounts.notes += [] if status == 0 else [f"exit {status}: {told[-200:]}"]
        self._settle(accounts, store, calls, stored)
        self._close(accounts, store)
        return accounts

    def _settle(self, accounts: Accounts, store: Path, calls: int, stored: int) -> int:
        """Answers in the store after a run; what arrived and is not there was in flight."""
        kept = len(AnswerStore(store).answers()) if store.exists() else 0
        in_flight = self.server.total - calls - (kept - stored)
        accounts.most_in_flight = max(accounts.most_in_flight, in_flight)
        accounts.lost += max(0, stored - kept)
        accounts.repeats += in_flight
        return kept

    def _close(self, accounts: Accounts, store: Path) -> None:
        """The accounts at the end: asked = in the store + repeats, and nothing stands twice."""
        answers = AnswerStore(store).answers()
        accounts.calls, accounts.distinct = self.server.total, len(self.server.calls)
        accounts.lost += max(0, accounts.distinct - len(answers))
        asked_again = accounts.calls - accounts.distinct
        if asked_again > accounts.repeats:
            accounts.notes.append(f"{asked_again - accounts.repeats} asked again though stored")
        accounts.doubled = len(answers) - answers["key"].n_unique()
        left = [path.name for path in store.glob("*.jsonl")]
        accounts.notes += [f"not compacted: {left}"] if left else []

    def check_table(self, accounts: Accounts, table: Path, questions: int) -> None:
        """Every question has one row, answered."""
        rows = pl.read_parquet(table)
        accounts.rows = len(rows)
        accounts.doubled += len(rows) - len(rows.select("task", "item", "epoch").unique())
        accounts.lost += questions - len(rows)
        outcomes = dict(Counter(rows["outcome"]))
        accounts.notes += [] if set(outcomes) == {"answered"} else [str(outcomes)]

    def model(self, kills: int, selection: str = "pixelhumor/presence,interpretation") -> Accounts:
        """Killed while the model is asked."""
        store, table = self.folder / "model", self.folder / "model.parquet"
        arguments = self.run(selection, store, table)
        accounts = self.killed_often("model", arguments, store, kills, lambda: self.server.total)
        self.check_table(accounts, table, accounts.distinct)
        return accounts

    def judge(self, kills: int, data: Path) -> Accounts:
        """Killed while the judge is asked."""
        store, table = self.folder / "judge", self.folder / "judge.parquet"
        more = ["--judge", JUDGE, "--data", str(data)]
        arguments = self.run("cfms/target", store, table, *more)
        self.server.judged.clear()
        judged = self.server.judged.total
        accounts = self.killed_often("judge", arguments, store, kills, judged)
        answers = accounts.distinct - sum(count > 0 for count in self.server.judged.values())
        self.check_table(accounts, table, answers)
        return accounts

    def fewshot(self, kills: int) -> Accounts:
        """Killed while a policy trains; another training that is left alone ends with the same."""
        told = []
        for name in ("alone", "fewshot"):
            store = self.folder / name
            arguments = [
                *("fewshot", "train", "cfms/joint", "--model", MODEL, "--store", str(store)),
                *("--out", str(self.folder / f"{name}-policy"), "--updates", "8", "--batch", "4"),
                *("--rollouts", "2", "--validate-every", "4", "--hidden", "8", "--image", "plain"),
                *("--weights", "format=0.2,classification=0.8"),
                *("--max-connections", str(self.connections)),
            ]
            often = kills if name == "fewshot" else 0
            accounts = self.killed_often(name, arguments, store, often, lambda: self.server.total)
            saved = json.loads((self.folder / f"{name}-policy" / "policy.json").read_text())
            told.append((saved["checksum"], accounts.distinct))
        if told[0] != told[1]:
            accounts.notes.append(f"another policy than left alone: {told}")
        return accounts

    def compaction(self, kills: int) -> Accounts:
        """Killed at the end of a task, when its segments become one file, each time with questions
        of another label; then the same command to its end."""
        accounts = Accounts("compaction")
        store, table = self.folder / "compaction", self.folder / "compaction.parquet"
        landed: Counter[str] = Counter()
        for number in range(kills):
            self.server.calls.clear()
            more = ["--again", f"label-{number}", "--limit", "6"]
            arguments = self.run("pixelhumor/presence", store, table, *more)
            before = len(AnswerStore(store).answers()) if store.exists() else 0
            moment = self.draw.choice(["answered", "beginning", "written", "removed"])
            done = self.kill_when(arguments, self._moment(moment, store), 0.002)
            accounts.kills += done
            landed[_state(store) if done else "too late"] += 1
            kept = len(AnswerStore(store).answers()) - before
            in_flight = self.server.total - kept
            status, told = self.finish(arguments)
            accounts.notes += [] if status == 0 else [f"exit {status}: {told[-200:]}"]
            after = AnswerStore(store).answers()
            accounts.most_in_flight = max(accounts.most_in_flight, in_flight)
            accounts.repeats += in_flight
            accounts.calls += self.server.total
            accounts.distinct += len(self.server.calls)
            accounts.lost += len(self.server.calls) - (len(after) - before)
            if self.server.total - len(self.server.calls) > in_flight:
                accounts.notes.append(f"label-{number}: asked again though stored")
            accounts.doubled += len(after) - after["key"].n_unique()
            rows = accounts.rows
            self.check_table(accounts, table, len(self.server.calls))
            accounts.rows += rows
        accounts.notes.append(", ".join(f"{name} {count}" for name, count in landed.items()))
        return accounts

    def _moment(self, name: str, store: Path) -> Callable[[], bool]:
        """Tells when the compaction has come so far."""
        known = {path.name for path in store.glob("*")} if store.exists() else set()

        def new(suffix: str) -> list[str]:
            there = os.listdir(store) if store.exists() else []
            return [one for one in there if one not in known and suffix in one]

        def compacted() -> bool:
            return any(one.endswith(".parquet") for one in new(".parquet"))

        return {
            "answered": lambda: self.server.total >= 6,
            "beginning": lambda: bool(new(".parquet")),
            "written": compacted,
            "removed": lambda: compacted() and not new(".jsonl"),
        }[name]

    def run(self, selection: str, store: Path, table: Path, *more: str) -> list[str]:
        """The arguments of `deadpan run`."""
        places = ["--store", str(store), "--table", str(table)]
        calls = ["--max-connections", str(self.connections), "--model", MODEL]
        return ["run", selection, *calls, *places, *more]


def _state(store: Path) -> str:
    """How far the compaction had come when it was killed."""
    segments, temporary = list(store.glob("*.jsonl")), list(store.glob(".*.parquet.*"))
    if temporary:
        return "while writing"
    if not segments:
        return "after removal"
    covered = {
        name
        for path in store.glob("*.parquet")
        for name in pl.read_parquet(path, columns=["segment"])["segment"].unique()
    }
    return "between" if any(path.stem in covered for path in segments) else "before"


def copied_and_touched(harness: Harness, store: Path, arguments: list[str]) -> tuple[int, str]:
    """Calls that the same command makes after the store was copied, its files touched in random
    order, and everything else forgotten; and how it ended."""
    import shutil

    moved = harness.folder / "elsewhere" / "store"
    subprocess.run(["mkdir", "-p", str(moved.parent)], check=True)
    subprocess.run(["cp", "-r", str(store), str(moved)], check=True)
    shutil.move(store, store.with_name(f"{store.name}-gone"))
    files = [path for path in moved.rglob("*") if path.is_file()]
    harness.draw.shuffle(files)
    for path in files:
        when = harness.draw.randint(10**9, 2 * 10**9)
        os.utime(path, (when, when))
    home = str(harness.folder / "another-home")
    told: dict[str, Any] = {name: home for name in ("HOME", "XDG_CACHE_HOME", "DEADPAN_CACHE")}
    before = harness.server.total
    swapped = [str(moved) if one == str(store) else one for one in arguments]
    status, output = harness.finish(swapped, **told)
    return harness.server.total - before, f"exit {status}" if status == 0 else output[-300:]
