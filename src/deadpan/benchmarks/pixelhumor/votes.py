"""PixelHumor's raw votes: reading them, consolidating them into gold, measuring agreement."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from deadpan.base.errors import InputError
from deadpan.base.files import is_there, write_text
from deadpan.base.printable import in_cell
from deadpan.benchmarks.pixelhumor import records
from deadpan.benchmarks.pixelhumor.records import MINI_SET, NA, QUESTIONS, Row, rows
from deadpan.core.annotations import AnnotationQuestion
from deadpan.core.dataset import Anomaly, Comparison
from deadpan.core.score import Score
from deadpan.core.signature import Signature, checksum
from deadpan.metrics.statistics import agreement
from deadpan.metrics.statistics.agreement import Labels

ANNOTATORS = tuple(f"A{number}" for number in range(1, 9))
ADJUDICATORS = tuple(f"A{number}" for number in range(9, 13))
_VOTERS = (*ANNOTATORS, *ADJUDICATORS)
PAIRS = (("A1", "A2"), ("A3", "A4"), ("A5", "A6"), ("A7", "A8"))
_VOCABULARY: Mapping[str, tuple[str, ...]] = {
    "Q1": records.PRESENCE,
    "Q2": records.SOUND_EFFECTS,
    "Q4": (*records.MODALITIES, NA),
    "Q5": (*records.STYLES, NA),
}
_CHECKED = ("right", "wrong_boxes", "wrong_reading", "unusable")
ASKED = (
    AnnotationQuestion("Q1", "label", _VOCABULARY["Q1"]),
    AnnotationQuestion("Q2", "label", _VOCABULARY["Q2"]),
    AnnotationQuestion("Q3", "labels"),
    AnnotationQuestion("Q4", "labels", _VOCABULARY["Q4"], both={"Both": ("Text", "Visual")}),
    AnnotationQuestion("Q5", "labels", _VOCABULARY["Q5"]),
    AnnotationQuestion("panel_sequence", "order"),
    AnnotationQuestion("boxes", "boxes"),
    AnnotationQuestion("text", "text"),
    AnnotationQuestion("verdict", "label", _CHECKED),
    AnnotationQuestion("feedback", "text"),
    AnnotationQuestion("potentially_harmful", "label", ("harm", "non-harm")),
)
"""The questions, where votes come as rows of annotations; beside the paper's five, the panels as
they are read and drawn, whether that is right, and harm."""
_ENOUGH = 2
_MEASURES: Mapping[str, Callable[[Sequence[Sequence[Labels]]], float]] = {
    "agreement_exact": lambda units: agreement.agreement_level(units, agreement.exact),
    "agreement_overlap": lambda units: agreement.agreement_level(units, agreement.overlap),
    "alpha_nominal": lambda units: agreement.krippendorff_alpha(units, agreement.nominal),
    "alpha_jaccard": lambda units: agreement.krippendorff_alpha(units, agreement.jaccard),
    "alpha_masi": lambda units: agreement.krippendorff_alpha(units, agreement.masi),
    "alpha_overlap": lambda units: agreement.krippendorff_alpha(units, agreement.overlap_distance),
}


class Ballot(BaseModel):
    """The votes on one comic: question → annotator → labels."""

    model_config = ConfigDict(frozen=True)

    comic_id: str
    votes: dict[str, dict[str, tuple[str, ...]]]


def read_ballots(folder: Path) -> tuple[list[Ballot], list[Anomaly]]:
    """The ballots of annotation.csv in its order, and the votes that could not be counted."""
    anomalies: list[Anomaly] = []
    columns = ["comic_id", *(f"{voter}{q}" for voter in _VOTERS for q in QUESTIONS)]
    found = rows(folder / "annotation.csv", columns, anomalies)
    return [_ballot(row, anomalies) for row in found], anomalies


def _ballot(row: Row, anomalies: list[Anomaly]) -> Ballot:
    votes: dict[str, dict[str, tuple[str, ...]]] = {question: {} for question in QUESTIONS}
    for question in QUESTIONS:
        vocabulary = _VOCABULARY.get(question)
        for voter in _VOTERS:
            column = voter + question
            if not row.cells[column].strip():
                continue
            try:
                votes[question][voter] = (
                    records.labels(row, column, vocabulary)
                    if vocabulary
                    else records.panel_labels(row, column)
                )
            except InputError as error:
                anomalies.append(Anomaly(error.where, "vote not counted", error.what))
    return Ballot(comic_id=row.cells["comic_id"], votes=votes)


def gold_labels(question: str, votes: Mapping[str, Sequence[str]]) -> list[str]:
    """Gold from votes: the label of the highest count, which must be at least two. Every Q5 label
    with two votes is kept. Where no label has two, the adjudicators' votes are added. Still none:
    an empty list. Ties keep the labels in the order they were first voted for."""
    for voters in (ANNOTATORS, _VOTERS):
        counts = Counter(
            label for voter in voters for vote in votes.get(voter, ()) for label in _parts(vote)
        )
        enough = {label: count for label, count in counts.items() if count >= _ENOUGH}
        if question != "Q5":
            enough = {label: n for label, n in enough.items() if n == max(enough.values())}
        if question == "Q4" and enough.keys() == {"Text", "Visual"}:
            return ["Both"]
        if enough:
            return list(enough)
    return []


def _parts(label: str) -> tuple[str, ...]:
    return ("Text", "Visual") if label == "Both" else (label,)


def majority_gold(ballots: Sequence[Ballot]) -> dict[str, dict[str, list[str]]]:
    """Gold per comic and question."""
    return {
        ballot.comic_id: {q: gold_labels(q, ballot.votes[q]) for q in QUESTIONS}
        for ballot in ballots
    }


def released_gold(folder: Path) -> dict[str, dict[str, str]]:
    """The cells of subjective_label.csv per comic and question."""
    found = rows(folder / "subjective_label.csv", ("comic_id", *QUESTIONS))
    return {row.cells["comic_id"]: {q: row.cells[q] for q in QUESTIONS} for row in found}


def write_gold(data: Path | None, path: Path) -> Comparison:
    """Writes the gold that a folder's votes give, in the released form of subjective_label.csv, and
    compares it with the released gold."""
    folder = data or MINI_SET
    gold = majority_gold(read_ballots(folder)[0])
    released = released_gold(folder) if is_there(folder / "subjective_label.csv") else {}
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["comic_id", *QUESTIONS])
    for comic in dict.fromkeys((*(comic for comic in released if comic in gold), *gold)):
        cells = (comic, *(str(gold[comic][q]) for q in QUESTIONS))
        writer.writerow(in_cell(cell) for cell in cells)
    write_text(path, stream.getvalue())
    differing = tuple(
        f"{comic} {question}"
        for comic, cells in released.items()
        for question, cell in cells.items()
        if str(gold.get(comic, {}).get(question)) != cell
    )
    compared = len(released) * len(QUESTIONS)
    return Comparison(compared, compared - len(differing), differing)


def folder_agreement(data: Path | None) -> list[Score]:
    """The agreement scores of a folder's raw votes, signed."""
    ballots, _ = read_ballots(data or MINI_SET)
    votes = checksum([ballot.model_dump() for ballot in ballots])
    signature = Signature("pixelhumor", "agreement", "1", len(ballots), votes, prompts="none")
    return agreement_scores(ballots, str(signature))


