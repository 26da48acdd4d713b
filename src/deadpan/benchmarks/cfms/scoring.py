"""CFMS's scores from the tidy results table: labels, targets, explanations, and metaphor's gap."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import get_args

import polars as pl

from deadpan.base.errors import InputError
from deadpan.benchmarks.cfms.cases import COLUMNS, Case, Emitter, by_type, case_of, grouped
from deadpan.benchmarks.cfms.text_metrics import TextMetrics, bleu4, bleu_signature, is_exact
from deadpan.core.questions import Language
from deadpan.core.score import Score, largest_counts
from deadpan.core.signature import joined, parse_signature
from deadpan.metrics.classification import Confusion
from deadpan.metrics.text_scores import NOT_THERE, Signed, TextMetric, how_measured

LABELLED: Mapping[str, str] = {
    "joint": "sarcastic",
    "identification": "sarcastic",
    "metaphor": "metaphor",
    "metaphor_sarcasm": "sarcastic",
}
"""The label that each of these tasks asks for."""
TARGETED = ("joint", "target")
EXPLAINED = ("joint", "explanation")
GAP = ("metaphor", "metaphor_sarcasm")
TASKS = ("joint", "identification", "target", "explanation", *GAP)
LABEL_METRICS = ("accuracy", "precision", "recall", "f1")
TARGET_METRICS = ("target_accuracy", "target_exact", "target_embedding")
TEXT_METRICS = ("bleu4", "bertscore")
Values = dict[tuple[str, int], float]


def cfms_scores(table: pl.DataFrame, metrics: TextMetrics) -> list[Score]:
    """Every score, model by model; what a metric lacks is told in the signature."""
    if missing := [name for name in COLUMNS if name not in table.columns]:
        fix = "Give a table or log that deadpan wrote."
        raise InputError("results table", f"no column {missing[0]}", fix)
    languages = [code for code in get_args(Language) if code in set(table["language"])]
    scores: list[Score] = []
    for (model,), rows in table.group_by("model", maintain_order=True):
        own: list[Score] = []
        for (task,), part in rows.group_by("task", maintain_order=True):
            if task not in TASKS:
                known = ", ".join(TASKS)
                raise InputError("results table", f'unknown task "{task}"', f"Expected {known}.")
            cases = [case_of(row) for row in part.iter_rows(named=True)]
            signature = _signed(part["signature"][0], str(task), metrics, languages)
            own += _task_scores(Emitter(str(model), str(task), signature), cases, metrics)
        scores += [*own, *_gaps(own)]
    return scores


def _task_scores(emit: Emitter, cases: Sequence[Case], metrics: TextMetrics) -> Iterator[Score]:
    task = emit.task
    if task in LABELLED:
        yield from label_scores(emit, cases, LABELLED[task])
    positives = [case for case in cases if case.gold.get("sarcastic")]
    if task in TARGETED:
        yield from target_scores(emit, positives, metrics.embedding)
    if task in EXPLAINED:
        yield from explanation_scores(emit, positives, metrics.bertscore)
    for group, members in grouped(cases, types=False):
        shares = [float(case.answered) for case in members if case.scored]
        yield emit.score("answered", group, fmean(shares) if shares else None, members)
        if task == "joint":
            whole = [float(is_complete(case)) for case in members if case.scored]
            yield emit.score("complete", group, fmean(whole) if whole else None, members)


def is_complete(case: Case) -> bool:
    """Whether a joint answer has the label and, where it says sarcastic, both other parts."""
    says = case.label("sarcastic")
    given = bool(case.text("target")) and bool(case.text("explanation"))
    return says is not None and (given or not says)


def confusion(cases: Sequence[Case], name: str) -> Confusion:
    """The counts of a label's positive class. An answer that does not say is a miss where gold is
    positive, and neither a false alarm nor right where it is negative."""
    said = [(case.label(name), bool(case.gold[name])) for case in cases if case.scored]
    return Confusion(
        tp=sum(gold and says is True for says, gold in said),
        fp=sum(not gold and says is True for says, gold in said),
        tn=sum(not gold and says is False for says, gold in said),
        fn=sum(gold and says is not True for says, gold in said),
    )


def label_scores(emit: Emitter, cases: Sequence[Case], name: str) -> Iterator[Score]:
    """Accuracy, and precision, recall and F1 of the positive class, in percent; for each type of
    target the recall, as all of its pairs are positive."""

    def score(metric: str, group: str, part: int, whole: int, of: Sequence[Case]) -> Score:
        silent = sum(case.answered and case.label(name) is None for case in of)
        value = 100 * part / whole if whole else None
        return emit.score(metric, group, value, of, silent=silent)

    for group, members in grouped(cases, types=False):
        counts = confusion(members, name)
        tp, scored = counts.tp, sum(case.scored for case in members)
        right = tp + counts.tn
        yield score("accuracy", group, right, scored, members)
        yield score("precision", group, tp, tp + counts.fp, members)
        yield score("recall", group, tp, counts.support, members)
        yield score("f1", group, 2 * tp, 2 * tp + counts.fp + counts.fn, members)
    if name == "sarcastic" and emit.task not in GAP:
        for group, members in by_type(cases):
            counts = confusion(members, name)
            yield score("recall", group, counts.tp, counts.support, members)


def target_scores(emit: Emitter, cases: Sequence[Case], embedding: TextMetric) -> Iterator[Score]:
    """Shares of targets in percent that are gold's: as judged, word by word, by their vectors. A
    sarcastic pair whose answer names none counts as wrong."""
    vectors = _by_language(embedding, cases, "target")
    for group, members in grouped(cases):
        yield _judged(emit, group, members)
        scored = [case for case in members if case.scored]
        exact = [100.0 * is_exact(case.gold["target"], case.text("target")) for case in scored]
        yield emit.score("target_exact", group, fmean(exact) if exact else None, members)
        value = _mean(vectors, members)
        yield emit.score("target_embedding", group, value, members)


def _judged(emit: Emitter, group: str, members: Sequence[Case]) -> Score:
    """The share that a judge finds to mean the same; answers that wait for one are unscored, and
    where not one was judged there is no score."""
    scored = [case for case in members if case.scored and not case.waits]
    waiting = any(case.waits for case in members)
    usable = not waiting or any(case.same for case in scored)
    shares = [100.0 * fmean(case.same) if case.same else 0.0 for case in scored]
    value = fmean(shares) if shares and usable else None
    return emit.score("target_accuracy", group, value, members, unscored=len(members) - len(scored))


def explanation_scores(
    emit: Emitter, cases: Sequence[Case], bertscore: TextMetric
) -> Iterator[Score]:
    """BLEU-4 of the corpus and the mean BERTScore-F1 in percent; an answer without an explanation
    counts as an empty text."""
    vectors = _by_language(bertscore, cases, "explanation")
    for group, members in grouped(cases):
        yield emit.score("bleu4", group, _bleu(members), members)
        yield emit.score("bertscore", group, _mean(vectors, members), members)


def _bleu(members: Sequence[Case]) -> float | None:
    """Corpus BLEU of one language; of several the mean, weighted by pairs, as no tokenizer splits
    both."""
    found: list[tuple[int, float]] = []
    for language, cases in _languages([case for case in members if case.scored]):
        references = [str(case.gold["explanation"]) for case in cases]
        score = bleu4(references, [case.text("explanation") for case in cases], language)
        if score is None:
            return None
        found.append((len(cases), score))
    pairs = sum(count for count, _ in found)
    return sum(count * score for count, score in found) / pairs if pairs else None


def _by_language(
    metric: TextMetric, cases: Sequence[Case], part: str
) -> dict[Language, Values | None]:
    """Each scored case's value in percent, 0 where the part is missing; None for a language that
    the metric cannot measure."""
    found: dict[Language, Values | None] = {}
    for language, ours in _languages([case for case in cases if case.scored]):
        given = [case for case in ours if case.text(part)]
        values: Values = {case.key: 0.0 for case in ours}
        try:
            scores = _scores(metric, given, part, language)
        except NOT_THERE:
            found[language] = None
            continue
        values |= {case.key: 100 * one for case, one in zip(given, scores, strict=True)}
        found[language] = values
    return found


def _scores(
    metric: TextMetric, cases: Sequence[Case], part: str, language: Language
) -> Sequence[float]:
    if not cases:
        if isinstance(metric, Signed):
            metric.signature(language)  # raises where it could not have measured anything
        return []
    references = [str(case.gold[part]) for case in cases]
    return metric(references, [case.text(part) for case in cases], language)


def _languages(cases: Sequence[Case]) -> Iterator[tuple[Language, list[Case]]]:
    for language in get_args(Language):
        if ours := [case for case in cases if case.language == language]:
            yield language, ours


def _mean(values: Mapping[Language, Values | None], members: Sequence[Case]) -> float | None:
    """The members' mean; None where there is none, or a language cannot be measured."""
    found: list[float] = []
    for language, cases in _languages([case for case in members if case.scored]):
        scores = values[language]
        if scores is None:
            return None
        found += [scores[case.key] for case in cases]
    return fmean(found) if found else None


