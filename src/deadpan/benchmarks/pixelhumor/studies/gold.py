"""What annotators said and settled about comics, in the files of the released data: votes and gold
by the rule that makes gold of votes, panels, order and text, and addresses in place of pictures."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from pydantic import JsonValue

from deadpan.base.files import write_text
from deadpan.base.printable import in_cell
from deadpan.benchmarks.pixelhumor.records import QUESTIONS
from deadpan.benchmarks.pixelhumor.votes import ADJUDICATORS, ANNOTATORS, gold_labels
from deadpan.core.study.exports import StudyExport
from deadpan.core.study.items import StudyItem

_VOTERS = (*ANNOTATORS, *ADJUDICATORS)
Votes = Mapping[str, Mapping[str, Sequence[str]]]
"""By question and voter the labels."""


def write_annotation(export: StudyExport, folder: Path) -> list[Path]:
    """Writes annotation.csv, subjective_label.csv and comic_url.csv."""
    discarded = {one.item.key for one in export.settled if one.state == "discarded"}
    ballots = {comic: own for comic, own in _ballots(export).items() if comic not in discarded}
    items = {one.item.key: one.item for one in export.said if one.item.key in ballots}
    header = ["comic_id", *(f"{voter}{question}" for voter in _VOTERS for question in QUESTIONS)]
    votes = (
        [
            comic,
            *(
                _list(own.get(question, {}).get(voter))
                for voter in _VOTERS
                for question in QUESTIONS
            ),
        ]
        for comic, own in ballots.items()
    )
    gold = (
        [comic, *(str(gold_labels(question, own.get(question, {}))) for question in QUESTIONS)]
        for comic, own in ballots.items()
    )
    return [
        _write(folder / "annotation.csv", header, votes),
        _write(folder / "subjective_label.csv", ["comic_id", *QUESTIONS], gold),
        _write_addresses(folder, items.values()),
    ]


def _ballots(export: StudyExport) -> dict[str, Votes]:
    """Each comic's votes. Annotators have columns of their own where there are enough; else those
    of a comic stand in the first ones."""
    said = [one for one in export.said if one.kind in ("answer", "third")]
    people = {
        kind: list(dict.fromkeys(one.person for one in said if one.kind == kind))
        for kind in ("answer", "third")
    }
    places = {"answer": ANNOTATORS, "third": ADJUDICATORS}
    fits = all(len(people[kind]) <= len(places[kind]) for kind in places)
    seen: dict[tuple[str, str], list[str]] = {}
    ballots: dict[str, dict[str, dict[str, Sequence[str]]]] = {}
    for one in said:
        among = people[one.kind] if fits else seen.setdefault((one.item.key, one.kind), [])
        if one.person not in among:
            among.append(one.person)
        if (at := among.index(one.person)) < len(places[one.kind]):
            own = ballots.setdefault(one.item.key, {}).setdefault(one.question.name, {})
            own[places[one.kind][at]] = _labels(one.value)
    return {comic: dict(own) for comic, own in ballots.items()}


def _labels(value: JsonValue) -> list[str]:
    """Labels as votes are released: both is two of them."""
    labels = [str(one) for one in value] if isinstance(value, list) else [str(value)]
    return ["Text", "Visual"] if labels == ["Both"] else labels


def _list(labels: Sequence[str] | None) -> str:
    return "" if labels is None else str(list(labels))


def write_panels(export: StudyExport, folder: Path) -> list[Path]:
    """Writes metadata.csv, objective_label.csv, harm_annotation.csv and comic_url.csv, of comics
    that were not sent back or discarded."""
    settled: dict[str, dict[str, JsonValue]] = {}
    items: dict[str, StudyItem] = {}
    lost = {one.item.key for one in export.settled if one.state in ("discarded", "returned")}
    for one in export.settled:
        if one.state == "settled" and one.item.key not in lost:
            settled.setdefault(one.item.key, {}).update(one.result)
            items[one.item.key] = one.item  # of the last stage: with numbers on its panels
    boxes = ([comic, str(_boxes(items[comic], own))] for comic, own in settled.items())
    words = (
        [comic, _sequence(own), _text(own), str(len(items[comic].panel_numbers))]
        for comic, own in settled.items()
        if "panel_sequence" in own
    )
    harm = (
        [comic, str(own["potentially_harmful"])]
        for comic, own in settled.items()
        if "potentially_harmful" in own
    )
    named = ["comic_id", "panel_sequence", "text", "number_of_panels"]
    return [
        _write(folder / "metadata.csv", ["comic_id", "metadata"], boxes),
        _write(folder / "objective_label.csv", named, words),
        _write(folder / "harm_annotation.csv", ["comic_id", "potentially_harmful"], harm),
        _write_addresses(folder, items.values()),
    ]


def _boxes(item: StudyItem, own: Mapping[str, JsonValue]) -> list[dict[str, int | str]]:
    """The panels in pixels of the released picture, with the numbers that were drawn on them."""
    drawn, numbers = own.get("boxes"), [box for part in item.parts for box in part.panels]
    width, height = (float(str(item.attributes.get(side) or 1)) for side in ("width", "height"))
    found: list[dict[str, int | str]] = []
    for box, known in zip(drawn if isinstance(drawn, list) else [], numbers, strict=False):
        if isinstance(box, dict):
            sides = {"x1": width, "y1": height, "x2": width, "y2": height}
            place = {name: round(float(str(box[name])) * side) for name, side in sides.items()}
            found.append({**place, "panel_number": str(known.panel_number)})
    return found


def _sequence(own: Mapping[str, JsonValue]) -> str:
    order = own["panel_sequence"]
    return ", ".join(map(str, order)) if isinstance(order, list) else ""


def _text(own: Mapping[str, JsonValue]) -> str:
    text = own.get("text")
    if not isinstance(text, dict):
        return ""
    return " \n ".join(f"{panel}: {' '.join(str(words).split())}" for panel, words in text.items())


def _write_addresses(folder: Path, items: Iterable[StudyItem]) -> Path:
    rows = ([item.key, str(item.attributes.get("comic_url") or "")] for item in items)
    return _write(folder / "comic_url.csv", ["comic_id", "comic_url"], rows)


def _write(path: Path, header: Sequence[str], rows: Iterable[Sequence[str]]) -> Path:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([in_cell(cell) for cell in row] for row in rows)
    write_text(path, stream.getvalue())
    return path
