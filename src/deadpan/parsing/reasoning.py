"""Reasoning that came inside a reply's text, split off before anything reads the reply."""

from __future__ import annotations

import re
from typing import NamedTuple

from deadpan.core.questions import Reply

_TAG = re.compile(
    # Kimi's models write ◁think▷.
    r"[<◁]\s{0,4}(/?)\s{0,4}(?:think(?:ing)?|reasoning)\s{0,4}[>▷]",
    re.IGNORECASE,
)


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
    first, *parts = _TAG.split(text)
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
    return Split(_joined(thoughts), _joined(said), finished=not depth)


def _joined(pieces: list[str]) -> str:
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
