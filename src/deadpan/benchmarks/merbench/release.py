"""Where MER-Bench's data is released."""

from deadpan.benchmarks.merbench.edits import EDITED, ORIGINAL
from deadpan.benchmarks.merbench.records import INDEX
from deadpan.core.release import HubData, Release

RELEASE = Release(
    licence="not stated",
    source=HubData(
        "LeoReverse/17nie",
        annotations=(INDEX,),
        media=(f"{ORIGINAL}/*",),
        by_model=f"{EDITED}/{{model}}/*",
    ),
    note="the memes belong to their owners",
    tried="released index_final.json: all 3,117 records read and described; pictures, the models' "
    "edits, and judging them: mini-set only",
)
