"""PixelHumor's raw votes: reading them, consolidating them into gold, measuring agreement."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from deadpan.base.errors import InputError
from deadpan.base.files import is_there, write_text
from deadpan.base.printable import in_cell
from deadpan.benchmarks.pixelhumor.records import (
    MODALITIES,
    NA,
    PRESENCE,
    QUESTIONS,
    SOUND_EFFECTS,
    STYLES,
    Row,
    labels,
    panel_labels,
    rows,
)
from deadpan.core.dataset import Anomaly, Comparison
from deadpan.core.score import Score
from deadpan.core.signature import Signature, checksum
from deadpan.metrics.statistics import agreement
from deadpan.metrics.statistics.agreement import Labels

ANNOTATORS = tuple(f"A{number}" for number in range(1, 9))
ADJUDICATORS = tuple(f"A{number}" for number in range(9, 13))
PAIRS = (("A1", "A2"), ("A3", "A4"), ("A5", "A6"), ("A7", "A8"))
_VOCABULARY: Mapping[str, tuple[str, ...]] = {
    "Q1": PRESENCE,
    "Q2": SOUND_EFFECTS,
    "Q4": (*MODALITIES, NA),
    "Q5": (*STYLES, NA),
}
_ENOUGH = 2


class Ballot(BaseModel):
    """The votes on one comic: question → annotator → labels."""

    model_config = ConfigDict(frozen=True)

    comic_id: str
    votes: dict[str, dict[str, tuple[str, ...]]]


def read_ballots(folder: Path) -> tuple[list[Ballot], list[Anomaly]]:
    """The ballots of annotation.csv in its order, and the votes that could not be counted."""
    anomalies: list[Anomaly] = []
    columns = ["comic_id", *(f"{a}{q}" for a in (*ANNOTATORS, *ADJUDICATORS) for q in QUESTIONS)]
    found = rows(folder / "annotation.csv", columns, anomalies)
    return [_ballot(row, anomalies) for row in found], anomalies


def _ballot(row: Row, anomalies: list[Anomaly]) -> Ballot:
    votes: dict[str, dict[str, tuple[str, ...]]] = {question: {} for question in QUESTIONS}
    for question in QUESTIONS:
        for annotator in (*ANNOTATORS, *ADJUDICATORS):
            column = annotator + question
            if not row.cells[column].strip():
                continue
            vocabulary = _VOCABULARY.get(question)
            try:
                votes[question][annotator] = (
                    labels(row, column, vocabulary) if vocabulary else panel_labels(row, column)
                )
            except InputError as error:
                anomalies.append(Anomaly(error.where, "vote not counted", error.what))
    return Ballot(comic_id=row.cells["comic_id"], votes=votes)


def gold_labels(question: str, votes: Mapping[str, Sequence[str]]) -> list[str]:
    """Gold from votes: the label of the highest count, which must be at least two.

    Every Q5 label with two votes is kept. Where no label has two, the adjudicators' votes are
    added. Still none: an empty list. Ties keep the labels in the order they were first voted for.
    """
    for voters in (ANNOTATORS, (*ANNOTATORS, *ADJUDICATORS)):
        counts = Counter(
            label for voter in voters for vote in votes.get(voter, ()) for label in _parts(vote)
        )
        enough = {label: count for label, count in counts.items() if count >= _ENOUGH}
        if question != "Q5":
            enough = {label: n for label, n in enough.items() if n == max(enough.values())}
        if enough:
            return _joined(question, list(enough))
    return []


def _parts(label: str) -> tuple[str, ...]:
    return ("Text", "Visual") if label == "Both" else (label,)


def _joined(question: str, winners: list[str]) -> list[str]:
    return ["Both"] if question == "Q4" and set(winners) == {"Text", "Visual"} else winners


def consolidated(ballots: Sequence[Ballot]) -> dict[str, dict[str, list[str]]]:
    """Gold per comic and question."""
    return {
        ballot.comic_id: {q: gold_labels(q, ballot.votes[q]) for q in QUESTIONS}
        for ballot in ballots
    }


def write_gold(path: Path, gold: Mapping[str, Mapping[str, Sequence[str]]]) -> None:
    """Writes gold in the released form of subjective_label.csv."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["comic_id", *QUESTIONS])
    for comic_id, answers in gold.items():
        cells = (str(list(answers[q])) for q in QUESTIONS)
        writer.writerow(in_cell(cell) for cell in (comic_id, *cells))
    write_text(path, stream.getvalue())


