"""The sample browser's content: some items, evenly chosen, with every answer about them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import polars as pl
from pydantic import JsonValue

from deadpan.base.printable import visible
from deadpan.core.outcomes import LEFT_OUT, OUTCOMES
from deadpan.reports.judged import judged_verdict, judgements_of, shown_judgements
from deadpan.reports.pictures import Small, small_pictures
from deadpan.reports.section import Section
from deadpan.reports.text import one_line, readable

ITEMS = 120
LONGEST_TEXT = 4000
ANSWER_PICTURES, FEWEST = 300, 8
"""Where answers are pictures, about so many of them, of at least so many items, fit into a page."""
FREE_TEXT = 60
"""A text longer than this is prose, which is not compared word by word."""
Verdict = Literal["right", "partly", "overlaps", "wrong", "unscored", "open", "judged"]


@dataclass(frozen=True)
class Browser:
    """What the page embeds for one benchmark, and how much of the whole it is."""

    data: dict[str, Any]
    shown: int
    of: int


def browser(section: Section, limit: int = ITEMS) -> Browser:
    """The samples of at most `limit` items, and the pictures they need, each once."""
    table = _complete(section.table)
    answers = _answer_pictures(section, table)
    if answers:
        limit = min(limit, max(FEWEST, ANSWER_PICTURES // len(section.models)))
    items = chosen_items(table, limit)
    rows = list(table.filter(pl.col("item").is_in(items)).iter_rows(named=True))
    shown = [row["picture"] for row in rows if row["picture"]]
    pictures = small_pictures(
        [*shown, *(answers[row["answer"]] for row in rows if row["answer"] in answers)],
        section.picture_folders,
    )
    cards: dict[tuple[str, str], dict[str, Any]] = {}
    by_item = {item: index for index, item in enumerate(items)}
    tasks = {task: index for index, task in enumerate(section.tasks)}
    rows.sort(key=lambda row: (by_item[row["item"]], tasks[row["task"]]))
    for row in rows:
        key = (row["item"], row["task"])
        card = cards.get(key) or cards.setdefault(key, _card(section, row, pictures))
        card["answers"].append(_answer(row, pictures.get(answers.get(row["answer"], ""))))
    data = {
        "cards": list(cards.values()),
        "pictures": {p.key: [p.uri, p.width, p.height] for p in pictures.values() if p.uri},
        "models": [one_line(model) for model in section.models],
        "tasks": {task: one_line(section.task_title(task)) for task in section.tasks},
        "outcomes": [name for name in OUTCOMES if name in set(table["outcome"])],
        "epochs": table["epoch"].n_unique() > 1,
    }
    return Browser(data, len(items), table["item"].n_unique())


def chosen_items(table: pl.DataFrame, limit: int) -> list[str]:
    """Items spread evenly over the table, with every outcome, language, task and model in them."""
    items: list[str] = table["item"].unique(maintain_order=True).to_list()
    if len(items) <= limit:
        return items
    strata = [
        _items_with(table, column, value)
        for column in ("outcome", "language", "task", "model")
        for value in table[column].unique(maintain_order=True).to_list()
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


def verdict(parsed: JsonValue, gold: JsonValue, outcome: str) -> Verdict:
    """How an answer compares with gold: labels as sets, numbers in order; prose stays open.

    Labels that are all right but not all there are `partly`, right and wrong ones `overlaps`.
    """
    if outcome in LEFT_OUT:
        return "unscored"
    if outcome != "answered":
        return "wrong"
    if gold is None or parsed is None:
        return "open"
    ours, theirs = _folded(parsed), _folded(gold)
    if ours == theirs or (_unordered(theirs) and set(ours) == set(theirs)):
        return "right"
    if not (_flat_labels(gold) and _flat_labels(parsed)):
        return "open"
    if not (_unordered(theirs) and set(ours) & set(theirs)):
        return "wrong"
    return "partly" if set(ours) < set(theirs) else "overlaps"


def _flat_labels(value: JsonValue) -> bool:
    """Whether a value is a label, a number or a list of such; prose and nested values are not."""
    parts = value if isinstance(value, list) else [value]
    return all(
        len(part) <= FREE_TEXT if isinstance(part, str) else isinstance(part, int | float)
        for part in parts
    )


def _folded(value: JsonValue) -> list[str]:
    parts = value if isinstance(value, list) else [value]
    return [" ".join(_flat(part).casefold().split()) for part in parts]


def _flat(value: JsonValue) -> str:
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True)


def _unordered(parts: Sequence[str]) -> bool:
    """Label sets have no order; sequences of numbers do."""
    return not (len(parts) > 1 and all(part.isdigit() for part in parts))


def _items_with(table: pl.DataFrame, column: str, value: str) -> list[str]:
    rows = table.filter(pl.col(column).eq_missing(pl.lit(value)))
    return rows["item"].unique(maintain_order=True).to_list()


def _evenly(values: Sequence[str], count: int) -> list[str]:
    """`count` of the values, evenly spaced."""
    if count <= 0:
        return []
    if count >= len(values):
        return list(values)
    return [values[(2 * i + 1) * len(values) // (2 * count)] for i in range(count)]


def _complete(table: pl.DataFrame) -> pl.DataFrame:
    """The table with the optional columns it lacks."""
    empty = {
        "picture": pl.lit(None, pl.String),
        "parsed": pl.lit(None, pl.String),
        "reason": pl.lit(None, pl.String),
        "reasoning": pl.lit(None, pl.String),
        "question": pl.lit(None, pl.String),
        "judge": pl.lit(None, pl.String),
        "judgements": pl.lit(None, pl.String),
        "epoch": pl.lit(1),
        "seconds": pl.lit(None, pl.Float64),
        "output_tokens": pl.lit(None, pl.Int64),
    }
    absent = [value.alias(name) for name, value in empty.items() if name not in table.columns]
    return table.with_columns(absent) if absent else table


def _card(section: Section, row: dict[str, Any], pictures: dict[str, Small]) -> dict[str, Any]:
    picture = pictures.get(row["picture"] or "")
    gold = _json(row["gold"])
    return {
        "item": _cut(one_line(row["item"])),
        "task": row["task"],
        "language": row["language"],
        "question": _cut(visible(row["question"] or "")),
        "gold": _cut("" if gold is None else visible(_gold_text(section, row["task"], gold))),
        "picture": picture.key if picture else "",
        "note": visible(picture.note) if picture else "No picture was recorded.",
        "attributes": [[visible(k), _cut(visible(v))] for k, v in _attributes(row)],
        "answers": [],
    }


def _gold_text(section: Section, task: str, gold: JsonValue) -> str:
    """Gold as the benchmark words it; plain where it does not know the shape."""
    try:
        return section.benchmark.report.gold_text(task, gold)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        return readable(gold)


def _attributes(row: dict[str, Any]) -> Iterable[tuple[str, str]]:
    for name, value in row.items():
        if name.startswith("attr.") and value not in (None, ""):
            yield name.removeprefix("attr."), str(value)


def _answer_pictures(section: Section, table: pl.DataFrame) -> dict[str, str]:
    """Where the pictures lie that answers are, by answer."""
    pairs = table.filter(pl.col("parsed").is_not_null()).select("task", "answer").unique()
    found = {answer: section.answer_picture(answer) for task, answer in pairs.iter_rows() if answer}
    return {answer: path for answer, path in found.items() if path is not None}


def _answer(row: dict[str, Any], picture: Small | None) -> dict[str, Any]:
    parsed, gold = _json(row["parsed"]), _json(row["gold"])
    judgements = judgements_of(row["judgements"])
    return {
        "model": one_line(row["model"]),
        "epoch": row["epoch"],
        "outcome": row["outcome"],
        "verdict": "judged" if judgements else verdict(parsed, gold, row["outcome"]),
        "judge": one_line(row["judge"] or ""),
        "judged": judged_verdict(judgements) if judgements else "",
        "judgements": shown_judgements(judgements),
        "picture": picture.key if picture else "",
        "answer": None if row["answer"] is None else _cut(visible(row["answer"])),
        "reasoning": _cut(visible(row["reasoning"] or "")),
        "parsed": None if parsed is None else _cut(visible(readable(parsed))),
        "reason": None if row["reason"] is None else _cut(visible(row["reason"])),
        "tokens": row["output_tokens"],
        "seconds": None if row["seconds"] is None else round(row["seconds"], 2),
    }


def _json(text: str | None) -> JsonValue:
    """The value of a JSON cell; text that is not JSON stands for itself."""
    if text is None:
        return None
    try:
        value: JsonValue = json.loads(text)
    except ValueError:
        return text
    return value


def _cut(text: str) -> str:
    if len(text) <= LONGEST_TEXT:
        return text
    return f"{text[:LONGEST_TEXT]}… [cut; {len(text):,} characters in all]"
