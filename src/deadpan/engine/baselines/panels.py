"""Lines of text in a comic → panel numbers in reading order, and each panel's words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from statistics import median
from typing import NamedTuple, TypeVar

from deadpan.media.boxes import rows
from deadpan.media.ocr import TextBox

_LONE = re.compile(r"\W*(\d{1,2})\W*")
_LEADING = re.compile(r"\W{0,2}(\d{1,2})[\s.:|\])]*(?=[^\d\s])(.+)")
# How a lone 1 is misread where the letters of a balloon are not.
_STROKES = {"I", "l", "i", "|", "!", "T", "ı"}
# What eyes, wheels and windows are misread as.
_SHAPES = set("0OoQqCcDeaéèàvVxX×口日曰回□○●•·。:：;'\"`~-—_=<>()[]/\\|^°* ")
_CHINESE = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")
_NARROW = re.compile(r"(?<=[\u3400-\u9fff])\s?([?!,;:]+)(?!\d)")
_WIDE = str.maketrans("?!,;:", "？！，；：")
_MOST_PANELS = 30
ItemT = TypeVar("ItemT")


class Badge(NamedTuple):
    """A panel's number and where it is drawn: the panel's top-left corner."""

    number: int
    box: TextBox


@dataclass(frozen=True)
class Layout:
    """What is known of a comic from its text alone: badges in reading order, other lines."""

    badges: tuple[Badge, ...]
    lines: tuple[TextBox, ...]

    @property
    def order(self) -> tuple[int, ...]:
        return tuple(badge.number for badge in self.badges)


def layout(boxes: Sequence[TextBox], panels: int | None, guess: bool = True) -> Layout:
    """Badges and lines told apart; with `guess`, badges misread in a known count are mended."""
    boxes = [box for box in boxes if len(box.text) > 3 or set(box.text) - _SHAPES]
    found, unused = _numbered_boxes(boxes, panels)
    missing = set(range(1, panels + 1)) - found.keys() if panels else set()
    lines: list[TextBox] = []
    for box in unused:
        if split := _leading_badge(box, missing):
            (number, badge), box = split
            found[number] = badge
            missing.discard(number)
        lines.append(box)
    if guess and missing:
        mended = _mend(found, lines, missing)
        found |= mended
        lines = [line for line in lines if line not in mended.values()]
    badges = [Badge(number, box) for number, box in found.items()]
    return Layout(tuple(_in_order(badges, attrgetter("box"))), tuple(lines))


def lone_number(text: str) -> int | None:
    """The number where a line is nothing but one, circled digits included; else None."""
    folded = unicodedata.normalize("NFKC", text)
    if len(text) > 1 and not text.isdecimal() and len(set(folded)) == 1:
        folded = folded[0]  # a badge's digit seen once with its ring and once without
    match = _LONE.fullmatch(folded)
    return int(match[1]) if match else None


def _numbered_boxes(
    boxes: Sequence[TextBox], panels: int | None
) -> tuple[dict[int, TextBox], list[TextBox]]:
    """One box per panel number, the one sized like the others; and all boxes left."""
    candidates: dict[int, list[TextBox]] = {}
    for box in boxes:
        number = lone_number(box.text)
        if number is not None and 1 <= number <= (panels or _MOST_PANELS):
            candidates.setdefault(number, []).append(box)
    everything = [box for group in candidates.values() for box in group]
    usual = median(box.height for box in everything) if everything else 0
    for number, group in candidates.items():
        rest = [box for box in everything if box not in group]
        candidates[number] = [box for box in group if len(rest) < 2 or _in_line(box, rest)]
    found = {
        number: min(group, key=lambda box: (abs(box.height - usual) > 0.3 * usual, -box.confidence))
        for number, group in candidates.items()
        if group
    }
    if not panels:
        last = next(n for n in range(1, _MOST_PANELS + 2) if n not in found) - 1
        found = {number: box for number, box in found.items() if number <= last}
    kept = {id(box) for box in found.values()}
    return found, [box for box in boxes if id(box) not in kept]


def _in_line(box: TextBox, others: Iterable[TextBox]) -> bool:
    """Whether a badge shares its row or its column with another, as panels' corners do."""
    for other in others:
        across, down = box.x1 + box.x2 - other.x1 - other.x2, box.y1 + box.y2 - other.y1 - other.y2
        if min(abs(across), abs(down)) < 0.8 * max(box.height, other.height):
            return True
    return False


