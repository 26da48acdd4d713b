"""PixelHumor: 2,800 online comics, eight questions each."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, JsonValue, StringConstraints

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks.layout import read_layout
from deadpan.benchmarks.pixelhumor import (
    answers,
    data_reports,
    judge,
    literal,
    people,
    published_relations,
    scoring,
    votes,
)
from deadpan.benchmarks.pixelhumor.curation import BUILDING
from deadpan.benchmarks.pixelhumor.panel_scores import in_reading_order
from deadpan.benchmarks.pixelhumor.records import (
    NA,
    QUESTIONS,
    Comic,
    gold_items,
    panel_boxes,
    read_comics,
    recitable,
    rows,
)
from deadpan.benchmarks.pixelhumor.release import RELEASE
from deadpan.benchmarks.pixelhumor.showing import shown_comics
from deadpan.benchmarks.pixelhumor.studies import STUDIES
from deadpan.benchmarks.pixelhumor.variants import VARIANTS
from deadpan.core.answers import Answers
from deadpan.core.benchmark import Benchmark, Task
from deadpan.core.capabilities import (
    Analyses,
    Judging,
    Media,
    ReleasedPredictions,
    Report,
    Votes,
    gold_as_text,
)
from deadpan.core.dataset import Anomaly, Dataset, MediaSource
from deadpan.core.measurement import Measurement
from deadpan.core.outcomes import COUNTED_AS_WRONG
from deadpan.core.questions import Form, Grade, Language, Prompts, Question, Reply, RowForm
from deadpan.core.score import ScoringOptions
from deadpan.core.signature import Signature
from deadpan.media.panel_scale import annotated_size
from deadpan.metrics.rating_scores import RATING_METRICS
from deadpan.parsing.replies import grade_reply

FOLDER = Path(__file__).parent
TASKS = (
    Task("presence", "Is the humour understood?", 5, scoring.LABEL_METRICS, graded_by=("f1",)),
    Task("sound_effect", "Role of sound-effect words", 5, scoring.LABEL_METRICS, graded_by=("f1",)),
    Task("panel", "Panel that contributes most", 5, scoring.PANEL_METRICS, graded_by=("f1",)),
    Task("modality", "What carries the humour", 5, scoring.GATED_METRICS, graded_by=("f1",)),
    Task(
        "style",
        "Humour styles",
        5,
        (*scoring.GATED_METRICS, *scoring.STYLE_METRICS),
        graded_by=("f1",),
    ),
    Task(
        judge.INTERPRETATION,
        "Why it is funny, in three sentences",
        6,
        (scoring.ANSWERED, judge.JUDGE_RATING),
        judge=judge.JUDGE,
        judged=(judge.JUDGE_RATING.name,),
        judge_optional=True,
    ),
    Task(
        "panel_order",
        "Reading order of the panels",
        5,
        scoring.ORDER_METRICS,
        graded_by=("accuracy",),
    ),
    Task(
        "panel_text",
        "Text in each panel",
        5,
        scoring.TEXT_METRICS,
        max_tokens=2048,
        graded_by=("accuracy",),
    ),
)


class PanelText(BaseModel):
    """The gold of `panel_text`."""

    sequence: list[int]
    text: str


_Number = Annotated[str, StringConstraints(pattern=r"^[0-9]{1,9}$")]
_rows = partial(RowForm, attributes={"source": str, "panels": int, "harm": str, "styles": str})


class Kind(NamedTuple):
    """How a task's answer is asked for, its gold in the form of answers, and what its rows hold in
    a results table."""

    form: Form
    gold: Callable[[Comic], JsonValue]
    rows: RowForm = _rows(list[str], list[str])


KINDS: Mapping[str, Kind] = {
    "presence": Kind("choice", lambda comic: [comic.presence]),
    "sound_effect": Kind("choice", lambda comic: [comic.sound_effect]),
    "panel": Kind("number", lambda comic: list(comic.panel), _rows(list[str], list[_Number])),
    "modality": Kind("choice", lambda comic: [comic.modality]),
    "style": Kind("labels", lambda comic: list(comic.styles)),
    "interpretation": Kind(
        "free", lambda comic: comic.explanation, _rows(judge.Explained | str | None, str)
    ),
    "panel_order": Kind(
        "order", lambda comic: list(comic.panel_sequence), _rows(list[int], list[int])
    ),
    "panel_text": Kind(
        "panel_text",
        lambda comic: {"sequence": list(comic.panel_sequence), "text": comic.text},
        _rows(PanelText, list[tuple[int, str]]),
    ),
}
_REFERENCE = json.loads((FOLDER / "reference.json").read_text(encoding="utf-8"))


def read_literally(task: str, reply: Reply, language: Language) -> Grade:
    """How a reply reads in the released script's way, where that is another: every integer and
    every style name in it counts."""
    parse = literal.PARSERS.get(task, answers.PARSERS[task])
    return grade_reply(reply, parse, may_be_empty=task == "panel_text")


def _reference(task: str, comic: Comic) -> str:
    """What baseline/majority says: the released set's most frequent answer, worded as asked."""
    if task in _REFERENCE:
        wording = answers.CHINESE if comic.language == "zh" else {}
        return ", ".join(wording.get(label, label) for label in _REFERENCE[task]["answer"])
    numbers = range(1, comic.number_of_panels + 1)
    if task == "panel_order":
        return ",".join(map(str, numbers))
    if task == "panel_text":
        return "\n".join(f"{number}:" for number in numbers)
    return {
        "en": "The comic is funny because of its last panel. It surprises. That is usual.",
        "zh": "这幅漫画好笑在最后一格。它出人意料。这很常见。",
    }[comic.language]


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
            said, wanted = (
                in_reading_order(items, gold["sequence"])
                for items in (answer, gold_items(gold["text"]))
            )
            return said != wanted
        case _:
            return NA not in gold and bool(answer != gold)


