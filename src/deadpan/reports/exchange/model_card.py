"""Markdown for a model card: the `model-index` that model hubs read, and a section for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl
import yaml

from deadpan.base.errors import DeadpanError, meant
from deadpan.base.version import __version__
from deadpan.core.outcomes import Coverage
from deadpan.core.parts import part_note, parts_in, stopped_notes
from deadpan.core.signature import Signature, parse_signature, without_reasons
from deadpan.reports.caveats import STAND_IN, STAND_IN_NOTE
from deadpan.reports.documents import markdown_escape, plain_document
from deadpan.reports.exchange.commands import run_commands
from deadpan.reports.exchange.headlines import Headline, headlines
from deadpan.reports.exchange.public import data_source, public_model, public_signature
from deadpan.reports.section import Section, distinct
from deadpan.reports.text import number, one_line

MARK = "<!-- made by deadpan export model-card -->"
"""What tells a card of ours from one that somebody wrote."""


def model_card(
    sections: Sequence[Section], model: str, *, name: str = "", generated: str | None = None
) -> str:
    """The card of a model, under the name that it is given or that it has."""
    known = distinct(one for section in sections for one in section.table["model"])
    if model not in known:
        listed = ", ".join(known)
        raise DeadpanError(f"--model {model}: there are results of {listed}{meant(model, known)}")
    shown = name or public_model(model).id
    own = [one for one in sections if model in set(one.table["model"])]
    named = _named(own, model)
    if not named:
        rows = pl.concat([one.table.select("model", "outcome") for one in own])
        ended = Coverage.of(rows.filter(pl.col("model") == model)["outcome"])
        what = f"--model {model}: there is no score to put on a card ({ended})"
        raise DeadpanError(f"{what}; run it again, or have it judged")
    index = {"name": one_line(shown), "results": [_result(*one) for one in named]}
    front = yaml.safe_dump(
        {"model-index": [index]}, allow_unicode=True, sort_keys=False, width=10_000
    )
    chapters = [_chapter(section, model) for section in own]
    facts = {"name": shown, "chapters": chapters, "version": __version__, "generated": generated}
    return f"---\n{front}---\n{MARK}\n\n" + plain_document("card.md", markdown_escape, facts)


def _named(sections: Sequence[Section], model: str) -> list[tuple[Section, Headline]]:
    return [(section, one) for section in sections for one in headlines(section, model)]


def _result(section: Section, one: Headline) -> dict[str, Any]:
    """One entry of the index; it has no place for an interval but the metric's name."""
    signature = parse_signature(one.score.signature)
    source = data_source(section.benchmark, signature.data)
    ends = (one.score.low, one.score.high)
    said = [] if None in ends else [f"95 % interval {_number(ends[0])} to {_number(ends[1])}"]
    if signature.part is not None:
        said.append(f"{signature.part[0]:,} of {signature.part[1]:,} items")
    if section.is_judged(one.task, one.metric.name) and signature.judge not in ("none", ""):
        said.append(f"judge {_judge(signature.judge.rpartition('=')[2].partition('@')[0])}")
    about = f" ({'; '.join(said)})" if said else ""
    return {
        "task": {"type": _task_type(section, signature), "name": one_line(one.title)},
        "dataset": {
            "type": source.hub or section.benchmark.name,
            "name": one_line(source.name),
            "config": one.task,
            "revision": source.checksum,
        },
        "metrics": [
            {
                "type": one.metric.name,
                "name": f"{one_line(one.metric.title)}{about}",
                "value": round(float(one.score.value or 0.0), 6),
            }
        ],
    }


def _task_type(section: Section, signature: Signature) -> str:
    """What model hubs call what was asked."""
    if section.benchmark.edits is not None:
        return "image-to-image"
    return "text-generation" if signature.variant.hides_media else "image-text-to-text"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4g}"


def _chapter(section: Section, model: str) -> dict[str, Any]:
    rows = section.table.filter(pl.col("model") == model)
    signatures = distinct(rows["signature"].to_list())
    parsed = [parse_signature(text) for text in signatures]
    source = data_source(section.benchmark, parsed[0].data)
    judges = distinct(
        one.rpartition("=")[2].partition("@")[0] for each in parsed for one in each.judge.split(",")
    )
    return {
        "title": section.benchmark.title,
        "citation": section.benchmark.citation,
        "data": source,
        "item_count": rows["item"].n_unique(),
        "rows": [_row(one) for one in headlines(section, model)],
        "coverage": str(Coverage.of(rows["outcome"])),
        "judges": [_judge(one) for one in judges if one not in ("none", "")],
        "signatures": [one_line(without_reasons(public_signature(text))) for text in signatures],
        "commands": [one_line(text) for text in run_commands(section, model, source)],
        "caveats": _caveats(section, model, source.kind),
    }


def _row(one: Headline) -> dict[str, str]:
    score, decimals = one.score, one.metric.decimals
    ends = "–"
    if score.low is not None and score.high is not None:
        ends = f"{number(score.low, decimals)} to {number(score.high, decimals)}"
    wrong = {name: count for name, count in score.wrong_counts.items() if count}
    wrong |= {"unscored": score.unscored} if score.unscored else {}
    wrong |= {"not given": score.not_given} if score.not_given else {}
    return {
        "task": one.title,
        "metric": one.metric.title + one.metric.mark,
        "value": number(score.value, decimals),
        "interval": ends,
        "n": f"{score.n:,}",
        "wrong": ", ".join(f"{count:,} {name}" for name, count in wrong.items()) or "none",
    }


def _judge(name: str) -> str:
    return STAND_IN_NOTE.removeprefix("graded by ") if name == STAND_IN else public_model(name).name


def _caveats(section: Section, model: str, kind: str) -> list[str]:
    own = [one.signature for one in section.scores if one.model == model and one.signature]
    lines = []
    if kind == "mini-set":
        lines.append(
            "Measured on the small mini-set that Deadpan embeds, not on the benchmark's own data."
        )
    elif kind == "other":
        lines.append("Measured on other data than the released ones.")
    part = parts_in(section.table).get(model)
    asked = set(section.table.filter(pl.col("model") == model)["task"])
    lines += [f"These are {part_note(part, asked)}."] if part else []
    lines += [f"{line}." for line in stopped_notes(own)]
    lines += [section.caveat_of(own)]
    lines += [f"Deviation from the paper: {line}." for line in section.deviations_of(own)]
    lines += [f"Unfinished: {line}." for line in section.unfinished if line.startswith(model)]
    return [one_line(line) for line in lines if line]
