"""Memory of `deadpan run` over many questions with a judge's call each, at a server without delay.

The command runs in a process of its own; its resident memory is read from outside each time the
store holds so many more answers. Flat means: what a question took is given back, and only the
answers themselves, a few hundred bytes each, stay.

    python bench/memory.py [--questions 20000] [--every 1000] [--connections 50]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from loopback import Server, cfms_folder

PICTURES = 200
MODEL, JUDGE = "openai-api/loopback/m", "openai-api/loopback/judge"


def main() -> None:
    """Prints a line for every so many answers, then start, middle and end of both phases."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--questions", type=int, default=20_000)
    parser.add_argument("--every", type=int, default=1_000)
    parser.add_argument("--connections", type=int, default=50)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, Server(0.0) as server:
        data = cfms_folder(Path(folder, "cfms"), options.questions, PICTURES)
        env = {**os.environ, **server.environment, "DEADPAN_CACHE": f"{folder}/cache"}
        models = ["--model", MODEL, "--judge", JUDGE, "--store", f"{folder}/store"]
        calls = ["--max-connections", str(options.connections), "--data", str(data)]
        entry = [sys.executable, "-c", "from deadpan.cli import main; main()"]
        with (Path(folder) / "told").open("w+") as told:
            process = subprocess.Popen(
                [*entry, "run", "cfms/target", *models, *calls], env=env, stdout=told, stderr=told
            )
            samples = _watched(process, server, options.every)
            told.seek(0)
            if process.returncode:
                raise SystemExit(f"exit {process.returncode}\n{told.read()}")
    _print(samples, options.questions)


def _watched(
    process: subprocess.Popen[bytes], server: Server, every: int
) -> list[tuple[int, float, float]]:
    """(calls, RSS in MiB, seconds) at each so many calls, until the process ends."""
    samples: list[tuple[int, float, float]] = []
    began = time.monotonic()
    while process.poll() is None:
        calls = server.counts()["calls"]
        if (rss := _rss(process.pid)) and calls >= every * len(samples):
            samples.append((calls, rss, time.monotonic() - began))
            print(f"{calls:7} calls {rss:8.1f} MiB {samples[-1][2]:7.1f} s", flush=True)
        time.sleep(0.1)
    return samples


def _rss(pid: int) -> float:
    """Resident memory in MiB; 0 where the process is gone."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(x.split()[1]) / 1024 for x in lines if x.startswith("VmRSS")), 0.0)


def _print(samples: list[tuple[int, float, float]], questions: int) -> None:
    for phase, low in (("model", 0), ("judge", questions)):
        inside = [one for one in samples if low + 0.05 * questions <= one[0] <= low + questions]
        if not inside:
            continue
        shown = (inside[0], inside[len(inside) // 2], inside[-1])
        told = ", ".join(f"{rss:.0f} MiB at {calls:,}" for calls, rss, _ in shown)
        grown = (shown[2][1] - shown[0][1]) * 1024 * 1024 / max(shown[2][0] - shown[0][0], 1)
        print(f"{phase}: {told}: {grown:.0f} bytes a question")


if __name__ == "__main__":
    main()
