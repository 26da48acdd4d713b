"""Answers to a part of the data: which models' they are, and how tables say so."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache

import polars as pl

from deadpan.core.answers import RATER
from deadpan.core.score import Score
from deadpan.core.signature import UNTIL, Signature, parse_signature

MARK = "‡"
"""What follows the name of a model whose answers are to a part of the data."""
Part = tuple[int, int]
"""So many items of so many."""
Parts = Mapping[str, Mapping[str, Part]]
"""By model and task."""


@lru_cache(maxsize=10_000)
def _parsed(text: str) -> Signature | None:
    try:
        return parse_signature(text)
    except ValueError:
        return None


def parts_in(table: pl.DataFrame) -> Parts:
    """The parts that a results table holds: of files of answers, of runs with a limit, and of runs
    that were broken off."""
    found: dict[str, dict[str, Part]] = {}
    asked = ["model", "task", "signature"]
    for (model, task, text), rows in table.group_by(asked, maintain_order=True):
        signature = _parsed(str(text))
        if signature is None:
            continue
        whole = signature.total or signature.n
        have = min(signature.n, len(rows))
        if have < whole:
            part = (have // signature.epochs, whole // signature.epochs)
            found.setdefault(str(model), {})[str(task)] = part
    return found


def asked_in(table: pl.DataFrame) -> dict[tuple[str, str], dict[str, list[str]]]:
    """How the answers to each item ended, by model and task, where a score stopped asking."""
    stopped = table.filter(pl.col("signature").str.contains(f"|{UNTIL}:", literal=True))
    found: dict[tuple[str, str], dict[str, list[str]]] = {}
    for (model, task), rows in stopped.group_by(["model", "task"], maintain_order=True):
        if rows["signature"].n_unique() == 1:
            ended = rows.group_by("item", maintain_order=True).agg("outcome")
            found[str(model), str(task)] = dict(ended.iter_rows())
    return found


def skipped_by(table: pl.DataFrame) -> dict[str, Part]:
    """The people who did not answer all that others of them answered: how many of how many."""
    if RATER not in table.columns:
        return {}
    given = table.filter((pl.col("outcome") != "not_given") & pl.col(RATER).is_not_null())
    found: dict[str, Part] = {}
    for _, rows in given.group_by(["benchmark", "task"], maintain_order=True):
        whole = rows["item"].n_unique()
        for (rater,), own in rows.group_by([RATER], maintain_order=True):
            if (have := own["item"].n_unique()) < whole:
                found[str(rater)] = (have, whole)
    return found


def part_of(score: Score) -> Part | None:
    """The part that a score is over, as its signature tells; None where it is over all, or where
    that is not known."""
    signature = _parsed(score.signature)
    return signature.part if signature else None


def parts_of(scores: Iterable[Score]) -> Parts:
    """The parts that models answered, as the signatures of their scores tell: that of the most
    items, as a difference between two ways of asking is over those that were asked in both."""
    most: dict[tuple[str, str], Signature] = {}
    for score in scores:
        signature = _parsed(score.signature)
        if signature is not None:
            known = most.setdefault((score.model, score.task), signature)
            if signature.n > known.n:
                most[score.model, score.task] = signature
    found: dict[str, dict[str, Part]] = {}
    for (model, task), signature in most.items():
        if signature.part is not None:
            found.setdefault(model, {})[task] = signature.part
    return found


def items_of(score: Score, parts: Parts | None = None) -> dict[str, int | None]:
    """To how many `items` a score's answers are, and of how many where they are a part, as a table
    of scores tells it; None for items where it is not known."""
    items, of = (parts or {}).get(score.model, {}).get(score.task, (None, None))
    signature = _parsed(score.signature)
    if items is None and signature is not None:
        items = signature.n // signature.epochs
        of = signature.total // signature.epochs or None
    return {"items": items, "of_items": of}


def part_note(tasks: Mapping[str, Part], asked: Collection[str] = ()) -> str:
    """A model's part in words: `answers to 1,200 of 2,800 items`, task by task where they differ;
    with its tasks where more than these were `asked`."""
    distinct = dict.fromkeys(tasks.values())
    said = {part: f"{part[0]:,} of {part[1]:,}" for part in distinct}
    if len(distinct) == 1:
        named = "" if tasks.keys() >= set(asked) else f" ({', '.join(tasks)})"
        return f"answers to {next(iter(said.values()))} items{named}"
    listed = ", ".join(f"{said[part]} ({task})" for task, part in tasks.items())
    return f"answers to a part of the items: {listed}"


def part_notes(parts: Parts, asked: Mapping[str, Collection[str]] | None = None) -> list[str]:
    """A footnote for each model; one for all where they have the same part. `asked` are the tasks
    that each model answered, to tell which of them are in part."""
    notes = {model: part_note(own, (asked or {}).get(model, ())) for model, own in parts.items()}
    if len(set(notes.values())) == 1 and len(notes) > 1:
        return [f"{MARK} {next(iter(notes.values()))}"]
    return [f"{MARK} {model}: {note}" for model, note in notes.items()]


def score_notes(scores: Sequence[Score]) -> list[str]:
    """The footnotes of a table in which every score over a part is marked: which parts models
    answered, and of scores over a part of what their model answered, how many items that is."""
    parts, asked = parts_of(scores), dict[str, set[str]]()
    fewer: dict[str, dict[Part, None]] = {}
    for score in scores:
        asked.setdefault(score.model, set()).add(score.task)
        part = part_of(score)
        if part is not None and part != parts.get(score.model, {}).get(score.task):
            fewer.setdefault(score.model, {})[part] = None
    more = [
        f"{MARK} {model}: scores with this mark are over {listed} items"
        for model, own in fewer.items()
        if (listed := ", ".join(f"{have:,} of {whole:,}" for have, whole in own))
    ]
    return [*part_notes(parts, asked), *more]


def stopped_notes(signatures: Iterable[str]) -> list[str]:
    """Footnotes where asking stopped by what had come of it, of which most intervals know
    nothing."""
    told = [one.partition(f"|{UNTIL}:")[2].partition("|")[0] for one in signatures]
    by_score = any("±" in one for one in told)
    by_difference = any(one and "±" not in one for one in told)
    fixed = "intervals are those of a fixed number of items"
    own = "its interval is about what all items would give, and holds whenever asking stops"
    return [
        *([f"Asking stopped by a score: {own}; other {fixed}"] if by_score else []),
        *([f"Asking stopped by a difference of scores; {fixed}"] if by_difference else []),
    ]


def brief_part_note(parts: Parts) -> list[str]:
    """One footnote for all models at most: their part, or from the smallest to the largest."""
    notes = part_notes(parts)
    if len(notes) < 2 and len({part for own in parts.values() for part in own.values()}) < 2:
        return notes
    found = [part for own in parts.values() for part in own.values()]
    few, many = (ends(have for have, _ in found) for ends in (min, max))
    wholes = {whole for _, whole in found}
    if len(wholes) > 1:
        return [f"{MARK} answers to a part of the items"]
    between = f"{few:,}" if few == many else f"{few:,} to {many:,}"
    return [f"{MARK} answers to {between} of {wholes.pop():,} items"]
