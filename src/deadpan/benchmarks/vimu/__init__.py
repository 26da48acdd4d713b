"""ViMU: 588 short videos and what they mean beneath what they show, four questions each."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks.layout import read_layout
from deadpan.benchmarks.vimu import (
    annotators,
    answers,
    metrics,
    people,
    predictions,
    published_relations,
    statistics,
)
from deadpan.benchmarks.vimu.curation import BUILDING
from deadpan.benchmarks.vimu.judge import OPEN, PASSABLE, VIMU_OE, mean_total, read_judgement
from deadpan.benchmarks.vimu.metrics import COMPARABLE, COMPARABLE_COUNT, GROUPS, OTHERS
from deadpan.benchmarks.vimu.records import OpenEnded, Video, read_videos, recitable
from deadpan.benchmarks.vimu.release import RELEASE
from deadpan.benchmarks.vimu.scoring import COLUMNS, measure_vimu
from deadpan.benchmarks.vimu.studies import STUDIES
from deadpan.benchmarks.vimu.taxonomy import TAXONOMIES, Taxonomy
from deadpan.benchmarks.vimu.variants import lettered, variants
from deadpan.core.answers import Answers
from deadpan.core.benchmark import Benchmark, Task
from deadpan.core.capabilities import (
    Analyses,
    Judging,
    ReleasedPredictions,
    Report,
    Votes,
    gold_as_text,
)
from deadpan.core.dataset import Anomaly, Dataset
from deadpan.core.judge import Brief, judgements_in
from deadpan.core.measurement import Measurement
from deadpan.core.outcomes import COUNTED_AS_WRONG
from deadpan.core.questions import TRANSCRIPT, Clip, Grade, Language, Prompts, Question, Reply
from deadpan.core.score import Score, ScoringOptions
from deadpan.core.signature import Signature
from deadpan.parsing.replies import grade_reply

FOLDER = Path(__file__).parent
_SLOT = re.compile(r"\{(question|options|guidance)\}")
_OPEN = (*metrics.READINGS, metrics.COMPARABLE_COUNT)
_EVIDENCE = (*metrics.SELECTIONS, *metrics.EVIDENCE_ANALYSES, metrics.COMPARABLE_COUNT)
_STRUCTURE = (*metrics.SELECTIONS, *metrics.STRUCTURE_ANALYSES, metrics.COMPARABLE_COUNT)
_GUIDED = (*_STRUCTURE, metrics.GUIDANCE_CHANGE)
TASKS = (
    Task("oe", "Interpretation", 5, _OPEN, max_tokens=1024, judge=VIMU_OE),
    Task("eg", "Evidence", 4, _EVIDENCE, reply=answers.Selected, graded_by=("score",)),
    Task("rm", "Rhetoric", 4, _STRUCTURE, reply=answers.Selected, graded_by=("score",)),
    Task("sv", "Social value", 4, _STRUCTURE, reply=answers.Selected, graded_by=("score",)),
    Task(
        "rm_guided", "Rhetoric (guided)", 4, _GUIDED, reply=answers.Selected, graded_by=("score",)
    ),
    Task(
        "sv_guided",
        "Social value (guided)",
        4,
        _GUIDED,
        reply=answers.Selected,
        graded_by=("score",),
    ),
)


def fill_prompt(template: str, values: Mapping[str, str]) -> str:
    """A prompt with its slots filled; the transcript's stays, as do slots without a value. A
    transcript's slot inside a value is spelled out, so that only the prompt's own gets the
    words."""
    plain = {name: text.replace(TRANSCRIPT, "(transcript)") for name, text in values.items()}
    return _SLOT.sub(lambda slot: plain.get(slot[1], slot[0]), template)


def guidance(taxonomy: Taxonomy, language: Language) -> str:
    """What the five categories and their members mean; by label, as an item may order them anew."""
    lines = []
    for one in taxonomy:
        if language == "zh":
            lines.append(f"{one.label_zh}：{one.meaning_zh}")
            lines += [f"  - {member.name_zh}：{member.meaning_zh}" for member in one.members]
        else:
            lines.append(f"{one.label}: {one.meaning}")
            lines += [f"  - {part.name.replace('_', ' ')}: {part.meaning}" for part in one.members]
    return "\n".join(lines)


def _question(video: Video, task: str, prompts: Prompts) -> Question | None:
    """The question about a video; None where the data has none for this task."""
    asked = video.question(task)
    if asked is None:
        return None
    gold: JsonValue = asked.model_dump() if isinstance(asked, OpenEnded) else list(asked.gold)
    options = () if isinstance(asked, OpenEnded) else asked.options
    spoken = None if video.transcript is None else bool(video.transcript.strip())
    lines = lettered([one.letter for one in options], [one.text for one in options])
    values = {"question": asked.question, "options": lines}
    return Question(
        item=video.video_id,
        language=video.language,
        system=prompts.system[video.language],
        text=fill_prompt(prompts.user[video.language], values),
        clip=Clip(path=video.path, frames=video.found_frames, transcript=video.transcript),
        form="labels" if options else "free",
        options=tuple(option.letter for option in options),
        about=tuple(option.text for option in options),
        gold=gold,
        attributes={
            "difficulty": video.difficulty,
            "rhetoric": list(video.rm.gold_categories) if video.rm else [],
            "social": list(video.sv.gold_categories) if video.sv else [],
            "speech": {None: "unknown", True: "yes", False: "no"}[spoken],
            "categories": [option.category for option in options],
        },
    )


def _questions(dataset: Dataset[Video], task: str, prompts: Prompts) -> list[Question]:
    asked = (_question(video, task, prompts) for video in dataset.records)
    return [question for question in asked if question is not None]


def _is_wrong(row: Mapping[str, Any]) -> bool:
    """Whether the options chosen are not exactly gold's; of an interpretation, whether the
    judge's total is below what `total_ge_3` counts; an unjudged one is not wrong."""
    if row["task"] == OPEN:
        judged = judgements_in(row, read_judgement)
        is_poor = bool(judged) and mean_total(judged) < PASSABLE
        return row["outcome"] in COUNTED_AS_WRONG or is_poor
    if row["outcome"] != "answered":
        return True
    return {*json.loads(row["parsed"])} != {*json.loads(row["gold"])}


