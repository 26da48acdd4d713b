"""Squares in Inspect: one file, wherever it lies."""

import json
import os
from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageSystem, ChatMessageUser, ContentImage, ContentText
from inspect_ai.scorer import accuracy, grouped, pattern, stderr
from inspect_ai.solver import generate


def _sample(folder, row):
    shown = [ContentImage(image=str(folder / row["image"])), ContentText(text=row["question"])]
    system = ChatMessageSystem(content="You look at pictures.")
    return Sample(
        id=row["id"],
        input=[system, ChatMessageUser(content=shown)],
        target=row["answer"],
        metadata={"size": row["size"]},
    )


@task
def squares():
    folder = Path(os.environ["PEERS_DATA"])
    lines = (folder / "items.jsonl").read_text().splitlines()
    return Task(
        dataset=MemoryDataset([_sample(folder, json.loads(line)) for line in lines]),
        solver=generate(),
        scorer=pattern(r"\b([A-D])\b"),
        metrics=[accuracy(), stderr(), grouped(accuracy(), "size")],
    )
