"""Lettering that was placed: whether it stays in the picture and clear of faces and itself."""

from collections.abc import Iterable, Sequence

from deadpan.media.fonts import is_chinese
from minisets.drawing.pen import Box


def check_lettering(
    where: str, size: tuple[int, int], letters: Sequence[tuple[str, Box]], faces: Iterable[Box]
) -> None:
    """Raises ValueError if a text leaves the picture, or covers a face or another text."""
    for i, (text, box) in enumerate(letters):
        if box[0] < 0 or box[1] < 0 or box[2] > size[0] or box[3] > size[1]:
            raise ValueError(f"{where}: {text!r} leaves the picture: {_rounded(box)}")
        for face in faces:
            if overlap(box, face):
                raise ValueError(f"{where}: {text!r} {_rounded(box)} is on a face {_rounded(face)}")
        for other, area in letters[:i]:
            if overlap(box, area):
                raise ValueError(f"{where}: {text!r} overlaps {other!r}")


def overlap(one: Box, two: Box) -> bool:
    """Whether two boxes share more than an edge."""
    return one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3]


def joined_lines(text: str) -> str:
    """Text with forced line breaks, on one line; Chinese needs no space there."""
    return text.replace("\n", "" if any(is_chinese(char) for char in text) else " ")


def _rounded(box: Box) -> tuple[int, ...]:
    return tuple(round(side) for side in box)
