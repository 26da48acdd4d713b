"""Which of JanusMM's scores stand in which table and plot of a report."""

from __future__ import annotations

from deadpan.benchmarks.janusmm.metrics import CONSISTENCIES, DUAL, TEXTS
from deadpan.core.capabilities import TableLayout
from deadpan.core.plots import AnyPlot, PlotSpec, ScatterPlot, SpreadPlot

_LANGUAGES = (("ZH", "language=zh"), ("EN", "language=en"))
_SOURCES = ("social_media", "group_chat", "private_dialogue")
_REASONED = ("reasoning", "initiator", "responder")

Column = tuple[str, str, str, str]


def _columns(*scores: tuple[str, str, str]) -> tuple[Column, ...]:
    """(heading, task, metric) → a column for each language."""
    return tuple(
        (f"{heading} {name}", task, metric, group)
        for heading, task, metric in scores
        for name, group in _LANGUAGES
    )


TABLES = (
    TableLayout(
        "Unpacking self-deprecation",
        "1",
        _columns(
            ("Accuracy", "recognition", "accuracy"),
            *((metric.title, "reasoning", metric.name) for metric in TEXTS),
        ),
    ),
    TableLayout(
        "Joining the conversation",
        "2",
        _columns(
            ("Initiator BARTScore", "initiator", "bartscore"),
            ("Responder BARTScore", "responder", "bartscore"),
            ("IRC", DUAL, "irc"),
            ("HUC", DUAL, "huc"),
        ),
    ),
    TableLayout(
        "As rated by people",
        "3",
        _columns(
            ("MG", "reasoning", "mg"),
            ("DU", "reasoning", "du"),
            ("PE", "initiator", "pe"),
            ("EC", "responder", "ec"),
            ("SR", "responder", "sr"),
        ),
    ),
    TableLayout("Lay people", "6", _columns(("Accuracy", "recognition", "accuracy"))),
    TableLayout(
        "Recognition by source, and false alarms",
        "",
        (
            *(
                (source.replace("_", " "), "recognition", "accuracy", f"source={source}")
                for source in _SOURCES
            ),
            *_columns(("False alarms", "recognition", "false_alarms")),
        ),
    ),
    TableLayout(
        "Consistency of the two perspectives",
        "",
        _columns(
            *((metric.title, DUAL, metric.name) for metric in CONSISTENCIES),
            ("Short pairs", DUAL, "short_pairs"),
        ),
    ),
    TableLayout(
        "Initiator and responder against people's reasoning",
        "",
        _columns(
            *(
                (f"{task.capitalize()} {metric.title}", task, metric.name)
                for task in ("initiator", "responder")
                for metric in TEXTS
                if metric.name != "bartscore"
            )
        ),
    ),
    TableLayout(
        "How the answers were made up",
        "",
        (
            *(
                (f"{task} answered", task, "answered", "all")
                for task in ("recognition", *_REASONED)
            ),
            *((f"{task} emotion given", task, "emotion_given", "all") for task in _REASONED),
            ("responder reply given", "responder", "reply_given", "all"),
            *((f"{task} very short", task, "short_answers", "all") for task in _REASONED),
        ),
    ),
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
