"""A results table of a million answers: read, scored with groups, beside pandas and scikit-learn.

    python bench/million_rows.py [--rows 1000000] [--models 20]

Synthetic answers to PixelHumor's presence and style questions, with every outcome. Each side runs
in a process of its own, so that its memory is its own. pandas and scikit-learn compute the weighted
F1 of each model, task and group; ours also counts, precision, recall and every style.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import polars as pl

STYLES = (
    "Comparison",
    "Personification",
    "Exaggeration",
    "Pun",
    "Sarcasm",
    "Silliness",
    "Surprise",
)
KEYS = ("language", "attr.source", "attr.panels", "attr.harm")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--models", type=int, default=20)
    parser.add_argument("--side", choices=("deadpan", "pandas"))
    parser.add_argument("--table", type=Path)
    options = parser.parse_args()
    if options.side:
        began = time.monotonic()
        count = {"deadpan": by_deadpan, "pandas": by_pandas}[options.side](options.table)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(json.dumps({"seconds": time.monotonic() - began, "mib": peak, "scores": count}))
        return
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "answers.parquet"
        synthetic(options.rows, options.models).write_parquet(table)
        print(f"{options.rows:,} rows, {table.stat().st_size / 2**20:.0f} MiB")
        found = {}
        for side in ("deadpan", "pandas"):
            command = [sys.executable, __file__, "--side", side, "--table", str(table)]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            found[side] = json.loads(done.stdout.splitlines()[-1])
            told = found[side]
            print(
                f"{side}: {told['seconds']:.1f} s, {told['mib']:.0f} MiB, {told['scores']} scores"
            )
        ratio = found["pandas"]["seconds"] / found["deadpan"]["seconds"]
        print(f"pandas and scikit-learn take {ratio:.1f} times as long")


def by_deadpan(table: Path) -> int:
    """Everything that `deadpan score TABLE --groups` computes."""
    import deadpan

    return len(deadpan.read_results(table).scores())


def by_pandas(table: Path) -> int:
    """The weighted F1 of each model, task and group."""
    import pandas as pd
    from sklearn.metrics import f1_score
    from sklearn.preprocessing import MultiLabelBinarizer

    columns = ["task", "model", "parsed", "gold", "outcome", *KEYS]
    frame = pd.DataFrame(pl.read_parquet(table, columns=columns).to_dict(as_series=False))
    frame = frame[frame["outcome"] != "failed"]
    frame["gold"] = frame["gold"].map(json.loads)
    frame["parsed"] = frame["parsed"].map(
        lambda text: json.loads(text) if isinstance(text, str) else []
    )
    count = 0
    for _, own in frame.groupby(["task", "model"]):
        labels = MultiLabelBinarizer().fit([*own["gold"], *own["parsed"]])
        parts = [own, *(part for key in KEYS for _, part in own.groupby(key))]
        for part in parts:
            gold, given = labels.transform(part["gold"]), labels.transform(part["parsed"])
            f1_score(gold, given, average="weighted", zero_division=0)
            count += 1
    return count


def synthetic(rows: int, models: int) -> pl.DataFrame:
    """Answers to presence and style questions, as `deadpan score --table` writes them."""
    from deadpan.core.signature import Signature
    from deadpan.pipeline.table_files import COLUMNS

    chance = np.random.default_rng(0)
    items = rows // (2 * models)
    tables = []
    style_sets = [
        json.dumps(sorted(chance.choice(STYLES, n, False).tolist())) for n in (1, 2, 3) * 40
    ]
    for task in ("presence", "style"):
        signature = str(Signature("pixelhumor", task, "3", items, "synthetic", "none"))
        golds = ['["Yes"]', '["No"]'] if task == "presence" else style_sets
        gold = chance.choice(golds, items)
        known = {
            "item": [f"comic_{n}" for n in range(items)],
            "gold": gold,
            "attr.source": chance.choice(["xkcd", "smbc", "garfield", "peanuts"], items),
            "attr.panels": chance.integers(1, 12, items),
            "attr.harm": chance.choice(["harm", "non-harm"], items),
            "attr.styles": chance.choice(STYLES, items),
            "language": chance.choice(["en", "zh"], items),
        }
        for model in range(models):
            said = np.where(chance.random(items) < 0.6, gold, chance.choice(golds, items))
            ended = chance.choice(
                ["answered", "invalid", "refused", "failed"], items, p=[0.94, 0.03, 0.02, 0.01]
            )
            frame = pl.DataFrame(known).with_columns(
                benchmark=pl.lit("pixelhumor"),
                task=pl.lit(task),
                version=pl.lit("3"),
                model=pl.lit(f"model-{model}"),
                epoch=pl.lit(1, pl.Int64),
                outcome=pl.Series(ended),
                parsed=pl.Series(said),
                answer=pl.Series(said),
                signature=pl.lit(signature),
            )
            read = pl.when(pl.col("outcome") == "answered").then("parsed")
            tables.append(frame.with_columns(parsed=read))
    table = pl.concat(tables)
    lacking = [pl.lit(None, kind).alias(n) for n, kind in COLUMNS.items() if n not in table.columns]
    extra = [name for name in table.columns if name.startswith("attr.")]
    return table.with_columns(lacking).select(*COLUMNS, *extra)


if __name__ == "__main__":
    main()
