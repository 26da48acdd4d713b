"""What a question says: the prompt with the dialogue in it, as framed foreign text."""

from __future__ import annotations

from deadpan.benchmarks.janusmm.records import Meme, Speaker
from deadpan.core.questions import Language, unframed

DIALOGUE = "{dialogue}"
"""Where in a prompt the dialogue goes."""

_SPEAKERS: dict[Language, dict[Speaker, str]] = {
    "en": {"sender": "Poster", "receiver": "Reader", "other": "Someone else"},
    "zh": {"sender": "发图者", "receiver": "看图者", "other": "其他人"},
}
_SHARED: dict[Language, str] = {"en": "[shares the meme]", "zh": "【发出这张图】"}
_WORDS: dict[Language, str] = {
    "en": '[shares a meme that reads: "{words}"]',
    "zh": "【发出一张图，图上文字：“{words}”】",
}
_NO_WORDS: dict[Language, str] = {
    "en": "[shares a meme without words]",
    "zh": "【发出一张没有文字的图】",
}
_COLON: dict[Language, str] = {"en": ": ", "zh": "："}
_NOTHING: dict[Language, str] = {"en": "(no dialogue)", "zh": "（没有对话）"}


def dialogue_text(meme: Meme, text_only: bool = False) -> str:
    """The turns, one a line, with a mark where the meme is shared; with `text_only`, its words.

    Line breaks inside a turn become spaces, so that no turn can pretend to be two.
    """
    language = meme.row.language
    lines = []
    for turn in meme.row.dialogue:
        mark = [_mark(meme, text_only)] if turn.shares_meme else []
        said = " ".join([*mark, *turn.text.split()])
        lines.append(f"{_SPEAKERS[language][turn.speaker]}{_COLON[language]}{said}")
    return unframed("\n".join(lines)) or _NOTHING[language]


def _mark(meme: Meme, text_only: bool) -> str:
    language = meme.row.language
    if not text_only:
        return _SHARED[language]
    words = " ".join(meme.row.text.split())
    return _WORDS[language].format(words=words) if words else _NO_WORDS[language]


def question_text(template: str, dialogue: str) -> str:
    """The prompt with the dialogue in its place; a slot inside the dialogue stays as it is."""
    before, slot, after = template.partition(DIALOGUE)
    return f"{before}{dialogue}{after}" if slot else template
