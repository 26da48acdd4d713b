"""MER-Bench: 3,117 negative memes to be turned into positive ones; do they stay the same meme?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl
from pydantic import BaseModel, JsonValue

from deadpan.base.errors import DeadpanError, InputError
from deadpan.benchmarks.layout import read_layout
from deadpan.benchmarks.merbench import (
    annotators,
    data_reports,
    edits,
    judge,
    metrics,
    people,
    published_relations,
)
from deadpan.benchmarks.merbench.checks.scores import measure_checks, with_checks
from deadpan.benchmarks.merbench.curation import BUILDING
from deadpan.benchmarks.merbench.deviations import deviations
from deadpan.benchmarks.merbench.edits import (
    MAIN,
    VERSION,
    EditedPicture,
    edited_picture,
    folder_of,
)
from deadpan.benchmarks.merbench.judgement_rows import judged_rows, measure_runs, split_runs
from deadpan.benchmarks.merbench.records import (
    EMOTION,
    TARGET,
    TAXONOMY,
    Meme,
    Target,
    recitable,
)
from deadpan.benchmarks.merbench.release import RELEASE
from deadpan.benchmarks.merbench.sampling import Views
from deadpan.benchmarks.merbench.scoring import ALL_MODELS, measure_views, needs_judging
from deadpan.benchmarks.merbench.studies import STUDIES
from deadpan.core import capabilities
from deadpan.core.answers import Answers
from deadpan.core.benchmark import Benchmark, Task
from deadpan.core.capabilities import FoundEdits, Rated
from deadpan.core.dataset import Anomaly, Dataset
from deadpan.core.editors import Instruction
from deadpan.core.judge import Brief
from deadpan.core.measurement import Measurement
from deadpan.core.question_variants import Variants
from deadpan.core.questions import Grade, Language, Picture, Prompts, Question, Reply, RowForm
from deadpan.core.ratings import RatingStudy
from deadpan.core.score import Score, ScoringOptions
from deadpan.media.images import probe_image
from deadpan.parsing.replies import Unparseable

FOLDER = Path(__file__).parent
SOURCE = "source"
SOURCE_SHA256 = "source_sha256"
"""Where gold tells the path of the source picture, and its checksum."""
TASKS = (
    Task(MAIN, "Reappraisal", VERSION, metrics.TASK_METRICS, judge=judge.RF_VF),
    *(
        Task(
            f"{MAIN}_{name.lower().replace('-', '_')}",
            f"Reappraisal ({name})",
            VERSION,
            metrics.TASK_METRICS,
            judge=variant,
            worded_as=MAIN,
        )
        for name, variant in zip(
            ("RF-VL", "RL-VF", "RL-VL"), (judge.RF_VL, judge.RL_VF, judge.RL_VL), strict=True
        )
    ),
)
"""One request, judged by four variants of the judge's prompt."""
_GROUPED_BY = (*TAXONOMY, EMOTION)


class Gold(BaseModel):
    """What a meme is, and what should become of it."""

    source: str
    source_emotion: str
    target_emotion: Target
    source_caption: str
    reference_caption: str
    specification: str


def _question(meme: Meme, place: Path, prompts: Prompts) -> Question:
    source = edits.original(place, meme)
    looked = probe_image(source)
    sha256 = looked.sha256 if looked else ""
    return Question(
        item=meme.id,
        language=meme.language,
        system=prompts.system[meme.language],
        text=meme.request(prompts.user[meme.language]),
        pictures=(Picture(path=str(source)),),
        form="free",
        gold={**meme.brief, SOURCE: str(source), SOURCE_SHA256: sha256},
        attributes={name: str(getattr(meme, name)) for name in _GROUPED_BY},
    )


def _rows_to_judge(table: pl.DataFrame, options: ScoringOptions) -> pl.DataFrame:
    return needs_judging(split_runs(table)[0], Views.of(options.draws))


def _brief(task: str, gold: JsonValue, answer: str, language: Language) -> Brief:
    """Source and edited picture with what was asked for; the checksums of both are told, so that a
    judgement holds for these pictures only. No model's name is in it. A table may come from a
    stranger: a file that is not the very picture of which the table knows the checksum raises, so
    that none of the user's own is shown to a judge."""
    if not isinstance(gold, dict):
        raise DeadpanError(f"merbench/{task}: gold is no record of a meme")
    source, edited = str(gold[SOURCE]), edited_picture(answer)
    known = ((source, str(gold.get(SOURCE_SHA256, ""))), (edited.path, edited.sha256))
    for path, sha256 in known:
        looked = probe_image(Path(path))
        if looked is None or looked.sha256 != sha256:
            what = "is not the picture that was scored, or the results do not say which that was"
            fix = "Score the edits again: deadpan score merbench --edits DIR."
            raise InputError(path, what, fix)
    fields = {name: str(value) for name, value in gold.items() if name != SOURCE}
    fields |= {"edited_sha256": edited.sha256}
    pictures = tuple(Picture(path=path) for path, _ in known)
    return Brief(language=language, answer=answer, fields=fields, pictures=pictures)


def _gold_text(task: str, gold: JsonValue) -> str:
    if not isinstance(gold, dict):
        return capabilities.gold_as_text(task, gold)
    shift = f"{gold['source_emotion']} → {gold[TARGET]}"
    return f"{shift}\n\n{gold['reference_caption']}\n\n{gold['specification']}"


