"""The pairs themselves, a few ideas per module, each with its gold beside it."""

from minisets.cfms.pair import Pair
from minisets.cfms.scripts import (
    figures_en,
    figures_zh,
    home_zh,
    life_en,
    literal_en,
    literal_zh,
    office_en,
    phone_zh,
    self_zh,
    street_zh,
    work_zh,
)

_CHINESE = (*work_zh.TWINS, *street_zh.TWINS, *phone_zh.TWINS, *home_zh.TWINS, *self_zh.TWINS)
_ENGLISH = (*office_en.TWINS, *life_en.TWINS)
_METAPHOR = (*figures_zh.TWINS, *literal_zh.TWINS, *figures_en.TWINS, *literal_en.TWINS)

# Ordered by id, so that a pair's place says nothing about its label or its split.
PAIRS: tuple[Pair, ...] = tuple(
    sorted(
        (pair for twins in (*_CHINESE, *_ENGLISH, *_METAPHOR) for pair in twins),
        key=lambda pair: pair.pair_id,
    )
)
