"""How a benchmark like ViMU is built from posts: a model annotates videos and writes questions that
give nothing away, experts review them."""

from __future__ import annotations

from deadpan.benchmarks.vimu.curation.candidates import candidates
from deadpan.benchmarks.vimu.curation.drafting import STEPS, draft_item
from deadpan.benchmarks.vimu.curation.releasing import files, row_of
from deadpan.core.curation import Building

BUILDING = Building(
    media="video",
    steps=STEPS,
    draft=draft_item,
    candidates=candidates,
    template="review",
    rows=row_of,
    files=files,
    strata=("language", "difficulty"),
)
