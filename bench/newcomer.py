"""A newcomer's way: from `git clone` to a report with a result of their own model.

Each step is the README's command in a fresh clone and a fresh environment; the model is a server on
loopback that takes a second for an answer, ten questions at a time. Packages come from the registry
that pip is set to, or from its cache.

    python bench/newcomer.py [--delay 1]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import tempfile
import time
from pathlib import Path

from loopback import Server

ROOT = Path(__file__).parents[1]
MODEL = "openai-api/loopback/m"
STEPS = (
    ("clone", "git clone -q {root} deadpan"),
    ("environment", "cd deadpan && python3 -m venv .venv"),
    ("install", 'cd deadpan && .venv/bin/pip install -q ".[ocr,text,video]"'),
    ("demo", "cd deadpan && .venv/bin/deadpan demo"),
    (
        "own model, 105 questions",
        "cd deadpan && .venv/bin/deadpan run pixelhumor/presence,panel,style --model {model}",
    ),
    ("report", "cd deadpan && .venv/bin/deadpan report answers --out report.html"),
)


def main() -> None:
    """Prints a line for each step, and their sum with and without the demo."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--delay", type=float, default=1.0)
    delay = parser.parse_args().delay
    print(f"load {os.getloadavg()[0]:.1f}")
    took: dict[str, float] = {}
    with Server(delay) as server, tempfile.TemporaryDirectory() as folder:
        unwanted = ("PYTHONPATH", "VIRTUAL_ENV", "DEADPAN_STORE")
        environment = {k: v for k, v in os.environ.items() if k not in unwanted}
        environment |= {"DEADPAN_CACHE": f"{folder}/cache", **server.environment}
        for name, command in STEPS:
            start = time.monotonic()
            called = command.format(root=ROOT, model=MODEL)
            done = subprocess.run(
                called, shell=True, cwd=folder, env=environment, capture_output=True, text=True
            )
            took[name] = time.monotonic() - start
            if done.returncode:
                raise SystemExit(f"{called}\n{done.stdout}{done.stderr}")
            print(f"| {name} | {took[name]:.0f} |", flush=True)
        assert server.counts()["calls"] == 105
        assert (Path(folder) / "deadpan" / "report.html").stat().st_size > 100_000
    total = sum(took.values())
    print(f"| all | {total:.0f} |\n| without the demo | {total - took['demo']:.0f} |")


if __name__ == "__main__":
    main()
