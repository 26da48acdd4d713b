"""kill -9 at random moments of a command: what was lost, doubled, or paid for twice.

Phases: the model is asked, the judge is asked, a policy trains, a finished task is compacted. Each
command is started so often, killed after a few calls (compaction: when its files appear), then run
to the end. Then the store is copied, touched and asked again from another home, and two runs are
started at once.

    python bench/kills.py [--kills 25] [--connections 4] [--phases model,judge,fewshot,compaction]
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from loopback import cfms_folder  # noqa: E402

from tests.engine.kill_harness import (  # noqa: E402
    HEADER,
    MODEL,
    CountingServer,
    Harness,
    copied_and_touched,
)

PAIRS = 150


def main() -> None:
    """Prints the accounts of each phase."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=25, help="of each phase")
    parser.add_argument("--connections", type=int, default=4)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--delay", type=float, default=0.1)
    parser.add_argument("--phases", default="model,judge,fewshot,compaction")
    options = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.1f}; {options.connections} connections", flush=True)
    print(HEADER)
    with tempfile.TemporaryDirectory() as folder, CountingServer(options.delay) as server:
        harness = Harness(server, Path(folder), options.connections, options.seed)
        data = cfms_folder(Path(folder, "cfms"), PAIRS, 10)
        for phase in options.phases.split(","):
            began = time.monotonic()
            accounts = (
                harness.judge(options.kills, data)
                if phase == "judge"
                else getattr(harness, phase)(options.kills)
            )
            accounts.notes.append(f"{time.monotonic() - began:.0f} s")
            print(accounts.line, flush=True)
        if "model" in options.phases:
            _copied(harness)
            _two_at_once(harness)


def _copied(harness: Harness) -> None:
    store, table = harness.folder / "model", harness.folder / "model.parquet"
    arguments = harness.run("pixelhumor/presence,interpretation", store, table)
    calls, told = copied_and_touched(harness, store, arguments)
    print(f"copied with cp -r, touched, another home: {calls} calls, {told}", flush=True)


def _two_at_once(harness: Harness) -> None:
    """The same command twice, and a third of another model."""
    store, table = harness.folder / "two", harness.folder / "two.parquet"
    arguments = harness.run("pixelhumor/presence,style", store, table)
    harness.server.calls.clear()
    harness.server.delay = 2.0
    first = harness.start(arguments)
    while not harness.server.total and first.poll() is None:
        time.sleep(0.01)
    other = harness.start(_other(arguments))
    status, told = harness.finish(arguments)
    harness.server.delay = 0.05
    print(f"the same command at the same time: exit {status}: {told.strip()[-300:]}")
    for name, process in (("first", first), ("another model", other)):
        told, _ = process.communicate()
        print(f"{name}: exit {process.returncode}{told[-200:] if process.returncode else ''}")


def _other(arguments: list[str]) -> list[str]:
    """The command for another model and table."""
    changed = {MODEL: "openai-api/loopback/another"}
    return [changed.get(one, one.replace("two.parquet", "other.parquet")) for one in arguments]


if __name__ == "__main__":
    main()
