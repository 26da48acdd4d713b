"""CPU time per model call: `deadpan run` against a plain aiohttp loop sending the same requests.

Both speak to the same loopback server with the same pictures, prompts and concurrency, each in a
process of its own, so that user and system time are that side's alone. The plain loop does what a
quick script does: read the picture, encode it, post it, keep the text. It draws no panel numbers
(Deadpan's are drawn before the clock starts), writes no log and cannot resume.

    python bench/model_calls.py [--epochs 4] [--connections 10]
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

TASKS = ("presence", "style", "panel", "modality")


def main() -> None:
    """Prints CPU and wall time per call of both sides and their ratios."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--epochs", type=int, default=4, help="times each question is asked")
    parser.add_argument("--connections", type=int, default=10)
    parser.add_argument("--side", choices=("plain", "deadpan"), help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.side:
        {"plain": plain, "deadpan": ours}[options.side](options)
        return
    from tests.model_server import ModelServer

    with tempfile.TemporaryDirectory() as folder, ModelServer(lambda *_: "Yes") as server:
        env = {**os.environ, **server.environment, "DEADPAN_CACHE": f"{folder}/cache"}
        measured = {}
        for side in ("warm-up", "plain", "deadpan"):
            epochs = 1 if side == "warm-up" else options.epochs
            command = [
                sys.executable,
                __file__,
                "--side",
                "deadpan" if side == "warm-up" else side,
                "--epochs",
                str(epochs),
                "--connections",
                str(options.connections),
                "--folder",
                f"{folder}/{side}",
            ]
            out = subprocess.run(command, env=env, check=True, capture_output=True, text=True)
            measured[side] = json.loads(out.stdout.strip().splitlines()[-1])
    report(measured["plain"], measured["deadpan"], options.connections)


def report(plain_side: dict[str, float], our_side: dict[str, float], connections: int) -> None:
    """Prints the table."""
    assert plain_side["calls"] == our_side["calls"]
    print(f"{our_side['calls']:.0f} calls, {connections} at once")
    print(f"{'':12}{'CPU ms/call':>14}{'wall ms/call':>14}")
    for name, side in (("plain loop", plain_side), ("deadpan run", our_side)):
        print(f"{name:12}{side['cpu']:14.2f}{side['wall']:14.2f}")
    print(
        f"{'ratio':12}{our_side['cpu'] / plain_side['cpu']:14.1f}"
        f"{our_side['wall'] / plain_side['wall']:14.1f}"
    )


def measure(calls: int, start: float, before: float) -> None:
    """Prints this process's times since `start` per call."""
    cpu = cpu_seconds() - before
    wall = time.perf_counter() - start
    print(json.dumps({"calls": calls, "cpu": 1000 * cpu / calls, "wall": 1000 * wall / calls}))


def cpu_seconds() -> float:
    """User and system time of this process so far."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def ours(options: argparse.Namespace) -> None:
    """Asks through Deadpan, logs and table included, start-up left out."""
    from deadpan.engine.run import RunSettings, run
    from deadpan.results import results_of_logs

    settings = RunSettings(
        log_dir=options.folder,
        epochs=options.epochs,
        display="none",
        max_connections=options.connections,
    )
    start, before = time.perf_counter(), cpu_seconds()
    table = results_of_logs(run("pixelhumor", TASKS, "openai-api/loopback/m", settings))
    measure(len(table), start, before)


def plain(options: argparse.Namespace) -> None:
    """Asks with aiohttp alone."""
    import aiohttp

    from deadpan.benchmarks import find

    benchmark = find("pixelhumor")
    dataset = benchmark.read(None)
    questions = [
        q for task in TASKS for q in benchmark.questions(dataset, task, benchmark.prompts(task))
    ]
    url = os.environ["LOOPBACK_BASE_URL"] + "/chat/completions"

    async def ask(session: aiohttp.ClientSession, gate: asyncio.Semaphore, question: Any) -> str:
        async with gate:
            picture = base64.b64encode(Path(question.pictures[0].path).read_bytes()).decode()
            content = [
                {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{picture}"}},
                {"type": "text", "text": question.text},
            ]
            body = {
                "model": "m",
                "temperature": 0,
                "max_tokens": 512,
                "messages": [
                    {"role": "system", "content": question.system},
                    {"role": "user", "content": content},
                ],
            }
            async with session.post(url, json=body) as response:
                reply = await response.json()
                return reply["choices"][0]["message"]["content"]

    async def everything() -> list[str]:
        gate = asyncio.Semaphore(options.connections)
        async with aiohttp.ClientSession() as session:
            asked = [ask(session, gate, q) for _ in range(options.epochs) for q in questions]
            return await asyncio.gather(*asked)

    start, before = time.perf_counter(), cpu_seconds()
    answers = asyncio.run(everything())
    measure(len(answers), start, before)


if __name__ == "__main__":
    main()
