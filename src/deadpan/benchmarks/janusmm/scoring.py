"""JanusMM's scores from the tidy results table: recognition, reasonings, both perspectives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import get_args

import polars as pl

from deadpan.base.errors import InputError
from deadpan.benchmarks.janusmm.cases import COLUMNS, Case, Emitter, case_of, grouped
from deadpan.benchmarks.janusmm.dual import dual_scores, irc_of_items
from deadpan.benchmarks.janusmm.instruments import DEFAULT_PARTS, Loader
from deadpan.benchmarks.janusmm.text_metrics import DEFAULT_METRICS, MEASURES, Measure
from deadpan.core.questions import Language
from deadpan.core.score import Score
from deadpan.core.signature import parse_signature
from deadpan.metrics.text_scores import NOT_THERE, TextMetric, how_measured

RECOGNITION = "recognition"
REASONED = ("reasoning", "initiator", "responder")
Values = dict[tuple[str, int], float]
"""Scores by case."""


def janusmm_scores(
    table: pl.DataFrame,
    metrics: Mapping[str, TextMetric] = DEFAULT_METRICS,
    parts: Mapping[str, Loader] = DEFAULT_PARTS,
) -> list[Score]:
    """Every score, model by model; what a metric lacks is told in the signature."""
    if missing := [name for name in COLUMNS if name not in table.columns]:
        fix = "Give a table or log that deadpan wrote."
        raise InputError("results table", f"no column {missing[0]}", fix)
    languages = [code for code in get_args(Language) if code in set(table["language"])]
    scores: list[Score] = []
    for (model,), rows in table.group_by("model", maintain_order=True):
        tasks = {
            str(task): ([case_of(row) for row in part.iter_rows(named=True)], part["signature"][0])
            for (task,), part in rows.group_by("task", maintain_order=True)
        }
        for task, (cases, signature) in tasks.items():
            emit = Emitter(str(model), task, signature)
            if task == RECOGNITION:
                scores += recognition_scores(emit, cases)
            elif task in REASONED:
                scores += reasoning_scores(emit, cases, metrics, languages)
            else:
                known = ", ".join((RECOGNITION, *REASONED))
                raise InputError("results table", f'unknown task "{task}"', f"Expected {known}.")
        if "initiator" in tasks and "responder" in tasks:
            scores += dual_scores(
                str(model), tasks["initiator"], tasks["responder"], parts, languages
            )
    return scores


def irc_scores(table: pl.DataFrame, parts: Mapping[str, Loader]) -> dict[tuple[str, str], float]:
    """The IRC of each model and meme that was answered from both sides."""
    scores: dict[tuple[str, str], float] = {}
    for (model,), rows in table.group_by("model", maintain_order=True):
        sides = [
            [case_of(row) for row in rows.filter(pl.col("task") == task).iter_rows(named=True)]
            for task in REASONED[1:]
        ]
        found = irc_of_items(sides[0], sides[1], parts)
        scores |= {(str(model), item): score for item, score in found.items()}
    return scores


def recognition_scores(emit: Emitter, cases: Sequence[Case]) -> Iterator[Score]:
    """Accuracy in percent over self-deprecating memes, invalid, truncated and refused as wrong;
    false alarms in percent of the answers about other memes; the share of questions answered."""
    for group, members in grouped(cases):
        ours = [case for case in members if case.self_deprecating]
        others = [case for case in members if not case.self_deprecating]
        if ours:
            right = [100.0 * case.named for case in ours if case.scored]
            yield emit.score("accuracy", group, right, ours)
        if others:
            alarms = [100.0 * case.named for case in others if case.answered]
            yield emit.score("false_alarms", group, alarms, others)
        yield _answered(emit, group, members)


def _answered(emit: Emitter, group: str, cases: Sequence[Case]) -> Score:
    shares = [float(case.answered) for case in cases if case.scored]
    return emit.score("answered", group, shares, cases)


def reasoning_scores(
    emit: Emitter,
    cases: Sequence[Case],
    metrics: Mapping[str, TextMetric],
    languages: Sequence[Language],
) -> Iterator[Score]:
    """Mean text metrics over memes with a reference, and how the answers were made up."""
    emit = replace(emit, signature=_signed(emit.signature, metrics, languages))
    compared = [case for case in cases if case.self_deprecating and case.reference is not None]
    for measure in MEASURES:
        values = _measured(measure, metrics.get(measure.name), compared, languages)
        for group, members in grouped(compared, sources=False):
            yield emit.score(measure.name, group, _of(values, members), members)
    for group, members in grouped(cases, sources=False):
        yield _answered(emit, group, members)
        answered = [case for case in members if case.answered]
        given = ["emotion", *(["reply"] if emit.task == "responder" else [])]
        for part in given:
            shares = [float(case.parsed.get(part) is not None) for case in answered]
            yield emit.score(f"{part}_given", group, shares, members)
        yield emit.score("short_answers", group, [float(case.short) for case in answered], members)


def _measured(
    measure: Measure,
    metric: TextMetric | None,
    cases: Sequence[Case],
    languages: Sequence[Language],
) -> dict[Language, Values | None]:
    """The scores of each language's cases; None where the metric is unavailable."""
    found: dict[Language, Values | None] = {}
    for language in languages:
        ours = [case for case in cases if case.language == language]
        answered = [case for case in ours if case.answered]
        scores = _scores(metric, answered, language)
        if scores is None:
            found[language] = None
            continue
        made = zip(answered, scores, strict=True)
        values = {case.key: measure.scale * score for case, score in made}
        if measure.floor is not None:
            values |= {case.key: measure.scale * measure.floor for case in ours if case.wrong}
        found[language] = values
    return found


def _scores(
    metric: TextMetric | None, cases: Sequence[Case], language: Language
) -> Sequence[float] | None:
    """The answers' scores; None where the metric is unavailable."""
    if metric is None:
        return None
    if not cases:
        return []
    references = [case.reference or "" for case in cases]
    try:
        return metric(references, [case.reasoning for case in cases], language)
    except NOT_THERE:
        return None


def _of(values: Mapping[Language, Values | None], members: Sequence[Case]) -> list[float] | None:
    """The members' scores; None where those of one of their languages are unavailable."""
    found: list[float] = []
    for language in sorted({case.language for case in members}):
        scores = values[language]
        if scores is None:
            return None
        found += [scores[case.key] for case in members if case.key in scores]
    return found


def _signed(
    signature: str, metrics: Mapping[str, TextMetric], languages: Sequence[Language]
) -> str:
    """The signature with how each metric measured in each language, or why it could not."""
    settings = {
        measure.name: ",".join(
            f"{code}={how_measured(metrics.get(measure.name), code)}" for code in languages
        )
        for measure in MEASURES
    }
    return str(parse_signature(signature).with_settings(**settings))