def released_gold(folder: Path) -> dict[str, dict[str, str]]:
    """The cells of subjective_label.csv per comic and question."""
    found = rows(folder / "subjective_label.csv", ("comic_id", *QUESTIONS))
    return {row.cells["comic_id"]: {q: row.cells[q] for q in QUESTIONS} for row in found}


def write_consolidated(folder: Path, path: Path) -> Comparison:
    """Writes the gold that a folder's votes give and compares it with the released gold."""
    gold = consolidated(read_ballots(folder)[0])
    released = released_gold(folder) if is_there(folder / "subjective_label.csv") else {}
    order = [*(comic for comic in released if comic in gold), *gold]
    write_gold(path, {comic: gold[comic] for comic in order})
    cells = [(comic, question) for comic in released for question in QUESTIONS]
    differing = tuple(
        f"{comic} {question}"
        for comic, question in cells
        if str(gold.get(comic, {}).get(question)) != released[comic][question]
    )
    return Comparison(len(cells), len(cells) - len(differing), differing)


def folder_agreement(folder: Path) -> list[Score]:
    """The agreement scores of a folder's raw votes, signed."""
    ballots, _ = read_ballots(folder)
    signature = Signature(
        benchmark="pixelhumor",
        task="agreement",
        version="1",
        n=len(ballots),
        data=checksum([ballot.model_dump() for ballot in ballots]),
        prompts="none",
    )
    return agreement_scores(ballots, str(signature))


_MEASURES: Mapping[str, Callable[[Sequence[Sequence[Labels]]], float]] = {
    "agreement_exact": lambda units: agreement.agreement_level(units, agreement.exact),
    "agreement_overlap": lambda units: agreement.agreement_level(units, agreement.overlap),
    "alpha_nominal": lambda units: agreement.krippendorff_alpha(units, agreement.nominal),
    "alpha_jaccard": lambda units: agreement.krippendorff_alpha(units, agreement.jaccard),
    "alpha_masi": lambda units: agreement.krippendorff_alpha(units, agreement.masi),
}


def agreement_scores(ballots: Sequence[Ballot], signature: str) -> list[Score]:
    """Agreement per question and their mean, for each main pair, all pairs and all annotators."""
    if not ballots:
        raise InputError("annotation.csv", "holds no votes", "Give a folder with raw votes.")
    groups: dict[str, list[tuple[str, ...]]] = {
        f"annotators={'+'.join(pair)}": [pair] for pair in PAIRS
    }
    groups["annotators=pairs"] = list(PAIRS)
    groups["annotators=all"] = [(*ANNOTATORS, *ADJUDICATORS)]
    scores = []
    for group, circles in groups.items():
        measured = [
            score
            for question in QUESTIONS
            for score in _measured(question, group, _units(ballots, question, circles), signature)
        ]
        scores += measured + _means(group, measured, signature)
    return scores


def _means(group: str, measured: Sequence[Score], signature: str) -> list[Score]:
    """Per measure the mean over the questions, as task `overall`."""
    means = []
    for metric in _MEASURES:
        values = [f.value for f in measured if f.metric == metric and f.value is not None]
        means.append(
            Score(
                model="annotators",
                task="overall",
                metric=metric,
                group=group,
                value=sum(values) / len(values) if len(values) == len(QUESTIONS) else None,
                n=max(f.n for f in measured),
                signature=signature,
            )
        )
    return means


def _units(
    ballots: Sequence[Ballot], question: str, circles: Sequence[Sequence[str]]
) -> list[list[Labels]]:
    """Per comic, the label sets given by the circle that voted on it together."""
    units = []
    for ballot in ballots:
        for circle in circles:
            given = [
                frozenset(part for label in ballot.votes[question][voter] for part in _parts(label))
                for voter in circle
                if voter in ballot.votes[question]
            ]
            if len(given) > 1:
                units.append(given)
    return units


def _measured(
    task: str, group: str, units: Sequence[Sequence[Labels]], signature: str
) -> list[Score]:
    scores = []
    for metric, measure in _MEASURES.items():
        try:
            value: float | None = measure(units)
        except ValueError:
            value = None
        scores.append(
            Score(
                model="annotators",
                task=task,
                metric=metric,
                group=group,
                value=value,
                n=len(units),
                signature=signature,
            )
        )
    return scores
