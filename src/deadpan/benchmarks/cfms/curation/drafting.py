"""CFMS's drafting protocol: what is plainly there, what clashes, what speaks against it, and only
then a label; rules that the model is told are held to by code."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, JsonValue, model_validator

from deadpan.benchmarks.cfms.records import TargetType
from deadpan.core.curation import Drafted, Interview, Post, Round
from deadpan.core.drafting import NO_PICTURE, NOTHING, WITH_WORDS, Form, Sentences, Words
from deadpan.core.questions import Language
from deadpan.parsing.languages import require_language

STEP = "sarcasm"
_A_NAME = 2
"""Words that a name has in any language."""
LEAST_KINDS = 2
"""How many of the four kinds of contradiction a sarcastic post shows."""
_NONE_THERE = re.compile(
    r"(?:none|not applicable|n/a)\b"
    r"|no (?:\w+ ){0,3}(?:contradictions?|conflicts?|clash|misalignment|misuse|meanings?)\b"
    r"|(?:无|没有)(?:\W|$|明显|此类|矛盾|冲突|错位|误用|双关|相关)",
    re.IGNORECASE,
)
Kind = Literal["semantic_conflict", "emotional_misalignment", "symbol_misuse", "double_meaning"]
_BEFORE = ("words", "picture", "context", "contradictions", "counter_hypotheses")
_OF_SARCASM = ("target", "target_type", "explanation")


_Phrase = Annotated[str, Field(max_length=200), WITH_WORDS]


def _something(evidence: str) -> str:
    if _NONE_THERE.match(evidence):
        raise ValueError("it says that there is none; expected the two things that clash")
    return evidence


class Contradiction(Form):
    """Two things that clash."""

    kind: Kind
    evidence: Annotated[Words, AfterValidator(_something)]


class CounterHypothesis(Form):
    """Another reading of the post, and how far it goes."""

    reading: Words
    explains: Literal["everything", "part", "nothing"]


class SarcasmReply(Form):
    """The reply; the order of its fields is the order of thinking."""

    words: str
    picture: Words
    context: str
    contradictions: tuple[Contradiction, ...]
    counter_hypotheses: Annotated[tuple[CounterHypothesis, ...], Field(min_length=2)]
    verdict: Literal["sarcastic", "not_sarcastic", "unsure"]
    target: _Phrase | None
    target_type: TargetType | None
    explanation: Sentences | None

    @model_validator(mode="before")
    @classmethod
    def _in_order(cls, given: Any) -> Any:
        """Whoever says first what comes of it, and then why, has not thought in this order."""
        names = list(given) if isinstance(given, dict) else []
        before = {name for name in names[: names.index("verdict")]} if "verdict" in names else set()
        if late := [name for name in _BEFORE if name in names and name not in before]:
            raise ValueError(f"{late[0]} comes after the verdict; expected it before")
        return given

    @property
    def kinds(self) -> int:
        """How many kinds of contradiction were found."""
        return len({one.kind for one in self.contradictions})


def consistent_reply(language: Language) -> Callable[[SarcasmReply], None]:
    """A check that raises ValueError for a verdict that contradicts what comes before or after it,
    and for words in another language."""

    def check(reply: SarcasmReply) -> None:
        _require_consistent(reply)
        require_language(language, picture=reply.picture, explanation=reply.explanation)
        if reply.target and len(reply.target.split()) > _A_NAME:
            require_language(language, target=reply.target)

    return check


def _require_consistent(reply: SarcasmReply) -> None:
    is_sarcastic = reply.verdict == "sarcastic"
    for name in _OF_SARCASM:
        if (getattr(reply, name) is not None) != is_sarcastic:
            expected = "a value" if is_sarcastic else "null"
            raise ValueError(f'the verdict is "{reply.verdict}": {name} has to be {expected}')


def ruling(reply: SarcasmReply) -> str:
    """What the rules make of a reply: `sarcastic`, or `not sarcastic` and why. Fewer than two kinds
    of contradiction are not enough, whatever the verdict, nor is it where another reading explains
    everything; and unsure is no."""
    if reply.verdict == "unsure":
        return "not sarcastic: unsure"
    if reply.verdict == "sarcastic" and reply.kinds < LEAST_KINDS:
        return f"not sarcastic: {reply.kinds} of at least {LEAST_KINDS} kinds of contradiction"
    other = any(one.explains == "everything" for one in reply.counter_hypotheses)
    if reply.verdict == "sarcastic" and other:
        return "not sarcastic: another reading explains everything"
    return reply.verdict.replace("_", " ")


async def draft(post: Post, interview: Interview, media: Path, rounds: int) -> Drafted:
    """The draft of a post's labels, sarcastic or not, and what the picture shows. The model sees
    the picture that the item will have, and the words in all of the post's pictures."""
    picture = post.picture
    if picture is None:
        return Drafted(rejected=NO_PICTURE)
    nothing = NOTHING[post.written_in]
    said = {"text": post.caption, "ocr_text": post.picture_text}
    values = {name: words.strip() or nothing for name, words in said.items()}
    check = consistent_reply(post.written_in)
    reply = await interview(STEP, SarcasmReply, values, [media / picture.file], check)
    rule = ruling(reply)
    is_sarcastic = rule == "sarcastic"
    labels: dict[str, JsonValue] = {
        name: getattr(reply, name) if is_sarcastic else None for name in _OF_SARCASM
    }
    written = reply.model_dump(mode="json")
    return Drafted(
        draft={"sarcastic": is_sarcastic, **labels, "description": reply.picture},
        rounds=(Round(number=1, written=written, verdict=rule),),
        steps=(STEP,),
    )
