"""A campaign killed with -9 and started again: every call counted.

Two models and a judge of a server on loopback, one tiny model of random weights on this machine,
and an editor, over all five benchmarks. The command is killed so often at random moments, then run
to its end, and once more. What arrived at the server and was not in the store when the command died
was in flight: that is all that may be asked again.

    python bench/suite_kills.py [--kills 3] [--limit 6] [--delay 0.05] [--seed 0]
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from deadpan.engine.store import AnswerStore  # noqa: E402
from tests.campaigns.suite_world import FormServer, campaign  # noqa: E402
from tests.learning.finetune.tiny_models import tiny_qwen  # noqa: E402


def main() -> None:
    """Prints what each run asked and kept, and what the whole came to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--limit", type=int, default=6, help="items of each benchmark")
    parser.add_argument("--delay", type=float, default=0.05)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, FormServer(options.delay) as server:
        folder = Path(name)
        local = tiny_qwen(folder / "tiny-qwen")
        file = campaign(folder, "all", options.limit)
        own = f"  - {{name: local/{local}, title: Tiny, max_tokens: 8}}\n  - editor/caption\n"
        text = file.read_text("utf-8").replace("benchmarks:", f"{own}benchmarks:")
        file.write_text(text, encoding="utf-8")
        Accounts(server, folder, file, random.Random(options.seed)).keep(options.kills)


class Accounts:
    """What arrived at the server, and what the store kept."""

    def __init__(self, server: FormServer, folder: Path, file: Path, draw: random.Random) -> None:
        self.server, self.folder, self.file, self.draw = server, folder, file, draw
        self.store = folder / "answers"

    def keep(self, kills: int) -> None:
        """Runs, kills, runs on, and prints."""
        print(f"{'run':12}{'seconds':>9}{'arrived':>9}{'kept':>7}{'in flight':>11}")
        in_flight = 0
        for number in range(kills):
            calls = self.server.total + self.draw.randint(8, 30)
            in_flight += self._run(f"kill {number + 1}", calls)
        in_flight += self._run("to the end")
        first = self._outputs()
        asked = self.server.total
        self._run("again")
        rows = AnswerStore(self.store).rows()
        kept = rows.filter(rows["error"].is_null())
        repeats = asked - len(self.server.calls)
        print(f"calls at the server: {asked}, of {len(self.server.calls)} distinct questions")
        print(f"by model: {dict(self.server.by_model)}")
        print(f"asked again: {repeats}; in flight at the kills: {in_flight}")
        doubled = len(kept) - kept.select("key", "server").n_unique()
        print(f"answers kept: {len(kept)}, of them twice: {doubled}")
        print(f"calls of the command once more: {self.server.total - asked}")
        changed = _unlike(first, self._outputs())
        print(f"files: {len(first)}; changed by the command once more: {changed}")
        expected = repeats <= in_flight and not doubled and self.server.total == asked
        print("as it should be" if expected else "NOT as it should be")

    def _run(self, name: str, until: int | None = None) -> int:
        """Calls in flight when the command was killed, after so many calls, or ended."""
        before, kept = self.server.total, self._kept()
        began = time.monotonic()
        environment = {
            **os.environ,
            **self.server.environment,
            "DEADPAN_CACHE": str(self.folder / "cache"),
            "OMP_NUM_THREADS": "1",
        }
        with (self.folder / "log.txt").open("w+") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "deadpan", "suite", str(self.file), "-q"],
                env=environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            while process.poll() is None and (until is None or self.server.total < until):
                time.sleep(0.001)
            if process.poll() is None:
                time.sleep(self.draw.random() * self.server.delay)
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        arrived, new = self.server.total - before, self._kept() - kept
        lost = arrived - new
        seconds = time.monotonic() - began
        print(f"{name:12}{seconds:>9.1f}{arrived:>9}{new:>7}{lost:>11}", flush=True)
        if process.returncode not in (0, -signal.SIGKILL):
            print((self.folder / "log.txt").read_text()[-2000:])
        return max(0, lost)

    def _kept(self) -> int:
        """Answers of the server's models in the store."""
        if not self.store.exists():
            return 0
        rows = AnswerStore(self.store).rows()
        ours = rows["model"].str.starts_with("openai-api/")
        return int((ours & rows["error"].is_null()).sum())

    def _outputs(self) -> dict[str, str]:
        out = self.folder / "out"
        return {
            str(path.relative_to(out)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(out.rglob("*"))
            if path.is_file()
        }


def _unlike(first: dict[str, str], second: dict[str, str]) -> int:
    return sum(first.get(name) != second.get(name) for name in {*first, *second})


if __name__ == "__main__":
    main()
