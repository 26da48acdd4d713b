"""What models fill in where memes are described, planned, sorted and checked, and when a reply
contradicts itself."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Annotated, Literal

from pydantic import Field

from deadpan.benchmarks.merbench.records import (
    LayoutType,
    Polarity,
    Source,
    Target,
    VisualType,
)
from deadpan.core.drafting import WITH_WORDS, Form, Words
from deadpan.core.questions import Language
from deadpan.parsing.languages import require_language

_QUOTED = re.compile(r"([\"“「『]).*[\"”」』]", re.DOTALL)
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")


_Caption = Annotated[str, Field(max_length=500), WITH_WORDS]


class Perceived(Form):
    """Stage 1: what the meme shows, then the emotion that it conveys."""

    visual_cues: Words
    text_cues: Words
    emotion: Source | Literal["other"]
    other_emotion: _Caption | None
    clarity: Literal["clear", "unclear"]

    @property
    def negative(self) -> Source | None:
        """The negative emotion that it clearly conveys; None where it conveys none so."""
        return None if self.emotion == "other" or self.clarity == "unclear" else self.emotion


class Planned(Form):
    """Stage 2: what it is to convey, and how."""

    target_emotion: Target
    caption: _Caption
    specification: Words


class Sorted(Form):
    """Stage 3: what kind of meme it is."""

    visual_type: VisualType
    sentiment_polarity: Polarity
    layout_type: LayoutType


class Verdict(Form):
    """What a validator makes of a stage: first what is wrong, then what becomes of it."""

    problems: tuple[Words, ...]
    verdict: Literal["accept", "revise", "remove"]
    feedback: Words | None
    reason: Words | None


def fitting_description(language: Language) -> Callable[[Perceived], None]:
    """A check that raises ValueError where another emotion is named beside one of the four, or none
    is, and for a description in another language."""

    def check(reply: Perceived) -> None:
        if (reply.other_emotion is not None) != (reply.emotion == "other"):
            expected = "a word" if reply.emotion == "other" else "null"
            raise ValueError(f'emotion is "{reply.emotion}": other_emotion has to be {expected}')
        require_language(language, visual_cues=reply.visual_cues, text_cues=reply.text_cues)

    return check


def fitting_plan(target: Target, caption: str, language: Language) -> Callable[[Planned], None]:
    """A check that raises ValueError for another target than the emotion's own, and for a caption
    that is the old one; for a caption or a specification in another language."""

    def check(reply: Planned) -> None:
        if reply.target_emotion != target:
            raise ValueError(f'target_emotion is "{reply.target_emotion}"; expected "{target}"')
        if reply.caption.split() == caption.split():
            raise ValueError("caption: it is the old one; expected a new one")
        if _QUOTED.fullmatch(reply.caption) and not _QUOTED.fullmatch(caption.strip()):
            raise ValueError("caption: expected it without quotation marks, as it is printed")
        if bool(_HAN.search(reply.caption)) != (language == "zh"):
            raise ValueError(
                f"caption: expected it in {'Chinese' if language == 'zh' else 'English'}"
            )
        require_language(language, specification=reply.specification)

    return check


def fitting_kind(caption: str) -> Callable[[Sorted], None]:
    """A check that raises ValueError for a polarity of words that are not there."""

    def check(reply: Sorted) -> None:
        if not caption and reply.sentiment_polarity != "Neutral":
            raise ValueError('sentiment_polarity: expected "Neutral", as there is no caption')

    return check


def require_reasons(reply: Verdict) -> None:
    """Raises ValueError for a verdict that contradicts the problems, the feedback or the reason."""
    given = {"revise": reply.feedback is not None, "remove": reply.reason is not None}
    if reply.verdict == "accept" and reply.problems:
        raise ValueError('verdict is "accept", but there are problems')
    for verdict, field in (("revise", "feedback"), ("remove", "reason")):
        is_praise = reply.verdict == "accept"  # which is what feedback is where nothing is wrong
        if given[verdict] != (reply.verdict == verdict) and not is_praise:
            expected = "words" if reply.verdict == verdict else "null"
            raise ValueError(f'verdict is "{reply.verdict}": {field} has to be {expected}')
