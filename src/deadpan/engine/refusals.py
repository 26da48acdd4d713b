"""What a provider refuses in a request that can be asked again in a smaller form."""

from __future__ import annotations

import re

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


def fewer_tokens(message: str, asked: int) -> int | None:
    """How many tokens a reply may take after an error that limits them; None for other errors.

    Where the message tells the context's length and what the question takes, the rest of it; else
    the largest number it names below what was asked for, or half.
    """
    if not (_TOKENS.search(message) and _TOO_LONG.search(message)) or _RATE.search(message):
        return None
    named = [int(digits.replace(",", "")) for digits in _NUMBER.findall(message)]
    context = _CONTEXT.search(message)
    if context:
        length = int(context[1].replace(",", ""))
        given = [int(found.replace(",", "")) for found in _GIVEN.findall(message)]
        left = [length - one for one in given if 0 < length - one < asked]
        if left:
            return min(left)
    below = [number for number in named if _LEAST_TOKENS <= number < asked]
    fewer = max(below) if below and not context else asked // 2
    return fewer if fewer >= _LEAST_TOKENS else None


_LEAST_TOKENS = 16
_TOKENS = re.compile(r"max_(?:completion_|output_|new_)?tokens|context (?:length|window)", re.I)
_TOO_LONG = re.compile(r"too large|maximum|exceed|at most|less than|greater|>|must be", re.I)
_NUMBER = re.compile(r"(?<![\w.])(\d[\d,]{1,9})(?![\w.]*\w)")
_CONTEXT = re.compile(
    r"(?:context (?:length|window)|max_model_len)[^0-9]{0,40}?(\d[\d,]{2,9})", re.I
)
_GIVEN = re.compile(
    r"(\d[\d,]{0,9}) (?:in the messages|input tokens|prompt tokens|in your prompt)", re.I
)
_LONGEST_MESSAGE = 4000


class Limits:
    """What was learnt of a provider: how many images it takes, whether it takes a schema, how long
    replies may be."""

    def __init__(self) -> None:
        self.images: int | None = None
        self.schema = True
        self.tokens: int | None = None
        self.last_tokens: int | None = None
        """What the last question that was too long has room for."""

    def learn(self, message: str, images: int, schema: bool, tokens: int | None) -> bool:
        """Whether an error says that less would be taken than was sent, which is then known."""
        message = message[:_LONGEST_MESSAGE]
        if schema and refuses_schema(message):
            self.schema = False
            return True
        fewer = fewer_images(message, images)
        if fewer is not None:
            self.images = min(fewer, self.images or fewer)
            return True
        shorter = fewer_tokens(message, tokens) if tokens else None
        self.last_tokens = shorter
        # One question that is much longer than the others must not cut all their replies short.
        usual = not _CONTEXT.search(message) or (shorter or 0) >= (self.tokens or 0) / 2
        if shorter is not None and usual:
            self.tokens = min(shorter, self.tokens or shorter)
        return shorter is not None
