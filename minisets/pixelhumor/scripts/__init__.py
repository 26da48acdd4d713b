"""The comics themselves: one function draws one comic."""

from minisets.pixelhumor.script import Script
from minisets.pixelhumor.scripts import (
    bedroom_en,
    home_en,
    home_zh,
    outdoors_en,
    work_en,
    work_zh,
)


def _place(script: Script) -> tuple[str, int]:
    return script.language, int(script.comic_id.split("_")[1])


_ENGLISH = (*home_en.COMICS, *work_en.COMICS, *outdoors_en.COMICS, *bedroom_en.COMICS)
_CHINESE = (*home_zh.COMICS, *work_zh.COMICS)

SCRIPTS: tuple[Script, ...] = tuple(sorted(_ENGLISH + _CHINESE, key=_place))
