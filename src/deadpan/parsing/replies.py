"""Reply → grade: what is no answer is told apart before any parsing, and reasoning split off."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from pydantic import JsonValue

from deadpan.base.compatibility import compatibility_form
from deadpan.base.files import read_text
from deadpan.core.outcomes import NO_ANSWER
from deadpan.core.questions import Grade, Reply
from deadpan.parsing.patterns import Patterns
from deadpan.parsing.script import simplify


class Unparseable(ValueError):
    """A reply that does not hold an answer in the task's vocabulary; the message says why."""


_LEFT_OPEN = re.compile(
    r"leaves (?:it )?open|says both|answers that differ|(?:names|lists) (?:several|every)"
)


def is_left_open(reason: str) -> bool:
    """Whether a reply is invalid since it gives several answers, or leaves open which it means."""
    return _LEFT_OPEN.search(reason) is not None


Parse = Callable[[str], JsonValue]

LONGEST_REPLY = 100_000
"""Characters, without reasoning, above which a reply is no answer to any question, nor a judgement:
what reads replies need not be fast on more."""
EMPTY = "the reply is empty"
NEVER_ENDED = "its reasoning never ends"
CUT_OFF = frozenset({"max_tokens", "model_length"})
"""The stop reasons of a reply that ends where the tokens ended."""

# Kimi's models write ◁think▷.
_TAG_OF = r"(?i)[<◁]\s{{0,4}}(/?)\s{{0,4}}(?:think(?:ing)?{})\s{{0,4}}[>▷]"
_TAG = re.compile(_TAG_OF.format("|reasoning"))
_SURE_TAG = re.compile(_TAG_OF.format(""))
_DRAFT = re.compile(
    r"(?is)<(scratchpad|analysis|thoughts?|reflection|observation)>(.{0,20000}?)</\1>(?=.{0,200}?\w)"
)
_PART_TAG = re.compile(r"(?i)<(?:emotion|feeling|mood|reply|情绪|回复|sarcastic|target)>")
"""A tag beside which <reasoning> names a part of the answer."""
_TOKEN = re.compile(
    r"<\|(?!begin_of_box|end_of_box)[^|<>\n]{1,30}\|>|\x1b\[[0-9;]{0,20}[A-Za-z]"
    r"|[\x00-\x08\x0b-\x1f\x7f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffd]"
)
"""Tokens of chat templates, and signs that nobody sees."""
_PATTERNS = Patterns(tomllib.loads(read_text(Path(__file__).with_name("refusals.toml"))))


_OPENING = 1_500
"""Characters in which a reply declines."""
_SOON = 3
"""Sentences among which the one that declines is."""
_LONGEST_OPENER = 80
"""Characters of a sentence before it, such as what the picture shows."""
SENTENCE = re.compile(r"(?:[^.!?。！？\n]|\.(?=\w))+(?:[.!?。！？\n]+|$)|[.!?。！？\n]+")


def is_refusal(text: str) -> bool:
    """Whether a reply opens as a refusal, in English or Chinese; finding nothing is none."""
    return beside_refusal(text) is not None


def beside_refusal(text: str) -> str | None:
    """What a reply that declines says beside it, without apologies, reasons and offers; None for
    one that does not decline."""
    opening = text[:_OPENING]
    kept, refused = [], False
    for count, sentence in enumerate(SENTENCE.findall(opening)):
        plain = " ".join(simplify(compatibility_form(sentence)).casefold().split())
        if not plain:
            continue
        if count < _SOON and _PATTERNS["refusal"].match(plain):
            refused = True
            kept += _turned(sentence)
        elif not _PATTERNS["beside"].match(plain):
            if count == 0 and len(plain) > _LONGEST_OPENER:
                return None
            kept.append(sentence)
            if not refused and len(kept) > 1:
                return None
    if not refused or (kept and not _PATTERNS["refusal"].match(_first(opening)) and len(kept) > 1):
        return None
    return "".join(kept).strip() + text[_OPENING:]


def _turned(sentence: str) -> list[str]:
    """What a sentence that declines says behind a turn: "I cannot see it, but …"; nothing where
    that is an offer, a reason or another refusal."""
    _, *rest = _PATTERNS["turn"].split(sentence, maxsplit=1)
    plain = _first(rest[0]) if rest else ""
    aside = any(_PATTERNS[name].match(plain) for name in ("refusal", "beside"))
    return rest if plain and not aside else []


