"""MER-Bench's drafting protocol: three stages, each written by one model and verified by another,
who accepts it, sends it back, or removes the meme."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

from pydantic import JsonValue

from deadpan.benchmarks.merbench.curation.forms import (
    Perceived,
    Planned,
    Sorted,
    Verdict,
    fitting_description,
    fitting_kind,
    fitting_plan,
    require_reasons,
)
from deadpan.benchmarks.merbench.records import PAIRS, emotion_word
from deadpan.core.curation import Drafted, Interview, Post, Round, Unusable
from deadpan.core.drafting import NO_PICTURE, NOTHING, Form
from deadpan.core.questions import Language

Stage = Literal["perceive", "plan", "taxonomy"]
STEPS = (
    *("perceive", "verify_perceive", "plan", "verify_plan"),
    *("taxonomy", "verify_taxonomy"),
)
NOT_NEGATIVE = "not negative"
REMOVED, NOT_ACCEPTED = "removed", "not accepted"
_CUES: dict[Language, str] = {
    "en": "Visual cues: {}\n\nText cues: {}",
    "zh": "画面：{}\n\n文字：{}",
}
FormT = TypeVar("FormT", bound=Form)


class Rejected(Exception):
    """A meme that goes no further, and why."""

    def __init__(self, why: str, what: str) -> None:
        super().__init__(why)
        self.why, self.what = why, what


def caption_of(post: Post) -> str:
    """The words in the picture that is edited; where none were read there, those of the post."""
    lines = post.picture.lines if post.picture else ()
    return "\n".join(line.text for line in lines).strip() or post.text.strip()


async def draft(post: Post, interview: Interview, media: Path, rounds: int) -> Drafted:
    """The draft of a meme's record. One that conveys none of the four emotions, or not clearly, is
    rejected; so is one that a validator removes, or sends back after so many rounds of mending."""
    if post.picture is None:
        return Drafted(rejected=NO_PICTURE)
    work = _Work(post, interview, (media / post.picture.file,), rounds)
    try:
        found = await work.draft()
    except Unusable as error:
        raise error.after(work.kept, work.steps) from None
    except Rejected as error:
        return Drafted(rejected=error.why, what=error.what, rounds=work.kept, steps=work.steps)
    return Drafted(draft=found, rounds=work.kept, steps=work.steps)


@dataclass
class _Work:
    """One meme on its way through the stages: the rounds so far, and the steps that it passed."""

    post: Post
    interview: Interview
    pictures: tuple[Path, ...]
    rounds: int
    kept: tuple[Round, ...] = ()
    steps: tuple[str, ...] = ()

    async def draft(self) -> dict[str, JsonValue]:
        """What the stages make of it. Raises Rejected."""
        language, caption = self.post.written_in, caption_of(self.post)
        told = {"caption": caption or NOTHING[language]}
        seen = await self._verified(
            "perceive",
            Perceived,
            told,
            fitting_description(language),
            ends=lambda one: one.negative is None,
        )
        if (emotion := seen.negative) is None:
            raise Rejected(NOT_NEGATIVE, seen.other_emotion or f"not clearly {seen.emotion}")
        description = _CUES[language].format(seen.visual_cues, seen.text_cues)
        target = PAIRS[emotion]
        words = {
            "emotion": emotion_word(emotion, language),
            "target": emotion_word(target, language),
        }
        plan = await self._verified(
            "plan",
            Planned,
            told | words,
            fitting_plan(target, caption, language),
            {"description": description},
        )
        kind = await self._verified("taxonomy", Sorted, told, fitting_kind(caption))
        return {
            "det_emo": emotion,
            "tgt_emo": target,
            "img_desc": description,
            "pos_txt": plan.caption,
            "spec": plan.specification,
            **kind.model_dump(),
        }

    async def _verified(
        self,
        stage: Stage,
        form: type[FormT],
        told: Mapping[str, str],
        check: Callable[[FormT], None],
        more: Mapping[str, str] | None = None,
        ends: Callable[[FormT], bool] = lambda written: False,
    ) -> FormT:
        """A stage as a validator accepts it, written anew with feedback until then; `more` is told
        to the writer alone, and what `ends` the meme's way is not verified. Raises Rejected."""
        feedback = ""
        for number in range(1, self.rounds + 2):
            begun = feedback or NOTHING[self.post.written_in]
            values = {**told, **(more or {}), "feedback": begun}
            written = await self.interview(
                stage, form, values, self.pictures, check, attempt=number
            )
            if ends(written):
                self._keep(stage, number, written, NOT_NEGATIVE)
                return written
            said = await self._verdict(stage, written, told, number)
            if said.verdict == "accept":
                self.steps += (stage, f"verify_{stage}")
                return written
            if said.verdict == "remove":
                self.steps += (stage,)
                raise Rejected(REMOVED, f"{stage}: {said.reason}")
            feedback = f"{_lines(written)}\n\n{said.feedback}"
        self.steps += (stage,)
        raise Rejected(NOT_ACCEPTED, f"{stage}: {said.feedback}")

    async def _verdict(
        self, stage: Stage, written: Form, told: Mapping[str, str], number: int
    ) -> Verdict:
        step, values = f"verify_{stage}", {**told, "written": _lines(written)}
        said = await self.interview(
            step, Verdict, values, self.pictures, require_reasons, "validator", number
        )
        self._keep(stage, number, written, said.verdict, said.model_dump(mode="json"))
        return said

    def _keep(
        self,
        stage: Stage,
        number: int,
        written: Form,
        verdict: str,
        feedback: Mapping[str, JsonValue] | None = None,
    ) -> None:
        about = written.model_dump(mode="json")
        verdict = f"{stage}: {verdict}"
        one = Round(number=number, written=about, verdict=verdict, feedback=feedback or {})
        self.kept += (one,)


def _lines(written: Form) -> str:
    """What was written, a field a line."""
    said = written.model_dump(exclude_none=True)
    return "\n".join(f"{name}: {value}" for name, value in said.items())
