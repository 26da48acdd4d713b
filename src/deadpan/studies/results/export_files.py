"""What came out of a study as files: CSV, JSON lines, Parquet, or Label Studio's JSON; and in the
form of its benchmark, where that has one."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from deadpan.base.counting import count_noun
from deadpan.base.errors import DeadpanError
from deadpan.base.files import leftovers, read_text, write_bytes, write_text
from deadpan.base.printable import in_cell
from deadpan.core.rating_scales import scale_text
from deadpan.core.study.exports import StudyExport
from deadpan.core.study.files import study_text
from deadpan.core.study.specification import Study
from deadpan.core.study.templates import StudyTemplate
from deadpan.studies.results import export_rows
from deadpan.studies.results.agreement import scales, study_agreement
from deadpan.studies.results.datasheet import datasheet
from deadpan.studies.results.disagreements import disagreement_rows
from deadpan.studies.results.export_rows import Row
from deadpan.studies.results.label_studio import (
    MEDIA,
    label_studio_files,
    label_studio_tasks,
)
from deadpan.studies.results.label_studio_form import label_studio_config

FORMATS = ("jsonl", "csv", "parquet", "label-studio")
LEFT_OUT = "left_out.json"
"""Where a benchmark's own form of a study says what it leaves out, and why."""
Tables = Mapping[str, Sequence[Row]]


def export_tables(export: StudyExport) -> dict[str, list[Row]]:
    """The tables of a study by name: that of what it produces, annotations of what that does not
    hold, and gold, decisions, disagreements, reviews, returns, opinions, times and checks."""
    produces = export.study.produces
    found: dict[str, list[Row]] = {}
    said = export_rows.annotation_table(export)
    if said or produces == "annotations":
        found["annotations"] = said
    if produces == "answers":
        found["answers"] = export_rows.answer_rows(export)
    if rated := _rating_table(export):
        found["ratings"] = rated
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
    gold = list(export_rows.gold_rows(export))
    if gold and (produces != "ratings" or any(one.result for one in export.settled)):
        found["gold"] = gold
    if decided := export_rows.decision_rows(export):
        found["decisions"] = decided
    if apart := list(disagreement_rows(export)):
        found["disagreements"] = apart
    if reviewed := export_rows.review_rows(export):
        found["reviews"] = reviewed
    if returned := export_rows.return_rows(export):
        found["returns"] = returned
    if asked := export_rows.opinion_rows(export):
        found["opinions"] = asked
    found["times"] = export_rows.time_rows(export)
    if checked := export_rows.check_rows(export):
        found["checks"] = checked
    if came := export_rows.recruited_rows(export):
        found["recruited"] = came
    return found


def _rating_table(export: StudyExport) -> list[Row]:
    """The ratings as their file has them, each with its scale."""
    told = {one.name: scale_text(one) for one in scales(export)}
    return [
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
        for one in export_rows.rating_rows(export)
    ]


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
    template: StudyTemplate | None = None,
) -> list[Path]:
    """Writes everything into a folder, in the form of the study's template too, and returns the
    files. Nothing to export raises."""
    if form not in FORMATS:
        raise DeadpanError(f"--format {form}: expected one of {', '.join(FORMATS)}")
    if not export.said and not export.spent:
        raise DeadpanError("nobody has answered anything yet: there is nothing to export")
    tables: dict[str, list[Row]] = {}
    if form == "label-studio":
        written = _write_label_studio(export, folder)
    else:
        tables = {name: rows for name, rows in export_tables(export).items() if rows}
        paths = ((folder / f"{name}.{form}", rows) for name, rows in tables.items())
        written = [write_table(path, rows, form) for path, rows in paths]
    more = template.datasheet(export) if template and template.datasheet else ()
    about = {
        "study.yaml": study_text(_without_code(export.study)),
        "datasheet.md": datasheet(
            export, study_agreement(export, groups=False), more, list(tables)
        ),
    }
    for name, text in about.items():
        write_text(folder / name, text)
        written.append(folder / name)
    written += template.write(export, folder) if template and template.write else ()
    for left in (one for path in written for one in leftovers(path)):
        left.unlink(missing_ok=True)  # of an export that was killed
    return written


def left_out_notes(
    export: StudyExport, written: Sequence[Path], template: StudyTemplate | None
) -> Iterator[str]:
    """How many items the benchmark's own files leave out, by what became of them; of those that
    people settled, by the reason."""
    said = [path for path in written if path.name == LEFT_OUT]
    gone = {one.unit for one in export.settled if one.state == "discarded"}
    if template and template.write and gone and not said:
        yield f"{count_noun(len(gone), 'item')} discarded, and in no file of labels: see gold"
    for path in said:
        rows = json.loads(read_text(path))
        why = Counter(map(_left_out_for, rows))
        told = "; ".join(f"{many} {reason}" for reason, many in why.most_common())
        are = "is" if len(rows) == 1 else "are"
        yield f"{count_noun(len(rows), 'item')} {are} left out ({told}): see {path}"


def _left_out_for(row: Mapping[str, Any]) -> str:
    """What became of an item that people did not keep; else why it is left out all the same."""
    state = str(row.get("state", "settled"))
    return str(row.get("reason", "")) if state == "settled" else state


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
