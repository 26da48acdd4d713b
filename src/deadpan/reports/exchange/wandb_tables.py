"""Weights & Biases: scores and samples as tables of one run."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deadpan.base.errors import DeadpanError, MissingExtra
from deadpan.base.printable import visible
from deadpan.base.version import __version__
from deadpan.core.signature import PEOPLE
from deadpan.metrics.statistics.errors import ScoreKey
from deadpan.reports.exchange.headlines import headlines
from deadpan.reports.exchange.public import public_model, public_signature, references, whole_rows
from deadpan.reports.section import Section
from deadpan.reports.text import readable
from deadpan.reports.verdicts import OWN_SCORE, verdict

_ABOUT = ("benchmark", "model", "task", "metric", "group")
_SCORE = ("value", "low", "high", "interval", "n", "invalid", "truncated", "refused", "unscored")
_SAMPLE = ("model", "task", "item", "epoch", "language", "outcome", "verdict")
_TEXTS = ("question", "gold", "answer", "parsed", "reason")
_USAGE = ("input_tokens", "output_tokens", "seconds")


@dataclass(frozen=True)
class Place:
    """Where tables go: the project, whose it is, and under what name; or a folder that
    `wandb sync` sends later."""

    project: str
    entity: str | None = None
    name: str | None = None
    offline: bool = False
    folder: Path | None = None


def log_tables(
    sections: Sequence[Section], errors: Mapping[ScoreKey, float], place: Place, texts: bool = True
) -> str:
    """Logs the tables `scores` and `samples/BENCHMARK`, and each headline as a summary; where they
    are."""
    try:
        import wandb
    except ImportError:
        raise MissingExtra("Logging to Weights & Biases", "wandb") from None
    if place.folder is not None:
        place.folder.mkdir(parents=True, exist_ok=True)
    try:
        run = wandb.init(
            project=place.project,
            entity=place.entity,
            name=place.name,
            job_type="evaluation",
            mode="offline" if place.offline else "online",
            dir=str(place.folder) if place.folder else None,
            config=_config(sections),
            settings=wandb.Settings(**_private(wandb.Settings)),
        )
    except wandb.Error as error:
        why = " ".join(str(error).split())[:300].rstrip(".")
        raise DeadpanError(f"Weights & Biases: {why}. Log in, or give --offline.") from None
    run.log({"scores": wandb.Table(*_scores(sections, errors))})
    for section in sections:
        table = wandb.Table(*_samples(section, texts))
        run.log({f"samples/{section.benchmark.name}": table})
        for model in section.table["model"].unique(maintain_order=True):
            for one in headlines(section, model):
                place_of = f"{section.benchmark.name}/{one.task}/{one.metric.name}"
                run.summary[f"{place_of}/{public_model(model).name}"] = one.score.value
    where = getattr(run, "url", None) or str(Path(run.dir).parent)
    run.finish()
    return str(where)


def _private(settings: Any) -> dict[str, Any]:
    """Settings that keep the package from sending what is no result: code, its repository, what is
    printed, and, where a version of it can be told so, the machine's name and folders."""
    known = getattr(settings, "model_fields", {})
    found: dict[str, Any] = {"disable_git": True, "save_code": False, "console": "off"}
    asked = ("x_disable_meta", "x_disable_machine_info", "x_disable_stats")
    return found | {"silent": True} | {name: True for name in asked if name in known}


def _config(sections: Sequence[Section]) -> dict[str, Any]:
    return {
        "deadpan": __version__,
        "signatures": {
            section.benchmark.name: [public_signature(text) for text in section.signatures]
            for section in sections
        },
    }


def _scores(
    sections: Sequence[Section], errors: Mapping[ScoreKey, float]
) -> tuple[list[str], list[list[Any]]]:
    """The columns and rows of all scores."""
    rows = []
    for section in sections:
        for one in section.scores:
            key = (one.model, one.task, one.metric, one.group)
            about = {"benchmark": section.benchmark.name, **one.model_dump()}
            about["model"] = public_model(one.model).name
            cells = [_cell(about[name]) for name in (*_ABOUT, *_SCORE)]
            better = section.metric(one.metric).better
            signature = public_signature(one.signature) if one.signature else ""
            rows.append([*cells, errors.get(key), better, visible(signature)])
    return [*_ABOUT, *_SCORE, "standard_error", "better", "signature"], rows


def _samples(section: Section, texts: bool) -> tuple[list[str], list[list[Any]]]:
    """The columns and rows of a benchmark's answers."""
    scores = [name for name in section.table.columns if name.startswith(OWN_SCORE)]
    own = [name for name in scores if section.table[name].is_not_null().any()]
    shown = [*_SAMPLE, *(_TEXTS if texts else ()), *_USAGE, *own]
    rows = []
    for row in whole_rows(section.table):
        known = {**row, "verdict": verdict(section, row), "model": public_model(row["model"]).name}
        if row["model"] == PEOPLE:
            known["model"] = PEOPLE
        known["gold"] = ", ".join(references(section, row))
        known["parsed"] = None if row["parsed"] is None else readable(json.loads(row["parsed"]))
        if section.benchmark.edits is not None:
            known |= {"answer": "(a picture)", "parsed": None}
        rows.append([_cell(known.get(name)) for name in shown])
    return shown, rows


def _cell(value: Any) -> Any:
    """A value as a table of theirs holds it."""
    return visible(value) if isinstance(value, str) else value
