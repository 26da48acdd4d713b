"""What is left of a Chinese word without its complement, place or plural: METEOR's stem stage."""

from __future__ import annotations

_ENDINGS = frozenset("到见見出成进進得完下上起来來去住掉里裡中们們")
"""Result and direction of a verb (看到, 说出来), place of a noun (图里), plural (同事们)."""
_HELD = frozenset("不得")
"""An ending after these says whether something can be done: 说不出 is not 说."""


def chinese_stem(word: str) -> str:
    """The word without such endings, one character at least: 看到 and 看见 give 看."""
    end = len(word)
    while end > 1 and word[end - 1] in _ENDINGS and word[end - 2] not in _HELD:
        end -= 1
    return word[:end]