def _gaps(scores: Sequence[Score]) -> Iterator[Score]:
    """One model's F1(metaphor) − F1(sarcasm) for each group that both tasks have."""
    f1 = {(one.task, one.group): one for one in scores if one.metric == "f1"}
    for group in [group for task, group in f1 if task == GAP[0] and (GAP[1], group) in f1]:
        first, second = (f1[task, group] for task in GAP)
        if first.value is None or second.value is None:
            value, n = None, 0
        else:
            value, n = first.value - second.value, min(first.n, second.n)
        yield Score(
            model=first.model,
            task=first.task,
            metric="gap",
            group=group,
            value=value,
            n=n,
            unscored=max(first.unscored, second.unscored),
            signature=joined("metaphor_gap", [first.signature, second.signature]),
            **largest_counts([first, second]),
        )


def _signed(signature: str, task: str, metrics: TextMetrics, languages: Sequence[Language]) -> str:
    """The signature with how each text metric measures in each language, or why it cannot."""
    how: dict[str, str] = {}
    if task in TARGETED:
        how["target_embedding"] = _told(metrics.embedding, languages)
    if task in EXPLAINED:
        how["bleu4"] = ",".join(f"{code}={bleu_signature(code)}" for code in languages)
        how["bertscore"] = _told(metrics.bertscore, languages)
    return str(parse_signature(signature).with_settings(**how)) if how else signature


def _told(metric: TextMetric, languages: Sequence[Language]) -> str:
    return ",".join(f"{code}={how_measured(metric, code)}" for code in languages)
