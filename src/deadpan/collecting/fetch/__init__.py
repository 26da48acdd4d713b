"""Polite, resumable download of pictures, direct or behind an HTML page."""

from deadpan.collecting.fetch.pages import SourceRules, load_rules
from deadpan.collecting.fetch.records import (
    FetchError,
    FetchItem,
    FetchRecord,
    FetchSettings,
    FetchStatus,
    FetchSummary,
    ManifestError,
    OutputError,
    RulesError,
)
from deadpan.collecting.fetch.run import fetch

__all__ = [
    "FetchError",
    "FetchItem",
    "FetchRecord",
    "FetchSettings",
    "FetchStatus",
    "FetchSummary",
    "ManifestError",
    "OutputError",
    "RulesError",
    "SourceRules",
    "fetch",
    "load_rules",
]
