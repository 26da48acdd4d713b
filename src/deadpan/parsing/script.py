"""Traditional characters → simplified ones, for the words by which answers are read."""

from __future__ import annotations

from functools import cache


@cache
def _table() -> dict[int, str]:
    """OpenCC's simplified form of each character by itself, so that every one keeps its place."""
    from opencc import OpenCC

    characters = [chr(code) for code in range(0x3400, 0xA000)]
    found = OpenCC("t2s").convert("\n".join(characters)).split("\n")
    # OpenCC leaves 覆 as it is, but 回覆 and 答覆 are what is written 回复 and 答复.
    return {**str.maketrans(dict(zip(characters, found, strict=True))), ord("覆"): "复"}


def simplify(text: str) -> str:
    """The text with traditional characters made simplified, each in its place."""
    return text if text.isascii() else text.translate(_table())
