"""Polite, resumable download of pictures, direct or behind an HTML page."""

from deadpan.collecting.fetch.pages import SourceRules, load_rules
from deadpan.collecting.fetch.records import FetchError, FetchItem, FetchRecord, FetchSettings
from deadpan.collecting.fetch.run import fetch

__all__ = [
    "FetchError",
    "FetchItem",
    "FetchRecord",
    "FetchSettings",
    "SourceRules",
    "fetch",
    "load_rules",
]
