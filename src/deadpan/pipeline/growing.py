"""The table of stores that are still written, and of tables and logs that may change: each look
reads and grades only what is new."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import polars as pl

from deadpan.base.errors import InputError
from deadpan.engine.following import FollowedStore
from deadpan.engine.manifests import READINGS, Asked, Manifest, is_manifest, manifests_below
from deadpan.engine.reading import about_run, is_inspect_log
from deadpan.pipeline.filters import Filter
from deadpan.pipeline.replies import join_readings
from deadpan.pipeline.table import (
    join_judgements,
    read_tables,
    task_rows,
    task_signature,
    unite_tables,
)
from deadpan.pipeline.table_files import KEY, TABLE_SUFFIXES, table_of

SOURCE = "source"
"""The column that says which of the paths an answer is from."""
PICTURES, VIDEO, FINISHED = "pictures", "video", "finished"
"""Columns that only answers of stores have: all that was shown, the video it was cut out of, and
when the answer came."""
_APART = (SOURCE, PICTURES, VIDEO, FINISHED)
_Place = tuple[int, str, int]


@dataclass(frozen=True)
class Choices:
    """Whose grades and readings count, and which results are meant."""

    judge: str | None = None
    reader: str | None = None
    reading: str | None = None
    wanted: Filter = Filter()  # noqa: RUF009


@dataclass
class _Graded:
    """The answers of a run that were graded, and where they stood."""

    places: dict[Asked, _Place] = field(default_factory=dict)
    rows: pl.DataFrame | None = None


class GrowingTable:
    """The results of answer stores, tables and Inspect logs, as they were when last looked at."""

    def __init__(self, paths: Sequence[Path], choices: Choices = Choices()) -> None:
        if gone := [path for path in paths if not path.exists()]:
            raise InputError(gone[0], "no such answer store, log or table", "Check the path.")
        self._where, self._choices = " ".join(map(str, paths)), choices
        self._stores: dict[FollowedStore, str] = {}
        self._files: dict[Path, tuple[float, pl.DataFrame]] = {}
        self._others: list[Path] = []
        self._graded: dict[tuple[object, ...], _Graded] = {}
        manifests: dict[Path, list[Path]] = {}
        for path in paths:
            if is_manifest(path):
                manifests.setdefault(path.parent.parent, []).append(path)
            elif path.is_file() or is_inspect_log(path):
                self._others.append(path)
            else:
                for folder in manifests_below([path]) or [path]:
                    self._stores[FollowedStore(folder)] = str(path)
        for folder, only in manifests.items():
            self._stores[FollowedStore(folder, only)] = str(folder)

    def look(self) -> bool:
        """Reads what is new; whether there is anything."""
        is_new = False
        for store in self._stores:
            is_new |= store.look()
        for path in self._others:
            changed = _last_change(path)
            if path not in self._files or self._files[path][0] != changed:
                own = replace(self._choices.wanted, benchmarks=(), tasks=())
                about = {"reader": self._choices.reader, "reading": self._choices.reading}
                if path.suffix in TABLE_SUFFIXES:
                    about["reader"] = None
                rows = read_tables([path], wanted=own, **about)  # type: ignore[arg-type]
                self._files[path] = (changed, rows.with_columns(pl.lit(str(path)).alias(SOURCE)))
                is_new = True
        return is_new

    def table(self) -> pl.DataFrame | None:
        """All results; None where nothing was answered yet."""
        tables = [rows for _, rows in self._files.values()]
        if (of_stores := self._of_stores()) is not None:
            tables.append(of_stores)
        if not tables:
            return None
        return unite_tables(tables, self._where, self._choices.judge, self._choices.wanted, _APART)

    def _of_stores(self) -> pl.DataFrame | None:
        choices = self._choices
        frames = [frame for store in self._stores for frame in self._runs_of(store)]
        if not frames:
            return None
        united = pl.concat(frames, how="diagonal_relaxed")
        table = united.unique([*KEY, "signature"], keep="first", maintain_order=True)
        if choices.reader is not None:
            readings = [one for store in self._stores for one in store.judged(READINGS)]
            table = join_readings(table, readings, choices.reader)
        judged = [one for store in self._stores for one in store.judged()]
        return join_judgements(table, judged, choices.judge)

    def _runs_of(self, store: FollowedStore) -> Iterator[pl.DataFrame]:
        for run in store.runs(self._choices.wanted.latest):
            answered = store.answered(run)
            # What a run's rows depend on, and not how far it is.
            way = (store.folder, run.way(), run.data, run.epochs, run.server)
            known = self._graded.setdefault(way, _Graded())
            self._grade(store, run, answered, known)
            if known.rows is not None and answered:
                given = [row.item for row in answered]
                signature = task_signature(about_run(run), given, self._choices.reading)
                yield known.rows.with_columns(
                    pl.lit(signature).alias("signature"),
                    pl.lit(self._stores[store]).alias(SOURCE),
                )

    def _grade(
        self, store: FollowedStore, run: Manifest, answered: dict[Asked, _Place], known: _Graded
    ) -> None:
        """Grades the answers of a run that are new, or stand elsewhere than they did."""
        new = [row for row, place in answered.items() if known.places.get(row) != place]
        gone = [row for row in known.places if row not in answered]
        if not new and not gone:
            return
        rows = known.rows
        if rows is not None:
            again = [row for row in new if row in known.places] + gone
            keys = pl.DataFrame(
                [(row.item, row.epoch) for row in again],
                schema={"item": pl.String, "epoch": pl.Int64},
                orient="row",
            )
            rows = rows.join(keys, ["item", "epoch"], "anti", maintain_order="left")
        if new:
            task = store.asked(replace(run, rows=tuple(new)))
            made = table_of(
                row
                | {
                    PICTURES: list(one.pictures),
                    VIDEO: one.question.clip.path if one.question.clip else None,
                    FINISHED: one.finished,
                }
                for row, one in zip(
                    task_rows(task, self._choices.reading), task.questions, strict=True
                )
            )
            made = made.with_columns(pl.col(PICTURES).cast(pl.List(pl.String)))
            rows = made if rows is None else pl.concat([rows, made], how="diagonal_relaxed")
        known.places, known.rows = dict(answered), rows


def _last_change(path: Path) -> float:
    """When a file, or any in a folder, was written last."""
    files = [path] if path.is_file() else [one for one in path.rglob("*") if one.is_file()]
    return max((one.stat().st_mtime for one in files), default=0.0)
