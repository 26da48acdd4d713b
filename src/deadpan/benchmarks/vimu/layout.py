"""Which of ViMU's scores stand in which table (tables.json) and plot of a report."""

from __future__ import annotations

from pathlib import Path

from pydantic import TypeAdapter

from deadpan.base.files import read_text
from deadpan.benchmarks.vimu.metrics import SOURCES
from deadpan.benchmarks.vimu.selections import ERROR_TYPES
from deadpan.benchmarks.vimu.taxonomy import EVIDENCE, RHETORIC, SOCIAL, SUMMARY, Taxonomy
from deadpan.core import plots
from deadpan.core.capabilities import TableLayout

MAIN = "1"
"""The paper's main table."""
TABLES = TypeAdapter(tuple[TableLayout, ...]).validate_json(
    read_text(Path(__file__).with_name("tables.json"))
)


def _labels(taxonomy: Taxonomy) -> tuple[tuple[str, str], ...]:
    return tuple((category.letter, category.label) for category in taxonomy)


def _geometry(task: str, name: str, taxonomy: Taxonomy) -> plots.MatrixPlot:
    return plots.MatrixPlot(
        f"Taxonomy geometry: {name}",
        (
            ("Gold", task, "co_occurrence_gold"),
            ("Predicted", task, "co_occurrence"),
            ("Guided minus unguided", f"{task}_guided", "co_occurrence"),
        ),
        _labels(taxonomy),
        minus=(None, None, (task, "co_occurrence")),
        caption="Share of videos in which two categories are chosen together; the diagonal is how "
        "often each is chosen.",
    )


def _affinity(title: str, ending: str) -> plots.OptionMap:
    return plots.OptionMap(
        title,
        (("Rhetoric", f"rm{ending}"), ("Social value", f"sv{ending}")),
        "affinity_bias",
        "option",
        (_labels(RHETORIC), _labels(SOCIAL)),
        caption="How much more often a model chooses a category than gold does; below zero, less.",
    )


PLOTS: tuple[plots.AnyPlot, ...] = (
    plots.ScatterPlot(
        "Evidence: caution against quality",
        ("eg", "conservatism"),
        ("eg", "micro_f1"),
        caption="Chosen minus gold sources a video, against micro-F1. Left of zero, a model "
        "chooses too few.",
        zero="x",
    ),
    plots.SharesPlot(
        "Evidence: kinds of error",
        "eg",
        "error_share",
        "error",
        tuple(zip(ERROR_TYPES, ("Exact", "Misses only", "Extras only", "Both"), strict=True)),
        caption="Share of videos whose chosen sources are exact, lack some, have wrong ones, or "
        "both.",
    ),
    plots.MatrixPlot(
        "Evidence: sources chosen together",
        (("Predicted minus gold", "eg", "relation_distortion"),),
        tuple(zip(SOURCES, (category.label for category in EVIDENCE), strict=True)),
        diverging=True,
        caption="Share of videos in which two sources are chosen together, less the same in gold.",
    ),
    *(
        plots.ScatterPlot(
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
    plots.BarsPlot(
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
    plots.SpreadPlot(
        "What guidance does to wrong choices",
        (("Rhetoric", "rm_guided"), ("Social value", "sv_guided")),
        "guidance_fpr_change",
        "option",
        caption="Change of the false-positive rate of each category with guidance; below zero, it "
        "helps.",
    ),
)
