"""How a model drafts a ViMU item: it annotates the video and writes a question that gives nothing
away; a validator looks at it, and what leaks or falls short is written again with the feedback."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pydantic import JsonValue

from deadpan.base.errors import InputError
from deadpan.benchmarks.vimu.curation.candidates import video_of
from deadpan.benchmarks.vimu.curation.forms import (
    Annotation,
    BlindAnswer,
    Comparison,
    OpenQuestion,
    Review,
)
from deadpan.benchmarks.vimu.curation.leaks import leaks
from deadpan.benchmarks.vimu.records import readable
from deadpan.benchmarks.vimu.taxonomy import RHETORIC, SOCIAL, Taxonomy
from deadpan.core.curation import Drafted, Interview, Post, Round, Unusable
from deadpan.core.drafting import NOTHING
from deadpan.core.questions import Language
from deadpan.parsing.languages import require_language

ANNOTATE, QUESTION, BLIND, COMPARE, VALIDATE = STEPS = (
    *("annotate", "question", "blind", "compare", "validate"),
)
Ending = Literal["leaks", "blind", "pass", "minor", "major", "reject"]
"""How a round ends: the question leaks or can be answered blind, or what the validator says."""
_KEPT: tuple[Ending, ...] = ("pass", "minor")
_TOLD: Mapping[Language, Mapping[str, str]] = {
    "en": {
        "question": "Question {number}: {question}",
        "wrong": "What is wrong with it: {why}",
        "blind": "it can be answered without the video; somebody who saw nothing said: {answer}",
        "again": "it has to be written anew",
    },
    "zh": {
        "question": "第{number}稿：{question}",
        "wrong": "问题所在：{why}",
        "blind": "不看视频也能答出；没看过视频的人答道：{answer}",
        "again": "需要重写",
    },
}


async def draft_item(post: Post, ask: Interview, media: Path, rounds: int) -> Drafted:
    """The annotation and the question of a video, or why there is none. A reading that needs more
    than the video is not kept; of the rounds, one that no validator has seen counts too."""
    language = post.written_in
    try:
        video = media / video_of(post).file
    except InputError as error:
        return Drafted(rejected=error.what)
    spoken = post.transcript.strip()
    transcript = {"transcript": spoken or NOTHING[language]}
    annotation = await ask(
        ANNOTATE,
        Annotation,
        transcript | {"rhetoric": listed(RHETORIC, language), "social": listed(SOCIAL, language)},
        [video],
        _supported(bool(spoken), language),
    )
    if not annotation.self_contained:
        why = annotation.intended_meaning
        return Drafted(rejected="not self-contained", what=why, steps=(ANNOTATE,))
    about = transcript | {"annotation": readable(annotation.model_dump(exclude={"self_contained"}))}
    writing = _Writing(ask, language, [video], about, annotation, rounds)
    try:
        return await writing.drafted()
    except Unusable as error:
        raise error.after(writing.rounds, writing.steps) from None


def listed(taxonomy: Taxonomy, language: Language) -> str:
    """The fine labels of a taxonomy, a line each, with what they mean."""
    lines = []
    for one in taxonomy:
        for member in one.members:
            meaning = member.meaning_zh if language == "zh" else member.meaning
            name = f"{member.name}（{member.name_zh}）" if language == "zh" else member.name
            lines.append(f"- {name}: {meaning}")
    return "\n".join(lines)


def _supported(is_spoken: bool, language: Language) -> Callable[[Annotation], None]:
    """What refuses a reading without evidence, with words that nobody spoke, or in another
    language."""

    def check(annotation: Annotation) -> None:
        told = annotation.evidence.told
        if not told:
            raise ValueError("evidence: no source supports the reading; at least one has to")
        if "transcript" in told and not is_spoken:
            raise ValueError("evidence.transcript: nothing is said in the video; leave it empty")
        said = annotation.model_dump(include={"literal_summary", "intended_meaning"})
        require_language(language, **said)

    return check


@dataclass
class _Writing:
    """Rounds of writing and checking one question."""

    ask: Interview
    language: Language
    shown: Sequence[Path]
    about: Mapping[str, str]
    annotation: Annotation
    most: int
    rounds: list[Round] = field(default_factory=list)
    passed: set[str] = field(default_factory=lambda: {ANNOTATE})

    async def drafted(self) -> Drafted:
        """What comes of it: the first question that is kept, or why none is."""
        for number in range(1, self.most + 2):
            values = {**self.about, "before": self._before()}
            written = await self.ask(
                QUESTION, OpenQuestion, values, self.shown, self._check_question, attempt=number
            )
            ending, feedback = await self._checked(written)
            self.rounds.append(
                Round(
                    number=number, written=written.model_dump(), verdict=ending, feedback=feedback
                )
            )
            if ending in _KEPT:
                self.passed.add(VALIDATE)
                return self._ended(draft=self._draft(written))
            if ending == "reject":
                return self._ended(rejected="rejected", what=_why(self.rounds[-1]))
        return self._ended(rejected="rounds used up", what=_why(self.rounds[-1]))

    def _check_question(self, written: OpenQuestion) -> None:
        if written.question.strip() == written.answer.strip():
            raise ValueError("the answer is the question itself")
        require_language(self.language, question=written.question, answer=written.answer)

    async def _checked(self, written: OpenQuestion) -> tuple[Ending, dict[str, JsonValue]]:
        """How the round ends, by what costs least first: words, then somebody who sees nothing,
        then the validator."""
        found = leaks(written.question, written.answer, self.annotation, self.language)
        if found:
            return "leaks", {"leaks": list[JsonValue](found)}
        self.passed.add(QUESTION)
        question = {"question": written.question}
        guess = await self._blind_answer(question)
        self.passed.add(BLIND)
        if guess:
            both = question | {"reference": written.answer, "answer": guess}
            compared = await self.ask(COMPARE, Comparison, both, role="validator")
            if compared.same:
                said = _TOLD[self.language]["blind"].format(answer=guess)
                return "blind", {"leaks": [said], "note": compared.note}
        self.passed.add(COMPARE)
        shown = {**self.about, "question": readable(written.model_dump())}
        review = await self.ask(
            VALIDATE, Review, shown, self.shown, _check_review, role="validator"
        )
        return review.verdict, review.model_dump()

    async def _blind_answer(self, question: Mapping[str, str]) -> str:
        """What somebody who saw nothing says; empty where they say that they cannot, which is what
        a question that gives nothing away does to them."""
        try:
            guess = await self.ask(BLIND, BlindAnswer, question, role="validator")
        except Unusable as error:
            if error.refused:
                return ""
            raise
        return guess.answer.strip()

    def _draft(self, written: OpenQuestion) -> dict[str, JsonValue]:
        return {
            "annotation": self.annotation.model_dump(exclude={"self_contained"}),
            "qa": written.model_dump(),
        }

    def _ended(
        self, draft: Mapping[str, JsonValue] | None = None, rejected: str = "", what: str = ""
    ) -> Drafted:
        rounds = tuple(self.rounds)
        return Drafted(
            draft=draft or {}, rejected=rejected, what=what, rounds=rounds, steps=self.steps
        )

    @property
    def steps(self) -> tuple[str, ...]:
        """The steps that were passed, in their order."""
        return tuple(step for step in STEPS if step in self.passed)

    def _before(self) -> str:
        """The questions of earlier rounds and what was wrong with each."""
        told = _TOLD[self.language]
        lines = []
        for one in self.rounds:
            said = str(one.written["question"])
            lines.append(told["question"].format(number=one.number, question=said))
            lines.append(told["wrong"].format(why=_why(one) or told["again"]))
        return "\n".join(lines) or NOTHING[self.language]


def _why(one: Round) -> str:
    """What was wrong with a question, as whoever writes it anew is told."""
    found = one.feedback.get("leaks")
    if isinstance(found, list):
        return "; ".join(map(str, found))
    return "; ".join(_notes(one.feedback))


def _notes(feedback: Mapping[str, JsonValue]) -> Iterator[str]:
    """The validator's notes on each point, and its feedback."""
    for name in ("implicitness", "difficulty", "alignment"):
        point = feedback.get(name)
        if isinstance(point, dict) and not point.get("good") and point.get("note"):
            yield f"{name}: {point['note']}"
    if feedback.get("feedback"):
        yield str(feedback["feedback"])


def _check_review(review: Review) -> None:
    """A question that goes back or out has to be told why."""
    points = (review.implicitness, review.difficulty, review.alignment)
    if review.verdict in ("major", "reject"):
        if not review.feedback and not any(one.note for one in points if not one.good):
            raise ValueError(f"feedback: {review.verdict} needs what is wrong, in words")
    elif review.verdict == "pass" and not all(one.good for one in points):
        raise ValueError("verdict: pass, though a point is not good; minor, major or reject")
