"""How plots look: colours, and the Vega-Lite configuration."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

Spec = dict[str, Any]

COLOURS = (
    "#2f7de1",
    "#e0672f",
    "#1fa187",
    "#b657c9",
    "#c99a12",
    "#d6456b",
    "#6a8f2d",
    "#5a6acf",
    "#8c6d4f",
    "#7d8794",
)
GREY = "#8a8f98"
INK = "#1d2026"
PARTS = ("#2f7de1", "#e9b20c", "#d1491b", "#8e5bd0", "#1fa187", "#7d8794")
"""Neighbours differ in lightness or between blue and yellow, which every reader can tell apart."""
_OVER = "rgba(47,125,225,{})"
_UNDER = "rgba(224,103,47,{})"
_FAINTEST, _STRONGEST = 0.05, 0.68
# Half-transparent colours let the page's own ground through, so that text in a cell reads as well
# on a dark page as on a light one.
SEQUENTIAL = (_OVER.format(_FAINTEST), _OVER.format(_STRONGEST))
DIVERGING = (
    _UNDER.format(_STRONGEST),
    _UNDER.format(_FAINTEST),
    _OVER.format(_FAINTEST),
    _OVER.format(_STRONGEST),
)
STATIC_WIDTH = 720
_CONFIG = files("deadpan.reports").joinpath("templates", "theme.json").read_text("utf-8")
CONFIG: Spec = json.loads(_CONFIG)
"""The Vega-Lite configuration of every plot; its fonts hold Chinese."""
