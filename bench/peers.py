"""`deadpan run` beside lmms-eval, VLMEvalKit, Inspect and HELM: the same questions and server.

Each tool is given the same pictures in the same little benchmark, written as its own documentation
asks (`bench/peers/`), and one stand-in server that takes 50 ms for an answer. In turns, each in a
folder of its own: the command, the same command at once again, and the command killed with -9 in
the middle and started again. All that a tool has for going on is switched on; every other setting
is the tool's own. Each is installed into a virtual environment of its own, `FOLDER/lmms`,
`FOLDER/vlmeval`, `FOLDER/inspect`, `FOLDER/helm`; one that is not there is left out.

    python bench/peers.py FOLDER [--questions 500] [--connections 32] [--delay 0.05] [--times 3]
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from loopback import Server
from peer_tools import TOOLS, Setting, Tool
from squares_data import squares_folder


def main() -> None:
    """Prints a line for each tool and turn, and the medians."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("venvs", type=Path)
    parser.add_argument("--questions", type=int, default=500)
    parser.add_argument("--connections", type=int, default=32)
    parser.add_argument("--delay", type=float, default=0.05)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--tools", default=",".join(TOOLS), help="which, of " + ", ".join(TOOLS))
    options = parser.parse_args()
    wanted = [name for name in options.tools.split(",") if _is_there(name, options.venvs)]
    print(f"{options.questions} questions, {options.connections} connections, {options.delay} s")
    turns: dict[str, list[dict[str, float]]] = {name: [] for name in wanted}
    with tempfile.TemporaryDirectory() as folder, Server(options.delay) as server:
        data = squares_folder(Path(folder, "data"), options.questions)
        address = f"http://127.0.0.1:{server.port}/v1"
        setting = Setting(options.venvs.resolve(), data, address, options.connections)
        for turn in range(options.times):
            for name in wanted[turn % len(wanted) :] + wanted[: turn % len(wanted)]:
                work = Path(folder, f"{name}-{turn}")
                found = _measure(TOOLS[name], work, setting, server, options.questions)
                turns[name].append(found)
                print(f"{name:9}", json.dumps(found), flush=True)
    print(f"\nmedians of {options.times}; ratios to deadpan run in brackets")
    for name in wanted:
        print(f"{TOOLS[name].title:24}", _summary(turns[name], turns.get("deadpan")))


def _is_there(name: str, venvs: Path) -> bool:
    there = name == "deadpan" or (venvs / name).is_dir()
    if not there:
        print(f"{name}: not in {venvs}, left out")
    return there


def _measure(
    tool: Tool, work: Path, setting: Setting, server: Server, questions: int
) -> dict[str, float]:
    """One turn: the command, the same again; then another folder, killed and started again."""
    load = os.getloadavg()[0]
    server.counts(reset=True)
    env = _prepared(tool, work, setting)
    first = _finish(_start(tool, work, setting, env))
    asked = server.counts(reset=True)
    right = tool.right(work)
    again = _finish(_start(tool, work, setting, env))
    second = server.counts(reset=True)

    killed = work.with_name(f"{work.name}-killed")
    env = _prepared(tool, killed, setting)
    process = _start(tool, killed, setting, env)
    while server.counts()["calls"] < questions // 2 and process.poll() is None:
        time.sleep(0.005)
    os.killpg(process.pid, signal.SIGKILL)
    before = server.counts()
    process.wait()
    _finish(_start(tool, killed, setting, env))
    after = server.counts(reset=True)
    return {
        "load": round(load, 1),
        "wall": round(first["wall"], 2),
        "asking": round(asked["seconds"], 2),
        "cpu_ms": round(1000 * first["cpu"] / questions, 1),
        "rss": round(first["rss"]),
        "calls": asked["calls"],
        "most": asked["most"],
        "right": right,
        "again_wall": round(again["wall"], 2),
        "again_calls": second["calls"],
        "killed_at": before["calls"],
        "in_flight": before["in_flight"],
        "repeated": after["calls"] - questions,
        "right_after": _right(tool, killed),
    }


def _right(tool: Tool, work: Path) -> int:
    """The right answers after a restart; 0 where it left no results, and what it said then."""
    try:
        return tool.right(work)
    except (OSError, ValueError, StopIteration):
        said = (work / "said.txt").read_text(errors="replace").splitlines()
        print("\n".join([line for line in said if "Error" in line][-3:]), flush=True)
        return 0


def _prepared(tool: Tool, work: Path, setting: Setting) -> dict[str, str]:
    work.mkdir()
    offline = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "PEERS_DATA": str(setting.data)}
    return {**os.environ, **offline, **tool.prepare(work, setting)}


def _start(
    tool: Tool, work: Path, setting: Setting, env: dict[str, str]
) -> subprocess.Popen[bytes]:
    with (work / "said.txt").open("ab") as said:
        return subprocess.Popen(
            tool.command(setting),
            cwd=work,
            env=env,
            stdout=said,
            stderr=said,
            start_new_session=True,
        )


def _finish(process: subprocess.Popen[bytes]) -> dict[str, float]:
    """Wall time, CPU time of it and its children, and the peak memory of the largest of them."""
    began = time.perf_counter()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{process.args}: exit {process.returncode}")
    cpu = usage.ru_utime + usage.ru_stime
    return {"wall": time.perf_counter() - began, "cpu": cpu, "rss": usage.ru_maxrss / 1024}


def _summary(turns: list[dict[str, float]], base: list[dict[str, float]] | None) -> str:
    said = []
    for name in turns[0]:
        middle = statistics.median(one[name] for one in turns)
        told = f"{name} {middle:g}"
        if base and name in ("wall", "asking", "cpu_ms", "rss", "again_wall"):
            told += f" ({middle / statistics.median(one[name] for one in base):.2f})"
        said.append(told)
    return ", ".join(said)


if __name__ == "__main__":
    main()
