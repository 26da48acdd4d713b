"""A report of many samples in Chromium: its size, how fast it opens, and how fast it answers.

    python bench/report_page.py [--items 10000] [--models 2] [--keep DIR]

The answers of embedded baselines to PixelHumor's mini-set, its items repeated under other names
until there are as many as wanted; every question of every item is in the table. Times are medians
of several tries, from the event to the frame after it.
"""

from __future__ import annotations

import argparse
import contextlib
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import polars as pl
from playwright.sync_api import Page, sync_playwright

import deadpan
from deadpan.pipeline.results import Results

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
TRIES = 5
IN_A_FRAME = """async () => {
  const began = performance.now();
  ACT;
  await new Promise((seen) => requestAnimationFrame(() => setTimeout(seen)));
  return performance.now() - began;
}"""
ACTS = {
    "next sample": "document.querySelector('.place + button').click()",
    "one item whole": "document.querySelector('.siblings button:last-child').click()",
    "A right, B wrong": """
      const form = document.querySelector('.filters').elements;
      form.right.selectedIndex = (form.right.selectedIndex + 1) % 3;
      form.wrong.selectedIndex = 2;
      form.wrong.dispatchEvent(new Event('input', {bubbles: true}))""",
    "A right, B wrong, of all items": """
      const form = document.querySelector('.find').elements;
      form.right.selectedIndex = (form.right.selectedIndex + 1) % 3;
      form.wrong.selectedIndex = 2;
      form.wrong.dispatchEvent(new Event('input', {bubbles: true}))""",
    "search": """
      const text = document.querySelector('.filters').elements.text;
      text.value = text.value === 'monday' ? 'month' : 'monday';
      text.dispatchEvent(new Event('input', {bubbles: true}))""",
    "sort a table": "document.querySelector('.scores button.sort').click()",
    "compare with a model": """
      const select = document.getElementById('reference');
      select.selectedIndex = 1 + select.selectedIndex % 2;
      select.dispatchEvent(new Event('change'))""",
    "light or dark": "document.getElementById('theme').click()",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--items", type=int, default=10_000)
    parser.add_argument("--models", type=int, default=2)
    parser.add_argument("--keep", type=Path, help="keep the report in this folder")
    options = parser.parse_args()
    with _folder(options.keep) as folder:
        table = _many_items(folder, options.items, options.models)
        print(f"{options.items:,} items, {table['task'].n_unique()} tasks, {len(table):,} answers")
        began = time.monotonic()
        page = Results(table).report(folder / "report.html", samples=options.items)
        print(f"written in {time.monotonic() - began:.1f} s")
        beside = sorted((folder / "report-samples").glob("*.html"))
        sizes = [one.stat().st_size / 1e6 for one in beside] or [0.0]
        text = page.read_text("utf-8")
        library = max(map(len, text.split("<script>")[1:])) / 1e6
        print(f"page: {len(text) / 1e6:.1f} MB, of these Vega {library:.1f} MB")
        print(
            f"{len(beside)} pages beside it, {sum(sizes):.0f} MB, the largest {max(sizes):.1f} MB"
        )
        _measure(page, beside[0] if beside else page)


@contextlib.contextmanager
def _folder(kept: Path | None) -> Iterator[Path]:
    if kept:
        kept.mkdir(parents=True, exist_ok=True)
        yield kept
    else:
        with tempfile.TemporaryDirectory() as made:
            yield Path(made)


def _many_items(folder: Path, items: int, models: int) -> pl.DataFrame:
    """The answers of baselines, of as many items and models as wanted."""
    asked = [
        deadpan.evaluate("pixelhumor", model=name, store=folder / "answers").table
        for name in ("baseline/random", "baseline/majority")
    ]
    table = pl.concat(
        asked[number % 2].with_columns(model=pl.lit(f"made-up/model-{number + 1}"))
        for number in range(models)
    )
    held = table["item"].n_unique()
    parts = [
        table.with_columns(item=pl.col("item") + f"-{number:04}")
        for number in range(-(-items // held))
    ]
    whole = pl.concat(parts)
    chosen = whole["item"].unique(maintain_order=True).head(items)
    signature = pl.col("signature").str.replace(r"\|n:\d+", f"|n:{items}")
    return whole.filter(pl.col("item").is_in(chosen.implode())).with_columns(signature=signature)


def _measure(path: Path, beside: Path) -> None:
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        for name, one in (("report", path), ("page beside it", beside)):
            shown, drawn = zip(*(_load(browser, one) for _ in range(3)), strict=True)
            print(f"{name}: first screen {median(shown):.0f} ms, all drawn {median(drawn):.0f} ms")
        page = browser.new_page()
        page.goto(path.as_uri())
        page.wait_for_selector("html[data-ready]", timeout=120_000)
        for name, source in ACTS.items():
            times = [_act(page, source) for _ in range(TRIES)]
            print(f"{name}: {median(times):.0f} ms")
        browser.close()


def _load(browser: Any, path: Path) -> tuple[float, float]:
    """Milliseconds to the first screen painted, and to the last plot drawn."""
    page = browser.new_page()
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-ready]", timeout=120_000)
    paint = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"
    shown, drawn = page.evaluate(f"[{paint}, Number(document.documentElement.dataset.ready)]")
    page.close()
    return float(shown), float(drawn)


def _act(page: Page, source: str) -> float:
    return float(page.evaluate(IN_A_FRAME.replace("ACT", source)))


if __name__ == "__main__":
    main()
