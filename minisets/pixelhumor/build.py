"""Draws the mini-set and writes its tables: `python -m ...miniset.build OUTDIR`."""

import csv
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from minisets.pixelhumor.explanations import EXPLANATIONS
from minisets.pixelhumor.gold import GOLD
from minisets.pixelhumor.script import Script
from minisets.pixelhumor.scripts import SCRIPTS
from minisets.pixelhumor.stage import Strip
from minisets.pixelhumor.votes import annotator_votes, gold_answers

QUESTIONS = ("Q1", "Q2", "Q3", "Q4", "Q5")
Row = Sequence[str | int]


def build(folder: Path, scripts: Sequence[Script] = SCRIPTS) -> None:
    """Writes images/ and the CSV files into `folder`; every run gives the same bytes."""
    images = folder / "images"
    images.mkdir(parents=True, exist_ok=True)
    drawn = [(script, script.strip()) for script in scripts]
    for script, strip in drawn:
        strip.picture().save(images / f"{script.comic_id}.png", optimize=True)
    write_tables(folder, drawn)


def write_tables(folder: Path, drawn: Sequence[tuple[Script, Strip]]) -> None:
    """Writes all CSV files for the drawn comics."""
    ids = [script.comic_id for script, _ in drawn]
    strips = [strip for _, strip in drawn]
    subjective = [_subjective(strip) for strip in strips]
    objective = [_objective(strip) for strip in strips]
    harm = ["harm" if GOLD[comic_id].harmful else "non-harm" for comic_id in ids]
    full = [
        [i, _url(i), *one, *two, flag, script.language]
        for i, one, two, flag, (script, _) in zip(
            ids, subjective, objective, harm, drawn, strict=True
        )
    ]
    task_two = ["panel_sequence", "text", "number_of_panels"]
    _write(folder / "comic_url.csv", ["comic_id", "comic_url"], ([i, _url(i)] for i in ids))
    _write(
        folder / "harm_annotation.csv",
        ["comic_id", "potentially_harmful"],
        zip(ids, harm, strict=True),
    )
    _write(folder / "subjective_label.csv", ["comic_id", *QUESTIONS], _keyed(ids, subjective))
    _write(folder / "objective_label.csv", ["comic_id", *task_two], _keyed(ids, objective))
    _write(
        folder / "full_label.csv",
        ["comic_id", "comic_url", *QUESTIONS, *task_two, "potentially_harmful", "language"],
        full,
    )
    _write(
        folder / "metadata.csv", ["comic_id", "metadata"], ([s.comic_id, boxes(s)] for s in strips)
    )
    told = ([i, EXPLANATIONS[i]] for i in ids if i in EXPLANATIONS)
    _write(folder / "human_explanation.csv", ["comic_id", "explanation"], told)
    columns = [f"A{person}{question}" for person in range(1, 13) for question in QUESTIONS]
    _write(folder / "annotation.csv", ["comic_id", *columns], (_annotation(s) for s in strips))


def panel_text(strip: Strip) -> str:
    """The lettering of all panels by panel number: `1: ... \\n 2: ...`."""
    numbered = sorted(zip(strip.numbers(), strip.panels, strict=True), key=lambda pair: pair[0])
    # A silent panel keeps the space after its colon, and no more: "3: ".
    lines = [f"{number}: {panel.text()}".rstrip() + " " for number, panel in numbered]
    text = "\n ".join(lines)
    return text[:-1] if numbered[-1][1].said else text


def boxes(strip: Strip) -> str:
    """The panel boxes by panel number, as the released metadata writes them."""
    numbered = sorted(zip(strip.numbers(), strip.layout.boxes, strict=True))
    return str(
        [
            {"x1": x1, "y1": y1, "x2": x2, "y2": y2, "panel_number": str(number)}
            for number, (x1, y1, x2, y2) in numbered
        ]
    )


def _url(comic_id: str) -> str:
    return f"deadpan:miniset/{comic_id}"


def _subjective(strip: Strip) -> list[str]:
    return [str(answer) for answer in gold_answers(GOLD[strip.comic_id], strip.numbers())]


def _objective(strip: Strip) -> list[str | int]:
    sequence = ", ".join(str(number) for number in strip.numbers())
    return [sequence, panel_text(strip), len(strip.panels)]


def _annotation(strip: Strip) -> list[str]:
    votes = annotator_votes(strip.comic_id, GOLD[strip.comic_id], strip.numbers())
    cells = [strip.comic_id]
    for person in range(1, 13):
        cells += [str(answer) for answer in votes[person]] if person in votes else [""] * 5
    return cells


def _keyed(ids: list[str], rows: Iterable[Row]) -> Iterable[Row]:
    return ([comic_id, *row] for comic_id, row in zip(ids, rows, strict=True))


def _write(path: Path, header: list[str], rows: Iterable[Row]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


if __name__ == "__main__":
    build(Path(sys.argv[1]))
