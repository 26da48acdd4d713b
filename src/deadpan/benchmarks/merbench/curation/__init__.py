"""How a benchmark like MER-Bench is built from posts: memes of clearly negative affect, described,
planned and sorted, each stage verified by a model and by people."""

from __future__ import annotations

from deadpan.benchmarks.merbench.curation.candidates import candidates
from deadpan.benchmarks.merbench.curation.drafting import STEPS, draft
from deadpan.benchmarks.merbench.curation.releasing import files, row_of
from deadpan.core.curation import Building

BUILDING = Building(
    media="picture",
    steps=STEPS,
    draft=draft,
    candidates=candidates,
    template="stages",
    rows=row_of,
    files=files,
    strata=("language", "det_emo"),
)
