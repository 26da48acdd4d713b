"""Small ViMU folders in the released layout, and results tables made from them."""

import copy
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from deadpan.benchmarks.vimu import VIMU
from deadpan.benchmarks.vimu.records import Video
from deadpan.core.capabilities import Predictions
from deadpan.core.dataset import Dataset
from deadpan.core.questions import Reply
from deadpan.pipeline.table import results_of_predictions

FILES = ("video_evidence", "vimu_oe", "vimu_eg", "vimu_ss")
RHETORIC = (
    "Literal / Direct",
    "Opposition / Incongruity",
    "Attitude / Tone-based Rhetoric",
    "Amplification / Stylization",
    "Implicit / Coded Social Framing",
)
SOCIAL = (
    "Neutral / No Social Signal",
    "Emotional Attitude",
    "Social Evaluation / Devaluation",
    "Norm and Value Framing",
    "Identity / Ideological Signaling",
)
SOURCES = ("frames", "text", "editing", "transcript", "audio_tone")
Rows = dict[str, list[dict[str, Any]]]


def options(labels: tuple[str, ...]) -> dict[str, dict[str, str]]:
    return {
        letter: {"label": label, "text": label}
        for letter, label in zip("ABCDE", labels, strict=False)
    }


def rows(gold: Mapping[str, tuple[str, str, str]] | None = None) -> Rows:
    """Rows of videos whose gold letters are given as (eg, rm, sv); v2 is Chinese and silent."""
    gold = gold or {"v1": ("AB", "BC", "C"), "v2": ("A", "B", "A")}
    made: Rows = {name: [] for name in FILES}
    for number, (video_id, (eg, rm, sv)) in enumerate(gold.items(), start=1):
        chinese = number % 2 == 0
        said = "" if chinese else "I rise at five."
        made["video_evidence"].append({"video_id": video_id, "frames": [], "transcript": said})
        made["vimu_oe"].append(
            {
                "video_id": video_id,
                "qa": {
                    "question": "这段视频想说什么？" if chinese else "What does it mean?",
                    "answer": "它在开玩笑。" if chinese else "It mocks early risers.",
                    "difficulty": "hard" if chinese else "easy",
                    "rubric": ["names the target", "names the tone"],
                },
                "taxonomy": {
                    "literal_summary": "A man sleeps.",
                    "intended_meaning": "Nobody rises at five.",
                    "evidence": {"frames": "he is in bed"},
                },
            }
        )
        made["vimu_eg"].append(
            {
                "video_id": video_id,
                "question": "Which sources?",
                "options": dict(zip("ABCDE", SOURCES, strict=True)),
                "ground_truth": list(eg),
            }
        )
        tasks = {}
        for name, labels, letters in (
            ("rhetoric_mechanisms", RHETORIC, rm),
            ("social_value_signals", SOCIAL, sv),
        ):
            offered = options(labels)
            tasks[name] = {
                "question": f"Which {name}?",
                "instruction": "Choose all.",
                "options": offered,
                "ground_truth": list(letters),
                "ground_truth_labels": [offered[letter]["label"] for letter in letters],
            }
        made["vimu_ss"].append({"video_id": video_id, "mcq_tasks": tasks})
    return made


def write(folder: Path, made: Rows | None = None) -> Path:
    """The rows as a data folder."""
    (folder / "metadata").mkdir(parents=True, exist_ok=True)
    for name, lines in (made or rows()).items():
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        (folder / "metadata" / f"{name}.jsonl").write_text(text, "utf-8")
    return folder


def changed(change: Callable[[Rows], object], made: Rows | None = None) -> Rows:
    """Rows after a change in place."""
    fresh = copy.deepcopy(made or rows())
    change(fresh)
    return fresh


def judgement(core: int = 0, hallucination: int = 0, flags: tuple[str, ...] = ()) -> dict[str, Any]:
    """A judgement of a total of `core` less `hallucination`."""
    return {
        "parts": {
            "core_intent": core,
            "implicit_signal": 0,
            "target_or_social_meaning": 0,
            "hallucination_penalty": hallucination,
            "literal_only_penalty": 0,
            "total": core - hallucination,
            "verdict": "partial",
            "reason": "…",
        },
        "flags": list(flags),
    }


def answered(
    dataset: Dataset[Video],
    answers: Mapping[str, Mapping[str, str | None]],
    model: str = "m",
    judged: Mapping[str, list[dict[str, Any]]] | None = None,
) -> pl.DataFrame:
    """The table of answers per task and video; None is a failed call, a missing one unanswered.

    `judged` gives the judgements of OE answers by video.
    """
    replies = {
        task: {
            item: Reply(error="timeout") if text is None else Reply(text=text)
            for item, text in of_task.items()
        }
        for task, of_task in answers.items()
    }
    table = results_of_predictions(VIMU, dataset, Predictions(replies), model)
    graded = [
        row
        | (
            {"outcome": "answered", "judgements": json.dumps(judged[row["item"]])}
            if judged and row["task"] == "oe" and row["item"] in judged
            else {}
        )
        for row in table.iter_rows(named=True)
    ]
    return pl.DataFrame(graded, schema=table.schema)
