"""What a benchmark can do besides asking and scoring: objects that it has or has not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol, TypeVar

import polars as pl
from pydantic import JsonValue

from deadpan.base.errors import DeadpanError
from deadpan.core.abilities import AbilityScore
from deadpan.core.annotations import AnnotationQuestion
from deadpan.core.contamination import RecitableText
from deadpan.core.dataset import Comparison, Dataset, MediaSource, Split
from deadpan.core.editors import Instruction
from deadpan.core.judge import Brief
from deadpan.core.metric import Metric
from deadpan.core.plots import AnyPlot, DataPlot
from deadpan.core.questions import Language, Prompts, Question, Reply
from deadpan.core.rating_files import RatingForm
from deadpan.core.ratings import RatingStudy, Scale
from deadpan.core.relations import Relation, Sheet
from deadpan.core.score import Score, ScoringOptions
from deadpan.core.signature import Signature
from deadpan.core.verdicts import Verdicts

T = TypeVar("T")
Row = Mapping[str, Any]
"""A row of the results table."""


@dataclass(frozen=True)
class Predictions:
    """Answers from elsewhere: replies per task and item, and ids the data set does not know."""

    replies: Mapping[str, Mapping[str, Reply]]
    unknown: tuple[str, ...] = ()


def require(capability: T | None, lack: str) -> T:
    """The capability; one that is not there raises with what the benchmark lacks."""
    if capability is None:
        raise DeadpanError(lack)
    return capability


@dataclass(frozen=True)
class Judging:
    """Answers that a judge grades."""

    brief: Callable[[str, JsonValue, str, Language], Brief]
    """What the judge is told of an answer: of task, gold, answer and language."""
    needs_judge: Callable[[Row], bool] = lambda row: True
    """Whether a judge has to see an answer of a judged task; others keep their outcome."""
    rows_to_judge: Callable[[pl.DataFrame, ScoringOptions], pl.DataFrame] = lambda table, _: table
    """The rows, of all models, whose answers a judge has to see for the scores."""
    answer_identity: Callable[[str], str] = str
    """What a judgement is known by: the answer, or what of it stays the same wherever it lies."""
    rows_of_file: Callable[[Path, Dataset[Any] | None, str | None], list[dict[str, Any]]] | None = (
        None
    )
    """Judgements made elsewhere as rows of the results table, with what is known of the items."""
    verdicts: tuple[Verdicts, ...] = ()
    """What people can say as the judges do, on scales of the benchmark's `ratings`."""


@dataclass(frozen=True)
class Training:
    """Splits that are never evaluated: to show, or to learn from."""

    examples: Callable[[Path | None, str, Prompts, Split], list[Question]]
    """The questions of data folder, task, wording and split."""
    ideal_answer: Callable[[str, Question], str]
    """The ideal answer in the form that the task's prompt asks for."""


@dataclass(frozen=True)
class FoundEdits:
    """Edited pictures as answers, by model, and the scores of what each folder holds."""

    answers: Mapping[str, Predictions]
    scores: Sequence[Score]


class ReadEdits(Protocol):
    """The edited pictures of a folder, or those that came with the data where it is None; of all
    models where none is named."""

    def __call__(
        self,
        folder: Path | None,
        dataset: Dataset[Any],
        models: Sequence[str],
        tasks: Sequence[str],
    ) -> FoundEdits: ...


CHECKS = "checks"
"""The task name of scores that were measured on edits without a judge."""


@dataclass(frozen=True)
class Edits:
    """Answers that are pictures: an editor makes them."""

    read: ReadEdits
    instruction: Callable[[Question], Instruction]
    """What an editor is told about a question's picture; one it cannot be told raises."""
    check: Callable[[pl.DataFrame, ScoringOptions, Callable[[], None]], pl.DataFrame]
    """The results with what can be measured on edits without a judge, each reported once; their
    scores are those of the task `CHECKS`."""
    picture: Callable[[str], str | None]
    """Where the picture lies that an answer is; None for one that is none."""


@dataclass(frozen=True)
class Votes:
    """The annotators' raw votes: those released with the data, and what is asked where files of
    annotations are given."""

    agreement: Callable[[Path | None], list[Score]] | None = None
    """Of the votes in a data folder, where they are released."""
    write_gold: Callable[[Path | None, Path], Comparison] | None = None
    """Writes the gold that they give, in the released form."""
    questions: tuple[AnnotationQuestion, ...] = ()
    overall: tuple[str, ...] = ()
    """The questions over which the paper's overall agreement is a mean, where it prints one."""


@dataclass(frozen=True)
class Rated:
    """The scores of people's ratings, and what is worth knowing of them."""

    scores: Sequence[Score]
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class Ratings:
    """People's ratings of answers. Every benchmark's are read, averaged and held against each other
    the same way; `more` is what its paper says beside that."""

    scales: tuple[Scale, ...]
    more: (
        Callable[[RatingStudy, pl.DataFrame | None, ScoringOptions, Path | None], Rated] | None
    ) = None
    """Of all ratings, beside what the rated results say, or what was measured on them elsewhere."""
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Columns that older files call otherwise: their name there, and what they are."""
    other_columns: bool = False
    """Whether files may have columns of other names."""
    groups: tuple[str, ...] = ()
    """The attributes of items by which mean ratings are also given."""
    laid_out: bool = False
    """Whether the benchmark's own tables in a report show them, so that no others are needed."""
    unnamed: str = ""
    """The scale of rows that name none, where there are several."""

    def __post_init__(self) -> None:
        places = [(scale.task, scale.group) for scale in self.scales]
        if twice := [place for place in places if places.count(place) > 1]:
            raise ValueError(f"two scales have the task and group {twice[0]}")

    def form(self, model: str = "", raters: Sequence[str] = ()) -> RatingForm:
        """How files are read, with the model where they name none, and columns of raters."""
        form = RatingForm(self.scales, self.aliases, self.other_columns, model, raters)
        return replace(form, unnamed=self.unnamed)


