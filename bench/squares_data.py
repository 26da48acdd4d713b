"""Pictures of a square and a question about its colour, in plain files that every tool is given."""

from __future__ import annotations

import base64
import csv
import json
from pathlib import Path

import numpy as np
from PIL import Image

COLOURS = {"A": (200, 40, 40), "B": (40, 160, 60), "C": (40, 60, 200), "D": (220, 200, 40)}
NAMES = {"A": "red", "B": "green", "C": "blue", "D": "yellow"}
ASKED = "Which colour is square number {number}?"
QUESTION = f"{ASKED}\nA. red\nB. green\nC. blue\nD. yellow\nAnswer with one letter."


def squares_folder(folder: Path, many: int) -> Path:
    """`items.jsonl` and `images/`; and `squares.tsv`, all that VLMEvalKit wants of a benchmark."""
    (folder / "images").mkdir(parents=True)
    rows = []
    for number in range(many):
        letter = "ABCD"[number % 4]
        size = "large" if number % 3 else "small"
        path = folder / "images" / f"{number}.png"
        _draw(path, number, COLOURS[letter], 150 if size == "large" else 80)
        question = QUESTION.format(number=number)
        row = {"id": f"square-{number}", "image": f"images/{number}.png", "question": question}
        rows.append({**row, "answer": letter, "size": size})
    (folder / "items.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    with (folder / "squares.tsv").open("w", newline="") as stream:
        table = csv.writer(stream, delimiter="\t")
        table.writerow(("index", "image", "question", *NAMES, "answer", "category"))
        for number, row in enumerate(rows):
            picture = base64.b64encode((folder / row["image"]).read_bytes()).decode()
            asked = ASKED.format(number=number)
            table.writerow((number, picture, asked, *NAMES.values(), row["answer"], row["size"]))
    return folder


def _draw(path: Path, number: int, colour: tuple[int, int, int], side: int) -> None:
    """A picture of 400 × 300 that no other number gives, of about 100 kB."""
    grey = np.random.default_rng(number).integers(200, 240, (150, 200, 3), dtype=np.uint8)
    picture = Image.fromarray(grey).resize((400, 300), Image.Resampling.NEAREST)
    picture.paste(colour, (20, 20, 20 + side, 20 + side))
    picture.save(path, compress_level=1)