def agreement_scores(ballots: Sequence[Ballot], signature: str) -> list[Score]:
    """Agreement per question and their mean, for each main pair, all pairs and all annotators."""
    if not ballots:
        raise InputError("annotation.csv", "holds no votes", "Give a folder with raw votes.")
    groups: dict[str, Sequence[Sequence[str]]] = {"+".join(pair): [pair] for pair in PAIRS}
    groups |= {"pairs": PAIRS, "all": [_VOTERS]}
    return [
        Score(
            model="annotators",
            task=task,
            metric=metric,
            group=f"annotators={name}",
            value=value,
            n=n,
            signature=signature,
        )
        for name, circles in groups.items()
        for task, metric, value, n in _agreement(ballots, circles)
    ]


def _agreement(
    ballots: Sequence[Ballot], circles: Sequence[Sequence[str]]
) -> Iterator[tuple[str, str, float | None, int]]:
    """(task, metric, value, n) of each question, then as task `overall` the mean over them."""
    by_question = {q: list(_units(ballots, q, circles)) for q in QUESTIONS}
    values: dict[str, list[float]] = {metric: [] for metric in _MEASURES}
    for question, units in by_question.items():
        for metric, measure in _MEASURES.items():
            try:
                value = measure(units)
            except ValueError:
                yield question, metric, None, len(units)
                continue
            values[metric].append(value)
            yield question, metric, value, len(units)
    most = max(map(len, by_question.values()))
    for metric, found in values.items():
        mean = sum(found) / len(found) if len(found) == len(QUESTIONS) else None
        yield "overall", metric, mean, most


def _units(
    ballots: Sequence[Ballot], question: str, circles: Sequence[Sequence[str]]
) -> Iterator[list[Labels]]:
    """Per comic, the label sets given by the circle that voted on it together."""
    for ballot in ballots:
        votes = ballot.votes[question]
        for circle in circles:
            given = [
                frozenset(part for label in votes[voter] for part in _parts(label))
                for voter in circle
                if voter in votes
            ]
            if len(given) > 1:
                yield given
