"""How plots look: colours, and the Vega-Lite configuration."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

Spec = dict[str, Any]

_FILE = files("deadpan.reports").joinpath("templates", "theme.json")
_THEME = json.loads(_FILE.read_text("utf-8"))
CONFIG: Spec = _THEME["config"]
"""The Vega-Lite configuration of every plot; its fonts hold Chinese."""
COLOURS: tuple[str, ...] = tuple(_THEME["colours"])
SHAPES: tuple[str, ...] = tuple(_THEME["shapes"])
"""Of published models, by Vega's names or as paths."""
HUMAN_SHAPE: str = _THEME["human"]
LOOKS: dict[str, Spec] = _THEME["looks"]
"""How marks, axes, titles and legends look. A row's name of two lines hangs from its first unless
it is moved up by half a line."""
GREY = "#8a8f98"
INK = "#1d2026"
PARTS = (
    *("#2f7de1", "#e9b20c", "#d1491b", "#8e5bd0", "#1fa187"),
    *("#e68ab4", "#6d4c2f", "#9bbf30", "#7d8794"),
)
"""Neighbours differ in lightness or between blue and yellow, which every reader can tell apart."""
RANKS = ("#1c5fb8", "#7db2ee", "#b4b9c1", "#f0a06c", "#c5471a")
"""From best to worst."""
# Half-transparent colours let the page's own ground through, so that text in a cell reads as well
# on a dark page as on a light one.
SEQUENTIAL = ("rgba(47,125,225,0.05)", "rgba(47,125,225,0.68)")
DIVERGING = ("rgba(224,103,47,0.68)", "rgba(224,103,47,0.05)", *SEQUENTIAL)
STATIC_WIDTH = 720
