"""What a provider refuses in a request that can be asked again in a smaller form."""

from __future__ import annotations

import re
from types import TracebackType

_TOO_MANY = re.compile(
    r"too many|at most|maximum|\bmax\b|limit|up to|exceed|\bonly\b|more than|no more", re.I
)
_IMAGES = re.compile(r"\bimages?\b|image\(s\)|图片|图像", re.I)
_SEVERAL = re.compile(r"\bimages\b|image\(s\)|number of|图片|图像", re.I)
_RATE = re.compile(r"rate limit|per (?:second|minute|hour|day)", re.I)
_SIZE = r"(?:[kmg]i?b|bytes?|px|pixels?|dimensions?|resolution|tokens?)\b"
_COUNT = re.compile(rf"(?<![\w.-])(\d{{1,3}})(?!\s*{_SIZE})(?![\w.-]*\w)", re.I)
_ABOUT_SIZE = re.compile(rf"\b{_SIZE}", re.I)
_SCHEMA = re.compile(r"response_format|json_schema|response_schema|structured output", re.I)
_WORDS = {"one": "1", "a single": "1", "two": "2", "three": "3", "four": "4", "five": "5"}


def fewer_images(message: str, shown: int) -> int | None:
    """How many images to show after an error that limits their number; None for other errors.

    The limit is the largest number the message names below what was shown; without one, half.
    """
    if shown < 2 or not (_IMAGES.search(message) and _TOO_MANY.search(message)):
        return None
    if _RATE.search(message):
        return None
    for word, digit in _WORDS.items():
        message = re.sub(rf"\b{word}\b", digit, message, flags=re.I)
    named = [int(digits) for digits in _COUNT.findall(message)]
    below = [number for number in named if 0 < number < shown]
    if below:
        return max(below)
    vague = _SEVERAL.search(message) and not _ABOUT_SIZE.search(message)
    return shown // 2 if vague else None


def refuses_schema(message: str) -> bool:
    """Whether an error says that replies cannot be held to a schema."""
    return _SCHEMA.search(message) is not None


class Limits:
    """What a run has learnt of its provider: how many images it takes, whether it takes a schema.

    As a context manager around a call it takes in an error that teaches something new and lets the
    caller ask again; every other error passes.
    """

    def __init__(self) -> None:
        self.images: int | None = None
        self.schema = True

    def during(self, images: int, schema: bool) -> _Call:
        """The context of one call that shows so many images, with or without a schema."""
        return _Call(self, images, schema)


class _Call:
    def __init__(self, limits: Limits, images: int, schema: bool) -> None:
        self.limits, self.images, self.schema = limits, images, schema

    def __enter__(self) -> None:
        return None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        if not isinstance(error, Exception):
            return False
        if self.schema and refuses_schema(str(error)):
            self.limits.schema = False
            return True
        fewer = fewer_images(str(error), self.images)
        if fewer is not None:
            self.limits.images = min(fewer, self.limits.images or fewer)
        return fewer is not None