@dataclass(frozen=True)
class Media:
    """Pictures or videos that are not released with the annotations."""

    source: Callable[[Path | None], MediaSource]


@dataclass(frozen=True)
class ReleasedPredictions:
    """Answers in the form in which the benchmark's authors released theirs."""

    read: Callable[[Path, Dataset[Any], str], Mapping[str, Predictions]]
    """Those of a file, per model; what names no model is the given one's."""
    in_lines: bool = False
    """Whether they may be JSON lines, which are else read as Deadpan's own."""


@dataclass(frozen=True)
class Explanations:
    """A task whose answers explain what those to another one name. Where that is named rightly, an
    explanation is bad whose score in a metric is low: below the `bound`, or `q` and a quantile of
    the scores of all models in its language."""

    naming: str
    task: str
    metric: str
    bound: str


@dataclass(frozen=True)
class Analyses:
    """What else can be said of answers and data."""

    is_wrong: Callable[[Row], bool] | None = None
    """Whether a scored answer is wrong; False for tasks that have no right and wrong."""
    stats: Callable[[Dataset[Any]], list[Score]] | None = None
    """The scores that describe the data."""
    target_words: Callable[[Dataset[Any]], Mapping[Language, Mapping[str, int]]] | None = None
    """How often each word stands in the targets that gold names, by language."""
    data_plots: tuple[DataPlot, ...] = ()
    """How the data is drawn: of the scores that describe it, and of annotators' agreement."""
    explanations: Explanations | None = None
    """Which answers are wrong although no rule can tell it of them alone."""
    published: Callable[[Sheet], Iterable[Relation]] | None = None
    """What ties the printed numbers of its paper together, and to what the data gives where its
    cells are in the sheet."""
    recitable: Callable[[Dataset[Any]], Iterable[RecitableText]] | None = None
    """Which texts of its records a model could have learnt by heart."""
    details: Callable[[Row], Mapping[str, str]] = lambda row: {}
    """What one has to know of an item to say why an answer is wrong, each under its heading."""
    headings: tuple[Mapping[Language, str], ...] = ()
    """What those headings are in each language, where they are in the item's."""
    has_failure_types: bool = False
    """Whether the types of failure that come with Deadpan are those of its paper."""


@dataclass(frozen=True)
class TableLayout:
    """How a report lays out one published table: its rows are models, its columns scores; or,
    where `rows` names them, groups of the scores of `model`. With `others` its rows are also what
    answered no question, such as generators of pictures."""

    title: str
    published: str
    columns: tuple[tuple[str, str, str, str], ...] = field(default=())
    """(heading, task, metric, group)"""
    spread: str = ""
    """What is put behind a metric's name for the score of its deviation, printed after ±."""
    rows: tuple[tuple[str, str], ...] = ()
    """(group, heading) of each row; the columns' own group does not matter then."""
    others: bool = False
    model: str = ""
    """Whose scores these are where they are no tested model's, such as `raters`."""
    remark: str = ""
    """What has to be known of our scores in the table."""


def gold_as_text(task: str, gold: JsonValue) -> str:
    """Gold as a person would read it: labels in a row, anything else as it is."""
    if isinstance(gold, list):
        return ", ".join(str(label) for label in gold)
    return str(gold)


@dataclass(frozen=True)
class Report:
    """How a report shows the benchmark."""

    tables: tuple[TableLayout, ...] = ()
    plots: tuple[AnyPlot, ...] = ()
    pooled: str = ""
    """The name that scores over all models together bear in a model's place."""
    outcome_note: str = (
        "Invalid, truncated and refused answers count as wrong; failed calls and failed judges are "
        "left out of the scores."
    )
    """How answers that were not `answered` count."""
    gold_text: Callable[[str, JsonValue], str] = gold_as_text
    """Gold as a person would read it."""
    comparable: str = ""
    """The group of scores over the items that all models have answered, such as `videos=shared`;
    reports compare models by them."""
    comparable_count: str = ""
    """The metric that counts those items."""
    deviations: Callable[[Signature], Iterable[str]] = lambda signature: ()
    """What of the settings in a signature is not the paper's, in words; of temperature, pictures
    and what a judge sees a report tells by itself."""
    headline: tuple[str, str] | None = None
    """Task and metric of the score that its paper leads with; None for the first metric of the
    first task."""
    abilities: tuple[AbilityScore, ...] = ()
    """Which scores measure which ability."""


@dataclass(frozen=True)
class Addition:
    """What a report shows besides scores of answers: of people's ratings, of why models fail, of
    two ways of asking side by side."""

    scores: Sequence[Score] = ()
    tables: tuple[TableLayout, ...] = ()
    plots: tuple[AnyPlot, ...] = ()
    pooled: frozenset[str] = frozenset()
    """Names in a model's place that are none."""
    rated: frozenset[str] = frozenset()
    """The models that people rated: those that are not among the results are marked."""
    remarks: Mapping[str, str] = field(default_factory=dict)
    """By task what has to be known of its scores, such as how many people rated."""
    metrics: Mapping[str, Metric] = field(default_factory=dict)
    """What is known of the metrics that are no benchmark's, by name."""

    @property
    def signatures(self) -> frozenset[str]:
        """Those of its scores."""
        return frozenset(score.signature for score in self.scores)
