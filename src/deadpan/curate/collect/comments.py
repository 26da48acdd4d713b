"""What was answered to a post, as tables have it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import get_args

from deadpan.base.printable import without_controls
from deadpan.core.curation import PostTurn, Speaker
from deadpan.curate.collect.raw import Refused, short

_TEXTS = ("text", "body", "content", "comment")
_SPEAKERS: tuple[Speaker, ...] = get_args(Speaker)
_POSTERS = frozenset({"op", "author", "poster", "self", "me", "楼主", "博主", "作者"})
# How many there are, or that there are none, as tables of posts often have it.
_COUNT = re.compile(
    r"\s*(?:null|none|nan|n/a|[\d.,]+\s*[kKmM万]?\s*(?:comments?|条?评论)?)?\s*", re.I
)


def comments(row: Mapping[str, object], names: Sequence[str]) -> Iterator[PostTurn]:
    """The comments in some fields of a row, in order, those without words left out; none where a
    field only counts them. A comment is a text or an object with one; a cell holds a list of them,
    as JSON or one a line. Of speakers with names of their own the first is the receiver."""
    roles: dict[str, Speaker] = {}
    for name in names:
        value = row.get(name)
        if isinstance(value, str):
            value = _in_cell(value)
        if value is None or isinstance(value, bool | int | float):
            continue
        listed = [value] if isinstance(value, Mapping) else value
        if not isinstance(listed, list | tuple):
            raise Refused("broken line", f"{short(name)} is no list of comments")
        for one in listed:
            if (turn := _turn(one, name, roles)).text:
                yield turn


def _in_cell(value: str) -> object:
    if _COUNT.fullmatch(value):
        return None
    found: object = value
    if value.lstrip()[:1] in tuple('[{"'):
        with suppress(ValueError, RecursionError):  # a comment may begin so, too
            found = json.loads(value)
    return found.splitlines() if isinstance(found, str) else found


def _turn(one: object, name: str, roles: dict[str, Speaker]) -> PostTurn:
    said, speaker = one, ""
    if isinstance(one, Mapping):
        said = next((one[key] for key in _TEXTS if one.get(key) is not None), None)
        if said is None:
            raise Refused("broken line", f"{short(name)}: a comment has no text")
        speaker = str(one.get("speaker") or "")
    if said is not None and not isinstance(said, str):
        raise Refused("broken line", f"{short(name)}: a comment is no text")
    words = " ".join(without_controls(said or "").split())
    return PostTurn(speaker=_role(speaker, roles), text=words)


def _role(speaker: str, roles: dict[str, Speaker]) -> Speaker:
    plain = speaker.strip().casefold()
    for known in _SPEAKERS:
        if plain == known:
            return known
    if plain in _POSTERS:
        return "sender"
    if not plain:
        return "receiver"
    return roles.setdefault(plain, "other" if roles else "receiver")