def _brief(task: str, gold: JsonValue, answer: str, language: Language) -> Brief:
    if task != OPEN or not isinstance(gold, dict):
        raise DeadpanError(f"vimu/{task} has no judge")
    fields = {name: str(value) for name, value in gold.items()}
    return Brief(language=language, answer=answer, fields=fields)


def _gold_text(task: str, gold: JsonValue) -> str:
    if isinstance(gold, dict):
        return f"{gold['reference']}\n\n{gold['intended_meaning']}"
    return gold_as_text(task, gold) or "(no option)"


def _deviations(signature: Signature) -> Iterator[str]:
    """Videos that are shown otherwise than as eight frames."""
    frames, _, longest = signature.settings.get("shown", "").partition("x")
    if longest and frames != "8":
        yield f"{frames} frames of each video; the paper's are 8"
    elif frames == "video":
        yield "videos are shown whole; the paper's are shown as 8 frames"


OUTCOME_NOTE = (
    "Invalid, truncated and refused answers count as wrong and failed calls are left out, "
    "except in Interpretation, where each of these counts as a total of −1. Questions that "
    "never reached the model or that nobody answered, and failed judges, are left out."
)


class Vimu(Benchmark[Video]):
    """The benchmark of Li and Wang: do models get what a video implies?"""

    name = "vimu"
    title = "ViMU: the subtext of videos"
    citation = "Li and Wang: ViMU: Benchmarking Video Metaphorical Understanding"
    languages: tuple[Language, ...] = ("en", "zh")
    tasks = TASKS
    folder = FOLDER
    row_forms = answers.ROW_FORMS
    release = RELEASE
    released_items = 588
    groups = GROUPS
    metrics = OTHERS
    columns = COLUMNS
    judging = Judging(_brief, verdicts=(people.VERDICTS,))
    ratings = people.RATINGS
    votes = Votes(questions=annotators.ASKED)
    studies = STUDIES
    building = BUILDING
    predictions = ReleasedPredictions(predictions.read_released, in_lines=True)
    analyses = Analyses(
        _is_wrong,
        statistics.data_scores,
        data_plots=statistics.DATA_PLOTS,
        published=published_relations.relations,
        recitable=recitable,
    )
    report = Report(
        **read_layout(FOLDER),
        outcome_note=OUTCOME_NOTE,
        gold_text=_gold_text,
        comparable=COMPARABLE,
        comparable_count=COMPARABLE_COUNT.name,
        deviations=_deviations,
    )
    variants = variants(_questions)

    def read(self, data: Path | None) -> Dataset[Video]:
        return read_videos(data)

    def prompts(self, task: str, override: Path | None = None) -> Prompts:
        """The prompts, with the taxonomy's guidance in them, so that it is in their checksum."""
        found = super().prompts(task, override)
        if not task.endswith("_guided"):
            return found
        taxonomy = TAXONOMIES[task.removesuffix("_guided")]
        user = {
            language: fill_prompt(text, {"guidance": guidance(taxonomy, language)})
            for language, text in found.user.items()
        }
        return Prompts(system=found.system, user=user)

    def questions(self, dataset: Dataset[Video], task: str, prompts: Prompts) -> list[Question]:
        return _questions(dataset, self.task(task).name, prompts)

    def missing_tasks(self, dataset: Dataset[Video]) -> Mapping[str, str]:
        """The tasks that no video has a question for."""
        return {
            spec.name: f"no video has a question of {spec.name.removesuffix('_guided')}"
            for spec in self.tasks
            if all(video.question(spec.name) is None for video in dataset.records)
        }

    def parse(self, task: str, reply: Reply, language: Language) -> Grade:
        return grade_reply(reply, answers.PARSERS[task])

    def parse_answer(self, task: str, reply: Reply, question: Question) -> Grade:
        """How a reply reads by the question's own options, whatever their order and texts."""
        if task == OPEN:
            return self.parse(task, reply, question.language)
        taxonomy = TAXONOMIES[task.removesuffix("_guided")]
        options = answers.own_options(taxonomy, question.options, question.about)
        return grade_reply(reply, partial(answers.selection, options=options))

    def named_values(self, task: str, text: str) -> Set[str] | None:
        return None if task == OPEN else answers.named_values(task, text)

    def measure(self, answers: Answers, options: ScoringOptions) -> Iterator[Measurement | Score]:
        return measure_vimu(answers)

    def verify(self, data: Path | None) -> Sequence[Anomaly]:
        return statistics.anomalies(data)


VIMU = Vimu()
