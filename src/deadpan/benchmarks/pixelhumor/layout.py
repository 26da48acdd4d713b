"""Which of PixelHumor's scores stand in which table and plot of a report."""

from __future__ import annotations

from deadpan.benchmarks.pixelhumor.records import NA, STYLES
from deadpan.core.capabilities import TableLayout
from deadpan.core.plots import PlotSpec

_PRF = (("F1", "f1"), ("Prec.", "precision"), ("Rec.", "recall"))
_PANELS = (*range(1, 15), 17, 18)
_SOURCES = ("explosm", "peanuts", "garfield", "xkcd", "phdcomics", "they_can_talk", "smbc")
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
    *(
        TableLayout(
            f"F1 by {name}",
            published,
            tuple(
                (f"{task.replace('_', ' ')} {value}", task, "f1", f"{key}={value}")
                for task in (*_IDENTIFICATION, "style")
                for value in values
            ),
        )
        for published, name, key, values in (
            ("14", "humour style", "style", (*STYLES, NA)),
            ("15", "number of panels", "panels", tuple(map(str, _PANELS))),
        )
    ),
    TableLayout(
        "Explanations rated by people, 1 to 7",
        "5",
        tuple(
            (name, "interpretation", f"rating_{name}", "all") for name in ("mean", "median", "std")
        ),
    ),
    TableLayout(
        "How far the raters agree",
        "6",
        (
            ("Alpha", "interpretation", "alpha", "all"),
            ("Exact match", "interpretation", "exact_match", "all"),
            *(
                (f"Difference {name}", "interpretation", f"difference_{name}", "all")
                for name in ("mean", "median", "std")
            ),
        ),
    ),
    TableLayout(
        "Explanation preferred, of 70", "7", (("Chosen", "preference", "times_selected", "all"),)
    ),
    *(
        TableLayout(
            f"{name.capitalize()} per comic",
            published,
            tuple(
                (f"{source} {part}", "data", f"{name}_{part}", f"source={source}")
                for source in _SOURCES
                for part in ("max", "min", "mean")
            ),
        )
        for name, published in (("panels", "10"), ("words", "11"))
    ),
    TableLayout(
        "Comics per source and style",
        "12",
        tuple(
            (f"{source} {style}", "data", "comics", f"source={source},style={style}")
            for source in _SOURCES
            for style in (*STYLES, NA)
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
