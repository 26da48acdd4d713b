"""JanusMM: memes in the dialogues they were shared in; do models see who is being laughed at?"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from deadpan.benchmarks.janusmm import annotators, answers, published_relations, records
from deadpan.benchmarks.janusmm.answers import LABELS
from deadpan.benchmarks.janusmm.curation import BUILDING
from deadpan.benchmarks.janusmm.irc import LEXICONS, irc_parts
from deadpan.benchmarks.janusmm.metrics import GROUPS, OTHERS, REASONED, RECOGNITION, RESPONDED
from deadpan.benchmarks.janusmm.rating_files import manual_metrics
from deadpan.benchmarks.janusmm.ratings import score_ratings
from deadpan.benchmarks.janusmm.records import Meme
from deadpan.benchmarks.janusmm.release import RELEASE
from deadpan.benchmarks.janusmm.scoring import NEURAL, measure_janusmm, text_metrics
from deadpan.benchmarks.janusmm.studies import STUDIES
from deadpan.benchmarks.janusmm.wording import WORDS, dialogue_text
from deadpan.benchmarks.layout import read_layout
from deadpan.core.answers import Answers
from deadpan.core.benchmark import Benchmark, Task
from deadpan.core.capabilities import Analyses, Explanations, Ratings, Report, Votes, gold_as_text
from deadpan.core.dataset import Anomaly, Dataset
from deadpan.core.measurement import Measurement
from deadpan.core.outcomes import COUNTED_AS_WRONG
from deadpan.core.question_variants import SHOWN_ITEMS, Variants
from deadpan.core.questions import Grade, Language, Picture, Prompts, Question, Reply
from deadpan.core.score import ScoringOptions
from deadpan.core.variants import Variant
from deadpan.metrics.text_scores import ENCODER, ENCODERS
from deadpan.parsing.replies import grade_reply

FOLDER = Path(__file__).parent
LANGUAGES: tuple[Language, ...] = ("en", "zh")
_task = partial(Task, version=4, temperature=0.1, top_p=0.7)
TASKS = (
    _task(
        "recognition",
        "Recognition",
        version=5,
        metrics=RECOGNITION,
        max_tokens=256,
        graded_by=("accuracy", "false_alarms"),
        uses_models=False,
    ),
    _task("reasoning", "Reasoning", version=5, metrics=REASONED, max_tokens=1024),
    _task("initiator", "Initiator", metrics=REASONED, max_tokens=1024),
    _task("responder", "Responder", metrics=RESPONDED, max_tokens=1024),
)
_PARTS_ASKED = {"recognition": 0, "reasoning": 2, "initiator": 2, "responder": 3}


def question_text(template: str, dialogue: str) -> str:
    """The prompt with the dialogue in its place; a slot inside the dialogue stays as it is."""
    return template.replace("{dialogue}", dialogue, 1)


def _question(
    meme: Meme, task: str, prompts: Prompts, text_only: bool = False, silent: bool = False
) -> Question:
    """The question about a meme: with its words in the picture's place if `text_only`, without the
    dialogue if `silent`."""
    row = meme.row
    dialogue = dialogue_text(meme, text_only)
    asked = WORDS[row.language]["no dialogue"] if silent else dialogue
    return Question(
        item=row.meme_id,
        language=row.language,
        system=prompts.system[row.language],
        text=question_text(prompts.user[row.language], asked),
        pictures=() if text_only else (Picture(path=meme.path),),
        form="free",
        labels=LABELS[row.language][: _PARTS_ASKED[task]],
        gold={"question": dialogue, "text": row.text, **gold_of(task, meme)},
        attributes={
            "source": row.source,
            "self_deprecating": row.self_deprecating,
            "emotion": row.emotion,
            **({"cultural_symbol": row.cultural_symbol} if row.cultural_symbol else {}),
        },
    )


def _without_dialogue(dataset: Dataset[Meme], task: str, prompts: Prompts) -> list[Question]:
    return [_question(meme, task, prompts, silent=True) for meme in dataset.records]


def gold_of(task: str, meme: Meme) -> dict[str, JsonValue]:
    """A task's gold by name: what is to be named, or the reasoning and reply of people. A meme that
    is not self-deprecating has no reasoning to be compared with."""
    row = meme.row
    if task == "recognition":
        worded = "self-deprecating" if row.self_deprecating else "not self-deprecating"
        return {"answer": WORDS[row.language][worded], "thinking": row.thinking}
    if not row.self_deprecating:
        return {}
    references: dict[str, dict[str, JsonValue]] = {
        "reasoning": {"reference": row.thinking},
        "initiator": {"reference": row.sender_reasoning},
        "responder": {"reference": row.receiver_reasoning, "reply": row.receiver_reply},
    }
    return {name: text for name, text in references[task].items() if text is not None}


def _is_wrong(row: Mapping[str, Any]) -> bool:
    """Whether self-deprecation was taken for something else, or something else for it; of a
    reasoning, which no rule can tell, whether it is invalid, truncated or refused."""
    if row["task"] == "recognition" and row["outcome"] == "answered":
        named = bool(json.loads(row["parsed"])["named"])
        return named != bool(row["attr.self_deprecating"])
    return row["outcome"] in COUNTED_AS_WRONG


_NOT_ASKED_FOR = ("question", "text", "thinking")
"""What gold holds of the item besides what is right."""


_DETAILS = ("text", "thinking")


def _details(row: Mapping[str, Any]) -> dict[str, str]:
    """The words in the picture, and what people made of the meme where gold does not say it."""
    gold, worded = json.loads(row["gold"]), WORDS[row["language"]]
    return {worded[name]: gold[name] for name in _DETAILS if gold.get(name)}


def _gold_text(task: str, gold: JsonValue) -> str:
    if not isinstance(gold, dict):
        return gold_as_text(task, gold)
    texts = [str(value) for name, value in gold.items() if name not in _NOT_ASKED_FOR]
    return "\n\n".join(texts) or "(no reference: the meme is not self-deprecating)"


PAPER_MODELS = {
    "bertscore:en": "bert-base-uncased",
    "bertscore:zh": "bert-base-chinese",
    "bartscore:en": "bart-large-cnn",
}
"""The paper names no weights: bert-score's own for Chinese, BERT's for English, BARTScore's own."""


