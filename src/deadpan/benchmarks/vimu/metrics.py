"""ViMU's metrics: what each answer adds to them, and how they are shown. Answers come as
`read_answers` gives them: of a closed question `parsed` and `gold` are sets of categories, of the
open one `parsed` are its judgements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from deadpan.benchmarks.vimu import judge, selections
from deadpan.benchmarks.vimu.judge import HIGHEST, LOWEST
from deadpan.benchmarks.vimu.selections import Options
from deadpan.benchmarks.vimu.taxonomy import EVIDENCE, LETTERS, TaskName
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
SOURCES = tuple(category.members[0].name for category in EVIDENCE)
"""The evidence sources by name, in the order of their letters."""


def _of_choice(adds: Callable[[Options, Options], Statistics]) -> Callable[[Answer], Statistics]:
    """What an answer adds by what was chosen and what is right."""
    return lambda answer: adds(answer.parsed, answer.gold)


def _exact(answer: Answer) -> Statistics:
    """What was not answered is never exact, whatever gold is."""
    return scored(answer.is_answered and answer.parsed == answer.gold)


def _average(tasks: Sequence[TaskName], sums: Sums) -> Array:
    """The mean of the tasks' scores."""
    values = {judge.OPEN: judge.scaled_total}
    parts = [values.get(task, percent)(sums.of_label(task)) for task in tasks]
    average: Array = np.mean(parts, axis=0)
    return average


def _strict(answer: Answer) -> Statistics:
    return scored(selections.strict_score(answer.parsed, answer.gold))


def _zero(answer: Answer) -> Statistics:
    return scored(selections.strict_score(answer.parsed, answer.gold) == 0)


_JUDGE = "ViMU, appendix B, equation 1"
_percent = partial(Metric, unit="percent", decimals=1, range=(0, 100))
_share = partial(Metric, range=(0, 1), groups=())
_points = partial(Metric, unit="points", decimals=2, source=_JUDGE, groups=())
_count = partial(Metric, better="neither", unit="count", decimals=0)
_difference = partial(Metric, better="neither", range=(-1, 1))
_option_share = partial(_share, statistics=_of_choice(selections.option_counts))
_pair_share = partial(
    _share,
    better="neither",
    statistics=_of_choice(partial(selections.pair_counts, LETTERS)),
    each="row",
)

SELECTIONS = (
    _percent("score", source="ViMU, appendix I", statistics=_strict, value=percent),
    _share("exact", statistics=_exact, value=mean),
    _share("zero", better="lower", statistics=_zero, value=mean),
    _option_share(
        "conservatism",
        better="neither",
        unit="count",
        decimals=2,
        range=(-5, 5),
        source="ViMU, figure 6a",
        value=selections.conservatism,
        mean_over="n",
    ),
    _option_share("micro_f1", "micro-F1", source="ViMU, figure 6a", value=selections.micro_f1),
)
"""The headlines of the closed questions."""

ERROR_SHARE = _share(
    "error_share",
    better="neither",
    source="ViMU, figure 6b",
    statistics=_of_choice(selections.error_counts),
    value=partial(selections.label_shares, "answers"),
    each="error",
)
EVIDENCE_ANALYSES = (
    ERROR_SHARE,
    _difference(
        "relation_distortion",
        source="ViMU, figure 6c",
        statistics=_of_choice(partial(selections.pair_counts, SOURCES)),
        value=selections.relation_distortion,
        each="row",
    ),
)
_rate = partial(_option_share, better="lower", each="option")
STRUCTURE_ANALYSES = (
    ERROR_SHARE,
    *(
        _pair_share(name, source=f"ViMU, figure {at}", value=partial(selections.label_shares, of))
        for name, at, of in (
            ("co_occurrence", "8b", "chosen"),
            ("co_occurrence_gold", "8a", "gold"),
        )
    ),
    _pair_share(
        "geometry_distortion",
        better="lower",
        range=(0, 5),
        source="ViMU, figure 8d",
        value=selections.geometry_distortion,
        each="",
        smooth=False,  # a distance: it has a kink where there is none
    ),
    _difference(
        "affinity_bias",
        source="ViMU, figures 9 and 12",
        statistics=_of_choice(selections.option_counts),
        value=selections.affinity_bias,
        each="option",
    ),
    _rate("false_positive_rate", value=selections.false_positive_rates),
    _rate("false_negative_rate", value=selections.false_negative_rates),
)
GUIDANCE_CHANGE = _difference(
    "guidance_fpr_change",
    "change of false-positive rate with guidance",
    source="ViMU, figure 10",
    value=selections.guidance_change,
    each="option",
)

