"""Answers as pages say them: text made visible, verdicts and judgements in words."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import polars as pl

from deadpan.base.printable import visible
from deadpan.benchmarks import find
from deadpan.reports.judgement_text import judged_verdict, judgements_of, shown_judgements
from deadpan.reports.section import Section
from deadpan.reports.text import LANGUAGES, one_line, readable
from deadpan.reports.verdicts import OWN_SCORE, own_scores
from deadpan.viewing.marks import Mark, Marks
from deadpan.viewing.media import Media
from deadpan.viewing.rows import VERDICTS

LONGEST = 20_000
"""Characters of a text that a page shows."""
EXCERPT = 220


@dataclass(frozen=True)
class Shown:
    """One answer, ready for a template."""

    row: Mapping[str, Any]
    mark: Mark | None
    picture: str
    """The checksum of the picture that the answer is, if it is one."""

    @property
    def id(self) -> str:
        return str(self.row["id"])

    @property
    def verdict(self) -> str:
        return str(self.row["verdict"])

    @property
    def verdict_text(self) -> str:
        """The verdict in words; a judge's own where one judged."""
        if self.verdict == "judged":
            return judged_verdict(judgements_of(self.row["judgements"]))
        return VERDICTS[self.verdict]

    @property
    def text(self) -> str | None:
        """The reply; None where there is none."""
        answer = self.row["answer"]
        return None if answer is None else cut(visible(answer))

    @property
    def excerpt(self) -> str:
        return _shortened(one_line(self.row["answer"] or self.row["reason"] or "no answer"))

    @property
    def parsed(self) -> str:
        """What was read in the reply, where that is not the reply itself."""
        text = _words(self.row["parsed"])
        return "" if text == (self.row["answer"] or "") else cut(text)

    @property
    def judgements(self) -> list[dict[str, Any]]:
        return list(shown_judgements(judgements_of(self.row["judgements"])))

    @property
    def own_scores(self) -> list[str]:
        values = {f"{OWN_SCORE}{one['metric']}": one["value"] for one in self.row["scores"] or ()}
        return own_scores(_metrics(self.row["benchmark"]), {**values, "task": self.row["task"]})

    @property
    def usage(self) -> str:
        """Tokens and seconds, as far as they are known."""
        row = self.row
        parts = [f"{row['output_tokens']:,} tokens"] if row["output_tokens"] else []
        parts += [f"{row['seconds']:.1f} s"] if (row["seconds"] or 0) >= 0.05 else []
        return " · ".join(parts)

    @property
    def language(self) -> str:
        return LANGUAGES.get(self.row["language"], self.row["language"] or "")


def shown(row: Mapping[str, Any], marks: Marks, media: Media) -> Shown:
    """An answer with what is said of it."""
    return Shown(row, marks.of(row["id"]), media.name(answer_picture(row)))


def answer_picture(row: Mapping[str, Any]) -> str | None:
    """Where the picture lies that an answer is; None where answers are words."""
    edits = find(row["benchmark"]).edits
    if edits is None or row["parsed"] is None or not row["answer"]:
        return None
    return edits.picture(row["answer"])


@cache
def _metrics(name: str) -> Section:
    """A benchmark's section without answers: what is known of its tasks and metrics."""
    return Section(find(name), pl.DataFrame(), ())


def gold(row: Mapping[str, Any]) -> str:
    """What is right, as the benchmark words it; plain where it does not know the shape."""
    value = _value(row["gold"])
    if value is None:
        return ""
    try:
        text = find(row["benchmark"]).report.gold_text(row["task"], value)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        text = readable(value)
    return cut(visible(text))


def gold_excerpt(row: Mapping[str, Any]) -> str:
    return _shortened(one_line(gold(row)))


def cut(text: str) -> str:
    """The text, cut where it is very long, and told so."""
    if len(text) <= LONGEST:
        return text
    return f"{text[:LONGEST]}… [cut; {len(text):,} characters in all]"


def _shortened(text: str) -> str:
    return text if len(text) <= EXCERPT else f"{text[:EXCERPT]}…"


def _words(cell: str | None) -> str:
    value = _value(cell)
    return "" if value is None else visible(readable(value))


def _value(cell: str | None) -> Any:
    """The value of a JSON cell; text that is not JSON stands for itself."""
    try:
        return None if cell is None else json.loads(cell)
    except (ValueError, RecursionError):
        return cell
