"""Polite, resumable download of pictures, direct or behind an HTML page."""

from deadpan.fetch.errors import FetchError, ManifestError, OutputError, RulesError
from deadpan.fetch.records import (
    FetchItem,
    FetchRecord,
    FetchStatus,
    FetchSummary,
)
from deadpan.fetch.run import fetch, fetch_all
from deadpan.fetch.settings import FetchSettings
from deadpan.fetch.sources import SourceRules, load_rules

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
