"""ViMU's metrics: what each answer adds to them, and how they are shown.

Answers come as `read_answers` gives them: of a closed question `parsed` and `gold` are sets of
categories, of the open one `parsed` are its judgements.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from deadpan.benchmarks.vimu import judge, selections
from deadpan.benchmarks.vimu.judge import HIGHEST, LOWEST
from deadpan.benchmarks.vimu.selections import Options
from deadpan.benchmarks.vimu.taxonomy import EVIDENCE, LETTERS, Task
from deadpan.core.answers import Answer
from deadpan.core.metric import Array, Metric, Statistics, Sums, mean, percent, scored, total
from deadpan.core.units import GroupBy

GROUPS = (
    GroupBy("difficulty"),
    GroupBy("language"),
    GroupBy("rhetoric", several=True),
    GroupBy("social", several=True),
    GroupBy("speech"),
)
COMPARABLE = "videos=comparable"
"""The group of the videos that all models have scored in a task."""
SUMMARY = "summary"
"""The task of scores over several tasks."""
SOURCES = tuple(category.members[0].name for category in EVIDENCE)
"""The evidence sources by name, in the order of their letters."""


def _of_choice(adds: Callable[[Options, Options], Statistics]) -> Callable[[Answer], Statistics]:
    """What an answer adds by what was chosen and what is right."""
    return lambda answer: adds(answer.parsed, answer.gold)


def _exact(answer: Answer) -> Statistics:
    """What was not answered is never exact, whatever gold is."""
    return scored(answer.is_answered and answer.parsed == answer.gold)


def _average(tasks: Sequence[Task], sums: Sums) -> Array:
    """The mean of the tasks' scores."""
    values = {judge.OPEN: judge.scaled_total}
    parts = [values.get(task, percent)(sums.of_label(task)) for task in tasks]
    average: Array = np.mean(parts, axis=0)
    return average


_strict = _of_choice(lambda chosen, gold: scored(selections.strict_score(chosen, gold)))
_zero = _of_choice(lambda chosen, gold: scored(selections.strict_score(chosen, gold) == 0))
_options = _of_choice(selections.option_counts)
_pairs = _of_choice(partial(selections.pair_counts, LETTERS))

_percent = partial(Metric, unit="percent", decimals=1, range=(0, 100))
_share = partial(Metric, range=(0, 1), groups=())
_points = partial(Metric, unit="points", decimals=2, groups=())
_count = partial(Metric, better="neither", unit="count", decimals=0)
_difference = partial(Metric, better="neither", range=(-1, 1))
_PAPER, _JUDGE = "ViMU", "ViMU, appendix B, equation 1"

SCORE = _percent("score", source=f"{_PAPER}, appendix I", statistics=_strict, value=percent)
SELECTIONS = (
    SCORE,
    _share("exact", statistics=_exact, value=mean),
    _share("zero", better="lower", statistics=_zero, value=mean),
    Metric(
        "conservatism",
        better="neither",
        unit="count",
        decimals=2,
        range=(-5, 5),
        source=f"{_PAPER}, figure 6a",
        statistics=_options,
        value=selections.conservatism,
        groups=(),
    ),
    _share(
        "micro_f1",
        "micro-F1",
        source=f"{_PAPER}, figure 6a",
        statistics=_options,
        value=selections.micro_f1,
    ),
)
"""The headlines of the closed questions."""

