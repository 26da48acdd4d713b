"""The films themselves, a few per module, each with its gold beside it."""

from minisets.vimu.film import Film
from minisets.vimu.scripts import (
    cinema_en,
    cuts_en,
    direct_en,
    direct_zh,
    habits_en,
    home_zh,
    life_en,
    life_zh,
    office_en,
    promises_en,
    signs_en,
    signs_zh,
    work_zh,
)

_ENGLISH = (
    *promises_en.FILMS,
    *office_en.FILMS,
    *cinema_en.FILMS,
    *life_en.FILMS,
    *habits_en.FILMS,
    *signs_en.FILMS,
    *cuts_en.FILMS,
    *direct_en.FILMS,
)
_CHINESE = (*work_zh.FILMS, *life_zh.FILMS, *home_zh.FILMS, *signs_zh.FILMS, *direct_zh.FILMS)

FILMS: tuple[Film, ...] = tuple(sorted(_ENGLISH + _CHINESE, key=lambda film: film.video_id))
