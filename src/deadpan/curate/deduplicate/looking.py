"""What two pictures have in common: their scene, and what is written in them."""

from __future__ import annotations

from dataclasses import dataclass

from deadpan.curate.deduplicate.agreement import (
    Overlaid,
    line_boxes,
    overlaid,
    same_letters,
    same_scene,
)
from deadpan.curate.deduplicate.alignment import best_alignment
from deadpan.curate.deduplicate.pictures import Seen, Written, lines_within
from deadpan.curate.deduplicate.wording import (
    joke_lines,
    likeness,
    plain_words,
    read_otherwise,
)


@dataclass(frozen=True)
class Looked:
    """What was seen: the share of the scene that agrees, the texts that were read where both are
    covered, and how alike the letters are where they are least alike (None: none were found)."""

    scene: float = 0.0
    meeting: float = 0.0
    """How well edges meet."""
    text: float | None = None
    """How alike the texts are; None where one of them was not read, or is mirrored."""
    letters: float | None = None
    mirrored: bool = False
    otherwise: bool = False
    """Whether a line that was surely read in both has a few other letters."""


def look(left: Seen, right: Seen) -> Looked:
    """What the two have in common; nothing where they cannot be laid on each other."""
    aligned = best_alignment(left, right)
    if aligned is None:
        return Looked()
    both = overlaid(left, right, aligned)
    if not both.inside.any():
        return Looked()
    mine, theirs = _jokes(both)
    boxes = line_boxes(both, mine, theirs)
    return Looked(
        scene=same_scene(both, boxes),
        meeting=aligned.score,
        text=None if aligned.mirrored else _alike(mine, theirs),
        letters=same_letters(both, boxes),
        mirrored=aligned.mirrored,
        otherwise=not aligned.mirrored and read_otherwise(mine, theirs),
    )


def _jokes(both: Overlaid) -> tuple[list[Written], list[Written]]:
    """The lines of each that both pictures cover, without marks."""
    sides = [lines_within(lines, both.frame) for lines in (both.my_lines, both.their_lines)]
    tallest = max((one.box[3] - one.box[1] for lines in sides for one in lines), default=0.0)
    mine, theirs = sides
    return (
        joke_lines(mine, theirs, both.content, tallest),
        joke_lines(theirs, mine, both.content, tallest),
    )


def _alike(mine: list[Written], theirs: list[Written]) -> float | None:
    texts = ["".join(plain_words(one.text) for one in lines) for lines in (mine, theirs)]
    return likeness(*texts) if all(texts) else None
