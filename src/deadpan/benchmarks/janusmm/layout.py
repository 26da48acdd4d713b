"""Which of JanusMM's scores stand in which table (tables.json) and plot of a report."""

from __future__ import annotations

from pathlib import Path

from pydantic import TypeAdapter

from deadpan.base.files import read_text
from deadpan.benchmarks.janusmm.metrics import DUAL
from deadpan.core.capabilities import TableLayout
from deadpan.core.plots import AnyPlot, PlotSpec, ScatterPlot, SpreadPlot

TABLES = TypeAdapter(tuple[TableLayout, ...]).validate_json(
    read_text(Path(__file__).with_name("tables.json"))
)
PLOTS: tuple[AnyPlot, ...] = (
    ScatterPlot(
        "Recognition against false alarms",
        ("recognition", "false_alarms"),
        ("recognition", "accuracy"),
        caption="Self-deprecating memes recognised, against other memes taken for such, in per "
        "cent. A model that always says so stands top right.",
        zero="x",
    ),
    PlotSpec("Recognition by language", "recognition", "accuracy", "language"),
    PlotSpec("Recognition by source", "recognition", "accuracy", "source"),
    SpreadPlot(
        "Reasoning against people's, by METEOR",
        (("Reasoning", "reasoning"), ("Initiator", "initiator"), ("Responder", "responder")),
        "meteor",
        "language",
        labels=(("en", "English"), ("zh", "Chinese")),
    ),
    PlotSpec("Consistency of the two perspectives (IRC)", DUAL, "irc", "language"),
)
