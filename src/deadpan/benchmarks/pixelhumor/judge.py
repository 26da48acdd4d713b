"""PixelHumor's judge of explanations (Q6): 1 to 7, as people rate them, with the comic in sight. It
judges only where it is named; what it says is held against people's ratings."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Annotated, Any, ClassVar

import polars as pl
from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from deadpan.base.errors import DeadpanError, InputError
from deadpan.benchmarks.pixelhumor.answers import CHINESE
from deadpan.benchmarks.pixelhumor.records import Comic
from deadpan.core.answers import Answer
from deadpan.core.judge import Brief, Judge, Judged, Judgement
from deadpan.core.metric import Metric, Statistics, mean, scored
from deadpan.core.questions import Language, PanelBox, Picture, Prompts
from deadpan.core.score import ScoringOptions
from deadpan.media.images import probe_image
from deadpan.metrics.lexical import coverage

INTERPRETATION = "interpretation"
"""The task of the explanations."""
LOWEST, HIGHEST = 1, 7
_PROMPTS = Prompts.read(Path(__file__).with_name("judge_prompts"), INTERPRETATION, ("en", "zh"))
_NAMES: Mapping[Language, Sequence[str]] = {
    "en": ("Humour understood", "Sound effects", "Panel that matters most", "Carried by", "Styles"),
    "zh": ("看懂幽默", "拟声词", "最关键的一格", "幽默来自", "幽默手法"),
}
_ORDER: Mapping[Language, str] = {"en": "Reading order of the numbers", "zh": "各格的阅读顺序"}
_TEXT: Mapping[Language, str] = {"en": "Text in the panels", "zh": "各格的文字"}
_NONE: Mapping[Language, str] = {"en": "(none was written)", "zh": "（没有）"}


class Explained(BaseModel):
    """The gold of an explanation: a person's own, where there is one, and what a judge needs to
    know of the comic. `panels` is empty where they have no plain place in the picture."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    explanation: str | None
    labels: tuple[tuple[str, ...], ...]
    order: tuple[int, ...]
    text: str
    picture: str
    sha256: str
    panels: tuple[PanelBox, ...] = ()


def explained(comic: Comic, picture: Picture, problem: str | None) -> dict[str, JsonValue]:
    """The gold of a comic's explanation."""
    looked = probe_image(Path(picture.path))
    gold = Explained(
        explanation=comic.explanation,
        labels=(
            *((comic.presence,), (comic.sound_effect,), comic.panel),
            *((comic.modality,), comic.styles),
        ),
        order=comic.panel_sequence,
        text=comic.text.strip(),
        picture=picture.path,
        sha256=looked.sha256 if looked else "",
        panels=() if problem else picture.panels,
    )
    return gold.model_dump(mode="json")


class Rating(Judged):
    """The reply: a reason, then 1 to 7."""

    reason: Annotated[str, Field(max_length=2000)]
    rating: Annotated[int, Field(ge=LOWEST, le=HIGHEST)]


class ExplanationJudge(Judge):
    """Rates an explanation beside the comic, its labels and a person's own explanation."""

    name = "pixelhumor_interpretation"
    version = 1
    reply = Rating
    system: ClassVar = _PROMPTS.system
    user: ClassVar = _PROMPTS.user

    def check(self, reply: Judged) -> Judgement:
        """The rating and its reason as given."""
        return Judgement(parts=reply.model_dump())

    def stand_in(self, brief: Brief) -> str:
        """A rating from the share of the explanation's words, a person's and the comic's own, that
        the answer has: spelling, not meaning."""
        wanted = brief.fields["explanation"]
        known = coverage(wanted, brief.answer), coverage(brief.fields["labels"], brief.answer)
        rating = LOWEST + round((HIGHEST - LOWEST) * min(1.0, 2 * max(known)))
        return Rating(reason="words shared with the reference", rating=rating).model_dump_json()


JUDGE = ExplanationJudge()


