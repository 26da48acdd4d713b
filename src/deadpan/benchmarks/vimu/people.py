"""People as ViMU's judge: they rate a reading in the judge's five parts, which make the total."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import JsonValue

from deadpan.benchmarks.vimu.judge import OPEN, PARTS, Reading, read_judgement
from deadpan.core.capabilities import Ratings
from deadpan.core.questions import Language
from deadpan.core.ratings import Scale
from deadpan.core.verdicts import Verdicts

_TITLES: Mapping[str, Mapping[Language, str]] = {
    "core_intent": {"en": "gets what is meant", "zh": "读懂了用意"},
    "implicit_signal": {"en": "names the signals that carry it", "zh": "指出了暗示的线索"},
    "target_or_social_meaning": {
        "en": "names whom or what it is about",
        "zh": "指出了针对谁或何事",
    },
    "hallucination_penalty": {"en": "makes up what is not there", "zh": "凭空编造"},
    "literal_only_penalty": {"en": "stays with what is shown", "zh": "只说字面内容"},
}
_ENDS: tuple[Mapping[Language, str], Mapping[Language, str]] = (
    {"en": "not at all", "zh": "完全没有"},
    {"en": "entirely", "zh": "完全如此"},
)
SCALES = tuple(
    Scale(name, _TITLES[name], 0, most, task="people", group=f"part={name}", ends=_ENDS)
    for name, most in PARTS.items()
)


def _judgement(given: Mapping[str, float]) -> Mapping[str, JsonValue]:
    """One rater's five parts as the judge's, with the total and the verdict that they give."""
    parts = {name: int(given[name]) for name in PARTS}
    return Reading(**parts, total=0, verdict="wrong", reason="").summed.model_dump()


VERDICTS = Verdicts(
    (OPEN,),
    tuple(PARTS),
    lambda judgement, _: {name: read_judgement(judgement)[name] for name in PARTS},
    _judgement,
    without=("judge_flags", "judge_spread"),
)
RATINGS = Ratings(SCALES)
