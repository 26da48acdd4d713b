"""How a benchmark like CFMS is built from posts: drafted in a fixed order, settled by people, and
dealt into splits in the paper's shares."""

from __future__ import annotations

from deadpan.benchmarks.cfms.curation.candidates import candidates
from deadpan.benchmarks.cfms.curation.drafting import STEP, draft
from deadpan.benchmarks.cfms.curation.releasing import files, row_of
from deadpan.benchmarks.cfms.studies.splitting import PAPER
from deadpan.core.curation import Building

BUILDING = Building(
    media="picture",
    steps=(STEP,),
    draft=draft,
    candidates=candidates,
    template="annotation",
    rows=row_of,
    files=files,
    strata=("language", "sarcastic"),
    splits={name: float(size) for name, size in PAPER.items()},
    slang=("sarcasm",),
)
