"""Small results of two made-up models, and the studies that templates make of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl
from PIL import Image

from deadpan.base.files import sha256_of
from deadpan.benchmarks import BUILT_IN, find
from deadpan.benchmarks.cfms.records import Pairs
from deadpan.benchmarks.merbench.judge import BLOCKS
from deadpan.core.capabilities import Predictions
from deadpan.core.dataset import Dataset
from deadpan.core.questions import Reply
from deadpan.core.study.exports import SettledItem, StudyExport
from deadpan.core.study.items import StudyItem
from deadpan.core.study.specification import Study
from deadpan.core.study.stages import Question
from deadpan.core.study.templates import MadeStudy, StudySource, StudyTemplate
from deadpan.pipeline.table import results_of_predictions
from deadpan.studies.making.benchmark_templates import offered_templates

MODELS = ("acme/loud-9", "acme/meek-2")
EDITORS = ("caption", "flawed-layout")
BENCHMARKS = tuple(BUILT_IN)
SMALL: Mapping[str, Mapping[str, str]] = {
    "janusmm/annotation": {"practice": "4"},
    "janusmm/rating": {"checks": "2"},
    "janusmm/failures": {"badly_explained": "none", "share": "0.4"},
    "cfms/failures": {"share": "0.2"},
    "pixelhumor/annotation": {"practice": "2", "sessions": "2", "checks": "3"},
    "pixelhumor/preference": {"per_source": "2"},
    "pixelhumor/failures": {"share": "0.2"},
    "vimu/failures": {"share": "0.2"},
    "cfms/judge": {"task": "joint", "sample": "10"},
    "merbench/construction": {"sample": "8"},
    "cfms/annotation": {"practice": "2", "checks": "2", "model": MODELS[0]},
    "cfms/labels": {"practice": "2", "checks": "2", "split": "test"},
}
NEEDS_FILES = ("cfms/generation", "failure-audit")
"""Templates that are made of what other commands wrote."""


@cache
def data(name: str) -> Dataset[Any]:
    """Some memes, posts, comics or videos of a mini-set, of both kinds and languages."""
    whole = find(name).read(None)
    if name == "cfms":
        everything = Pairs.of_dataset(whole)
        return replace(everything, records=everything.records, learnt=everything.learnt[:10])
    return replace(whole, records=whole.records[:: 8 if name == "janusmm" else 2])


@cache
def results(name: str) -> pl.DataFrame:
    """What both models answered; the first refuses a question, the second has one wrong."""
    return _edited() if name == "merbench" else _answered(name)


def _answered(name: str) -> pl.DataFrame:
    benchmark, tables = find(name), []
    for model in MODELS:
        replies: dict[str, dict[str, Reply]] = {}
        for spec in benchmark.tasks:
            asked = benchmark.questions(data(name), spec.name, benchmark.prompts(spec.name))
            replies[spec.name] = {
                one.item: Reply(text=_said(spec.name, one.language, one.item, model))
                for one in asked
            }
        tables.append(results_of_predictions(benchmark, data(name), Predictions(replies), model))
    return pl.concat(tables, how="diagonal_relaxed")


def _said(task: str, language: str, item: str, model: str) -> str:
    words = "bells" if model == MODELS[0] else "drums"
    if task == "recognition":
        return f"The poster praises {words}."
    if task in ("reasoning", "initiator", "responder"):
        reply = f"\nReply: Oh dear, {words}!" if task == "responder" else ""
        return f"Emotion: guilt\nReasoning: the {words} of {item} ring for no one at all.{reply}"
    if task == "joint":
        return f"Sarcastic: yes\nTarget: the {words}\nExplanation: the {words} of {item} clash."
    if task in ("interpretation", "oe"):
        return f"It means that the {words} of {item} ring for no one at all."
    return {"target": f"the {words}", "explanation": f"the {words} clash."}.get(task, "yes")


def _edited() -> pl.DataFrame:
    """The mini-set's edits, judged by two of the judge's prompts."""
    benchmark = find("merbench")
    assert benchmark.edits is not None
    tasks = ["reappraisal", "reappraisal_rf_vl"]
    found = benchmark.edits.read(None, data("merbench"), EDITORS, tasks)
    tables = [
        results_of_predictions(benchmark, data("merbench"), answers, model)
        for model, answers in found.answers.items()
    ]
    judged = [{"parts": judgement("a reason of its own"), "flags": []}]
    return pl.concat(tables, how="diagonal_relaxed").with_columns(
        judgements=pl.lit(json.dumps(judged)),
        outcome=pl.when(pl.col("outcome") == "judge_failed")
        .then(pl.lit("answered"))
        .otherwise(pl.col("outcome")),
    )


def judgement(reason: str) -> dict[str, Any]:
    """The blocks of a judge who finds everything middling and the meme happy."""
    values = {"consistent": True, "label": "happy", "other_emotion": None}
    return {
        name: {"rationale": f"{reason}: {name}", **{one: values.get(one, 3) for one in fields}}
        for name, fields in BLOCKS.items()
    }


def template_of(name: str) -> StudyTemplate:
    benchmark, _, wanted = name.partition("/")
    return next(one for one in offered_templates(find(benchmark)) if one.name == wanted)


def every_template() -> list[str]:
    return [f"{name}/{one.name}" for name in BENCHMARKS for one in offered_templates(find(name))]


def make(name: str, seed: int = 0, **given: str) -> MadeStudy:
    """A study by the name of its template, from the small data or results."""
    template, benchmark = template_of(name), name.partition("/")[0]
    table = results(benchmark) if template.takes_results else None
    settings = template.settings({**SMALL.get(name, {}), **given})
    return template.make(StudySource(data(benchmark), table, seed, settings))


def drawn_pictures(folder: Path) -> Path:
    """What two generators drew of four posts, as `deadpan generate` leaves it; one picture has
    changed since."""
    pairs = [pair for pair in data("cfms").records if pair.row.sarcastic][:4]
    for number, maker in enumerate(("acme/brush-1", "acme/crayon-2")):
        place = folder / f"by-{number}"
        (place / "images").mkdir(parents=True)
        (place / "records").mkdir()
        for shade, pair in enumerate(pairs):
            image = place / "images" / f"{pair.name}.png"
            Image.new("RGB", (8, 8), (40 * shade, 90 * number, 0)).save(image)
            record = {
                "item": pair.name,
                "illustrator": maker,
                "prompt": "draw it",
                "ending": "drawn",
                "file": image.name,
                "sha256": sha256_of(image),
            }
            (place / "records" / f"{pair.name}.json").write_text(json.dumps(record), "utf-8")
    Image.new("RGB", (9, 9)).save(folder / "by-1" / "images" / f"{pairs[3].name}.png")
    return folder


def public(item: StudyItem) -> str:
    """Everything of an item that any page may hold, as text: neither who made outputs and drafts,
    nor its key and what is exported with it."""
    outputs = [one.model_copy(update={"source": ""}) for one in item.outputs]
    sealed = {"outputs": tuple(outputs), "draft_by": "", "key": "", "attributes": {}}
    paths = {"path": True}
    shown = item.model_copy(update=sealed)
    return shown.model_dump_json(
        exclude={"parts": {"__all__": paths}, "outputs": {"__all__": {"parts": {"__all__": paths}}}}
    )


def questions(study: Study) -> Iterator[Question]:
    for stage in study.stages:
        yield from stage.questions


def settled(made: MadeStudy, *became: SettledItem) -> StudyExport:
    """What came out of a study in which this was settled."""
    return StudyExport(made.study, 1, [], list(became), [], [])


def became(unit: int, item: StudyItem, stage: str, /, state: str = "settled", **said: Any) -> Any:
    return SettledItem(unit, item, stage, state, said, "" if state == "settled" else "too crude")
