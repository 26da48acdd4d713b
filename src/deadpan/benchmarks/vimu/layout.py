"""Which of ViMU's scores stand in which table and plot of a report."""

from __future__ import annotations

from collections.abc import Iterable

from deadpan.benchmarks.vimu import metrics
from deadpan.benchmarks.vimu.metrics import SOURCES, SUMMARY
from deadpan.benchmarks.vimu.selections import ERROR_TYPES
from deadpan.benchmarks.vimu.taxonomy import (
    CHOICES,
    EVIDENCE,
    LETTERS,
    RHETORIC,
    SOCIAL,
    TASKS,
    Taxonomy,
)
from deadpan.core.capabilities import TableLayout
from deadpan.core.plots import (
    AnyPlot,
    BarsPlot,
    MatrixPlot,
    OptionMap,
    ScatterPlot,
    SharesPlot,
    SpreadPlot,
)

MAIN = "1"
"""The paper's main table."""


def _table(title: str, columns: Iterable[tuple[str, str, str]], published: str = "") -> TableLayout:
    """A table of scores over all videos, by (heading, task, metric)."""
    return TableLayout(title, published, tuple((*column, "all") for column in columns))


def _title(task: str) -> str:
    name, _, guided = task.partition("_")
    return f"{name.upper()} {guided}".strip()


def _averages(ending: str) -> list[tuple[str, str, str]]:
    return [
        (metric.title, SUMMARY, metric.name)
        for metric, tasks in metrics.AVERAGES
        if tasks[-1] == f"sv{ending}"
    ]


TABLES = (
    _table(
        "Main results",
        [*((_title(task), task, "score") for task in TASKS[:4]), *_averages("")],
        MAIN,
    ),
    _table(
        "With guidance",
        [*((_title(task), task, "score") for task in TASKS[4:]), *_averages("_guided")],
    ),
    _table(
        "Open-ended answers as judged",
        ((metric.title, "oe", metric.name) for metric in metrics.READINGS),
    ),
    _table(
        "Selections",
        (
            (f"{_title(task)} {metric.title}", task, metric.name)
            for task in CHOICES
            for metric in metrics.SELECTIONS[1:]
        ),
    ),
    *(
        TableLayout(
            f"Score by {name}",
            "",
            tuple(
                (f"{_title(task)} {value}", task, "score", f"{key}={value}")
                for task in TASKS
                for value in values
            ),
        )
        for name, key, values in (
            ("language", "language", ("en", "zh")),
            ("difficulty", "difficulty", ("easy", "medium", "hard")),
            ("speech", "speech", ("yes", "no", "unknown")),
            ("rhetoric in gold", "rhetoric", LETTERS),
            ("social signal in gold", "social", LETTERS),
        )
    ),
)


def _labels(taxonomy: Taxonomy) -> tuple[tuple[str, str], ...]:
    return tuple((category.letter, category.label) for category in taxonomy)


def _geometry(task: str, name: str, taxonomy: Taxonomy) -> MatrixPlot:
    guided = f"{task}_guided"
    return MatrixPlot(
        f"Taxonomy geometry: {name}",
        (
            ("Gold", task, "co_occurrence_gold"),
            ("Predicted", task, "co_occurrence"),
            ("Guided minus unguided", guided, "co_occurrence"),
        ),
        _labels(taxonomy),
        minus=(None, None, (task, "co_occurrence")),
        caption="Share of videos in which two categories are chosen together; the diagonal is how "
        "often each is chosen.",
    )


def _affinity(title: str, ending: str) -> OptionMap:
    return OptionMap(
        title,
        (("Rhetoric", f"rm{ending}"), ("Social value", f"sv{ending}")),
        "affinity_bias",
        "option",
        (_labels(RHETORIC), _labels(SOCIAL)),
        caption="How much more often a model chooses a category than gold does; below zero, less.",
    )


_ERROR_LABELS = ("Exact", "Misses only", "Extras only", "Both")

PLOTS: tuple[AnyPlot, ...] = (
    ScatterPlot(
        "Evidence: caution against quality",
        ("eg", "conservatism"),
        ("eg", "micro_f1"),
        caption="Chosen minus gold sources a video, against micro-F1. Left of zero, a model "
        "chooses too few.",
        zero="x",
    ),
    SharesPlot(
        "Evidence: kinds of error",
        "eg",
        "error_share",
        "error",
        tuple(zip(ERROR_TYPES, _ERROR_LABELS, strict=True)),
        caption="Share of videos whose chosen sources are exact, lack some, have wrong ones, or "
        "both.",
    ),
    MatrixPlot(
        "Evidence: sources chosen together",
        (("Predicted minus gold", "eg", "relation_distortion"),),
        tuple(zip(SOURCES, (category.label for category in EVIDENCE), strict=True)),
        diverging=True,
        caption="Share of videos in which two sources are chosen together, less the same in gold.",
    ),
    *(
        ScatterPlot(
            f"Models by their errors{title}",
            (SUMMARY, f"pc1{ending}"),
            (SUMMARY, f"pc2{ending}"),
            caption="Principal components of the false-positive and false-negative rates of the "
            "rhetoric and social categories. Models that err alike lie close together.",
            zero="both",
            shares=(f"pc1_share{ending}", f"pc2_share{ending}"),
        )
        for title, ending in (("", ""), (", with guidance", "_guided"))
    ),
    _geometry("rm", "rhetoric", RHETORIC),
    _geometry("sv", "social value", SOCIAL),
    BarsPlot(
        "Taxonomy geometry distortion",
        (
            ("Rhetoric", "rm"),
            ("Rhetoric, guided", "rm_guided"),
            ("Social value", "sv"),
            ("Social value, guided", "sv_guided"),
        ),
        "geometry_distortion",
        caption="Distance between predicted and gold co-occurrence; 0 where they are equal.",
    ),
    _affinity("Preferred and avoided categories", ""),
    _affinity("Preferred and avoided categories, with guidance", "_guided"),
    SpreadPlot(
        "What guidance does to wrong choices",
        (("Rhetoric", "rm_guided"), ("Social value", "sv_guided")),
        "guidance_fpr_change",
        "option",
        caption="Change of the false-positive rate of each category with guidance; below zero, it "
        "helps.",
    ),
)
