"""Which of PixelHumor's figures stand in which table and plot of a report."""

from __future__ import annotations

from deadpan.benchmark import PlotSpec, TableLayout
from deadpan.benchmarks.pixelhumor.records import NA, STYLES

_PRF = (("F1", "f1"), ("Prec.", "precision"), ("Rec.", "recall"))
_IDENTIFICATION = ("presence", "sound_effect", "panel", "modality")

TABLES = (
    TableLayout(
        "Humour identification",
        "2",
        tuple(
            (f"{task.replace('_', ' ')} {heading}", task, metric, "all")
            for task in _IDENTIFICATION
            for heading, metric in _PRF
        ),
    ),
    TableLayout(
        "Humour classification, with recall per style",
        "3",
        (
            *((heading, "style", metric, "all") for heading, metric in _PRF),
            *((style, "style", "recall", f"style={style}") for style in (*STYLES, NA)),
        ),
    ),
    TableLayout(
        "Styles named per comic",
        "4",
        tuple(
            (number, "style", "styles_predicted", f"styles={number}")
            for number in ("0", "1", "2", "3", "4", "5+")
        ),
    ),
    TableLayout(
        "Sequence recognition",
        "8",
        (
            ("Panel acc.", "panel_order", "accuracy", "all"),
            ("Text acc.", "panel_text", "accuracy", "all"),
            ("WER", "panel_text", "wer", "all"),
            ("CER", "panel_text", "cer", "all"),
            ("Default order", "panel_order", "default_order", "all"),
            ("Out of range", "panel", "out_of_range", "all"),
        ),
    ),
    TableLayout(
        "Counts per style",
        "13",
        tuple(
            (f"{style} {metric.upper()}", "style", metric, f"style={style}")
            for style in (*STYLES, NA)
            for metric in ("tp", "fp", "tn", "fn")
        ),
    ),
)

PLOTS = (
    PlotSpec("Style F1 by humour style", "style", "f1", "style"),
    PlotSpec("Modality F1 by humour style", "modality", "f1", "style"),
    PlotSpec("Panel F1 by number of panels", "panel", "f1", "panels"),
    PlotSpec("Reading order by number of panels", "panel_order", "accuracy", "panels"),
    PlotSpec("Style F1 by source", "style", "f1", "source"),
    PlotSpec("Word error rate by source", "panel_text", "wer", "source"),
)
