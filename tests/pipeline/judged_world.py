"""Made-up explanations of comics, graded by judges with a leaning and rated by two people."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import polars as pl

from deadpan.core.signature import Signature
from deadpan.pipeline.table_files import table_of, write_table

JUDGES = {"openai/gpt-judge": 0.6, "qwen/qwen-judge": 0.0}
"""Each judge, and how much too kind it is."""
MODELS = ("openai/gpt-4o", "qwen/qwen2-vl", "anthropic/claude")
ITEMS = 60


class World:
    """What people and judges say of every answer; the first judge likes long answers."""

    def __init__(
        self, items: int = ITEMS, models: Sequence[str] = MODELS, seed: int = 3, repeats: int = 1
    ) -> None:
        chance = np.random.default_rng(seed)
        self.people: dict[tuple[str, str], tuple[int, int]] = {}
        self.judged: dict[str, dict[tuple[str, str], list[int]]] = {judge: {} for judge in JUDGES}
        self.words: dict[tuple[str, str], str] = {}
        for at in range(items):
            for place, model in enumerate(models):
                key = (model, f"comic{at:03}")
                middle = chance.normal(3.6 + 0.4 * place, 1.2)
                words = int(2 ** chance.uniform(2, 6))
                self.words[key] = " ".join(["joke"] * words)
                self.people[key] = (self._rated(chance, middle), self._rated(chance, middle))
                for judge, kind in JUDGES.items():
                    lean = kind * (1 + 0.5 * (np.log2(words) - 4)) if kind else 0.0
                    self.judged[judge][key] = [
                        self._rated(chance, middle + lean) for _ in range(repeats)
                    ]

    @staticmethod
    def _rated(chance: np.random.Generator, middle: float) -> int:
        return int(np.clip(round(chance.normal(middle, 0.7)), 1, 7))

    def table(self, judge: str) -> pl.DataFrame:
        """The results as a judge graded them."""
        every = self.judged[judge]
        items = len({item for _, item in every})
        return table_of(
            {
                "benchmark": "pixelhumor",
                "task": "interpretation",
                "version": "5",
                "model": model,
                "item": item,
                "epoch": 1,
                "language": "zh" if int(item[-1]) % 2 else "en",
                "answer": self.words[model, item],
                "parsed": json.dumps(self.words[model, item]),
                "gold": json.dumps("the dog is the boss"),
                "outcome": "answered",
                "question": "why?",
                "judge": judge,
                "judgements": json.dumps(
                    [
                        {"parts": {"reason": "so", "rating": rating}, "flags": []}
                        for rating in every[model, item]
                    ]
                ),
                "signature": str(
                    Signature("pixelhumor", "interpretation", "5", items, "data", "prompts", judge)
                ),
                "attr.source": "web",
                "attr.panels": 4,
                "attr.harm": "none",
                "attr.styles": "Pun",
            }
            for model, item in every
        )

    def write(self, folder: Path) -> list[Path]:
        """The tables of all judges."""
        folder.mkdir(parents=True, exist_ok=True)
        made = []
        for judge in self.judged:
            path = folder / f"{judge.rpartition('/')[2]}.parquet"
            write_table(self.table(judge), path)
            made.append(path)
        return made

    def write_ratings(self, path: Path, rated: int, raters: Sequence[str] = ("ann", "bo")) -> Path:
        """People's ratings of the first items."""
        chosen = {f"comic{at:03}" for at in range(rated)}
        with path.open("w", newline="") as file:
            rows = csv.writer(file)
            rows.writerow(["item", "model", "metric", "rater", "rating"])
            for (model, item), given in self.people.items():
                for rater, rating in zip(raters, given, strict=False):
                    if item in chosen:
                        rows.writerow([item, model, "relevance", rater, rating])
        return path

    def truth(self) -> Mapping[str, float]:
        """The mean rating of each model by people, of all answers."""
        models = dict.fromkeys(model for model, _ in self.people)
        return {
            model: float(
                np.mean([given for (own, _), given in self.people.items() if own == model])
            )
            for model in models
        }
