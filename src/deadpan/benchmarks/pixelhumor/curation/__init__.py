"""How a benchmark like PixelHumor is built from posts: panels are drafted, annotators say what is
funny in them."""

from __future__ import annotations

from deadpan.benchmarks.pixelhumor.curation.candidates import candidates, comic_id
from deadpan.benchmarks.pixelhumor.curation.drafting import STEPS, draft_comic
from deadpan.benchmarks.pixelhumor.curation.releasing import files, row_of
from deadpan.core.curation import Building

BUILDING = Building(
    media="picture",
    steps=STEPS,
    draft=draft_comic,
    candidates=candidates,
    template="annotation",
    rows=row_of,
    files=files,
    needs_people=True,
    item=comic_id,
    strata=("language", "source"),
)