def _is_wrong(row: Mapping[str, Any]) -> bool:
    """Raises: an edit is rated, and neither right nor wrong."""
    raise DeadpanError(
        "merbench has no right and wrong answers, edits are rated; say which are wrong "
        "with --wrong: a column of true and false, or a .jsonl list of rows"
    )


def _judge_against_people(
    study: RatingStudy, table: pl.DataFrame | None, options: ScoringOptions, measured: Path | None
) -> Rated:
    """The mean rating per dimension; and correlations, and the win rates of the judge's four
    prompts, where its judged results are given."""
    if measured is not None:
        raise DeadpanError("merbench has no IRC; leave --irc out")
    means = list(people.mean_ratings(study))
    if table is None:
        return Rated(means, ["the judge is not held against people: give its results with --table"])
    variants = people.judge_values(table)
    scores = people.validation_scores(study.ratings, variants)
    if not any(score.n for score in scores):
        what = "no rating is of a judged answer in the results"
        raise InputError("ratings", what, "Check item and model names against --table.")
    lost = len(people.not_judged(study.ratings, variants))
    notes = [f"{lost} rated answers were not judged, and say nothing of the judge"] if lost else []
    return Rated([*means, *scores], notes)


def _picture(answer: str) -> str | None:
    try:
        return edited_picture(answer).path or None
    except Unparseable:
        return None


def _check(table: pl.DataFrame, options: ScoringOptions, done: Callable[[], None]) -> pl.DataFrame:
    """The table with the objective checks of what some run of some view draws."""
    return with_checks(table, _rows_to_judge(table, options), done)


def _read_edits(
    folder: Path | None, dataset: Dataset[Meme], models: Sequence[str], tasks: Sequence[str]
) -> FoundEdits:
    found = edits.read_edits(folder or folder_of(dataset), dataset.records, models)
    answers = edits.edits_predictions(found, dataset, tasks or (MAIN,))
    return FoundEdits(answers, edits.edit_scores(found, dataset))


def _instruction(question: Question) -> Instruction:
    """The rewritten caption and the edit that the annotators wished for."""
    gold = question.gold
    if not isinstance(gold, dict):
        raise DeadpanError(f"merbench: {question.item}: gold is no record of a meme")
    return Instruction(
        source=Path(str(gold[SOURCE])),
        captions=(str(gold["reference_caption"]),),
        old_caption=str(gold["source_caption"]).strip() or None,
        emotion=str(gold["source_emotion"]),
        target=str(gold[TARGET]),
        specification=str(gold["specification"]),
        language=question.language,
    )


OUTCOME_NOTE = (
    "Invalid, truncated, refused and failed edits do not count as wrong: a meme of which any "
    "model lacks a usable edit is left out for all models. An edit whose judge failed is left "
    "out alone."
)


class MerBench(Benchmark[Meme]):
    """The benchmark of Nie, Wang, Chen and others: an editor answers, with a picture."""

    name = "merbench"
    title = "MER-Bench: memes turned kind"
    citation = "Nie et al.: MER-Bench: A Comprehensive Benchmark for Multimodal Meme Reappraisal"
    languages: tuple[Language, ...] = ("en", "zh")
    tasks = TASKS
    folder = FOLDER
    row_forms = dict.fromkeys(
        (spec.name for spec in TASKS), RowForm(Gold, EditedPicture, dict.fromkeys(_GROUPED_BY, str))
    )
    release = RELEASE
    released = "819d553c"
    released_items = 3117
    groups = metrics.GROUPS
    columns = metrics.COLUMNS
    metrics = metrics.OTHERS
    draws_samples = True
    judging = capabilities.Judging(
        _brief,
        rows_to_judge=_rows_to_judge,
        answer_identity=lambda answer: edited_picture(answer).sha256,
        rows_of_file=judged_rows,
        verdicts=(people.verdicts_of([spec.name for spec in TASKS]),),
    )
    variants = Variants({})  # an editor that is not shown the meme has nothing to edit
    edits = capabilities.Edits(_read_edits, _instruction, _check, _picture)
    ratings = capabilities.Ratings(
        people.SCALES, _judge_against_people, aliases={"dimension": "metric"}
    )
    votes = capabilities.Votes(questions=annotators.ASKED)
    studies = STUDIES
    building = BUILDING
    analyses = capabilities.Analyses(
        _is_wrong,
        lambda dataset: [*data_reports.data_scores(dataset)],
        data_plots=data_reports.DATA_PLOTS,
        published=published_relations.relations,
        recitable=recitable,
    )
    report = capabilities.Report(
        pooled=ALL_MODELS,
        outcome_note=OUTCOME_NOTE,
        gold_text=_gold_text,
        deviations=deviations,
        **read_layout(FOLDER),
    )

    def read(self, data: Path | None) -> Dataset[Meme]:
        return edits.read_dataset(data)

    def questions(self, dataset: Dataset[Meme], task: str, prompts: Prompts) -> list[Question]:
        self.task(task)
        place = folder_of(dataset)
        return [_question(meme, place, prompts) for meme in dataset.records]

    def parse(self, task: str, reply: Reply, language: Language) -> Grade:
        return edits.picture_grade(reply)

    def measure(self, answers: Answers, options: ScoringOptions) -> Iterator[Measurement | Score]:
        edits, runs = split_runs(answers.table)
        yield from measure_views(edits, Views.of(options.draws))
        yield from measure_runs(runs)
        yield from measure_checks(edits)

    def verify(self, data: Path | None) -> Sequence[Anomaly]:
        return data_reports.anomalies(data)


MERBENCH = MerBench()
