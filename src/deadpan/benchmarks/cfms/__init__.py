"""CFMS: image–text pairs from social media; is it sarcastic, at what, and how is it said?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from functools import partial
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import BaseModel, JsonValue, create_model, model_validator

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks.cfms import (
    answers,
    data_reports,
    judge,
    people,
    published_relations,
    scoring,
)
from deadpan.benchmarks.cfms.answers import ideal_answer
from deadpan.benchmarks.cfms.curation import BUILDING
from deadpan.benchmarks.cfms.questions import (
    OF_SARCASTIC,
    UNTAUGHT,
    pairs_of,
    question_of,
    references,
    taught,
    why_not_asked,
)
from deadpan.benchmarks.cfms.records import Pair, Pairs, read_pairs, recitable
from deadpan.benchmarks.cfms.release import RELEASE
from deadpan.benchmarks.cfms.studies import STUDIES
from deadpan.benchmarks.layout import read_layout
from deadpan.core.answers import Answers, answer_of
from deadpan.core.benchmark import Benchmark, Task
from deadpan.core.capabilities import Analyses, Judging, Report, Training, Votes, gold_as_text
from deadpan.core.dataset import Anomaly, Dataset, require_split
from deadpan.core.measurement import Measurement
from deadpan.core.question_variants import SHOWN_ITEMS, Variants
from deadpan.core.questions import (
    Grade,
    Language,
    Prompts,
    Question,
    Reply,
    RowForm,
)
from deadpan.core.score import ScoringOptions
from deadpan.core.variants import Variant
from deadpan.metrics import text_scores
from deadpan.parsing.replies import grade_reply

FOLDER = Path(__file__).parent
NAME = "cfms"
_LABEL = (*scoring.LABEL_METRICS, scoring.ANSWERED)
_TARGET = (*scoring.TARGET_METRICS, scoring.ANSWERED)
_TEXT = (*scoring.TEXT_METRICS, scoring.ANSWERED)
_JUDGED = (scoring.TARGET_ACCURACY.name,)
TASKS = (
    Task(
        "joint",
        "All three in one answer",
        4,
        scoring.JOINT_METRICS,
        max_tokens=1024,
        reply=answers.JointAnswer,
        judge=judge.CFMS_TARGET,
        judged=_JUDGED,
        graded_by=("accuracy",),
    ),
    Task(
        "identification",
        "Identification",
        4,
        _LABEL,
        graded_by=("accuracy",),
        uses_models=False,
    ),
    Task(
        "target",
        "Target",
        5,
        _TARGET,
        judge=judge.CFMS_TARGET,
        judged=_JUDGED,
        graded_by=_JUDGED,
    ),
    Task("explanation", "Explanation", 5, _TEXT, max_tokens=1024),
    Task(
        "metaphor",
        "Metaphor",
        4,
        (*_LABEL, scoring.GAP),
        graded_by=("accuracy",),
        uses_models=False,
    ),
    Task(
        "metaphor_sarcasm",
        "Sarcasm (metaphor subset)",
        4,
        _LABEL,
        worded_as="identification",
        graded_by=("accuracy",),
        uses_models=False,
    ),
)


PAPER_MODELS = {"bertscore:en": "bert-base-uncased", "bertscore:zh": "bert-base-chinese"}
"""The paper names no weights: bert-score's own for Chinese, and BERT's for English."""


class Sarcasm(BaseModel):
    """The gold of every task but `metaphor`."""

    question: str
    sarcastic: bool


class Joint(Sarcasm):
    """The gold of `joint`: a sarcastic pair has a target and an explanation."""

    target: str | None = None
    explanation: str | None = None

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if self.sarcastic and (self.target is None or self.explanation is None):
            raise ValueError("a sarcastic pair needs target and explanation")
        return self


class Answer(BaseModel):
    """What answers say; None for a part of a joint answer that is not there."""

    sarcastic: bool | None = None
    metaphor: bool | None = None
    target: str | None = None
    explanation: str | None = None


_rows = partial(RowForm, parsed=Answer, attributes={"target_type": str})
ROW_FORMS = {
    "joint": _rows(Joint),
    "identification": _rows(Sarcasm),
    "target": _rows(create_model("Target", __base__=Sarcasm, target=(str, ...))),
    "explanation": _rows(create_model("Explanation", __base__=Sarcasm, explanation=(str, ...))),
    "metaphor": _rows(create_model("Metaphor", question=(str, ...), metaphor=(bool, ...))),
    "metaphor_sarcasm": _rows(Sarcasm),
}
"""What rows of each task hold in a results table."""


def _examples(
    data: Path | None, task: str, prompts: Prompts, split: Literal["train", "validation"]
) -> list[Question]:
    """Questions of a split that is never evaluated: what demonstrations and fine-tuning use. A
    task that has none raises and says which have; `metaphor_sarcasm` never has, as its
    questions would be those of `identification` again."""
    require_split(NAME, split)
    pairs = read_pairs(data).of(split)
    wanted = taught(pairs, task)
    if not wanted:
        others = [spec.name for spec in TASKS if taught(pairs, spec.name)]
        why = "has no examples of its own" if task in UNTAUGHT else "no pair has its gold"
        known = f"Tasks that have some: {', '.join(others)}" if others else "No task has any"
        raise DeadpanError(f"{NAME}/{task}, split {split}: {why}. {known}.")
    return [question_of(pair, task, prompts, {}) for pair in wanted]


def _ideal_answer(task: str, question: Question) -> str:
    """The ideal answer in words, in the form the prompt asks for."""
    if not isinstance(question.gold, dict):
        raise DeadpanError(f"{NAME}/{task}: gold is no record of a pair")
    return ideal_answer(task, question.gold, question.language)


def _questions(
    dataset: Dataset[Pair], task: str, prompts: Prompts, silent: bool = False
) -> list[Question]:
    reference = references(dataset, task)
    asked = pairs_of(dataset.records, task)
    return [question_of(pair, task, prompts, reference, silent) for pair in asked]


def _is_wrong(row: Mapping[str, Any]) -> bool:
    """Whether the label is not gold's, or the target is missing or, as judged, another; of an
    explanation, which no rule can tell, whether it is invalid, truncated or refused."""
    answer, task = answer_of(row), row["task"]
    if answer.is_wrong:
        return True
    if task in scoring.LABELLED and scoring.label_said(answer) is not scoring.label_gold(answer):
        return True
    wanted = task in judge.TARGETED and answer.gold.get("target")
    if wanted and not scoring.text_said(answer, "target"):
        return True
    same = judge.verdicts(answer)
    return bool(same) and sum(same) * 2 < len(same)


def _gold_text(task: str, gold: JsonValue) -> str:
    if not isinstance(gold, dict):
        return gold_as_text(task, gold)
    label = gold.get("metaphor" if task == "metaphor" else "sarcastic")
    what = "a metaphor" if task == "metaphor" else "sarcastic"
    shown = [] if task in OF_SARCASTIC else [what if label else f"not {what}"]
    shown += [str(gold[name]) for name in ("target", "explanation") if gold.get(name)]
    return "\n\n".join(shown)


class Cfms(Benchmark[Pair]):
    """The benchmark of Zhang, Huang, Tang, Yang and Wu: sarcasm in three steps."""

    name = NAME
    title = "CFMS: sarcasm, its target and its workings"
    citation = (
        "Zhang et al.: CFMS: Towards Explainable and Fine-Grained Chinese Multimodal Sarcasm "
        "Detection Benchmark"
    )
    languages: tuple[Language, ...] = ("en", "zh")
    tasks = TASKS
    release = RELEASE
    folder = FOLDER
    row_forms = ROW_FORMS
    released_items = 420
    metric_models = scoring.METRIC_MODELS
    resources = (*text_scores.ENCODERS.values(),)
    paper_models = PAPER_MODELS
    groups = scoring.GROUPS
    columns = scoring.COLUMNS
    metrics = scoring.OTHERS
    judging = Judging(judge.brief, judge.needs_judge, judge.rows_to_judge, verdicts=people.VERDICTS)
    training = Training(_examples, _ideal_answer)
    votes = Votes(questions=people.ASKED)
    ratings = people.RATINGS
    studies = STUDIES
    building = BUILDING
    analyses = Analyses(
        _is_wrong,
        data_reports.data_scores,
        data_reports.target_words,
        data_plots=data_reports.DATA_PLOTS,
        published=published_relations.relations,
        recitable=recitable,
    )
    report = Report(**read_layout(FOLDER), gold_text=_gold_text)
    variants = Variants(
        {
            spec.name: SHOWN_ITEMS
            | {Variant.PICTURE_ONLY, Variant.QUESTION_ONLY}
            | ({Variant.SHUFFLED_OPTIONS} if spec.name in scoring.LABELLED else set())
            for spec in TASKS
        },
        partial(_questions, silent=True),
    )

    def read(self, data: Path | None) -> Pairs:
        """The test split and the metaphor subset; what is learnt from is never evaluated."""
        return read_pairs(data)

    def questions(self, dataset: Dataset[Pair], task: str, prompts: Prompts) -> list[Question]:
        return _questions(dataset, self.task(task).name, prompts)

    def missing_tasks(self, dataset: Dataset[Pair]) -> Mapping[str, str]:
        """The tasks of which no pair is asked: the metaphor subset, or the test split, may be
        missing, and a test split may hold nothing sarcastic."""
        return {
            spec.name: why_not_asked(dataset.records, spec.name)
            for spec in self.tasks
            if not pairs_of(dataset.records, spec.name)
        }

    def text_only_questions(
        self, dataset: Dataset[Pair], task: str, prompts: Prompts
    ) -> list[Question]:
        """The same questions without the picture; the words read in it stay."""
        asked = self.questions(dataset, task, prompts)
        return [question.model_copy(update={"pictures": ()}) for question in asked]

    def parse(self, task: str, reply: Reply, language: Language) -> Grade:
        return grade_reply(reply, answers.PARSERS[task])

    def named_values(self, task: str, text: str) -> Set[str] | None:
        return answers.named_values(task, text)

    @property
    def adds_up(self) -> bool:
        return True

    def measure(self, answers: Answers, options: ScoringOptions) -> Iterator[Measurement]:
        return scoring.measure_cfms(answers, scoring.TextMetrics.of(options, self.languages))

    def verify(self, data: Path | None) -> Sequence[Anomaly]:
        return data_reports.anomalies(data)


CFMS = Cfms()
