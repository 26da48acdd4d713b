"""Words as they are seen: without characters that nobody sees, by which models can be told."""

from __future__ import annotations

import re
import unicodedata

from deadpan.base.printable import without_controls

_UNSEEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff"
)
"""What Unicode has left out where it cannot be drawn, and letters that are drawn as nothing."""
_EMOJI = (
    "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u23ff\u24c2\u25aa-\u25fe\u2600-\u27bf"
    "\u2934\u2935\u2b05-\u2b55\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)
_JOINED = (
    "\u0600-\u060f\u0620-\u074f\u0750-\u077f\u08a0-\u08ff\u0900-\u0dff\ufb50-\ufdff\ufe70-\ufefc"
)
"""Of scripts in which it is seen whether two letters are joined: Arabic and the Indic ones."""
_CJK = "\u3001-\u9fff\uac00-\ud7af\uff01-\uff9f\uffa1-\uffef\U00020000-\U0003ffff"
# England, Scotland and Wales: a black flag, their name in tags, and the end of tags.
_FLAGS = "|".join(
    "\U0001f3f4" + "".join(chr(0xE0000 + ord(one)) for one in name) + "\U000e007f"
    for name in ("gbeng", "gbsct", "gbwls")
)
_HIDDEN = re.compile(
    f"(?P<seen>{_FLAGS}"
    f"|(?<=[{_EMOJI}])\ufe0f|(?<=[0-9#*])\ufe0f(?=\u20e3)"
    f"|(?<=[{_EMOJI}\ufe0f])\u200d(?=[{_EMOJI}])"
    f"|(?<=[{_JOINED}])[\u200c\u200d](?=[{_JOINED}]))"
    f"|[{_UNSEEN}]"
)
_SPACES = re.compile(
    f"(?P<seen>(?<=[{_CJK}])\u3000+(?=[{_CJK}]))"
    "|[\t\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000]"
)
_BREAK = re.compile("[\n\u2028\u2029]")


def plain_text(text: str) -> str:
    """The text as it is seen: without what is not, with plain spaces and ends of lines. What joins
    emoji, or letters of scripts that need it, stays where it does."""
    seen = _HIDDEN.sub(lambda found: found["seen"] or "", without_controls(text))
    spaced = _SPACES.sub(lambda found: found["seen"] or " ", unicodedata.normalize("NFC", seen))
    return "\n".join(line.rstrip() for line in _BREAK.split(spaced)).strip()