def brief(task: str, gold: JsonValue, answer: str, language: Language) -> Brief:
    """The comic with its numbers, its labels and a person's explanation. A table may come from a
    stranger: a picture that is not the one of which the table knows the checksum raises, so that
    none of the user's own is shown to a judge."""
    try:
        known = Explained.model_validate(gold)
    except ValidationError:
        what = f"pixelhumor/{task}: these results do not say what the judge has to see"
        raise DeadpanError(f"{what}; run or score the answers again with --judge") from None
    looked = probe_image(Path(known.picture))
    if looked is None or looked.sha256 != known.sha256:
        what = "is not the picture that was asked about, or the results do not say which that was"
        raise InputError(known.picture, what, "Run or score the answers again with --judge.")
    fields = {
        "labels": "\n".join(_label_lines(known, language)),
        "explanation": known.explanation or _NONE[language],
    }
    shown = Picture(path=known.picture, panels=known.panels)
    return Brief(language=language, answer=answer, fields=fields, pictures=(shown,))


def _label_lines(known: Explained, language: Language) -> Iterator[str]:
    """Gold in words; numbers of panels only where they are drawn."""
    words = CHINESE if language == "zh" else {}
    colon, comma = ("：", "、") if language == "zh" else (": ", ", ")
    for place, (name, labels) in enumerate(zip(_NAMES[language], known.labels, strict=True)):
        if place == _PANEL and not known.panels:
            continue
        yield f"{name}{colon}{comma.join(words.get(label, label) for label in labels)}"
    if known.panels:
        yield f"{_ORDER[language]}{colon}{', '.join(map(str, known.order))}"
    lines = [line.strip() for line in known.text.splitlines() if line.strip()]
    yield "\n".join([f"{_TEXT[language]}{colon}".rstrip(), *(lines or [_NONE[language]])])


_PANEL = 2


def rating_of(judgement: Judgement) -> int:
    """What a judgement rates an explanation."""
    return Rating.model_validate(judgement.parts).rating


def judged_ratings(answer: Answer) -> tuple[int, ...]:
    """What each judgement rates an explanation."""
    return answer.judged(rating_of)


def _mean_rating(answer: Answer) -> Statistics | None:
    """The mean rating of an explanation; one that is invalid, truncated or refused has the lowest,
    one that nobody judged none."""
    if answer.is_wrong:
        return scored(LOWEST)
    given = judged_ratings(answer)
    return scored(fmean(given)) if given else None


JUDGE_RATING = Metric(
    "judge_rating",
    "rating by the judge, 1 to 7",
    unit="points",
    decimals=2,
    range=(LOWEST, HIGHEST),
    source="PixelHumor, Q6, as people rate it",
    statistics=_mean_rating,
    value=mean,
)


def is_judged(answers: Sequence[Answer]) -> bool:
    """Whether any explanation was judged."""
    return any(answer.judgements is not None for answer in answers)


def needs_judge(row: Mapping[str, Any]) -> bool:
    """Whether a judge can be shown what an explanation is about: its picture was there."""
    gold = json.loads(row["gold"])
    return not isinstance(gold, dict) or bool(gold.get("sha256"))


def rows_to_judge(table: pl.DataFrame, options: ScoringOptions) -> pl.DataFrame:
    """All but explanations of comics whose picture is not there, which nobody can judge; none of
    them there raises."""
    asked = table.filter((pl.col("task") == INTERPRETATION) & pl.col("parsed").is_not_null())
    blind = ~pl.Series([needs_judge(row) for row in asked.iter_rows(named=True)], dtype=pl.Boolean)
    if len(asked) and blind.all():
        what = "none of the comics' pictures is there, and the judge has to see them"
        raise InputError("results", what, "Fetch them: deadpan data get pixelhumor --data DIR.")
    items = asked.filter(blind)["item"].unique()
    return table.filter((pl.col("task") != INTERPRETATION) | ~pl.col("item").is_in(items.implode()))
