"""Whether a text is in the language that was asked for."""

from __future__ import annotations

import re

from deadpan.core.questions import Language

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_LATIN_WORD = re.compile(r"[A-Za-z\u00c0-\u024f]+(?:['’][A-Za-z]+)?")
_CALLED: dict[Language, str] = {"en": "English", "zh": "Chinese"}


def require_language(language: Language, **texts: str | None) -> None:
    """Raises ValueError with the name of a text that has more words of the other language than of
    this one, each Chinese character a word: words that are quoted make no other language."""
    for name, text in texts.items():
        han, latin = len(_HAN.findall(text or "")), len(_LATIN_WORD.findall(text or ""))
        own, other = (han, latin) if language == "zh" else (latin, han)
        if other > own:
            raise ValueError(f"{name}: expected it in {_CALLED[language]}")
