"""How a benchmark like JanusMM is built from posts and chats: drafted in two stages, and settled by
people."""

from __future__ import annotations

from deadpan.benchmarks.janusmm.curation.candidates import candidates
from deadpan.benchmarks.janusmm.curation.drafting import STEPS, draft
from deadpan.benchmarks.janusmm.curation.releasing import files, row_of
from deadpan.core.curation import Building

BUILDING = Building(
    media="picture",
    steps=STEPS,
    draft=draft,
    candidates=candidates,
    template="annotation",
    rows=row_of,
    files=files,
    strata=("language", "source", "self_deprecating"),
    slang=("self-mockery",),
)
