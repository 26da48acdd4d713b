"""`deadpan study`: people annotate, rate, choose and agree."""

from __future__ import annotations

from deadpan.cli import study_making, study_running
from deadpan.cli.study_options import app

__all__ = ["app", "study_making", "study_running"]
