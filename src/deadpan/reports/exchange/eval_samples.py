"""The samples of an Every Eval Ever record: a row an answer, by the score that grades its task."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import polars as pl

from deadpan.base.printable import escaped_json
from deadpan.core.measurement import ALL
from deadpan.core.metric import Metric
from deadpan.reports.exchange.public import references, whole_rows
from deadpan.reports.section import Section
from deadpan.reports.text import readable
from deadpan.reports.verdicts import OWN_SCORE, verdict

SCHEMA = "0.3.0"

_ATTRIBUTE = "attr."


def result_id(benchmark: str, task: str, metric: str, group: str = ALL) -> str:
    """What a score is known by in a record."""
    return f"{benchmark}/{task}/{metric}" + ("" if group == ALL else f"/{group}")


def sample_metric(section: Section, task: str, rows: pl.DataFrame) -> Metric | None:
    """The metric whose own score of an answer stands for it: one that grades the task, else the
    first that says more of single answers than how they ended, else the first that says anything.
    None where no metric does."""
    known = [*section.graded_by(task), *section.task_metrics(task)]
    scored = [
        metric
        for metric in known
        if not metric.each
        and f"{OWN_SCORE}{metric.name}" in rows.columns
        and rows[f"{OWN_SCORE}{metric.name}"].is_not_null().any()
    ]
    graded = [metric for metric in scored if metric in section.graded_by(task)]
    telling = [metric for metric in scored if _says_more(rows, f"{OWN_SCORE}{metric.name}")]
    return next(iter([*graded, *telling, *scored]), None)


def _says_more(rows: pl.DataFrame, column: str) -> bool:
    """Whether answers that ended alike have different values in a column."""
    values = rows.filter(pl.col(column).is_not_null()).group_by("outcome").agg(pl.n_unique(column))
    return bool((values[column] > 1).any())


def sample_rows(
    section: Section, rows: pl.DataFrame, evaluation: str, model: str, texts: bool
) -> tuple[list[str], int]:
    """The lines of a model's answers, and how many answers are left out because they have no score:
    calls that failed, judges that did, questions nobody answered."""
    lines: list[str] = []
    left_out = 0
    for (task,), own in rows.group_by(["task"], maintain_order=True):
        metric = sample_metric(section, str(task), own)
        for row in whole_rows(own):
            score = None if metric is None else row[f"{OWN_SCORE}{metric.name}"]
            if metric is None or score is None:
                left_out += 1
                continue
            about = {
                "schema_version": SCHEMA,
                "evaluation_id": evaluation,
                "model_id": model,
                "evaluation_name": f"{section.benchmark.name}/{task}",
                "evaluation_result_id": result_id(section.benchmark.name, str(task), metric.name),
            }
            made = {**about, **_sample(section, row, metric, float(score), texts)}
            lines.append(escaped_json(json.dumps(made, ensure_ascii=False)) + "\n")
    return lines, left_out


def _sample(
    section: Section, row: Mapping[str, Any], metric: Metric, score: float, texts: bool
) -> dict[str, Any]:
    question, gold = row["question"] or "", references(section, row)
    whole = question + "".join(gold)
    judged = verdict(section, row)
    reply = _reply(section, row["answer"]) if texts else ""
    output: dict[str, Any] = {"raw": [reply] if texts and row["answer"] is not None else []}
    if texts and row.get("reasoning"):
        output["reasoning_trace"] = [row["reasoning"]]
    return {
        "sample_id": str(row["item"]),
        "sample_hash": hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest(),
        "interaction_type": "single_turn",
        "input": {
            "raw": question if texts else "",
            "reference": gold if texts else [],
        },
        "output": output,
        "messages": None,
        "answer_attribution": _attribution(section, row) if texts else [],
        "evaluation": {"score": score, "is_correct": judged == "right"},
        **_usage(row),
        "error": None if row["outcome"] == "answered" else _error(row, texts),
        "metadata": {"verdict": judged, **_metadata(row, metric, texts)},
    }


def _reply(section: Section, answer: str | None) -> str:
    """The reply; of one that is a picture what it is known by, not where it lies."""
    if answer is None or section.benchmark.edits is None:
        return answer or ""
    judging = section.benchmark.judging
    known = judging.answer_identity(answer) if judging else answer
    return known if known != answer else "(a picture)"


def _attribution(section: Section, row: Mapping[str, Any]) -> list[dict[str, Any]]:
    if row["parsed"] is None or section.benchmark.edits is not None:
        return []
    is_read = row.get("reader_outcome") == "read"
    return [
        {
            "turn_idx": 0,
            "source": "output.raw",
            "extracted_value": readable(json.loads(row["parsed"])),
            "extraction_method": f"read by {row['reader']}" if is_read else "rules",
            "is_terminal": True,
        }
    ]


def _usage(row: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    read, written = row["input_tokens"], row["output_tokens"]
    if read is not None and written is not None:
        found["token_usage"] = {
            "input_tokens": read,
            "output_tokens": written,
            "total_tokens": read + written,
        }
    if row["seconds"] is not None:
        found["performance"] = {"latency_ms": 1000 * row["seconds"]}
    return found


def _error(row: Mapping[str, Any], texts: bool) -> str:
    reason = row["reason"] if texts else None
    return f"{row['outcome']}: {reason}" if reason else str(row["outcome"])


def _metadata(row: Mapping[str, Any], metric: Metric, texts: bool) -> dict[str, str]:
    """What else is known of an answer: how it ended, its other scores, its item's attributes."""
    names = ("task", "epoch", "language", "outcome", "judge")
    found = {name: str(row[name]) for name in names if row.get(name) is not None}
    found["metric"] = metric.name
    for name, value in row.items():
        is_score = name.startswith(OWN_SCORE) and name != f"{OWN_SCORE}{metric.name}"
        if value is not None and (is_score or (texts and name.startswith(_ATTRIBUTE))):
            found[name] = str(value)
    return found
