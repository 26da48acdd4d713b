"""`deadpan study` beside Label Studio and Potato: the same study, one rater at a time.

Two raters say on a scale from 1 to 5 how well answers of two sources fit; the study of each tool
stands in `bench/peers/`. Each is started twice in a folder of its own, on 127.0.0.1: seconds from
the command until its first page is there, new and again. Then one rater looks at item after item
and saves an answer, by the requests that the tool's own page sends; and what is sent to the next
rater is searched for the names of the sources and of the first one.

    python bench/peers_annotating.py FOLDER [--items 300] [--times 3] [--tools NAME,…]

FOLDER holds a virtual environment of each, `FOLDER/label_studio` and `FOLDER/potato`.
"""

from __future__ import annotations

import argparse
import os
import socket
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import psutil
import requests
from annotation_tools import RATERS, SOURCES, TOOLS, Rated


def main() -> None:
    """Prints a line for each tool."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("venvs", type=Path)
    parser.add_argument("--items", type=int, default=300)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--tools", default=",".join(TOOLS))
    options = parser.parse_args()
    for name in options.times * options.tools.split(","):
        if name == "deadpan" or (options.venvs / name).is_dir():
            with tempfile.TemporaryDirectory() as folder:
                _measure(name, options.venvs.resolve(), Path(folder), options.items)
        else:
            print(f"{name}: not in {options.venvs}, left out")


def _measure(name: str, venvs: Path, folder: Path, items: int) -> None:
    load = os.getloadavg()[0]
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    tool = TOOLS[name](venvs, folder, items, port)
    address = f"http://127.0.0.1:{port}"
    starts, rated, other = [], Rated(), Rated()
    for turn in range(2):
        began = time.perf_counter()
        with (folder / "said.txt").open("ab") as said:
            server = subprocess.Popen(
                tool.command, cwd=folder, env={**os.environ, **tool.env}, stdout=said, stderr=said
            )
        try:
            _first_page(address, server)
            starts.append(time.perf_counter() - began)
            if turn:
                tool.rate(address, RATERS[0], items, rated)
                tool.rate(address, RATERS[1], 3, other)
                memory = sum(one.memory_info().rss for one in _family(server)) / 2**20
        finally:
            _end(server)
    sent = "\n".join(other.sent)
    print(
        f"{name:13}load {load:.1f}; first page after {starts[0]:.1f} s new, {starts[1]:.1f} s "
        f"again; page {_told(rated.pages)} ms; save {_told(rated.saves)} ms; {memory:.0f} MiB; "
        f"the next rater is sent: sources {any(one in sent for one in SOURCES)}, "
        f"the first one's name {RATERS[0] in sent}",
        flush=True,
    )


def _first_page(address: str, server: subprocess.Popen[bytes]) -> None:
    while server.poll() is None:
        try:
            if requests.get(address, timeout=60).status_code < 500:
                return
        except requests.ConnectionError:
            time.sleep(0.05)
    raise SystemExit(f"{server.args}: exit {server.returncode}")


def _family(server: subprocess.Popen[bytes]) -> list[psutil.Process]:
    first = psutil.Process(server.pid)
    return [first, *first.children(recursive=True)]


def _end(server: subprocess.Popen[bytes]) -> None:
    for one in _family(server) if server.poll() is None else ():
        one.kill()
    server.wait()


def _told(times: list[float]) -> str:
    cuts = statistics.quantiles(times, n=20)
    return f"median {statistics.median(times):.1f}, p95 {cuts[-1]:.1f}, n {len(times)}"


if __name__ == "__main__":
    main()