def _gold_text(task: str, gold: JsonValue) -> str:
    if task == "panel_text" and isinstance(gold, dict):
        lines = "\n".join(line.strip() for line in str(gold["text"]).splitlines())
        return f"{lines}\nreading order: {gold_as_text(task, gold['sequence'])}"
    if task == judge.INTERPRETATION and isinstance(gold, dict):
        gold = gold["explanation"]
    return "(no gold text)" if gold is None else gold_as_text(task, gold)


def _media_source(data: Path | None) -> MediaSource:
    if data is None:
        raise DeadpanError("the mini-set has its pictures; give --data the released folder")
    found = rows(data / "comic_url.csv", ("comic_id", "comic_url"))
    items = tuple((row.cells["comic_id"], row.cells["comic_url"]) for row in found)
    boxes, _ = panel_boxes(data)
    sizes = {name: annotated_size(own) for name, own in boxes.items()}
    widths = {name: size[0] for name, size in sizes.items() if size}
    return MediaSource(items, FOLDER / "sources.json", widths)


def _deviations(signature: Signature) -> Iterator[str]:
    """Replies that are not read as the released script does."""
    if signature.task in literal.PARSERS and "reading" not in signature.settings:
        title = next(spec.title for spec in TASKS if spec.name == signature.task)
        yield (
            f"{title}: replies are read as a person would, not by the released script "
            "(--reading literal)"
        )


class PixelHumor(Benchmark[Comic]):
    """The benchmark of Ryan, Tan, Choo and Lee: do models get online comics?"""

    name = "pixelhumor"
    title = "PixelHumor: jokes in comics"
    citation = (
        "Ryan, Tan, Choo and Lee: Humor in Pixels: Benchmarking Large Multimodal Models "
        "Understanding of Online Comics"
    )
    languages: tuple[Language, ...] = ("en", "zh")
    tasks = TASKS
    folder = FOLDER
    row_forms: Mapping[str, RowForm] = {task: kind.rows for task, kind in KINDS.items()}
    release = RELEASE
    released = "7afd9730"
    released_items = 2800
    gates = scoring.GATES
    readings = {"literal": dict.fromkeys(literal.PARSERS, read_literally)}  # noqa: RUF012
    groups = scoring.GROUPS
    columns = scoring.COLUMNS
    harmful = ("harm", "harm")
    votes = Votes(votes.folder_agreement, votes.write_gold, votes.ASKED, overall=QUESTIONS)
    ratings = people.RATINGS
    studies = STUDIES
    building = BUILDING
    metrics = (*RATING_METRICS, *people.PEOPLE_METRICS, *data_reports.DATA_METRICS)
    judging = Judging(
        judge.brief, judge.needs_judge, judge.rows_to_judge, verdicts=(people.VERDICTS,)
    )
    media = Media(_media_source)
    variants = VARIANTS
    predictions = ReleasedPredictions(answers.read_predictions)
    analyses = Analyses(
        _is_wrong,
        lambda dataset: [*data_reports.data_scores(dataset)],
        data_plots=data_reports.DATA_PLOTS,
        published=published_relations.relations,
        recitable=recitable,
    )
    report = Report(**read_layout(FOLDER), gold_text=_gold_text, deviations=_deviations)

    def read(self, data: Path | None) -> Dataset[Comic]:
        return read_comics(data)

    def questions(self, dataset: Dataset[Comic], task: str, prompts: Prompts) -> list[Question]:
        return [
            Question(
                item=comic.comic_id,
                language=comic.language,
                system=prompts.system[comic.language],
                text=prompts.user[comic.language],
                pictures=(fit.picture,),
                form=KINDS[task].form,
                options=answers.options(task, comic.language),
                reference=_reference(task, comic),
                panels=comic.number_of_panels,
                gold=judge.explained(comic, *fit)
                if task == judge.INTERPRETATION
                else KINDS[task].gold(comic),
                attributes={
                    "source": comic.source,
                    "panels": comic.number_of_panels,
                    "harm": comic.harm,
                    "styles": "+".join(comic.styles),
                },
                unshown=fit.problem,
            )
            for comic, fit in zip(dataset.records, shown_comics(dataset), strict=True)
        ]

    def parse(self, task: str, reply: Reply, language: Language) -> Grade:
        return grade_reply(reply, answers.PARSERS[task], may_be_empty=task == "panel_text")

    def named_values(self, task: str, text: str) -> Set[str] | None:
        return answers.named_values(task, text)

    @property
    def adds_up(self) -> bool:
        return True

    def measure(self, answers: Answers, options: ScoringOptions) -> Iterator[Measurement]:
        return scoring.measure_pixelhumor(answers, options)

    def verify(self, data: Path | None) -> Sequence[Anomaly]:
        return data_reports.anomalies(data)


PIXELHUMOR = PixelHumor()