def _first(text: str) -> str:
    return " ".join(simplify(compatibility_form(text)).casefold().split())


def grade_reply(reply: Reply, parse: Parse, may_be_empty: bool = False) -> Grade:
    """The grade of a reply; nothing is guessed where `parse` raises Unparseable or gives None. With
    `may_be_empty` an empty reply is for `parse` to read, unless its reasoning never ended."""
    if reply.error is not None:
        given = not reply.error.startswith(NO_ANSWER)
        return Grade(outcome="failed" if given else "not_given", reason=reply.error)
    if reply.stop == "content_filter":
        return Grade(outcome="refused", reason="stopped by the provider's content filter")
    if reply.stop in CUT_OFF:
        return Grade(outcome="truncated", reason="the reply was cut off at the token limit")
    _, answer, finished = split_reasoning(reply.text or "")
    answer = _TOKEN.sub("", answer)
    if not answer.strip() and not (may_be_empty and finished):
        return Grade(outcome="invalid", reason=EMPTY if finished else f"{EMPTY}: {NEVER_ENDED}")
    if len(answer) > LONGEST_REPLY:
        return Grade(outcome="invalid", reason=too_long(answer))
    declined = beside_refusal(answer)
    try:
        if declined is None or declined:
            parsed = parse(answer if declined is None else declined)
            if parsed is None:
                raise Unparseable("nothing in the reply can be read as an answer")
            return Grade(outcome="answered", parsed=parsed)
    except Unparseable as error:
        if declined is None:
            return Grade(outcome="invalid", reason=str(error))
    lacks = _PATTERNS["lacks"].match(_first(answer[:_OPENING]))
    why = "says that it does not have the picture or video" if lacks else "opens as a refusal"
    return Grade(outcome="refused", reason=f"the reply {why}")


def too_long(answer: str) -> str:
    """Why an answer over LONGEST_REPLY is none."""
    return f"the reply has {len(answer):,} characters; expected at most {LONGEST_REPLY:,}"


class Split(NamedTuple):
    """A text's reasoning, None where none is marked, its answer, and whether the reasoning came to
    an end."""

    reasoning: str | None
    answer: str
    finished: bool = True


def split_reasoning(text: str) -> Split:
    """The marked reasoning of a text and the answer around it, in linear time.

    Blocks may be nested or repeated, and what stands before an end that was never opened is
    reasoning too: some chat templates open the block in the prompt. Of openings that are not all
    closed the last end counts for all of them. Reasoning without any end has no answer after it.
    """
    if "</" in text and (drafts := list(_DRAFT.finditer(text))):
        rest = split_reasoning(_DRAFT.sub("\n", text))
        said = [one[2] for one in drafts] + ([rest.reasoning] if rest.reasoning else [])
        return Split(_join(said), rest.answer.strip(), rest.finished)
    first, *parts = (_SURE_TAG if _PART_TAG.search(text) else _TAG).split(text)
    if not parts:
        return Split(None, text)
    # What follows each tag, and whether the tag ends a block.
    marks, texts = parts[::2], parts[1::2]
    last_end = max((index for index, mark in enumerate(marks) if mark), default=-1)
    thoughts: list[str] = []
    said = [first]
    depth = 0
    for index, (mark, following) in enumerate(zip(marks, texts, strict=True)):
        if not mark:
            depth += 1
        elif depth:
            depth = 0 if index == last_end else depth - 1
        else:
            thoughts += said
            said.clear()
        if following:
            (thoughts if depth else said).append(following)
    return Split(_join(thoughts), _join(said), finished=not depth)


def _join(pieces: list[str]) -> str:
    return "\n".join(filter(None, map(str.strip, pieces)))


def extract_reasoning(reply: Reply) -> Reply:
    """The reply with reasoning inside its text moved to `reasoning`, after any that is there."""
    reasoning, answer, _ = split_reasoning(reply.text or "")
    if reasoning is None:
        return reply
    known = [reply.reasoning] if reply.reasoning else []
    return reply.model_copy(
        update={"text": answer, "reasoning": "\n".join([*known, reasoning]).strip()}
    )
