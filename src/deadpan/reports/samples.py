"""The sample browser's content: some items, evenly chosen, with every answer about them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl
from pydantic import JsonValue

from deadpan.base.printable import visible
from deadpan.core.answers import RATER
from deadpan.core.benchmark import Benchmark
from deadpan.core.outcomes import OUTCOMES
from deadpan.reports.judgement_text import (
    judged_verdict,
    judgements_of,
    shorten,
    shown_judgements,
)
from deadpan.reports.pictures import Small, small_pictures
from deadpan.reports.section import Section
from deadpan.reports.text import one_line, readable
from deadpan.reports.verdicts import own_scores, verdict

ITEMS = 120
LONGEST_TEXT = 4000
ANSWER_PICTURES, FEWEST = 300, 8
"""Where answers are pictures, about so many of them, of at least so many items, fit into a page."""
_TEXTS = (
    "picture",
    "read_as",
    "reader",
    "parsed",
    "reason",
    "reasoning",
    "question",
    "judge",
    "judgements",
)
_OPTIONAL: dict[str, Any] = dict.fromkeys((*_TEXTS, "seconds", "output_tokens")) | {"epoch": 1}
"""What a row holds where its table has no such column."""


@dataclass(frozen=True)
class Browser:
    """What the page embeds for one benchmark, and how much of the whole it is."""

    data: dict[str, Any]
    shown: int
    of: int


def items_a_page(section: Section, limit: int = ITEMS) -> int:
    """How many items, at most `limit`, a page can hold with their pictures."""
    if not _answer_pictures(section):
        return limit
    return min(limit, max(FEWEST, ANSWER_PICTURES // len(section.models)))


def browser(section: Section, limit: int = ITEMS) -> Browser:
    """The samples of at most `limit` items, evenly chosen."""
    return browser_of(section, chosen_items(section.table, items_a_page(section, limit)))


def browser_of(section: Section, items: Sequence[str]) -> Browser:
    """The samples of these items, and the pictures they need, each once."""
    table, answers = section.table, _answer_pictures(section)
    chosen = table.filter(pl.col("item").is_in(items))
    rows = [_OPTIONAL | row for row in chosen.iter_rows(named=True)]
    paths = [row["picture"] for row in rows if row["picture"]]
    paths += [answers[row["answer"]] for row in rows if row["answer"] in answers]
    pictures = small_pictures(paths, section.picture_folders)
    cards: dict[tuple[str, str], dict[str, Any]] = {}
    by_item = {item: index for index, item in enumerate(items)}
    outcomes = set(table["outcome"].unique())
    tasks = {task: index for index, task in enumerate(section.tasks)}
    rows.sort(key=lambda row: (by_item[row["item"]], tasks[row["task"]]))
    for row in rows:
        key = (row["item"], row["task"])
        card = cards.get(key) or cards.setdefault(key, _card(section, row, pictures))
        card["answers"].append(_answer(section, row, pictures.get(answers.get(row["answer"], ""))))
    data = {
        "cards": list(cards.values()),
        "pictures": {p.key: [p.uri, p.width, p.height] for p in pictures.values() if p.uri},
        "models": [one_line(model) for model in section.models],
        "tasks": {task: one_line(section.task_title(task)) for task in section.tasks},
        "outcomes": [name for name in OUTCOMES if name in outcomes],
        "epochs": _has_epochs(table),
    }
    return Browser(data, len(items), table["item"].n_unique())


def _has_epochs(table: pl.DataFrame) -> bool:
    """Whether a model was asked more than once; people are told apart by their names."""
    asked = table.filter(pl.col(RATER).is_null()) if RATER in table.columns else table
    return "epoch" in asked.columns and asked["epoch"].n_unique() > 1


def chosen_items(table: pl.DataFrame, limit: int) -> list[str]:
    """Items spread evenly over the table, with every outcome, language, task and model in them."""
    items: list[str] = table["item"].unique(maintain_order=True).to_list()
    if len(items) <= limit:
        return items
    strata = [
        rows["item"].unique(maintain_order=True).to_list()
        for column in ("outcome", "language", "task", "model")
        for _, rows in table.group_by(column, maintain_order=True)
    ]
    strata.sort(key=len)
    share = max(1, limit // (2 * len(strata)))
    picked: dict[str, None] = {}
    for stratum in strata:
        already = sum(item in picked for item in stratum)
        fresh = [item for item in stratum if item not in picked]
        room = min(share - already, limit - len(picked))
        picked.update(dict.fromkeys(_evenly(fresh, room)))
    rest = [item for item in items if item not in picked]
    picked.update(dict.fromkeys(_evenly(rest, limit - len(picked))))
    return [item for item in items if item in picked]


def _evenly(values: Sequence[str], count: int) -> list[str]:
    """`count` of the values, evenly spaced."""
    count = max(0, min(count, len(values)))
    return [values[(2 * i + 1) * len(values) // (2 * count)] for i in range(count)]


def _card(section: Section, row: dict[str, Any], pictures: dict[str, Small]) -> dict[str, Any]:
    picture = pictures.get(row["picture"] or "")
    gold, benchmark = _json(row["gold"]), section.benchmark
    told = "" if gold is None else gold_text(benchmark, row["task"], gold)
    return {
        "item": _cut_text(one_line(row["item"])),
        "task": row["task"],
        "language": row["language"],
        "question": _cut_text(visible(row["question"] or "")),
        "gold": _cut_text(visible(told)),
        "picture": picture.key if picture else "",
        "note": visible(picture.note) if picture else "No picture was recorded.",
        "harmful": benchmark.is_harmful(
            {name.removeprefix("attr."): value for name, value in row.items()}
        ),
        "attributes": [[visible(k), _cut_text(visible(v))] for k, v in _attributes(row)],
        "answers": [],
    }


def gold_text(benchmark: Benchmark[Any], task: str, gold: JsonValue) -> str:
    """Gold as the benchmark words it; plain where it does not know the shape."""
    try:
        return benchmark.report.gold_text(task, gold)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        return readable(gold)


def _attributes(row: dict[str, Any]) -> Iterable[tuple[str, str]]:
    """The attributes that hold something; lists as their parts."""
    for name, value in row.items():
        if name.startswith("attr.") and name != RATER:
            parts = value if isinstance(value, list) else [value]
            if text := ", ".join(str(part) for part in parts if part not in (None, "")):
                yield name.removeprefix("attr."), text


def _answer_pictures(section: Section) -> dict[str, str]:
    """Where the pictures lie that answers are, by answer."""
    if section.benchmark.edits is None or "parsed" not in section.table.columns:
        return {}
    parsed = section.table.filter(pl.col("parsed").is_not_null())
    pairs = parsed.select("task", "answer").unique().iter_rows()
    found = {a: section.answer_picture(a) for task, a in pairs if a}
    return {answer: path for answer, path in found.items() if path is not None}


def _answer(section: Section, row: dict[str, Any], picture: Small | None) -> dict[str, Any]:
    parsed = _json(row["parsed"])
    judgements = judgements_of(row["judgements"])
    return {
        "model": one_line(row["model"]),
        "epoch": row["epoch"],
        "rater": one_line(row.get(RATER) or ""),
        "outcome": row["outcome"],
        "verdict": verdict(section, row),
        "scores": own_scores(section, row),
        "judge": one_line(row["judge"] or ""),
        "judged": judged_verdict(judgements) if judgements else "",
        "judgements": shown_judgements(judgements),
        "picture": picture.key if picture else "",
        "answer": None if row["answer"] is None else _cut_text(visible(row["answer"])),
        "reasoning": _cut_text(visible(row["reasoning"] or "")),
        "parsed": None if parsed is None else _cut_text(visible(readable(parsed))),
        "reader": one_line(row["reader"] or "") if row["read_as"] is not None else "",
        "reason": None if row["reason"] is None else _cut_text(visible(row["reason"])),
        "tokens": row["output_tokens"],
        "seconds": None if row["seconds"] is None else round(row["seconds"], 2),
    }


def _json(text: str | None) -> Any:
    """The value of a JSON cell; text that is not JSON stands for itself."""
    try:
        return None if text is None else json.loads(text)
    except ValueError:
        return text


def _cut_text(text: str) -> str:
    return shorten(text, LONGEST_TEXT, f" [cut; {len(text):,} characters in all]")
