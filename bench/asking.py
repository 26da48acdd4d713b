"""Calls a second, CPU and memory of `deadpan run` beside the bare ways to ask the same questions.

All sides put the same pictures and prompts to one loopback server that takes 2 s for an answer,
100 at once, each in a fresh process:

(a) the OpenAI client with asyncio;
(b) Inspect's model layer alone, `get_model(…).generate`;
(c) `deadpan run` as a command: reading the data, asking, the synced store, the table, the scores;
(d) the same with a judge's call for each answer.

(a) and (b) get finished messages before their clock starts. CPU is counted from when everything is
imported to the end, in (c) and (d) with everything that the command does; the whole process stands
beside it. The pictures are drawn into the cache before.

    python bench/asking.py [--calls 2000] [--connections 100] [--delay 2]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from loopback import Server, cfms_folder, pixelhumor_folder

ROOT = Path(__file__).resolve().parents[1]
MODEL, JUDGE = "openai-api/loopback/m", "openai-api/loopback/judge"
TASKS = 8
SIDES = {
    "client": "(a) OpenAI client, asyncio",
    "layer": "(b) Inspect's model layer",
    "run": "(c) deadpan run",
    "judged": "(d) deadpan run, judged",
}


def main() -> None:
    """Prints a row for each side, with ratios to the model layer."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calls", type=int, default=2000, help="a multiple of 8")
    parser.add_argument("--connections", type=int, default=100)
    parser.add_argument("--delay", type=float, default=2.0)
    parser.add_argument("--sides", default=",".join(SIDES), help="which, of " + ", ".join(SIDES))
    parser.add_argument("--side", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.side:
        _SIDES[options.side](options)
        return
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; {options.calls} calls")
    with tempfile.TemporaryDirectory() as folder:
        pixelhumor_folder(Path(folder, "pixelhumor"), options.calls // TASKS)
        cfms_folder(Path(folder, "cfms"), options.calls // 2, options.calls // TASKS)
        with Server(options.delay) as server:
            env = {**os.environ, **server.environment, "DEADPAN_CACHE": f"{folder}/cache"}
            _measure("warm", options, folder, env, server)
            measured = {
                side: _measure(side, options, folder, env, server)
                for side in options.sides.split(",")
            }
    _print(measured, options.connections / options.delay)


def _measure(
    side: str, options: argparse.Namespace, folder: str, env: dict[str, str], server: Server
) -> dict[str, Any]:
    """What one side took, by its own process and by the server."""
    server.counts(reset=True)
    told = [f"--{name}={getattr(options, name)}" for name in ("calls", "connections", "delay")]
    command = [sys.executable, __file__, f"--side={side}", f"--folder={folder}", *told]
    began = time.perf_counter()
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{side}: exit {done.returncode}\n{done.stdout}\n{done.stderr}")
    wall = time.perf_counter() - began
    return {**json.loads(done.stdout.splitlines()[-1]), **server.counts(), "wall": wall}


def _print(measured: dict[str, dict[str, Any]], possible: float) -> None:
    base = measured.get("layer")
    head = f"{'calls':>6}{'calls/s':>9}{'share':>7}{'CPU ms':>8}{'whole':>7}{'RSS MiB':>9}"
    print(f"{'':28}{head}{'wall s':>8}   rate, CPU, RSS to (b)")
    for side, one in measured.items():
        rate = one["calls"] / one["seconds"]
        cpu, whole = (1000 * one[name] / one["calls"] for name in ("cpu", "cpu_whole"))
        row = f"{one['calls']:6}{rate:9.1f}{rate / possible:7.2f}{cpu:8.2f}{whole:7.2f}"
        row += f"{one['rss']:9.0f}{one['wall']:8.1f}"
        if base:
            against = (
                rate * base["seconds"] / base["calls"],
                cpu * base["calls"] / base["cpu"] / 1000,
                one["rss"] / base["rss"],
            )
            row += "   " + ", ".join(f"{ratio:.2f}" for ratio in against)
        print(f"{SIDES[side]:28}{row}")


def _cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def _tell(before: float) -> None:
    """Prints what this process has used since it had used `before`."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"cpu": _cpu() - before, "cpu_whole": _cpu(), "rss": peak}))


def _messages(folder: Path) -> tuple[list[Any], list[Any]]:
    """The requests that `deadpan run` would make, and their messages with pictures."""
    from deadpan.benchmarks import find
    from deadpan.core.questions import MediaOptions
    from deadpan.engine.requests import Message
    from deadpan.engine.task_questions import RunSettings, task_questions, task_requests

    settings = RunSettings(folder / "never", data=folder / "pixelhumor")
    requests = []
    for spec in find("pixelhumor").tasks:
        task = task_questions(find("pixelhumor"), spec.name, settings, MediaOptions())
        requests += task_requests(task, MODEL, settings)
    requests.sort(key=lambda request: request.item)
    made = []
    for request in requests:
        built = [[part.build(None) for part in turn.parts] for turn in request.turns]
        made.append(
            [
                Message(turn.role, tuple(c for part in parts for c in part.contents))
                for turn, parts in zip(request.turns, built, strict=True)
            ]
        )
    return requests, made


def warm(options: argparse.Namespace) -> None:
    """Draws all pictures into the cache."""
    _messages(options.folder)
    _tell(0)


def client(options: argparse.Namespace) -> None:
    """(a)"""
    from openai import AsyncOpenAI

    requests, messages = _messages(options.folder)
    bodies = [[_openai(message) for message in one] for one in messages]
    address = os.environ["LOOPBACK_BASE_URL"]

    async def everything() -> None:
        asking = AsyncOpenAI(api_key="not-a-secret", base_url=address, max_retries=0)
        gate = asyncio.Semaphore(options.connections)

        async def ask(place: int) -> None:
            async with gate:
                sampling = requests[place].sampling
                reply = await asking.chat.completions.create(
                    model="m",
                    messages=bodies[place],
                    temperature=sampling.temperature,
                    max_tokens=sampling.max_tokens,
                )
                assert reply.choices[0].message.content

        await asyncio.gather(*map(ask, range(len(bodies))))

    before = _cpu()
    asyncio.run(everything())
    _tell(before)


def _openai(message: Any) -> Any:
    if message.role != "user":
        return {"role": message.role, "content": "\n".join(message.contents)}
    parts = [
        {"type": "text", "text": part}
        if isinstance(part, str)
        else {"type": "image_url", "image_url": {"url": part.address}}
        for part in message.contents
    ]
    return {"role": "user", "content": parts}


def layer(options: argparse.Namespace) -> None:
    """(b)"""
    from inspect_ai.model import GenerateConfig, get_model

    from deadpan.engine.inspect_model import inspect_messages

    requests, messages = _messages(options.folder)
    model = get_model(MODEL, config=GenerateConfig(max_connections=options.connections))

    async def ask(place: int, gate: asyncio.Semaphore) -> None:
        async with gate:
            sampling = requests[place].sampling
            config = GenerateConfig(
                temperature=sampling.temperature, max_tokens=sampling.max_tokens
            )
            output = await model.generate(inspect_messages(messages[place], None), config=config)
            assert output.completion

    async def everything() -> None:
        gate = asyncio.Semaphore(options.connections)
        asking = [asyncio.create_task(ask(place, gate)) for place in range(len(messages))]
        await asyncio.gather(*asking)

    before = _cpu()
    asyncio.run(everything())
    _tell(before)


def _command(options: argparse.Namespace, *arguments: str) -> None:
    import deadpan.engine.judging
    import deadpan.engine.run
    from deadpan.cli import main as deadpan
    from deadpan.engine.inspect_model import find_model

    find_model(MODEL)  # the provider's packages are imported, as in (b)
    store = f"{options.folder}/{options.side}"
    calls = ["--max-connections", str(options.connections), "--store", store]
    sys.argv = ["deadpan", "run", *arguments, "--model", MODEL, *calls]
    before = _cpu()
    try:
        deadpan()
    except SystemExit as left:
        if left.code:
            raise
    _tell(before)


def run(options: argparse.Namespace) -> None:
    """(c)"""
    _command(options, "pixelhumor", "--data", f"{options.folder}/pixelhumor")


def judged(options: argparse.Namespace) -> None:
    """(d)"""
    data = ["--data", f"{options.folder}/cfms"]
    _command(options, "cfms/target", *data, "--judge", JUDGE)


_SIDES: dict[str, Callable[[argparse.Namespace], None]] = {
    one.__name__: one for one in (warm, client, layer, run, judged)
}

if __name__ == "__main__":
    main()
