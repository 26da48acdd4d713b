"""Where ViMU's data is released."""

from deadpan.benchmarks.vimu.records import FILES
from deadpan.core.release import HubData, Release

RELEASE = Release(
    licence="MIT, by its card",
    source=HubData(
        "LIQIIIII/ViMU",
        annotations=tuple(f"metadata/{name}" for name in reversed(FILES)),
        media=("videos/*", "frames/*"),
    ),
    note="the videos come from video platforms, and belong to their owners",
    tried="released data: nothing; the reader follows its published description; all else: "
    "mini-set only",
)
