"""What was answered to a post, as tables have it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import get_args

from deadpan.base.printable import without_controls
from deadpan.core.curation import PostTurn, Speaker
from deadpan.curate.collect.raw import Refused, short

_TEXTS = ("text", "body", "content", "comment")
_SPEAKERS: tuple[Speaker, ...] = get_args(Speaker)


def comments(row: Mapping[str, object], names: Sequence[str]) -> Iterator[PostTurn]:
    """The comments in some fields of a row, in order, those without words left out. A comment is a
    text or an object with one; a cell holds a list of them, as JSON or one a line."""
    for name in names:
        value = row.get(name)
        if isinstance(value, str):
            value = _in_cell(value)
        if value is None or isinstance(value, bool | int | float):
            continue  # a count, as tables of posts have it
        if not isinstance(value, list | tuple):
            raise Refused("broken line", f"{short(name)} is no list of comments")
        for one in value:
            if (turn := _turn(one, name)).text:
                yield turn


def _in_cell(value: str) -> object:
    if value.lstrip().startswith("["):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            pass  # a comment that begins with a bracket
    return [] if value.strip().isdecimal() else value.splitlines()


def _turn(one: object, name: str) -> PostTurn:
    said, speaker = one, "receiver"
    if isinstance(one, Mapping):
        said = next((one[key] for key in _TEXTS if one.get(key) is not None), None)
        speaker = one.get("speaker") or speaker
    if said is not None and not isinstance(said, str):
        raise Refused("broken line", f"{short(name)}: a comment is no text")
    for known in _SPEAKERS:
        if speaker == known:
            return PostTurn(speaker=known, text=without_controls(said or "").strip())
    expected = f"expected {', '.join(_SPEAKERS)}"
    raise Refused("broken line", f'{short(name)}: got speaker "{short(str(speaker))}"; {expected}')
