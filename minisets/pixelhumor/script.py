"""What a comic is before it is drawn, and the page layouts they share."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from minisets.pixelhumor.stage import Layout, Strip, rows

Language = Literal["en", "zh"]

ROW2 = rows("row of 2", [2], 900, [370])
ROW3 = rows("row of 3", [3], 1060, [340])
ROW4 = rows("row of 4", [4], 1180, [320])
GRID4 = rows("2x2 grid", [2, 2], 900, [330, 330])
GRID6 = rows("3x2 grid", [3, 3], 1060, [300, 300])
TALL2 = rows("vertical 2", [1, 1], 620, [330, 330])
TALL3 = rows("vertical 3", [1, 1, 1], 560, [280, 280, 280])
TALL4 = rows("vertical 4", [1, 1, 1, 1], 520, [240, 240, 240, 240])
TWO_ONE = rows("2+1", [2, 1], 900, [320, 320])
ONE_TWO = rows("1+2", [1, 2], 900, [310, 320])
THREE_TWO = rows("3+2", [3, 2], 1060, [310, 320])
# Read in another order than rows from the left; arrows lead from panel to panel.
LEFTWARDS2 = ROW2.reordered("row of 2 from the right", 1, 0)
LEFTWARDS3 = ROW3.reordered("row of 3 from the right", 2, 1, 0)
MIDDLE_LEFT3 = ROW3.reordered("row of 3: middle, left, right", 1, 0, 2)
MIDDLE_RIGHT3 = ROW3.reordered("row of 3: middle, right, left", 1, 2, 0)
RIGHT_LEFT3 = ROW3.reordered("row of 3: right, left, middle", 2, 0, 1)
LEFT_RIGHT3 = ROW3.reordered("row of 3: left, right, middle", 0, 2, 1)
INSIDE_OUT4 = ROW4.reordered("row of 4: two pairs from the right", 1, 0, 3, 2)
LEFTWARDS4 = GRID4.reordered("2x2 grid from the right", 1, 0, 3, 2)
COLUMNS4 = GRID4.reordered("2x2 grid in columns", 0, 2, 1, 3)
RISING_COLUMNS4 = GRID4.reordered("2x2 grid in columns from below", 2, 0, 3, 1)
ROUND4 = GRID4.reordered("2x2 grid clockwise", 0, 1, 3, 2)
BACK_ROUND4 = GRID4.reordered("2x2 grid anticlockwise", 0, 2, 3, 1)
SNAKE6 = GRID6.reordered("3x2 grid there and back", 0, 1, 2, 5, 4, 3)
RISING2 = TALL2.reordered("vertical 2 from below", 1, 0)
RISING3 = TALL3.reordered("vertical 3 from below", 2, 1, 0)
LEFTWARDS2_1 = TWO_ONE.reordered("2+1 from the right", 1, 0, 2)
LEFTWARDS1_2 = ONE_TWO.reordered("1+2 from the right", 0, 2, 1)
LEFTWARDS5 = THREE_TWO.reordered("3+2 from the right", 2, 1, 0, 4, 3)


@dataclass(frozen=True)
class Script:
    """A comic: its id, page layout, lettering size, and the function that draws it."""

    comic_id: str
    layout: Layout
    size: int
    draw: Callable[[Strip], None]

    @property
    def language(self) -> Language:
        """Told by the id's prefix."""
        return "zh" if self.comic_id.startswith("deadpanzh_") else "en"

    def strip(self) -> Strip:
        """The drawn comic."""
        strip = Strip(self.comic_id, self.layout, self.size)
        self.draw(strip)
        return strip


def comic(
    comic_id: str, layout: Layout, size: int = 19
) -> Callable[[Callable[[Strip], None]], Script]:
    """Turns a drawing function into a script."""
    return lambda draw: Script(comic_id, layout, size, draw)