ERROR_SHARE = _share(
    "error_share",
    better="neither",
    source=f"{_PAPER}, figure 6b",
    statistics=_of_choice(selections.error_counts),
    value=partial(selections.label_shares, "answers"),
    each="error",
)
EVIDENCE_ANALYSES = (
    ERROR_SHARE,
    _difference(
        "relation_distortion",
        source=f"{_PAPER}, figure 6c",
        statistics=_of_choice(partial(selections.pair_counts, SOURCES)),
        value=selections.relation_distortion,
        each="row",
    ),
)
STRUCTURE_ANALYSES = (
    ERROR_SHARE,
    *(
        _share(
            name,
            better="neither",
            source=f"{_PAPER}, figure {figure}",
            statistics=_pairs,
            value=partial(selections.label_shares, of),
            each="row",
        )
        for name, figure, of in (
            ("co_occurrence", "8b", "chosen"),
            ("co_occurrence_gold", "8a", "gold"),
        )
    ),
    Metric(
        "geometry_distortion",
        better="lower",
        range=(0, 5),
        source=f"{_PAPER}, figure 8d",
        statistics=_pairs,
        value=selections.geometry_distortion,
        groups=(),
    ),
    _difference(
        "affinity_bias",
        source=f"{_PAPER}, figures 9 and 12",
        statistics=_options,
        value=selections.affinity_bias,
        each="option",
    ),
    *(
        _share(name, better="lower", statistics=_options, value=value, each="option")
        for name, value in (
            ("false_positive_rate", selections.false_positive_rates),
            ("false_negative_rate", selections.false_negative_rates),
        )
    ),
)
GUIDANCE_CHANGE = _difference(
    "guidance_fpr_change",
    "change of false-positive rate with guidance",
    source=f"{_PAPER}, figure 10",
    value=selections.guidance_change,
    each="option",
)

OPEN_SCORE = _percent("score", source=_JUDGE, statistics=judge.totals, value=judge.scaled_total)
TOTALS = (
    OPEN_SCORE,
    _points(
        "total",
        range=(LOWEST, HIGHEST),
        source=_JUDGE,
        statistics=judge.totals,
        value=partial(judge.mean_of, "total"),
    ),
    *(
        _share(
            f"total_{name}",
            title,
            better="lower" if name == "le_0" else "higher",
            statistics=judge.totals,
            value=partial(judge.mean_of, name),
        )
        for name, title in (("ge_3", "total ≥ 3"), ("eq_9", "total = 9"), ("le_0", "total ≤ 0"))
    ),
)
"""The headlines of the open question, failed inferences as -1."""
SCORE_JUDGED = _percent(
    "score_judged",
    "score, judged only",
    source=_JUDGE,
    statistics=judge.judged_parts,
    value=judge.scaled_total,
    groups=(),
)
JUDGED_PARTS = tuple(
    _points(
        name,
        better="lower" if name.endswith("_penalty") else "higher",
        range=(0, highest),
        source=_JUDGE,
        statistics=judge.judged_parts,
        value=partial(judge.mean_of, name),
    )
    for name, highest in judge.PARTS.items()
)
JUDGE_SPREAD = _points("judge_spread", better="lower", statistics=judge.judge_spread, value=mean)
JUDGE_FLAGS = _share(
    "judge_flags", better="lower", statistics=judge.judged_parts, value=judge.flag_share
)
READINGS = (OPEN_SCORE, SCORE_JUDGED, *TOTALS[1:], *JUDGED_PARTS, JUDGE_SPREAD, JUDGE_FLAGS)
"""All of the open question."""
COMPARABLE_COUNT = _count("comparable_videos", value=total, groups=())

_AVERAGES: dict[str, tuple[Task, ...]] = {
    "SSU-Avg": ("rm", "sv"),
    "All-Avg": ("oe", "eg", "rm", "sv"),
    "SSU-Avg guided": ("rm_guided", "sv_guided"),
    "All-Avg guided": ("oe", "eg", "rm_guided", "sv_guided"),
}
AVERAGES = tuple(
    (
        _percent(
            re.sub(r"\W", "_", title.lower()), title, value=partial(_average, tasks), groups=()
        ),
        tasks,
    )
    for title, tasks in _AVERAGES.items()
)
"""The averages over tasks, and the tasks of each."""
OTHERS = (
    *(metric for metric, _ in AVERAGES),
    *(
        Metric(f"{name}{ending}", title, better="neither", source=f"{_PAPER}, figure 7")
        for ending in ("", "_guided")
        for end in ("", "_share")
        for name, title in ((f"pc1{end}", "PC1"), (f"pc2{end}", "PC2"))
    ),
    _count("videos"),
    _count("questions"),
    _share("speech_share", better="neither"),
    *(
        _count(f"{name}_{of}", decimals=1 if of == "mean" else 0)
        for name in ("question_words", "answer_words")
        for of in ("max", "min", "mean")
    ),
    *(_count(f"seconds_{of}", decimals=1) for of in ("max", "min", "mean", "sum")),
)
"""Scores over several tasks and models, and of the data."""
