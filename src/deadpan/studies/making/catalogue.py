"""The studies that can be made: those of the benchmarks' papers, and a user's own from YAML."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
from pydantic import ValidationError

from deadpan.base.errors import DeadpanError, InputError, meant
from deadpan.base.files import is_there, is_within
from deadpan.base.problems import problems_of, told
from deadpan.benchmarks import find, names
from deadpan.core.benchmark import Benchmark
from deadpan.core.dataset import Dataset
from deadpan.core.study.files import placed_items, read_study
from deadpan.core.study.items import Output, Part, StudyItem
from deadpan.core.study.recruiting import recruiting_from
from deadpan.core.study.specification import Study
from deadpan.core.study.templates import MadeStudy, StudySource, StudyTemplate
from deadpan.core.study.validation import require_own_fit
from deadpan.core.study.words import PATTERNS
from deadpan.pipeline.filters import Filter
from deadpan.pipeline.table import read_tables
from deadpan.studies.making.benchmark_templates import offered_templates

YAML = (".yaml", ".yml")
_ANSWERS = (".json", ".jsonl", ".csv")
"""Files in which answers are given for `score --predictions`."""
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")


def templates() -> Iterator[tuple[Benchmark[Any], StudyTemplate]]:
    """Every template with its benchmark; its name is BENCHMARK/TEMPLATE."""
    for name in names():
        benchmark = find(name)
        for template in offered_templates(benchmark):
            yield benchmark, template


def find_template(name: str) -> tuple[Benchmark[Any], StudyTemplate]:
    """The template of that name; an unknown one raises with the one that was meant, or all."""
    known = {f"{one.name}/{template.name}": (one, template) for one, template in templates()}
    if name not in known:
        hint = meant(name, known) or f"; expected a YAML file, or one of {', '.join(known)}"
        raise DeadpanError(f"{name}: no such study{hint}")
    return known[name]


def make_study(
    name: str,
    sources: Sequence[Path] = (),
    data: Path | None = None,
    given: Mapping[str, str] | None = None,
    seed: int = 0,
    anywhere: bool = False,
    judge: str | None = None,
) -> MadeStudy:
    """A study by a template's name from data or results, or by a YAML file from a file of items,
    which may name files `anywhere` only where that is allowed. Where several judges graded the
    results, `judge` says whose grades count."""
    own = Path(name).suffix in YAML
    if judge is not None and (own or not find_template(name)[1].takes_results or not sources):
        raise DeadpanError(f"{name}: --judge is for studies of answers, which --from names")
    if own:
        return _from_files(Path(name), sources, anywhere)
    benchmark, template = find_template(name)
    settings = template.settings(given or {})
    table = None
    if template.source == "results" and not sources:
        raise DeadpanError(f"{name}: name the answers to rate with --from STORE|TABLE")
    if template.takes_results and sources:
        table = _results(sources, benchmark, data, judge)
    elif sources:
        if len(sources) > 1 or data is not None:
            raise DeadpanError(f"{name}: name one folder of data with --from")
        data = sources[0]
        _require_there(data)
    return template.made_from(StudySource(_data(benchmark, data, sources), table, seed, settings))


def _data(benchmark: Benchmark[Any], folder: Path | None, sources: Sequence[Path]) -> Dataset[Any]:
    """The data of a folder; what is wrong with it is said of the option that named it."""
    try:
        return benchmark.read(folder)
    except InputError as error:
        if folder not in sources:
            raise
        fix = error.fix.replace("--data", "--from")
        raise InputError(error.where, error.what, fix) from error


def _require_there(path: Path) -> None:
    if not is_there(path):
        raise InputError(path, "is not there", "Check --from.")


def _results(
    sources: Sequence[Path], benchmark: Benchmark[Any], data: Path | None, judge: str | None
) -> pl.DataFrame:
    """The answers to a benchmark in stores and tables; for a file of answers that is none yet, it
    is told how it becomes one."""
    try:
        table = read_tables(list(sources), judge, wanted=Filter((benchmark.name,), (), False))
    except InputError as error:
        path = Path(error.where)
        if path.suffix not in _ANSWERS:
            raise
        made = path.with_suffix(".parquet")
        score = f"deadpan score {benchmark.name} --predictions {path} --table {made}"
        score += f" --data {data}" if data else ""
        fix = f"If it holds answers, make a table of them: `{score}`; then give --from {made}."
        raise InputError(path, "is no table of results", fix) from error
    own = table.filter(pl.col("benchmark") == benchmark.name)
    if own.is_empty():
        where = " ".join(map(str, sources))
        raise InputError(where, f"holds no answer to {benchmark.name}", "Check --from.")
    return own


def _from_files(path: Path, sources: Sequence[Path], anywhere: bool) -> MadeStudy:
    """A study of one's own: items in JSON lines, whose files lie beside them."""
    if not sources:
        raise DeadpanError(f"{path}: name its items with --from items.jsonl")
    if len(sources) > 1:
        what = f"got {len(sources)} files of items with --from; expected one"
        raise InputError(path, what, "Put all items into one file.")
    study = read_study(path)
    if study.benchmark and study.benchmark not in names():
        known = f"expected one of {', '.join(names())}, or none{meant(study.benchmark, names())}"
        raise InputError(path, f"benchmark: got {study.benchmark}; {known}", "Correct it.")
    _require_there(sources[0])
    items = placed_items(sources[0])
    require_own_fit(study, items, path)
    return MadeStudy(study, [_placed(item, sources[0], anywhere) for _, item in items])


