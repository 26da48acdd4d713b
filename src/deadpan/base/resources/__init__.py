"""Lexicons and models by name: what there is, and where they lie on this machine."""

from __future__ import annotations

from deadpan.base.resources.entries import Resource, catalogue, find
from deadpan.base.resources.storage import Unavailable, is_present, path_of, size_on_disk

__all__ = [
    "Resource",
    "Unavailable",
    "catalogue",
    "find",
    "is_present",
    "path_of",
    "size_on_disk",
]
