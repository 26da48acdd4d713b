"""Lexicons and models by name: where they come from, and where they lie on this machine."""

from __future__ import annotations

from deadpan.resources.entries import Resource, catalogue, find
from deadpan.resources.getting import get
from deadpan.resources.storage import Unavailable, is_present, path_of, size_on_disk

__all__ = [
    "Resource",
    "Unavailable",
    "catalogue",
    "find",
    "get",
    "is_present",
    "path_of",
    "size_on_disk",
]