class JanusMM(Benchmark[Meme]):
    """The benchmark of Xu, Hao, Xiong and others: self-deprecation in multimodal conversations."""

    name = "janusmm"
    title = "JanusMM: self-mockery in memes"
    citation = (
        "Xu et al.: JanusMM: A Benchmark for Self-Deprecation Understanding in Real-World "
        "Multimodal Conversations"
    )
    languages = LANGUAGES
    tasks = TASKS
    folder = FOLDER
    row_forms = answers.ROW_FORMS
    groups = GROUPS
    metrics = OTHERS
    columns = ("attr.source", "attr.self_deprecating")
    release = RELEASE
    released_items = 2016
    metric_models = (*NEURAL, ENCODER)
    lexicons = LEXICONS
    resources = ("nrc", "ntusd", "cilin", *ENCODERS.values())
    paper_models = PAPER_MODELS
    ratings = Ratings(
        tuple(manual_metrics().values()),
        lambda study, table, options, irc: score_ratings(
            study, table, irc_parts(options, LANGUAGES), irc
        ),
        laid_out=True,
    )
    votes = Votes(questions=annotators.ASKED)
    studies = STUDIES
    building = BUILDING
    analyses = Analyses(
        _is_wrong,
        stats=records.data_scores,
        explanations=Explanations("recognition", "reasoning", "meteor", "q0.25"),
        details=_details,
        headings=tuple({code: WORDS[code][name] for code in WORDS} for name in _DETAILS),
        data_plots=records.DATA_PLOTS,
        published=published_relations.relations,
        recitable=records.recitable,
        has_failure_types=True,
    )
    report = Report(**read_layout(FOLDER), gold_text=_gold_text)
    variants = Variants(
        dict.fromkeys(_PARTS_ASKED, SHOWN_ITEMS | {Variant.PICTURE_ONLY, Variant.QUESTION_ONLY}),
        _without_dialogue,
    )

    def read(self, data: Path | None) -> Dataset[Meme]:
        return records.read_memes(data)

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
        return grade_reply(reply, answers.PARSERS[task])

    def measure(self, answers: Answers, options: ScoringOptions) -> Iterator[Measurement]:
        texts = text_metrics(options, self.languages)
        return measure_janusmm(answers, texts, irc_parts(options, self.languages))

    def verify(self, data: Path | None) -> Sequence[Anomaly]:
        return records.anomalies(data)


JANUSMM = JanusMM()
