"""PixelHumor: 2,800 online comics, eight questions each."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks.pixelhumor import (
    answers,
    layout,
    metrics,
    predictions,
    statistics,
    verification,
    votes,
)
from deadpan.benchmarks.pixelhumor.forms import ROW_FORMS
from deadpan.benchmarks.pixelhumor.reading import gold_items, in_reading_order
from deadpan.benchmarks.pixelhumor.records import MINI_SET, NA, Comic, read_comics, rows
from deadpan.benchmarks.pixelhumor.scoring import (
    COLUMNS,
    GATES,
    LABEL_METRICS,
    ORDER_METRICS,
    STYLE_METRICS,
    measure_pixelhumor,
)
from deadpan.core.answers import Answers
from deadpan.core.benchmark import Benchmark
from deadpan.core.capabilities import (
    Analyses,
    Media,
    Predictions,
    ReleasedPredictions,
    Report,
    Votes,
    gold_as_text,
)
from deadpan.core.dataset import Anomaly, Comparison, Dataset, MediaSource
from deadpan.core.measurement import Measurement
from deadpan.core.outcomes import COUNTED_AS_WRONG
from deadpan.core.prompts import Prompts
from deadpan.core.questions import Attribute, Form, Grade, Language, Picture, Question, Reply
from deadpan.core.score import Score
from deadpan.core.scoring_options import ScoringOptions
from deadpan.core.task import TaskSpec
from deadpan.parsing.replies import graded

FOLDER = Path(__file__).parent
FORMS: dict[str, Form] = {
    "presence": "choice",
    "sound_effect": "choice",
    "panel": "number",
    "modality": "choice",
    "style": "labels",
    "interpretation": "free",
    "panel_order": "order",
    "panel_text": "panel_text",
}
TASKS = (
    TaskSpec("presence", "Is the humour understood?", 3, LABEL_METRICS),
    TaskSpec("sound_effect", "Role of sound-effect words", 3, LABEL_METRICS),
    TaskSpec("panel", "Panel that contributes most", 3, (*LABEL_METRICS, metrics.OUT_OF_RANGE)),
    TaskSpec("modality", "What carries the humour", 3, LABEL_METRICS),
    TaskSpec("style", "Humour styles", 3, (*LABEL_METRICS, *STYLE_METRICS)),
    TaskSpec("interpretation", "Why it is funny, in three sentences", 3, (metrics.ANSWERED,)),
    TaskSpec("panel_order", "Reading order of the panels", 3, ORDER_METRICS),
    TaskSpec("panel_text", "Text in each panel", 3, metrics.TEXTS, max_tokens=2048),
)


def gold_of(task: str, comic: Comic) -> JsonValue:
    """A task's gold for a comic, in the form its parser gives answers in."""
    gold: dict[str, JsonValue] = {
        "presence": [comic.presence],
        "sound_effect": [comic.sound_effect],
        "panel": list(comic.panel),
        "modality": [comic.modality],
        "style": list(comic.styles),
        "interpretation": comic.explanation,
        "panel_order": list(comic.panel_sequence),
        "panel_text": {"sequence": list(comic.panel_sequence), "text": comic.text},
    }
    return gold[task]


def attributes_of(comic: Comic) -> dict[str, Attribute]:
    """What a comic's scores are grouped by."""
    return {
        "source": comic.source,
        "panels": comic.number_of_panels,
        "harm": "harm" if comic.harmful else "non-harm",
        "styles": "+".join(comic.styles),
    }


_REFERENCE = json.loads((FOLDER / "reference.json").read_text(encoding="utf-8"))


def reference_answer(task: str, comic: Comic) -> str:
    """What baseline/majority says: the released set's most frequent answer, worded as asked."""
    if task in _REFERENCE:
        labels = _REFERENCE[task]["answer"]
        english = comic.language == "en"
        return ", ".join(
            label if english else answers.CHINESE.get(label, label) for label in labels
        )
    numbers = range(1, comic.number_of_panels + 1)
    if task == "panel_order":
        return ",".join(map(str, numbers))
    if task == "panel_text":
        return "\n".join(f"{number}:" for number in numbers)
    return {
        "en": "The comic is funny because of its last panel. It surprises. That is usual.",
        "zh": "这幅漫画好笑在最后一格。它出人意料。这很常见。",
    }[comic.language]


