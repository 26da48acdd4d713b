"""A study under load: so many raters at once, each with an answer every two seconds.

Raters answer five questions about a picture, submit, and get the next item with its picture, by the
requests that their pages send, at one `deadpan study serve` on this machine. Times are a rater's:
from the request to the last byte of what comes back. PostgreSQL runs beside it with its syncing on,
in a cluster of the bench's own; the raters' side takes its share of the same cores.

    python bench/study_load.py [--raters 200] [--every 2] [--seconds 120]
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.studies.crowd import Crowd, Seat, Server, made_study, seats  # noqa: E402
from tests.studies.postgres import durable_url  # noqa: E402

_KINDS = ("answer", "submit", "first page", "picture")
_ITEMS = 2_800


def main() -> None:
    """Prints a line for each kind of request, for each database."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--raters", type=int, default=200)
    parser.add_argument("--every", type=float, default=2.0, help="seconds between two answers")
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--within", type=float, default=12, help="seconds in which they come")
    parser.add_argument("--databases", default="postgresql,sqlite")
    options = parser.parse_args()
    print(
        f"load {os.getloadavg()[0]:.1f}; {os.cpu_count()} cores; {options.raters} raters, "
        f"an answer every {options.every:g} s, {options.seconds:g} s; they come within "
        f"{options.within:g} s",
        flush=True,
    )
    for kind in options.databases.split(","):
        with tempfile.TemporaryDirectory() as folder, durable_url(kind) as database:
            raters, every, seconds = options.raters, options.every, options.seconds
            measure(kind, Path(folder), database, raters, every, seconds, options.within)


def measure(
    kind: str,
    folder: Path,
    database: str,
    raters: int,
    every: float,
    seconds: float,
    within: float,
) -> None:
    """Serves a new study, has everybody work for so long, and prints what they waited."""
    study = made_study(folder, max(_ITEMS, int(raters * seconds / every / 6)), database)
    people = seats(study, raters)
    server = Server(folder / "study", database)
    crowd = Crowd(server, every, within)
    server.start()
    try:
        wall, cpu = asyncio.run(_for(seconds, server, crowd, people))
        memory = server.memory
    finally:
        server.kill()
    study.database.close()
    every_time = [one for times in crowd.seconds.values() for one in times]
    print(
        f"{kind}: {len(every_time) / wall:.0f} requests/s, {len(crowd.answered) / wall:.0f} "
        f"answers/s, {len(crowd.refused)} refused, {crowd.again} broken off; server "
        f"{cpu / wall:.0%} of a core, {memory:.0f} MB",
        flush=True,
    )
    for name, times in [
        *((one, crowd.seconds.get(one, [])) for one in _KINDS),
        ("all", every_time),
    ]:
        if times:
            half, most, nearly = np.percentile(times, [50, 95, 99]) * 1000
            print(
                f"  {name:10} n={len(times):6,}  p50 {half:6.1f}  p95 {most:6.1f} "
                f" p99 {nearly:6.1f}  max {max(times) * 1000:6.0f} ms",
                flush=True,
            )


async def _for(
    seconds: float, server: Server, crowd: Crowd, people: list[Seat]
) -> tuple[float, float]:
    """Wall time and CPU time of the server while everybody works."""
    began, cpu = time.monotonic(), server.seconds
    working = asyncio.create_task(crowd.work(people))
    await asyncio.wait([working], timeout=seconds)
    found = time.monotonic() - began, server.seconds - cpu
    crowd.stopping = True
    await working
    return found


if __name__ == "__main__":
    main()
