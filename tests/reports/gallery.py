"""A benchmark that asks for every kind of plot, with made-up scores of any number of models."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import polars as pl

from deadpan.core.benchmark import Task
from deadpan.core.capabilities import Report, TableLayout
from deadpan.core.metric import Metric
from deadpan.core.plots import (
    AnyPlot,
    BarsPlot,
    MatrixPlot,
    MetricsPlot,
    OptionMap,
    RadarPlot,
    ScatterPlot,
    SharesPlot,
    SpreadPlot,
)
from deadpan.core.published import Published, published_rows
from deadpan.core.score import Score
from deadpan.core.signature import Signature
from deadpan.reports import Section
from tests.reports.toy import Toy, toy_table

SOURCES = ("frames", "text", "editing", "speech", "tone")
RHETORIC = tuple(
    zip(
        "ABCDE",
        (
            "Literal / Direct",
            "Opposition / Incongruity",
            "Attitude / Tone-based Rhetoric",
            "Amplification / Stylization",
            "Implicit / Coded Social Framing",
        ),
        strict=True,
    )
)
SOCIAL = tuple(
    zip("ABCDE", ("Neutral", "Emotion", "Devaluation", "Norms", "Identity"), strict=True)
)
ERRORS = (
    ("exact", "Exact"),
    ("miss_only", "Misses only"),
    ("extra_only", "Extras only"),
    ("mixed", "Both"),
)
KINDS = (
    ("kind=cartoon", "Illustrated/Cartoon"),
    ("kind=photo", "Photographic Human"),
    ("kind=object", "Object/Animal-Centric"),
    ("part=one", "Single-Panel"),
)
LONG = tuple(
    f"{provider}/{family}-{size}-instruct-preview-2031-0{1 + i % 9}"
    for i, (provider, family, size) in enumerate(
        (p, f, s)
        for p, f in (("openai", "straight-face"), ("vllm/hf", "laugh-track-multimodal"))
        for s in ("2b", "4b", "8b", "14b", "32b", "72b", "235b-a22b", "400b")
    )
)


SCORE = Metric("score", unit="percent", decimals=1)


class Gallery(Toy):
    """Evidence, rhetoric and social values, with and without guidance."""

    name = "gallery"
    title = "Gallery"
    tasks = (
        Task("eg", "Evidence grounding", 1, (SCORE, Metric("micro_f1", "micro-F1"))),
        Task("rm", "Rhetoric mechanisms", 1, (SCORE,)),
        Task("sv", "Social value signals", 1, (SCORE,)),
    )
    metrics = (
        Metric("conservatism", better="neither", decimals=2),
        Metric("pc1", "PC1", better="neither"),
        Metric("pc2", "PC2", better="neither"),
        Metric("geometry_distortion", better="lower"),
    )
    _tables: tuple[TableLayout, ...] = (
        TableLayout(
            "Main results",
            "1",
            (
                ("EG", "eg", "score", "all"),
                ("RM", "rm", "score", "all"),
                ("SV", "sv", "score", "all"),
            ),
        ),
    )
    _plots: tuple[AnyPlot, ...] = (
        ScatterPlot(
            "Conservatism against micro-F1",
            ("eg", "conservatism"),
            ("eg", "micro_f1"),
            "Left of the line: fewer sources named than there are. Right: more.",
            zero="x",
        ),
        SharesPlot(
            "How selections err", "eg", "error_share", "error", ERRORS, "Shares of all questions."
        ),
        MatrixPlot(
            "Which sources are named together",
            (("Predicted minus gold", "eg", "relation_distortion"),),
            tuple((source, source.capitalize()) for source in SOURCES),
            diverging=True,
            caption="Below zero: too rarely together.",
        ),
        ScatterPlot(
            "Which models err alike",
            ("rm", "pc1"),
            ("rm", "pc2"),
            "Models near each other make the same errors.",
            zero="both",
            shares=("pc1_share", "pc2_share"),
        ),
        MatrixPlot(
            "Taxonomy geometry",
            (
                ("Gold", "rm", "co_occurrence_gold"),
                ("Predicted", "rm", "co_occurrence"),
                ("Guided minus unguided", "rm_guided", "co_occurrence"),
            ),
            RHETORIC,
            minus=(None, None, ("rm", "co_occurrence")),
        ),
        OptionMap(
            "Affinity bias",
            (("Rhetoric", "rm"), ("Social value", "sv")),
            "affinity_bias",
            "option",
            (RHETORIC, SOCIAL),
            "Blue: chosen more often than it is right. Orange: less often.",
        ),
        SpreadPlot(
            "What guidance does to false positives",
            (("Rhetoric", "rm"), ("Social value", "sv")),
            "guidance_fpr_change",
            "option",
            "Below zero: fewer false positives with guidance.",
        ),
        BarsPlot(
            "Taxonomy geometry distortion",
            (("Rhetoric", "rm"), ("Social value", "sv")),
            "geometry_distortion",
        ),
        MetricsPlot(
            "Evidence in all its metrics", "eg", (("Score", ("score",)), ("F1", ("micro_f1",)))
        ),
        MatrixPlot(
            "Sources of each model",
            (("", "eg", "relation_distortion"),),
            (("frames", "Frames"), ("text", "Text")),
            across=tuple((source, source.capitalize()) for source in SOURCES),
            diverging=True,
            each_model=True,
        ),
        RadarPlot("Scores by kind", "eg", "score", ("kind", "part"), KINDS),
    )
    report = Report(_tables, _plots, comparable="films=shared", comparable_count="shared_films")


def gallery_scores(models: Sequence[str], seed: int = 3) -> list[Score]:
    """Scores for every plot of the gallery."""
    rng = random.Random(seed)
    made: list[Score] = []

    def add(model: str, task: str, metric: str, group: str, value: float | None) -> None:
        signature = str(Signature("gallery", task, "1", 588, "0a1b2c3d", "4e5f6a7b"))
        made.append(
            Score(
                model=model,
                task=task,
                metric=metric,
                group=group,
                value=value,
                n=588,
                invalid=7,
                signature=signature,
            )
        )

    for model in models:
        add(model, "eg", "conservatism", "all", rng.gauss(-0.4, 0.5))
        add(model, "eg", "micro_f1", "all", rng.uniform(0.45, 0.8))
        parts = [rng.random() + 0.02 for _ in ERRORS]
        for (kind, _), part in zip(ERRORS, parts, strict=True):
            add(model, "eg", "error_share", f"error={kind}", part / sum(parts))
        for row in SOURCES:
            for column in SOURCES:
                group = f"row={row},column={column}"
                add(model, "eg", "relation_distortion", group, rng.gauss(-0.06, 0.1))
        for number, share in (("1", 0.33), ("2", 0.214)):
            add(model, "rm", f"pc{number}", "all", rng.gauss(0, 0.3))
            add(model, "rm", f"pc{number}_share", "all", share)
        for task in ("rm", "sv", "rm_guided"):
            add(model, task, "score", "all", rng.uniform(8, 40))
            add(model, task, "geometry_distortion", "all", rng.uniform(0.2, 0.9))
            for option in "ABCDE":
                add(model, task, "affinity_bias", f"option={option}", rng.gauss(0, 0.2))
                add(model, task, "guidance_fpr_change", f"option={option}", rng.gauss(-0.05, 0.1))
                for column in "ABCDE":
                    group = f"row={option},column={column}"
                    add(model, task, "co_occurrence", group, rng.uniform(0, 0.5))
                    add(model, task, "co_occurrence_gold", group, abs(rng.gauss(0, 0.2)))
        add(model, "eg", "score", "all", rng.uniform(20, 60))
        for group in (*(group for group, _ in KINDS), "part=many"):
            add(model, "eg", "score", group, rng.uniform(20, 60))
    return made


def gallery_section(
    folder: Path, models: Sequence[str], scores: Sequence[Score] | None = None
) -> Section:
    """A section of the gallery; its paper has numbers for the first scatter plot only."""
    tasks = {"presence": "eg", "style": "rm", "panel_text": "sv"}
    table = toy_table(folder, items=6, models=models).with_columns(
        task=pl.col("task").replace_strict(tasks), benchmark=pl.lit("gallery")
    )
    rows: list[dict[str, str | float]] = [
        {"table": "1", "model": model, "task": "eg", "metric": m, "group": "all", "value": value}
        for model, m, value in (
            ("Qwen2-VL-72B", "conservatism", -0.2),
            ("Qwen2-VL-72B", "micro_f1", 0.7),
            ("GPT-4o", "micro_f1", 0.77),
        )
    ]
    paper = Published(published_rows(rows), "The Gallery authors 2031")
    return Section(Gallery(), table, scores or gallery_scores(models), paper)