def _image_path(comic: Comic, origin: str) -> str:
    return comic.image or f"{origin}/images/{comic.comic_id}"


def _is_wrong(row: Mapping[str, Any]) -> bool:
    """Whether the answer is not gold's: another label, another order, other words in a panel;
    of panels and styles, of which gold may have several, whether it names none of gold's.
    Where gold is NA no answer is right, and of an explanation no rule can tell: wrong are only
    those that are invalid, truncated or refused."""
    if row["parsed"] is None:
        return row["outcome"] in COUNTED_AS_WRONG
    answer, gold = json.loads(row["parsed"]), json.loads(row["gold"])
    match row["task"]:
        case "interpretation":
            return False
        case "panel" | "style":
            return NA not in gold and not set(answer) & set(gold)
        case "panel_text":
            order, wanted = gold["sequence"], gold_items(gold["text"])
            return in_reading_order(answer, order) != in_reading_order(wanted, order)
        case _:
            return NA not in gold and bool(answer != gold)


def _gold_text(task: str, gold: JsonValue) -> str:
    if task == "panel_text" and isinstance(gold, dict):
        lines = "\n".join(line.strip() for line in str(gold["text"]).splitlines())
        return f"{lines}\nreading order: {gold_as_text(task, gold['sequence'])}"
    return "(no gold text)" if gold is None else gold_as_text(task, gold)


def _media_source(data: Path | None) -> MediaSource:
    if data is None:
        raise DeadpanError("the mini-set has its pictures; give --data the released folder")
    found = rows(data / "comic_url.csv", ("comic_id", "comic_url"))
    items = tuple((row.cells["comic_id"], row.cells["comic_url"]) for row in found)
    return MediaSource(items, FOLDER / "sources.json")


def _read_predictions(path: Path, dataset: Dataset[Comic], model: str) -> Mapping[str, Predictions]:
    return {model: predictions.read_released(path, dataset)}


def _agreement(data: Path | None) -> list[Score]:
    return votes.folder_agreement(data or MINI_SET)


def _write_gold(data: Path | None, path: Path) -> Comparison:
    return votes.write_consolidated(data or MINI_SET, path)


class PixelHumor(Benchmark[Comic]):
    """The benchmark of Ryan, Tan, Choo and Lee: do models get online comics?"""

    name = "pixelhumor"
    title = "PixelHumor: jokes in comics"
    citation = "Ryan, Tan, Choo and Lee: Humor in Pixels"
    languages: tuple[Language, ...] = ("en", "zh")
    tasks = TASKS
    folder = FOLDER
    row_forms = ROW_FORMS
    released = "7afd9730"
    released_items = 2800
    gates = GATES
    groups = metrics.GROUPS
    columns = COLUMNS
    votes = Votes(_agreement, _write_gold)
    media = Media(_media_source)
    predictions = ReleasedPredictions(_read_predictions)
    analyses = Analyses(_is_wrong, statistics.data_scores)
    report = Report(layout.TABLES, layout.PLOTS, gold_text=_gold_text)

    def read(self, data: Path | None) -> Dataset[Comic]:
        return read_comics(data)

    def questions(self, dataset: Dataset[Comic], task: str, prompts: Prompts) -> list[Question]:
        return [
            Question(
                item=comic.comic_id,
                language=comic.language,
                system=prompts.system[comic.language],
                text=prompts.user[comic.language],
                pictures=(Picture(path=_image_path(comic, dataset.origin), panels=comic.boxes),),
                form=FORMS[task],
                options=answers.options(task, comic.language),
                reference=reference_answer(task, comic),
                panels=comic.number_of_panels,
                gold=gold_of(task, comic),
                attributes=attributes_of(comic),
            )
            for comic in dataset.records
        ]

    def parse(self, task: str, reply: Reply, language: Language) -> Grade:
        return graded(reply, answers.PARSERS[task], may_be_empty=task == "panel_text")

    def measure(self, answers: Answers, options: ScoringOptions) -> Iterator[Measurement]:
        return measure_pixelhumor(answers, options)

    def verify(self, data: Path | None) -> Sequence[Anomaly]:
        return verification.anomalies(data)


PIXELHUMOR = PixelHumor()
