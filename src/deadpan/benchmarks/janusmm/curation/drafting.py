"""JanusMM's drafting protocol in two stages: emotion and thinking, then both sides of the meme."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, JsonValue

from deadpan.benchmarks.janusmm.curation.candidates import candidate
from deadpan.benchmarks.janusmm.studies.gold import joined_parts
from deadpan.benchmarks.janusmm.studies.memes import emotion_words
from deadpan.benchmarks.janusmm.wording import dialogue_text
from deadpan.core.curation import Drafted, Interview, Post, Round, Unusable
from deadpan.core.drafting import NO_PICTURE, NOTHING, WITH_WORDS, Form, Sentences
from deadpan.core.questions import Language
from deadpan.parsing.languages import require_language

STEPS = ("stage1", "stage2")
_THOUGHTS = ("thinking_text", "thinking_image", "thinking_logic")
_SYMBOLS: tuple[tuple[tuple[str, ...], dict[Language, str]], ...] = (
    (
        ("niuma", "niu ma", "牛马", "牛馬", "oxen and horses", "ox and horse", "beast of burden"),
        {"en": "niuma", "zh": "牛马"},
    ),
    (("clown", "joker", "小丑", "丑角"), {"en": "clown", "zh": "小丑"}),
)
"""The symbols of the paper, by what a name of them has in it, as the subset's tags have them."""
_NO_SYMBOL = re.compile(
    r"\W*(?:(?:none|nothing|n/a|null)\b|no (?:\w+ )*symbols?\b|无(?:\W|明显|特别|相关|文化|$)|没有)"
)


_Message = Annotated[str, Field(min_length=2, max_length=2_000), WITH_WORDS]
_Word = Annotated[str, Field(max_length=40), WITH_WORDS]


class Thinking(Form):
    """The reply of stage 1; the order of its fields is the order of thinking."""

    thinking_text: Sentences
    thinking_image: Sentences
    thinking_logic: Sentences
    emotion: _Word
    joke_on: Literal["poster", "somebody_else", "nobody"]
    self_deprecating: Literal["yes", "no", "unsure"]
    cultural_symbols: Annotated[tuple[_Word, ...], Field(max_length=10)]


class Sides(Form):
    """The reply of stage 2."""

    sender_content: Sentences
    sender_logic: Sentences
    sender_need: Sentences
    receiver_intent: Sentences
    receiver_reply: _Message


def consistent_thinking(language: Language) -> Callable[[Thinking], None]:
    """A check that raises ValueError for an emotion beside the list, a label that contradicts on
    whom the joke is, or thoughts in another language."""
    known = emotion_words()[language]

    def check(reply: Thinking) -> None:
        if reply.emotion.casefold() not in known:
            raise ValueError(f'emotion: got "{reply.emotion}"; expected one word of the list')
        is_own, label = reply.joke_on == "poster", reply.self_deprecating
        if label != "unsure" and (label == "yes") != is_own:
            raise ValueError(f'self_deprecating is "{label}", but joke_on is "{reply.joke_on}"')
        require_language(language, **reply.model_dump(include=set(_THOUGHTS)))

    return check


def consistent_sides(post: Post) -> Callable[[Sides], None]:
    """A check that raises ValueError for sides that say the same or are in another language, or a
    reply that somebody has given in the conversation already."""
    given = {_plain(text) for text in (post.text, *(turn.text for turn in post.turns))}

    def check(reply: Sides) -> None:
        said = [_plain(text) for text in reply.model_dump().values()]
        if said[-1] in given:
            raise ValueError("receiver_reply stands in the conversation; expected one of your own")
        if len(set(said)) < len(said):
            raise ValueError("two fields hold the same text; expected each to say its own")
        require_language(post.written_in, **reply.model_dump())

    return check


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


async def draft(post: Post, interview: Interview, media: Path, rounds: int) -> Drafted:
    """The draft of a meme's labels, in the parts that people write. Where it is not self-mocking,
    or that is unsure, there is no second stage. The model sees the picture that the item will have,
    and the words in all of the post's pictures."""
    if post.picture is None:
        return Drafted(rejected=NO_PICTURE)
    language, shown = post.written_in, [media / post.picture.file]
    dialogue = dialogue_text(candidate(post, post.picture, media))
    words = post.picture_text.strip() or NOTHING[language]
    values = {"dialogue": dialogue, "words": words}
    listed = ("、" if language == "zh" else ", ").join(emotion_words()[language])
    seen = await interview(
        STEPS[0], Thinking, {**values, "emotions": listed}, shown, consistent_thinking(language)
    )
    found = _stage1(seen, language)
    verdict = "self-deprecating" if found["self_deprecating"] else "not self-deprecating"
    unsure = ": unsure" if seen.self_deprecating == "unsure" else ""
    first = Round(number=1, written=seen.model_dump(mode="json"), verdict=verdict + unsure)
    if not found["self_deprecating"]:
        return Drafted(draft=found, rounds=(first,), steps=STEPS[:1])
    thinking = str(joined_parts(found, language)["thinking"])
    told = {"emotion": seen.emotion, "thinking": thinking}
    try:
        sides = await interview(STEPS[1], Sides, {**values, **told}, shown, consistent_sides(post))
    except Unusable as error:
        raise error.after((first,), STEPS[:1]) from None
    return Drafted(draft={**found, **sides.model_dump()}, rounds=(first,), steps=STEPS)


def _stage1(seen: Thinking, language: Language) -> dict[str, JsonValue]:
    """What stage 1 says, in the terms of the benchmark; unsure is no."""
    return {
        **seen.model_dump(include=set(_THOUGHTS)),
        "emotion": seen.emotion.casefold(),
        "self_deprecating": seen.self_deprecating == "yes",
        "cultural_symbols": list(
            dict.fromkeys(
                _tag(one, language)
                for one in seen.cultural_symbols
                if not _NO_SYMBOL.match(one.casefold())
            )
        ),
    }


def _tag(symbol: str, language: Language) -> str:
    plain = symbol.casefold()
    named = (tags[language] for forms, tags in _SYMBOLS if any(form in plain for form in forms))
    return next(named, symbol)