_total_share = partial(_share, statistics=judge.totals, mean_over="n")
OPEN_SCORE = _percent(
    "score",
    source=f"{_JUDGE}; appendix I",
    statistics=judge.totals,
    value=judge.scaled_total,
    mean_over="n",
)
"""The total's range mapped linearly to 0 to 100; the paper prints no formula for it."""
TOTALS = (
    OPEN_SCORE,
    _points(
        "total",
        range=(LOWEST, HIGHEST),
        statistics=judge.totals,
        value=partial(judge.mean_of, "total"),
        mean_over="n",
    ),
    _total_share("total_ge_3", "total ≥ 3", value=partial(judge.mean_of, "ge_3")),
    _total_share("total_eq_9", "total = 9", value=partial(judge.mean_of, "eq_9")),
    _total_share("total_le_0", "total ≤ 0", better="lower", value=partial(judge.mean_of, "le_0")),
)
"""The headlines of the open question, failed inferences as -1."""
SCORE_JUDGED = replace(
    OPEN_SCORE,
    name="score_judged",
    title="score, judged only",
    statistics=judge.judged_parts,
    groups=(),
)
JUDGED = (
    *(
        _points(
            name,
            better="lower" if name.endswith("_penalty") else "higher",
            range=(0, highest),
            statistics=judge.judged_parts,
            value=partial(judge.mean_of, name),
            mean_over="n",
        )
        for name, highest in judge.PARTS.items()
    ),
    _share("judge_flags", better="lower", statistics=judge.judged_parts, value=judge.flag_share),
)
"""What is said of judged readings alone: their parts, and the share of flagged judgements."""
JUDGE_SPREAD = _points(
    "judge_spread", better="lower", source="", statistics=judge.judge_spread, value=mean
)
VERDICT_SHARE = _share(
    "verdict_share",
    "share of readings",
    better="neither",
    source=_JUDGE,
    statistics=judge.verdicts,
    value=judge.verdict_shares,
    each="verdict",
)
"""As the judge words it, which may not be what its total would give."""
READINGS = (
    *(OPEN_SCORE, SCORE_JUDGED, *TOTALS[1:], *JUDGED[:-1]),
    *(JUDGE_SPREAD, JUDGED[-1], VERDICT_SHARE),
)
"""All of the open question."""
COMPARABLE_COUNT = _count("comparable_videos", value=total, groups=())

_AVERAGES: dict[tuple[str, str], tuple[TaskName, ...]] = {
    ("ssu_avg", "SSU-Avg"): ("rm", "sv"),
    ("all_avg", "All-Avg"): ("oe", "eg", "rm", "sv"),
    ("ssu_avg_guided", "SSU-Avg guided"): ("rm_guided", "sv_guided"),
    ("all_avg_guided", "All-Avg guided"): ("oe", "eg", "rm_guided", "sv_guided"),
}
AVERAGES = tuple(
    (_percent(*names, value=partial(_average, tasks), groups=()), tasks)
    for names, tasks in _AVERAGES.items()
)
"""The averages over tasks, and the tasks of each."""
OTHERS = (
    *(metric for metric, _ in AVERAGES),
    *(
        Metric(f"pc{axis}{end}{ending}", f"PC{axis}", better="neither", source="ViMU, figure 7")
        for ending in ("", "_guided")
        for end in ("", "_share")
        for axis in (1, 2)
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
