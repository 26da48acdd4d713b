"""Polite, resumable download of pictures, direct or behind an HTML page."""

from deadpan.collecting.fetch.errors import FetchError, ManifestError, OutputError, RulesError
from deadpan.collecting.fetch.records import (
    FetchItem,
    FetchRecord,
    FetchStatus,
    FetchSummary,
)
from deadpan.collecting.fetch.run import fetch, fetch_all
from deadpan.collecting.fetch.settings import FetchSettings
from deadpan.collecting.fetch.sources import SourceRules, load_rules

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
    "fetch_all",
    "load_rules",
]
