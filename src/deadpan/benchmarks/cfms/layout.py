"""Which of CFMS's scores stand in which table and plot of a report."""

from __future__ import annotations

from deadpan.benchmarks.cfms.records import TARGET_TYPES
from deadpan.core.capabilities import TableLayout
from deadpan.core.plots import AnyPlot, BarsPlot, ScatterPlot, SpreadPlot

_NAMES = {
    "accuracy": "Accuracy",
    "precision": "Precision",
    "recall": "Recall",
    "f1": "F1",
    "target_accuracy": "Target accuracy",
    "bleu4": "BLEU-4",
    "bertscore": "BERTScore",
}
_LANGUAGES = (("ZH", "language=zh"), ("EN", "language=en"))
_LABELS = (("zh", "Chinese"), ("en", "English"))

Column = tuple[str, str, str, str]


def _main(group: str) -> tuple[Column, ...]:
    return tuple((name, "joint", metric, group) for metric, name in _NAMES.items())


def type_name(kind: str) -> str:
    """A type of target as it is printed."""
    return kind.replace("_", " ")


TABLES = (
    TableLayout("All three in one answer, Chinese", "7", _main("language=zh")),
    TableLayout("All three in one answer, fine-tuned models, Chinese", "8", _main("language=zh")),
    TableLayout(
        "Sarcasm against metaphor",
        "9",
        tuple(
            (f"{heading} {name}", task, metric, group)
            for name, group in _LANGUAGES
            for heading, task, metric in (
                ("Sarcasm accuracy", "metaphor_sarcasm", "accuracy"),
                ("Sarcasm F1", "metaphor_sarcasm", "f1"),
                ("Metaphor accuracy", "metaphor", "accuracy"),
                ("Metaphor F1", "metaphor", "f1"),
                ("Gap", "metaphor", "gap"),
            )
        ),
    ),
    TableLayout("All three in one answer, English", "", _main("language=en")),
    TableLayout(
        "One by one",
        "",
        tuple(
            (f"{_NAMES[metric]} {name}", task, metric, group)
            for task, metrics in (
                ("identification", ("accuracy", "f1")),
                ("target", ("target_accuracy",)),
                ("explanation", ("bleu4", "bertscore")),
            )
            for metric in metrics
            for name, group in _LANGUAGES
        ),
    ),
    TableLayout(
        "Targets by three measures",
        "",
        tuple(
            (f"{heading} {name}", task, metric, group)
            for task in ("joint", "target")
            for heading, metric in (
                (f"{task}: judge", "target_accuracy"),
                (f"{task}: exact", "target_exact"),
                (f"{task}: embedding", "target_embedding"),
            )
            for name, group in _LANGUAGES
        ),
    ),
    TableLayout(
        "Target accuracy by type of target",
        "",
        tuple(
            (f"{type_name(kind)} ({task})", task, "target_accuracy", f"target_type={kind}")
            for task in ("joint", "target")
            for kind in TARGET_TYPES
        ),
    ),
    TableLayout(
        "Sarcasm found by type of target (recall)",
        "",
        tuple(
            (f"{type_name(kind)} ({task})", task, "recall", f"target_type={kind}")
            for task in ("joint", "identification")
            for kind in TARGET_TYPES
        ),
    ),
    TableLayout(
        "How the answers were made up",
        "",
        (
            ("joint: every part given", "joint", "complete", "all"),
            *(
                (f"{task}: answered", task, "answered", "all")
                for task in ("joint", "identification", "target", "explanation", "metaphor")
            ),
        ),
    ),
)

PLOTS: tuple[AnyPlot, ...] = (
    ScatterPlot(
        "Precision against recall",
        ("joint", "recall"),
        ("joint", "precision"),
        caption="Of the sarcastic class, in per cent. A model that calls everything sarcastic "
        "stands far right, at the share of sarcastic pairs.",
    ),
    BarsPlot(
        "F1: in one answer and asked alone",
        (("In one answer", "joint"), ("Asked alone", "identification")),
        "f1",
    ),
    SpreadPlot(
        "Sarcasm and metaphor by language (F1)",
        (("Sarcasm", "metaphor_sarcasm"), ("Metaphor", "metaphor")),
        "f1",
        "language",
        labels=_LABELS,
    ),
    SpreadPlot(
        "Target accuracy by type of target",
        (("In one answer", "joint"), ("Asked alone", "target")),
        "target_accuracy",
        "target_type",
        labels=tuple((kind, type_name(kind)) for kind in TARGET_TYPES),
    ),
    BarsPlot(
        "Explanations against people's (BLEU-4)",
        (("In one answer", "joint"), ("Asked alone", "explanation")),
        "bleu4",
    ),
)
