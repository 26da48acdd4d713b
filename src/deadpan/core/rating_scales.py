"""The scales of a file of ratings, where a column `scale` tells them, as exports of studies do:
`integers 1 to 7`, `numbers 0 to 100`, `yes or no`, or `choice` of the best of several answers."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

from deadpan.base.errors import InputError
from deadpan.base.rows import quote
from deadpan.core.rating_files import SCALE
from deadpan.core.ratings import Scale
from deadpan.core.study_rows import FIX, study_rows, text_of

_CHOICE, _YES_NO = "choice", "yes or no"
_NUMBER = r"-?\d+(?:\.\d+)?"
_BOUNDED = re.compile(rf"(integers|numbers) ({_NUMBER}) to ({_NUMBER})")


def scale_text(scale: Scale) -> str:
    """What the column says of a scale."""
    if scale.is_choice:
        return _CHOICE
    if scale.kind == "yes_no":
        return _YES_NO
    return f"{scale.kind} {scale.lowest:.10g} to {scale.highest:.10g}"


def scale_of_text(name: str, text: str) -> Scale:
    """The scale that the column tells of, its scores under its name; any other text raises
    ValueError."""
    if text in (_CHOICE, _YES_NO):
        is_choice = text == _CHOICE
        return Scale(name, {}, 0, 1, "yes_no", "nominal", group=name, is_choice=is_choice)
    if (found := _BOUNDED.fullmatch(text)) is None or float(found[2]) >= float(found[3]):
        raise ValueError(f"expected integers 1 to 7, numbers 0 to 1, {_YES_NO}, or {_CHOICE}")
    scale = Scale(name, {}, float(found[2]), float(found[3]), group=name)
    return scale if found[1] == "integers" else replace(scale, kind="numbers")


def scales_told(paths: Sequence[Path], known: Collection[str] = ()) -> list[Scale]:
    """The scales that files tell of and that are not `known`. Two scales of one metric raise with
    the place of the second."""
    texts: dict[str, str] = {}
    found: list[Scale] = []
    for path in paths:
        for where, cells in study_rows(path, ragged=True):
            name, text = text_of(cells, "metric"), text_of(cells, SCALE)
            if not name or not text or name in known or texts.get(name) == text:
                continue
            if name in texts:
                what = f"got {quote(text)}; {name} is {quote(texts[name])} elsewhere"
                raise InputError(f"{where} {SCALE}", what, "Give a metric one scale.")
            try:
                found.append(scale_of_text(name, text))
            except ValueError as error:
                raise InputError(f"{where} {SCALE}", f"got {quote(text)}; {error}", FIX) from None
            texts[name] = text
    return found


def tells_only_other_scales(paths: Sequence[Path], known: Collection[str]) -> bool:
    """Whether files tell the scale of everything that is rated in them, none of which is
    `known`."""
    rows = [cells for path in paths for _, cells in study_rows(path, ragged=True)]
    return bool(rows) and all(
        text_of(cells, SCALE) and text_of(cells, "metric") not in ("", *known) for cells in rows
    )