def _leading_badge(box: TextBox, missing: Iterable[int]) -> tuple[Badge, TextBox] | None:
    """A badge read as the start of the line beside it, and the rest of that line."""
    match = _LEADING.fullmatch(unicodedata.normalize("NFKC", box.text))
    if match is None or int(match[1]) not in missing:
        return None
    edge = min(box.x2, box.x1 + box.height)
    badge = box.model_copy(update={"text": match[1], "x2": edge})
    rest = box.model_copy(update={"text": match[2].strip(), "x1": edge})
    return Badge(int(match[1]), badge), rest


def _mend(
    found: dict[int, TextBox], lines: Sequence[TextBox], missing: set[int]
) -> dict[int, TextBox]:
    """Misread badges under the numbers still missing, in ascending order down the page."""
    if not found:
        return {}
    usual = median(box.height for box in found.values())
    misread = [
        line
        for line in lines
        if (lone_number(line.text) is not None or line.text in _STROKES)
        and 0.5 * usual <= line.height <= 1.6 * usual
        and _in_line(line, found.values())
    ]
    return dict(zip(sorted(missing), _in_order(misread, lambda box: box), strict=False))


def panel_texts(found: Layout) -> dict[int, str]:
    """Each badge's number with the words of its panel, in reading order; may be empty."""
    lines: dict[int, list[TextBox]] = {number: [] for number in found.order}
    grid = rows(found.badges, attrgetter("box"))
    for line in found.lines:
        if grid:
            lines[_owner(line, grid).number].append(line)
    return {number: text_of(part) for number, part in lines.items()}


def _owner(line: TextBox, grid: Sequence[Sequence[Badge]]) -> Badge:
    """The badge nearest up and to the left of a line: its row first, then the place in it."""
    middle_x, middle_y = (line.x1 + line.x2) / 2, (line.y1 + line.y2) / 2
    for badge in (badge for row in reversed(grid) for badge in reversed(row)):
        if badge.box.x1 <= middle_x and badge.box.y1 - badge.box.height / 4 <= middle_y:
            return badge
    return grid[0][0]


def text_of(lines: Sequence[TextBox]) -> str:
    """Balloons in reading order with a space between them, each one's lines joined."""
    blocks = [_in_order(block, lambda box: box) for block in _blocks(lines)]
    return " ".join(_join(block) for block in _in_order(blocks, lambda block: block[0]))


def _join(lines: Iterable[TextBox]) -> str:
    """Lines as one, spaced unless both sides are Chinese; marks after Chinese are full-width."""
    whole = ""
    for line in lines:
        tight = whole and _CHINESE.match(whole[-1]) and _CHINESE.match(line.text[0])
        whole += line.text if not whole or tight else f" {line.text}"
    return _NARROW.sub(lambda match: match[1].translate(_WIDE), whole)


def _blocks(lines: Sequence[TextBox]) -> list[list[TextBox]]:
    """Lines grouped by touching: one balloon or caption each."""
    blocks: list[list[TextBox]] = []
    for line in sorted(lines, key=lambda line: line.y1):
        near = [block for block in blocks if any(_touch(line, other) for other in block)]
        blocks = [block for block in blocks if block not in near]
        blocks.append([*(other for block in near for other in block), line])
    return blocks


def _touch(one: TextBox, other: TextBox) -> bool:
    """Whether two lines stand under each other without a gap, or next to each other in one."""
    height = min(one.height, other.height)
    across = min(one.x2, other.x2) - max(one.x1, other.x1)
    down = min(one.y2, other.y2) - max(one.y1, other.y1)
    below = across > 0.3 * min(one.x2 - one.x1, other.x2 - other.x1) and down > -0.7 * height
    beside = down > 0.6 * height and across > -0.6 * height
    return below or beside


def _in_order(items: Iterable[ItemT], box_of: Callable[[ItemT], TextBox]) -> list[ItemT]:
    """Items row by row, left to right."""
    return [item for row in rows(items, box_of) for item in row]
