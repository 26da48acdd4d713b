"""Time and memory of run, score and report as a benchmark grows tenfold, and again.

Data of 1,000, 10,000 and 100,000 items are made in a mini-set's form, and each step runs as a
command of its own. The exponent is that of CPU time and of peak memory over items, without what a
command takes to start: 1 is growth in proportion. `baseline/random` answers, so that what is
measured is ours; `--server` asks a loopback server instead, `--repeat 1000` nobody.

    python bench/growth.py [--items 1000 10000 100000] [--data cfms|pixelhumor] [--server]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from math import log
from pathlib import Path
from typing import NamedTuple

from loopback import Server, cfms_folder, pixelhumor_folder

ENTRY = [sys.executable, "-c", "from deadpan.cli import main; main()"]
TASKS = {"cfms": "identification,explanation", "pixelhumor": "presence,style"}
STEPS = ("run", "again", "score", "report")
MODEL = "openai-api/loopback/m"


class Cost(NamedTuple):
    """What a command took."""

    wall: float
    cpu: float
    mib: float


def main() -> None:
    """Prints a line for each command, then the exponents."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--items", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--data", choices=tuple(TASKS), default="cfms")
    parser.add_argument("--tasks", help="other tasks than the two usual ones, by comma")
    parser.add_argument("--steps", nargs="+", choices=STEPS, default=list(STEPS))
    parser.add_argument("--repeat", type=int, help="no run: the store of so many items, repeated")
    parser.add_argument("--server", action="store_true", help="ask a server, not baseline/random")
    parser.add_argument("--keep", type=Path, help="where data and stores stay, to be used again")
    options = parser.parse_args()
    found: dict[str, dict[int, Cost]] = {}
    with ExitStack() as stack:
        folder = options.keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        server = stack.enter_context(Server(0.0)) if options.server else None
        for items in options.items:
            for step, cost in _measure(options, folder / f"{options.data}-{items}", items, server):
                found.setdefault(step, {})[items] = cost
    for step, costs in found.items():
        print(f"{step:7} exponents: {_exponents(costs)}")


def _measure(
    options: argparse.Namespace, folder: Path, items: int, server: Server | None
) -> list[tuple[str, Cost]]:
    data, store = folder / "data", folder / "store"
    if options.repeat:
        small = folder.parent / f"{options.data}-{options.repeat}" / "store"
        _repeated(small, store, items // options.repeat)
    elif not data.exists():
        _made(options.data, data, items)
    subject = f"{options.data}/{options.tasks or TASKS[options.data]}"
    model = MODEL if server else "baseline/random"
    ask = ["run", subject, "--data", str(data), "--model", model, "--store", str(store), "--quiet"]
    commands = {
        "run": ask,
        "again": ask,
        "score": ["score", str(store), "--quiet"],
        "report": ["report", str(store), "--out", str(folder / "report.html")],
    }
    env = {**os.environ, "DEADPAN_CACHE": str(folder / "cache")}
    env |= server.environment if server else {}
    done = []
    for step in options.steps:
        load = os.getloadavg()[0]
        cost = _cost(commands[step], env, folder / f"{step}.txt")
        done.append((step, cost))
        told = {"step": step, "items": items, "load": round(load, 1), **cost._asdict()}
        told |= _sizes(folder) if step in ("run", "report") else {}
        print(json.dumps(told), flush=True)
    return done


def _made(name: str, folder: Path, items: int) -> None:
    """Data of so many items about one picture, or few: a file has at most 65,000 links."""
    if name == "cfms":
        cfms_folder(folder, items, 1)
        return
    pixelhumor_folder(folder, items, drawn=-(-items // 50_000))


def _repeated(small: Path, large: Path, times: int) -> None:
    """A store that holds another so many times, under other names of items and questions: what
    scoring reads, without the hours of asking."""
    import polars as pl

    if large.exists():
        return
    (large / "runs").mkdir(parents=True)
    (large / "store.json").write_bytes((small / "store.json").read_bytes())
    total = times * len(pl.read_parquet(next((small / "runs").glob("*.parquet"))))
    for path in sorted(small.rglob("*.parquet")):
        frame, parts = pl.read_parquet(path), []
        for tag in (f"{number:06x}" for number in range(times)):
            part = frame.with_columns(key=pl.col("key").str.slice(6) + tag)
            if "item" in frame.columns:
                named = pl.col("question").str.replace('^(."item":"[^"]+)', f"${{1}}_{tag}")
                item = pl.col("item") + f"_{tag}"
                part = part.with_columns(item=item, question=named, total=pl.lit(str(total)))
            parts.append(part)
        whole = pl.concat(parts)
        whole.write_parquet(large / path.relative_to(small), row_group_size=10_000)


def _cost(command: Sequence[str], env: Mapping[str, str], out: Path) -> Cost:
    """What a command took, in a process of its own; one that fails ends the measurement."""
    began = time.monotonic()
    with out.open("w") as stream:
        process = subprocess.Popen([*ENTRY, *command], env=env, stdout=stream, stderr=stream)
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)}: {process.returncode}\n{out.read_text()[-2000:]}")
    cpu = used.ru_utime + used.ru_stime
    return Cost(round(time.monotonic() - began, 2), round(cpu, 2), round(used.ru_maxrss / 1024, 1))


def _sizes(folder: Path) -> dict[str, float]:
    """MiB of what lies in the folder."""
    known = {
        "answers_mib": folder.glob("store/*.parquet"),
        "manifests_mib": folder.glob("store/runs/*"),
        "page_mib": folder.glob("report.html"),
        "pages_mib": folder.glob("report-samples/*"),
    }
    return {
        name: round(sum(path.stat().st_size for path in paths) / 2**20, 2)
        for name, paths in known.items()
    }


def _exponents(costs: Mapping[int, Cost]) -> str:
    """The exponent k of cost = start-up + n to the k, by three sizes that are as far apart; the
    start-up falls out of the differences."""
    told = []
    for one, two, three in zip(*(sorted(costs)[at:] for at in range(3)), strict=False):
        for name in ("cpu", "mib"):
            low, middle, high = (getattr(costs[size], name) for size in (one, two, three))
            if middle > low and high > middle:
                exponent = log((high - middle) / (middle - low)) / log(three / two)
                told.append(f"{name} {exponent:.2f}")
    return ", ".join(told) or "–"


if __name__ == "__main__":
    main()
