"""ViMU's judge of open-ended readings: three merits, two penalties (paper, appendix B); what a
judged reading adds to the metrics of the open question, and what their sums mean."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean, stdev
from typing import Annotated, ClassVar, Literal, get_args

from pydantic import Field, TypeAdapter

from deadpan.core.answers import Answer
from deadpan.core.judge import Brief, Judge, Judged, Judgement
from deadpan.core.metric import Array, Key, Statistics, Sums, ratio, scored
from deadpan.core.questions import Prompts
from deadpan.metrics.lexical import coverage

OPEN = "oe"
"""The task of the open question."""
LOWEST, HIGHEST = -6, 9
WRONG_TOTAL = "the total differed from its parts"
JUDGED, FAILED, WAITING, UNASKED = "judged", "failed", "waiting", "unasked"
"""What may become of a reading: a judge's total, a failed inference, an answer that waits for its
judge, or a question never asked or never answered elsewhere, which is no failure."""
FAILED_TOTAL = -1.0
"""What a failed inference counts as, of -6 to 9 (ViMU's evaluation)."""
PASSABLE = 3
"""The bound of `total_ge_3`: from this total on an answer is passable."""
PARTS = {
    "core_intent": 5,
    "implicit_signal": 3,
    "target_or_social_meaning": 1,
    "hallucination_penalty": 3,
    "literal_only_penalty": 3,
}
"""The parts of a judgement, and the most of each."""
_NUMBER = TypeAdapter(float)
_PROMPTS = Prompts.read(Path(__file__).with_name("judge_prompts"), "user", ("en", "zh"))

Verdict = Literal["excellent", "good", "partial", "poor", "wrong"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
_VERDICTS: dict[Verdict, int] = {"excellent": 8, "good": 6, "partial": 3, "poor": 1}
"""The least total of each; below all of them a reading is wrong."""


class Reading(Judged):
    """The reply: five parts, their total, a verdict and a reason."""

    core_intent: Annotated[int, Field(ge=0, le=5)]
    implicit_signal: Annotated[int, Field(ge=0, le=3)]
    target_or_social_meaning: Annotated[int, Field(ge=0, le=1)]
    hallucination_penalty: Annotated[int, Field(ge=0, le=3)]
    literal_only_penalty: Annotated[int, Field(ge=0, le=3)]
    total: int
    verdict: Verdict
    reason: Annotated[str, Field(max_length=2000)]

    @property
    def sum_of_parts(self) -> int:
        """The merits less the penalties, -6 to 9."""
        merits = self.core_intent + self.implicit_signal + self.target_or_social_meaning
        return merits - self.hallucination_penalty - self.literal_only_penalty

    @property
    def summed(self) -> Reading:
        """The same with the total and the verdict that its parts give."""
        total = self.sum_of_parts
        verdict = next((name for name, least in _VERDICTS.items() if total >= least), "wrong")
        return self.model_copy(update={"total": total, "verdict": verdict})


class VimuOpenEnded(Judge):
    """Grades a reading against question, gold answer, summary, meaning, evidence and rubric."""

    name = "vimu_oe"
    version = 1
    reply = Reading
    system: ClassVar = _PROMPTS.system
    user: ClassVar = _PROMPTS.user

    def check(self, reply: Judged) -> Judgement:
        """The parts with the total they add up to; a total that said otherwise is flagged."""
        if not isinstance(reply, Reading):
            raise TypeError(f"expected a Reading, got {type(reply).__name__}")
        total = reply.sum_of_parts
        flags = () if reply.total == total else (f"{WRONG_TOTAL} ({reply.total}, not {total})",)
        return Judgement(parts={**reply.model_dump(), "total": total}, flags=flags)

    def stand_in(self, brief: Brief) -> str:
        """Merits from how much of the reference's words the answer has, penalties from how much of
        the answer is the literal summary, or in none of the reference."""
        fields = brief.fields
        meaning = coverage(f"{fields['reference']} {fields['intended_meaning']}", brief.answer)
        points = coverage(fields["rubric"], brief.answer)
        grounded = coverage(brief.answer, " ".join(fields.values()))
        literal = coverage(brief.answer, fields["literal_summary"])
        reply = Reading(
            core_intent=round(5 * meaning),
            implicit_signal=round(3 * points),
            target_or_social_meaning=int(meaning >= 0.3),
            hallucination_penalty=round(3 * (1 - grounded)),
            literal_only_penalty=round(3 * max(0.0, literal - meaning)),
            total=0,
            verdict="wrong",
            reason="words shared with the reference",
        )
        return reply.summed.model_dump_json()


VIMU_OE = VimuOpenEnded()


def read_judgement(judgement: Judgement) -> Mapping[str, float]:
    """A judgement's parts and total as numbers, whether the judge's reply has `flags`, and which
    verdict it gives: none of them where a table has another."""
    numbers = {name: _NUMBER.validate_python(judgement.parts[name]) for name in (*PARTS, "total")}
    verdict = judgement.parts.get("verdict")
    given: dict[str, float] = {name: float(verdict == name) for name in VERDICTS}
    return {**numbers, **given, "flags": float(bool(judgement.flags))}


def mean_total(judged: Sequence[Mapping[str, float]]) -> float:
    """The mean total of an answer's judgements."""
    return fmean(one["total"] for one in judged)


def are_counted(answers: Iterable[Answer]) -> bool:
    """Whether readings have a score: not where answers wait and not one was judged, as the failed
    inferences alone would then stand for the model."""
    found = {answer.attributes["reading"] for answer in answers}
    return JUDGED in found or WAITING not in found


def totals(answer: Answer) -> Statistics | None:
    """A reading's total, -1 for a failed inference, and what holds of it."""
    if not answer.parsed and answer.attributes["reading"] != FAILED:
        return None
    own = mean_total(answer.parsed) if answer.parsed else FAILED_TOTAL
    bounds = {"ge_3": own >= PASSABLE, "eq_9": own == HIGHEST, "le_0": own <= 0}
    return {"n": 1.0, "total": own, **{name: float(holds) for name, holds in bounds.items()}}


def judged_parts(answer: Answer) -> Statistics | None:
    """A judged reading's mean total and parts, and how many judgements and flags it has."""
    if not answer.parsed:
        return None
    return {
        "n": 1.0,
        **{name: fmean(one[name] for one in answer.parsed) for name in ("total", *PARTS)},
        "judgements": float(len(answer.parsed)),
        "flags": sum(one["flags"] for one in answer.parsed),
    }


def verdicts(answer: Answer) -> Statistics | None:
    """How many of a reading's judgements give each verdict, as shares of them."""
    if not answer.parsed:
        return None
    shares: dict[Key, float] = {
        ("verdict", name): fmean(one[name] for one in answer.parsed) for name in VERDICTS
    }
    return {"n": 1.0, **shares}


def verdict_shares(sums: Sums) -> Array:
    """The share of readings with each verdict."""
    return ratio(sums.by_label("verdict"), sums["n"][..., None])


def judge_spread(answer: Answer) -> Statistics | None:
    """The deviation of the totals of a reading that was judged more than once."""
    given = [one["total"] for one in answer.parsed]
    return scored(stdev(given)) if len(given) > 1 else None


def mean_of(name: str, sums: Sums) -> Array:
    """The mean of a statistic over readings."""
    return ratio(sums[name], sums["n"])


def scaled_total(sums: Sums) -> Array:
    """The mean total, -6 to 9, as 0 to 100."""
    return 100 * (mean_of("total", sums) - LOWEST) / (HIGHEST - LOWEST)


def flag_share(sums: Sums) -> Array:
    """The share of judgements with a flag."""
    return ratio(sums["flags"], sums["judgements"])
