"""JanusMM: memes in the dialogues they were shared in; do models see who is being laughed at?"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict

import polars as pl
from pydantic import JsonValue

from deadpan.benchmarks.janusmm import answers, layout, statistics, verification
from deadpan.benchmarks.janusmm.forms import ROW_FORMS
from deadpan.benchmarks.janusmm.instruments import irc_parts
from deadpan.benchmarks.janusmm.metrics import (
    COLUMNS,
    GROUPS,
    OTHERS,
    REASONED,
    RECOGNITION,
    RESPONDED,
)
from deadpan.benchmarks.janusmm.ratings import rated
from deadpan.benchmarks.janusmm.records import Meme, read_memes
from deadpan.benchmarks.janusmm.scoring import measure_janusmm
from deadpan.benchmarks.janusmm.text_metrics import NEURAL, text_metrics
from deadpan.benchmarks.janusmm.wording import dialogue_text, question_text
from deadpan.core.answers import Answers
from deadpan.core.benchmark import Benchmark
from deadpan.core.capabilities import Analyses, Rated, Ratings, Report, gold_as_text
from deadpan.core.dataset import Anomaly, Dataset
from deadpan.core.measurement import Measurement
from deadpan.core.outcomes import COUNTED_AS_WRONG
from deadpan.core.prompts import Prompts
from deadpan.core.questions import Attribute, Grade, Language, Picture, Question, Reply
from deadpan.core.scoring_options import ScoringOptions
from deadpan.core.task import TaskSpec
from deadpan.metrics.text_scores import ENCODER
from deadpan.parsing.replies import graded

FOLDER = Path(__file__).parent
LANGUAGES: tuple[Language, ...] = ("en", "zh")
SELF_DEPRECATION: dict[Language, str] = {"en": "self-deprecation", "zh": "自嘲"}
NOT_SELF_DEPRECATION: dict[Language, str] = {"en": "not self-deprecation", "zh": "不是自嘲"}

LABELS: dict[Language, tuple[str, ...]] = {
    "en": ("Emotion", "Reasoning", "Reply"),
    "zh": ("情绪", "推理", "回复"),
}
_PARTS_ASKED = {"recognition": 0, "reasoning": 2, "initiator": 2, "responder": 3}


class Sampling(TypedDict):
    """How every task is sampled."""

    temperature: float
    top_p: float


SAMPLING = Sampling(temperature=0.1, top_p=0.7)
TASKS = (
    TaskSpec("recognition", "Recognition", 2, RECOGNITION, max_tokens=256, **SAMPLING),
    TaskSpec("reasoning", "Reasoning", 2, REASONED, max_tokens=1024, **SAMPLING),
    TaskSpec("initiator", "Initiator", 2, REASONED, max_tokens=1024, **SAMPLING),
    TaskSpec("responder", "Responder", 2, RESPONDED, max_tokens=1024, **SAMPLING),
)


def _question(meme: Meme, task: str, prompts: Prompts, text_only: bool = False) -> Question:
    row = meme.row
    dialogue = dialogue_text(meme, text_only)
    return Question(
        item=row.meme_id,
        language=row.language,
        system=prompts.system[row.language],
        text=question_text(prompts.user[row.language], dialogue),
        pictures=() if text_only else (Picture(path=meme.path),),
        form="free",
        labels=LABELS[row.language][: _PARTS_ASKED[task]],
        gold={"question": dialogue, **gold_of(task, meme)},
        attributes=attributes_of(meme),
    )


def gold_of(task: str, meme: Meme) -> dict[str, JsonValue]:
    """A task's gold by name: what is to be named, or the reasoning and reply of people.

    A meme that is not self-deprecating has no reasoning to be compared with.
    """
    row = meme.row
    if task == "recognition":
        worded = SELF_DEPRECATION if row.self_deprecating else NOT_SELF_DEPRECATION
        return {"answer": worded[row.language]}
    if not row.self_deprecating:
        return {}
    references: dict[str, dict[str, JsonValue]] = {
        "reasoning": {"reference": row.thinking},
        "initiator": {"reference": row.sender_reasoning},
        "responder": {"reference": row.receiver_reasoning, "reply": row.receiver_reply},
    }
    return {name: text for name, text in references[task].items() if text is not None}


def attributes_of(meme: Meme) -> dict[str, Attribute]:
    """What a meme's scores are grouped by."""
    return {
        "source": meme.row.source,
        "self_deprecating": meme.row.self_deprecating,
        "emotion": meme.row.emotion,
    }


def _is_wrong(row: Mapping[str, Any]) -> bool:
    """Whether self-deprecation was taken for something else, or something else for it; of a
    reasoning, which no rule can tell, whether it is invalid, truncated or refused."""
    if row["task"] == "recognition" and row["outcome"] == "answered":
        named = bool(json.loads(row["parsed"])["named"])
        return named != bool(row["attr.self_deprecating"])
    return row["outcome"] in COUNTED_AS_WRONG


def _gold_text(task: str, gold: JsonValue) -> str:
    if not isinstance(gold, dict):
        return gold_as_text(task, gold)
    texts = [str(value) for name, value in gold.items() if name != "question"]
    return "\n\n".join(texts) or "(no reference: the meme is not self-deprecating)"


def _rated(
    ratings: Path,
    table: pl.DataFrame | None,
    options: ScoringOptions,
    measured: Path | None,
) -> Rated:
    """The mean ratings, how far raters agree, and how IRC goes with HUC; `measured` holds the
    answers' IRC where it is not to be measured on the results."""
    return rated(ratings, table, irc_parts(options, LANGUAGES), measured)


class JanusMM(Benchmark[Meme]):
    """The benchmark of Xu, Hao, Xiong and others: self-deprecation in multimodal conversations."""

    name = "janusmm"
    title = "JanusMM: self-mockery in memes"
    citation = "Xu et al.: JanusMM: A Benchmark for Self-Deprecation Understanding"
    languages = LANGUAGES
    tasks = TASKS
    folder = FOLDER
    row_forms = ROW_FORMS
    groups = GROUPS
    metrics = OTHERS
    columns = COLUMNS
    released_items = 2016
    metric_models = (*NEURAL, ENCODER)
    ratings = Ratings(_rated)
    analyses = Analyses(_is_wrong, statistics.data_scores)
    report = Report(layout.TABLES, layout.PLOTS, gold_text=_gold_text)

    def read(self, data: Path | None) -> Dataset[Meme]:
        return read_memes(data)

    def questions(self, dataset: Dataset[Meme], task: str, prompts: Prompts) -> list[Question]:
        name = self.task(task).name
        return [_question(meme, name, prompts) for meme in dataset.records]

    def text_only_questions(
        self, dataset: Dataset[Meme], task: str, prompts: Prompts
    ) -> list[Question]:
        """The same questions without the image; the meme's words stand in the dialogue."""
        name = self.task(task).name
        return [_question(meme, name, prompts, text_only=True) for meme in dataset.records]

    def parse(self, task: str, reply: Reply, language: Language) -> Grade:
        return graded(reply, answers.PARSERS[task])

    def measure(self, answers: Answers, options: ScoringOptions) -> Iterator[Measurement]:
        texts = text_metrics(options, self.languages)
        return measure_janusmm(answers, texts, irc_parts(options, self.languages))

    def verify(self, data: Path | None) -> Sequence[Anomaly]:
        return verification.anomalies(data)


JANUSMM = JanusMM()
