"""An OpenAI-compatible server on loopback in a process of its own, and data to ask it about.

The server answers every question after a fixed delay and counts. A question that names a case
(`case 17`) gets an answer that names it too, so that no two judgements are equal; what asks for
`same_meaning` gets a judge's reply, and what asks for the colour of a square a letter.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import hashlib
import json
import re
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from pathlib import Path
from typing import Any, Self

PROBE = b"This is a test of the connection"
"""How the first, short question begins, which is no question of a benchmark."""
_CASE = re.compile(rb"case (\d+)")
_SQUARE = re.compile(rb"square number (\d+)")
_GRADE = json.dumps({"same_meaning": True, "reason": "the same people"})


class Server:
    """`with Server(delay=2.0) as server:` serves until the block ends."""

    def __init__(self, delay: float) -> None:
        command = [sys.executable, __file__, "--delay", str(delay)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self.port = int(self._process.stdout.readline())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()

    @property
    def environment(self) -> dict[str, str]:
        """What makes Inspect's `openai-api/loopback/…` speak to this server."""
        address = f"http://127.0.0.1:{self.port}/v1"
        return {"LOOPBACK_API_KEY": "not-a-secret", "LOOPBACK_BASE_URL": address}

    def counts(self, reset: bool = False) -> dict[str, Any]:
        """What was asked since the last reset: calls, distinct questions, first arrival and last
        reply, the most in flight."""
        address = f"http://127.0.0.1:{self.port}/counts{'?reset=1' if reset else ''}"
        with urllib.request.urlopen(address, timeout=10) as reply:
            found: dict[str, Any] = json.load(reply)
            return found


def pixelhumor_folder(folder: Path, pictures: int, drawn: int | None = None) -> Path:
    """Comics with a picture of their own each, in PixelHumor's form: eight questions about each.
    Where less are `drawn`, these go round."""
    (folder / "images").mkdir(parents=True)
    header = ("comic_id", "comic_url", "Q1", "Q2", "Q3", "Q4", "Q5", "panel_sequence", "text")
    with (folder / "full_label.csv").open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow([*header, "number_of_panels", "potentially_harmful"])
        for number in range(1, pictures + 1):
            picture = folder / "images" / f"bench_{number}.png"
            if drawn is None or number <= drawn:
                _draw(picture, number)
            else:
                picture.hardlink_to(folder / "images" / f"bench_{number % drawn + 1}.png")
            gold = ["['Yes']", "['Absent']", "['1']", "['Text']", "['Pun']", "1, 2", "1: A 2: B"]
            writer.writerow([f"bench_{number}", f"bench:{number}", *gold, 2, "non-harm"])
    with (folder / "metadata.csv").open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["comic_id", "metadata"])
        boxes = [
            {"x1": 10 + 200 * n, "y1": 10, "x2": 190 + 200 * n, "y2": 290, "panel_number": n + 1}
            for n in range(2)
        ]
        for number in range(1, pictures + 1):
            writer.writerow([f"bench_{number}", str(boxes)])
    return folder


def cfms_folder(folder: Path, pairs: int, pictures: int) -> Path:
    """Pairs in CFMS's form, each with a target for a judge; so many pictures go round."""
    (folder / "images").mkdir(parents=True)
    for number in range(1, pictures + 1):
        _draw(folder / "images" / f"{number}.png", number)
    with (folder / "pairs.jsonl").open("w") as stream:
        for number in range(1, pairs + 1):
            line = {
                "id": f"pair_{number}",
                "image": f"images/{number % pictures + 1}.png",
                "text": f"What a lovely day for case {number}.",
                "ocr_text": "",
                "language": "en",
                "split": "test",
                "sarcastic": True,
                "target": f"the clerk of case {number}",
                "target_type": "others",
                "explanation": "Nobody likes to wait.",
                "metaphor": None,
            }
            stream.write(json.dumps(line) + "\n")
    return folder


def _draw(path: Path, number: int) -> None:
    """A picture of 400 × 300 that no other number gives, of the size that small comics have."""
    import numpy
    from PIL import Image

    grey = numpy.random.default_rng(number).integers(0, 40, (75, 100, 3), dtype=numpy.uint8)
    large = Image.fromarray(grey + 200).resize((400, 300), Image.Resampling.NEAREST)
    large.save(path, compress_level=1)


class _Counting:
    """What the server has seen."""

    def __init__(self, delay: float) -> None:
        self.delay = delay
        self.reset()
        self.in_flight = 0

    def reset(self) -> None:
        self.calls: Counter[str] = Counter()
        self.first: float | None = None
        self.last = 0.0
        self.most = 0
        self.probes = 0

    async def chat(self, request: Any) -> Any:
        from aiohttp import web

        try:
            body = await request.read()
        except ConnectionResetError:  # killed while it sent: no call arrived
            return web.Response()
        probe = PROBE in body
        if probe:
            self.probes += 1
        else:
            self.first = self.first or time.time()
            square = _SQUARE.search(body)
            self.calls[square[0].decode() if square else hashlib.sha256(body).hexdigest()] += 1
            self.in_flight += 1
            self.most = max(self.most, self.in_flight)
        await asyncio.sleep(0 if probe else self.delay)
        if not probe:
            self.in_flight -= 1
            self.last = time.time()
        return web.json_response(_reply(body))

    async def counts(self, request: Any) -> Any:
        from aiohttp import web

        told = {
            "calls": self.calls.total(),
            "distinct": len(self.calls),
            "probes": self.probes,
            "seconds": self.last - (self.first or self.last),
            "most": self.most,
            "in_flight": self.in_flight,
        }
        if "reset" in request.query:
            self.reset()
        return web.json_response(told)


def _reply(body: bytes) -> dict[str, Any]:
    case = _CASE.search(body)
    text = f"the people behind case {case[1].decode()}" if case else "Yes"
    if square := _SQUARE.search(body):
        text = "ABCD"[int(square[1]) % 4]
    if b"same_meaning" in body:
        text = _GRADE
    message = {"role": "assistant", "content": text}
    return {
        "id": "reply",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 3, "total_tokens": 103},
    }


async def _serve(delay: float) -> None:
    from aiohttp import web

    counting = _Counting(delay)
    app = web.Application(client_max_size=1 << 28)
    app.router.add_post("/v1/chat/completions", counting.chat)
    app.router.add_get("/counts", counting.counts)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, backlog=1024).start()
    print(runner.addresses[0][1], flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--delay", type=float, default=2.0)
    asyncio.run(_serve(parser.parse_args().delay))
