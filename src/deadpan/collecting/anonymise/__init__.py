"""Contributed chats made anonymous: metadata out of media, people out of texts, names at random."""

from __future__ import annotations

from deadpan.collecting.anonymise.found import Problem
from deadpan.collecting.anonymise.run import Report, anonymised
from deadpan.collecting.anonymise.sources import Limits

__all__ = ["Limits", "Problem", "Report", "anonymised"]
