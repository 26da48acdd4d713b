"""What came out of a study as files: CSV, JSON lines, Parquet, or Label Studio's JSON; and in the
form of its benchmark, where that has one."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from deadpan.base.counting import count_noun
from deadpan.base.errors import DeadpanError
from deadpan.base.files import write_bytes, write_text
from deadpan.base.printable import in_cell
from deadpan.core.rating_scales import scale_text
from deadpan.core.study.exports import StudyExport
from deadpan.core.study.files import study_text
from deadpan.core.study.specification import Study
from deadpan.studies.results import export_rows
from deadpan.studies.results.agreeing import scales, study_agreement
from deadpan.studies.results.datasheet import datasheet
from deadpan.studies.results.export_rows import Row
from deadpan.studies.results.label_studio import (
    MEDIA,
    label_studio_files,
    label_studio_tasks,
)
from deadpan.studies.results.label_studio_form import label_studio_config

FORMATS = ("jsonl", "csv", "parquet", "label-studio")
Tables = Mapping[str, Sequence[Row]]


def export_tables(export: StudyExport) -> dict[str, list[Row]]:
    """The tables of a study by name: that of what it produces, and gold, times and checks."""
    produces = export.study.produces
    found: dict[str, list[Row]] = {}
    if produces == "annotations":
        found["annotations"] = export_rows.annotation_table(export)
    if produces == "answers":
        found["answers"] = export_rows.answer_rows(export)
    if rated := export_rows.rating_rows(export):
        told = {one.name: scale_text(one) for one in scales(export)}
        found["ratings"] = [
            {
                "item": one.item,
                "model": one.model,
                "metric": one.metric,
                "rater": one.rater,
                "rating": one.rating,
                "language": one.language,
                "note": one.note,
                "scale": told.get(one.metric, ""),
            }
            for one in rated
        ]
    if chosen := export_rows.choice_rows(export):
        found["choices"] = [
            {
                "item": one.item,
                "left": one.left,
                "right": one.right,
                "rater": one.rater,
                "choice": one.chosen or "tie",
                "question": one.question,
            }
            for one in chosen
        ]
    if produces != "ratings" or any(one.result for one in export.settled):
        found["gold"] = list(export_rows.gold_rows(export))
    found["times"] = export_rows.time_rows(export)
    if checked := export_rows.check_rows(export):
        found["checks"] = checked
    if came := export_rows.recruited_rows(export):
        found["recruited"] = came
    return found


def waiting_words(export: StudyExport) -> str:
    """How much waits for a reviewer, to be put behind what there is; nothing where nothing does."""
    if not export.waiting:
        return ""
    wait = "waits" if export.waiting == 1 else "wait"
    return f"; {count_noun(export.waiting, 'answered task')} {wait} for a reviewer"


def write_export(
    export: StudyExport,
    folder: Path,
    form: str,
    own: Callable[[StudyExport, Path], Sequence[Path]] | None = None,
) -> list[Path]:
    """Writes everything into a folder, and returns the files. Nothing to export raises."""
    if form not in FORMATS:
        raise DeadpanError(f"--format {form}: expected one of {', '.join(FORMATS)}")
    if not export.said and not export.spent:
        raise DeadpanError("nobody has answered anything yet: there is nothing to export")
    written = []
    if form == "label-studio":
        written += _write_label_studio(export, folder)
    else:
        for name, rows in export_tables(export).items():
            if rows:
                written.append(write_table(folder / f"{name}.{form}", rows, form))
    about = {
        "study.yaml": study_text(_without_code(export.study)),
        "datasheet.md": datasheet(export, study_agreement(export, groups=False)),
    }
    for name, text in about.items():
        write_text(folder / name, text)
        written.append(folder / name)
    return [*written, *(own(export, folder) if own else ())]


def _write_label_studio(export: StudyExport, folder: Path) -> list[Path]:
    """Writes tasks and labelling config, and beside them the files that they show; one that is not
    there any more is left out."""
    tasks = json.dumps(label_studio_tasks(export), ensure_ascii=False, indent=1)
    texts = {"label-studio.json": f"{tasks}\n", "label-studio.xml": label_studio_config(export)}
    for name, text in texts.items():
        write_text(folder / name, text)
    written = [folder / name for name in texts]
    for file in label_studio_files(export):
        if file.path.is_file():
            write_bytes(folder / MEDIA / file.name, file.path.read_bytes())
            written.append(folder / MEDIA / file.name)
    return written


def _without_code(study: Study) -> Study:
    """The study as it may be given away: without the code that says that somebody is done."""
    if study.recruiting is None:
        return study
    recruiting = study.recruiting.model_copy(update={"code": ""})
    return study.model_copy(update={"recruiting": recruiting})


def write_table(path: Path, rows: Sequence[Row], form: str) -> Path:
    """Writes a table in one of the forms; columns in which nothing stands are left out."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    used = [name for name in columns if any(row.get(name) not in (None, "") for row in rows)]
    if form == "jsonl":
        lines = (
            json.dumps({name: row.get(name) for name in used}, ensure_ascii=False) for row in rows
        )
        write_text(path, "".join(f"{line}\n" for line in lines))
    elif form == "csv":
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(used)
        writer.writerows([_cell(row.get(name)) for name in used] for row in rows)
        write_text(path, stream.getvalue())
    else:
        data = io.BytesIO()
        _frame(rows, used).write_parquet(data)
        write_bytes(path, data.getvalue())
    return path


def _frame(rows: Sequence[Row], columns: Sequence[str]) -> pl.DataFrame:
    """A table whose columns are numbers, truths or text."""
    found: dict[str, list[Any]] = {}
    for name in columns:
        values = [row.get(name) for row in rows]
        kinds = {type(one) for one in values if one is not None}
        plain_kinds = kinds <= {int, float} or kinds <= {bool}
        found[name] = [
            one if one is None or plain_kinds else export_rows.plain(one) for one in values
        ]
        if kinds == {int, float}:
            found[name] = [None if one is None else float(str(one)) for one in values]
    return pl.DataFrame(found, strict=False)


def _cell(value: object) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else export_rows.plain(value)
    return in_cell(text) if isinstance(value, str) else text
