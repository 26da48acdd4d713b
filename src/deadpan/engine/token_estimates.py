"""How many tokens a request will take, where nobody has counted them yet."""

from __future__ import annotations

import re

from deadpan.engine.question_parts import ExamplePart, QuestionPart
from deadpan.engine.requests import Part, Request, Text

IMAGE_TOKENS = 800
"""What a picture or a frame is taken for: providers count between about 250 and 1,600 for one whose
longest side has 768 pixels."""
_WIDE = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")
_LETTERS_PER_TOKEN = 4


def text_tokens(text: str) -> int:
    """About as many tokens as the text has: one for a Chinese character, one for four letters."""
    wide = len(_WIDE.findall(text))
    return wide + -(-(len(text) - wide) // _LETTERS_PER_TOKEN)


def input_tokens(request: Request) -> int:
    """About as many tokens as the request has: its words, and so many for each picture or frame."""
    return sum(_tokens(part) for turn in request.turns for part in turn.parts)


def _tokens(part: Part) -> int:
    if isinstance(part, Text):
        return text_tokens(part.text)
    if isinstance(part, ExamplePart):
        return _tokens(part.part) + text_tokens(part.answer)
    if not isinstance(part, QuestionPart):
        return IMAGE_TOKENS
    question, showing = part.question, part.showing
    words = question.text + (question.clip.transcript or "" if question.clip else "")
    if showing.text_only:
        return text_tokens(words)
    frames = showing.frames if question.clip else 0
    return text_tokens(words) + IMAGE_TOKENS * (len(question.pictures) + frames)