def _placed(item: StudyItem, source: Path, anywhere: bool) -> StudyItem:
    """The item with its files found beside the file that names them. It may come from a stranger:
    no other file of the user's is shown to raters."""
    folder = source.parent

    def placed(part: Part) -> Part:
        if not part.path:
            return part
        if _ADDRESS.match(part.path):
            what = f"item {item.key} names {part.path}; addresses are not fetched"
            raise InputError(source, what, "Fetch it yourself, and name the file.")
        path = folder / part.path
        if not anywhere and not is_within(path, folder):
            what = f"item {item.key} names {part.path}, which is not in the same folder"
            raise InputError(source, what, "Put it there, or add --files-anywhere.")
        return part.model_copy(update={"path": str(path)})

    outputs = tuple(
        Output(source=one.source, parts=tuple(map(placed, one.parts))) for one in item.outputs
    )
    return item.model_copy(update={"parts": tuple(map(placed, item.parts)), "outputs": outputs})


def own_template(study: Study) -> StudyTemplate | None:
    """The template that a study was made by; None where there is none."""
    for benchmark, template in templates():
        if f"{benchmark.name}/{template.name}" == study.template:
            return template
    return None


def renamed(made: MadeStudy, name: str) -> MadeStudy:
    """The study under another name."""
    return _changed(made, f"--name {name}", name=name) if name else made


def recruited(made: MadeStudy, platform: str) -> MadeStudy:
    """The study with people from a recruiting platform, by its name or by the parameter of its
    links that names them. Who are sent back with a code all have the same: the platform knows it
    beforehand."""
    if not platform:
        return made
    found = recruiting_from(platform)
    code = secrets.token_hex(4).upper() if found.return_to else ""
    recruiting = found.model_copy(update={"code": code})
    return _changed(made, f"--recruit {platform}", recruiting=recruiting.model_dump())


def _changed(made: MadeStudy, option: str, **fields: object) -> MadeStudy:
    try:
        study = Study.model_validate({**made.study.model_dump(), **fields})
    except ValidationError as error:
        what = told(problems_of(error, Study, {**made.study.model_dump(), **fields}, PATTERNS))
        raise DeadpanError(f"{option}: {what}") from None
    return replace(made, study=study)
