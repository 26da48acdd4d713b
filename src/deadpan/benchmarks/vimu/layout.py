"""Which of ViMU's scores stand in which table and plot of a report."""

from __future__ import annotations

from deadpan.benchmarks.vimu import metrics
from deadpan.benchmarks.vimu.metrics import SUMMARY
from deadpan.benchmarks.vimu.names import CHOICES
from deadpan.benchmarks.vimu.selections import ERROR_TYPES
from deadpan.benchmarks.vimu.taxonomy import EVIDENCE, LETTERS, RHETORIC, SOCIAL, Taxonomy
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

_MAIN = (
    *((task.upper(), task, "score") for task in ("oe", "eg", "rm", "sv")),
    ("SSU-Avg", SUMMARY, "ssu_avg"),
    ("All-Avg", SUMMARY, "all_avg"),
)
_GUIDED = (
    ("RM guided", "rm_guided", "score"),
    ("SV guided", "sv_guided", "score"),
    ("SSU-Avg guided", SUMMARY, "ssu_avg_guided"),
    ("All-Avg guided", SUMMARY, "all_avg_guided"),
)


def _title(task: str) -> str:
    name, _, guided = task.partition("_")
    return f"{name.upper()} {guided}".strip()


TABLES = (
    TableLayout(
        "Main results", MAIN, tuple((name, task, metric, "all") for name, task, metric in _MAIN)
    ),
    TableLayout(
        "With guidance", "", tuple((name, task, metric, "all") for name, task, metric in _GUIDED)
    ),
    TableLayout(
        "Open-ended answers as judged",
        "",
        tuple((metric.title, "oe", metric.name, "all") for metric in metrics.READINGS),
    ),
    TableLayout(
        "Selections",
        "",
        tuple(
            (f"{_title(task)} {metric.title}", task, metric.name, "all")
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
                for task in ("oe", *CHOICES)
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
        tuple((category.members[0].name, category.label) for category in EVIDENCE),
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
