"""Squares in lmms-eval: pictures, and right or wrong, over all and by size."""

import os
import re
from pathlib import Path

from PIL import Image


def pictures(doc):
    return [Image.open(Path(os.environ["PEERS_DATA"], doc["image"])).convert("RGB")]


def score(doc, results):
    found = re.search(r"\b([A-D])\b", results[0])
    right = float(bool(found) and found[1] == doc["answer"])
    sizes = {f"accuracy_{one}": right if doc["size"] == one else None for one in ("small", "large")}
    return {"accuracy": right, **sizes}


def mean_of_some(values):
    known = [value for value in values if value is not None]
    return sum(known) / len(known)
