"""`deadpan view` over a large table: the first look, and how long each kind of page takes.

    python bench/viewing.py [--rows 200000] [--models 20]

Synthetic answers to PixelHumor's presence and style questions, each with a reply of about 900
characters of its own. Pages are asked for over HTTP from the app as it is served, each filter for
the first time, so that nothing is remembered; beside them the time that pandas takes to read the
same table and to show fifty rows of one filter.
"""

from __future__ import annotations

import argparse
import re
import resource
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np
import polars as pl
from million_rows import synthetic
from starlette.testclient import TestClient

from deadpan.core.score import ScoringOptions
from deadpan.failures.criteria import shipped_criteria
from deadpan.pipeline.growing import GrowingTable
from deadpan.viewing.app import View, view_app
from deadpan.viewing.exporting import Exports
from deadpan.viewing.marks import Marks
from deadpan.viewing.media import Media
from deadpan.viewing.snapshots import Snapshots
from deadpan.viewing.watching import Watch
from deadpan.web.guard import Access

T = TypeVar("T")
PORT = 8377
PAGES = {
    "overview": "/",
    "list": "/answers",
    "list, page 3,000": "/answers?page=3000",
    "one model": "/answers?model=model-3",
    "wrong, Chinese": "/answers?verdict=wrong&language=zh",
    "a group": "/answers?benchmark=pixelhumor&attribute=source%3Dxkcd",
    "one right, one wrong": "/answers?right=model-1&wrong=model-2",
    "lowest score first": "/answers?order=lowest",
    "by item": "/answers?order=item&page=2000",
    "search, many found": "/answers?text=PANEL",
    "search, one found": "/answers?text=comic_4321+ends",
    "search, none found": "/answers?text=no+such+words",
    "an item": "/item?benchmark=pixelhumor&item=comic_77",
    "an item of a filter": "/item?benchmark=pixelhumor&item=comic_77&verdict=wrong",
    "state": "/state",
}
WORDS = ("the", "a", "panel", "comic", "cat", "man", "says", "looks", "funny", "pun", "why", "desk")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--models", type=int, default=20)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "answers.parquet"
        with_replies(synthetic(options.rows, options.models)).write_parquet(table)
        print(f"{options.rows:,} answers, {table.stat().st_size / 2**20:.0f} MiB")
        view = timed("first look (read, scored, written)", lambda: a_view(table))
        timed("second look (nothing changed)", lambda: a_view(table))
        client = TestClient(view_app(view), base_url=f"http://127.0.0.1:{PORT}")
        client.get(f"/?token={view.access.token}")
        took = {name: timed_page(client, name, path) for name, path in PAGES.items()}
        median, slowest = statistics.median(took.values()), max(took.values())
        print(f"median page {median:.3f} s, slowest {slowest:.3f} s")
        print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")
        timed("pandas: read, filter, fifty rows", lambda: by_pandas(table))


def with_replies(table: pl.DataFrame) -> pl.DataFrame:
    """The table with replies of words drawn at random, no two of them alike."""
    chance = np.random.default_rng(0)
    drawn = chance.choice(np.array(WORDS), (2_000, 90))
    texts = pl.Series([" ".join(words) for words in drawn])
    first, second = (texts[chance.integers(0, 2_000, len(table)).tolist()] for _ in range(2))
    reply = pl.Series("reply", first) + " " + pl.Series(second) + " " + table["item"] + " ends"
    question = pl.lit("Look at this comic. Is it meant to be funny? Reply with one word. ")
    return table.with_columns(answer=reply, question=question.repeat_by(5).list.join(""))


def a_view(table: Path) -> View:
    """The app's parts, as `deadpan view` puts them together."""
    growing, marks, criteria = GrowingTable([table]), Marks([table]), shipped_criteria()

    def options(rows: pl.DataFrame) -> ScoringOptions:
        return ScoringOptions()

    watch = Watch(Snapshots([table], growing, options))
    exports = Exports(marks, criteria, growing.table, options)
    return View(watch, marks, Media([]), criteria, Access(PORT), exports, str(table))


def timed_page(client: TestClient, name: str, path: str) -> float:
    """Seconds that a page takes, told with those of CPU: other programs may be running."""
    began, cpu = time.monotonic(), time.process_time()
    reply = client.get(path)
    took, cpu = time.monotonic() - began, time.process_time() - cpu
    found = re.search(r"of ([\d,]+)<", reply.text)
    print(
        f"  {name}: {took:.3f} s ({cpu:.3f} of CPU)"
        + (f", {found.group(1)} answers" if found else "")
    )
    assert reply.status_code == 200, reply.text
    return took


def timed(name: str, work: Callable[[], T]) -> T:
    began, cpu = time.monotonic(), time.process_time()
    done = work()
    took, cpu = time.monotonic() - began, time.process_time() - cpu
    print(f"{name}: {took:.2f} s ({cpu:.2f} of CPU)")
    return done


def by_pandas(table: Path) -> object:
    """Fifty rows of one filter, as a notebook would get them."""
    import pandas as pd

    frame = pd.DataFrame(pl.read_parquet(table).to_dict(as_series=False))
    return frame[(frame["model"] == "model-3") & (frame["language"] == "zh")].iloc[:50]


if __name__ == "__main__":
    main()
