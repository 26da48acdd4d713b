"""The sample browser's content: some items, evenly chosen, with every answer about them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Literal

import polars as pl
from pydantic import JsonValue

from deadpan.base.printable import visible
from deadpan.core.outcomes import LEFT_OUT, OUTCOMES
from deadpan.reports.pictures import Small, small_pictures
from deadpan.reports.section import Section
from deadpan.reports.text import one_line, readable

ITEMS = 120
LONGEST_TEXT = 4000
ANSWER_PICTURES, FEWEST = 300, 8
"""Where answers are pictures, about so many of them, of at least so many items, fit into a page."""
FREE_TEXT = 60
"""A text longer than this is prose, which is not compared word by word."""
_TEXTS = ("picture", "parsed", "reason", "reasoning", "question", "judge", "judgements")
_OPTIONAL: dict[str, Any] = dict.fromkeys((*_TEXTS, "seconds", "output_tokens")) | {"epoch": 1}
"""What a row holds where its table has no such column."""
_JUDGEMENTS = 8
"""Judgements of one answer that are shown."""
Verdict = Literal["right", "partly", "overlaps", "wrong", "unscored", "open", "judged"]


@dataclass(frozen=True)
class Browser:
    """What the page embeds for one benchmark, and how much of the whole it is."""

    data: dict[str, Any]
    shown: int
    of: int


def browser(section: Section, limit: int = ITEMS) -> Browser:
    """The samples of at most `limit` items, and the pictures they need, each once."""
    table = section.table
    answers = _answer_pictures(section)
    if answers:
        limit = min(limit, max(FEWEST, ANSWER_PICTURES // len(section.models)))
    items = chosen_items(table, limit)
    chosen = table.filter(pl.col("item").is_in(items))
    rows = [_OPTIONAL | row for row in chosen.iter_rows(named=True)]
    paths = [row["picture"] for row in rows if row["picture"]]
    paths += [answers[row["answer"]] for row in rows if row["answer"] in answers]
    pictures = small_pictures(paths, section.picture_folders)
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
        "epochs": "epoch" in table.columns and table["epoch"].n_unique() > 1,
    }
    return Browser(data, len(items), table["item"].n_unique())


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
    ours, theirs = _normalize(parsed), _normalize(gold)
    # Label sets have no order; sequences of numbers do.
    ordered = len(theirs) > 1 and all(part.isdigit() for part in theirs)
    if ours == theirs or (not ordered and set(ours) == set(theirs)):
        return "right"
    if not (_has_labels_only(gold) and _has_labels_only(parsed)):
        return "open"
    if ordered or not set(ours) & set(theirs):
        return "wrong"
    return "partly" if set(ours) < set(theirs) else "overlaps"


def _has_labels_only(value: JsonValue) -> bool:
    """Whether a value is a label, a number or a list of such; prose and nested values are not."""
    return all(
        len(part) <= FREE_TEXT if isinstance(part, str) else isinstance(part, int | float)
        for part in (value if isinstance(value, list) else [value])
    )


def _normalize(value: JsonValue) -> list[str]:
    parts = value if isinstance(value, list) else [value]
    texts = (part if isinstance(part, str) else json.dumps(part, sort_keys=True) for part in parts)
    return [" ".join(text.casefold().split()) for text in texts]


def _evenly(values: Sequence[str], count: int) -> list[str]:
    """`count` of the values, evenly spaced."""
    count = max(0, min(count, len(values)))
    return [values[(2 * i + 1) * len(values) // (2 * count)] for i in range(count)]


def _card(section: Section, row: dict[str, Any], pictures: dict[str, Small]) -> dict[str, Any]:
    picture = pictures.get(row["picture"] or "")
    gold = _json(row["gold"])
    return {
        "item": _cut_text(one_line(row["item"])),
        "task": row["task"],
        "language": row["language"],
        "question": _cut_text(visible(row["question"] or "")),
        "gold": _cut_text("" if gold is None else visible(_gold_text(section, row["task"], gold))),
        "picture": picture.key if picture else "",
        "note": visible(picture.note) if picture else "No picture was recorded.",
        "harmful": section.benchmark.is_harmful(
            {name.removeprefix("attr."): value for name, value in row.items()}
        ),
        "attributes": [[visible(k), _cut_text(visible(v))] for k, v in _attributes(row)],
        "answers": [],
    }


def _gold_text(section: Section, task: str, gold: JsonValue) -> str:
    """Gold as the benchmark words it; plain where it does not know the shape."""
    try:
        return section.benchmark.report.gold_text(task, gold)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        return readable(gold)


def _attributes(row: dict[str, Any]) -> Iterable[tuple[str, str]]:
    """The attributes that hold something; lists as their parts."""
    for name, value in row.items():
        if name.startswith("attr."):
            parts = value if isinstance(value, list) else [value]
            if text := ", ".join(str(part) for part in parts if part not in (None, "")):
                yield name.removeprefix("attr."), text


def _answer_pictures(section: Section) -> dict[str, str]:
    """Where the pictures lie that answers are, by answer."""
    if "parsed" not in section.table.columns:
        return {}
    parsed = section.table.filter(pl.col("parsed").is_not_null())
    pairs = parsed.select("task", "answer").unique().iter_rows()
    found = {a: section.answer_picture(a) for task, a in pairs if a}
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
        "answer": None if row["answer"] is None else _cut_text(visible(row["answer"])),
        "reasoning": _cut_text(visible(row["reasoning"] or "")),
        "parsed": None if parsed is None else _cut_text(visible(readable(parsed))),
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
    return _shorten(text, LONGEST_TEXT, f" [cut; {len(text):,} characters in all]")


def _shorten(text: str, most: int, more: str = "") -> str:
    return text if len(text) <= most else f"{text[:most]}…{more}"


def judgements_of(text: str | None) -> list[dict[str, Any]]:
    """The judgements of a table's cell; what has not their form is left out."""
    try:
        found = json.loads(text or "null")
    except (ValueError, RecursionError):
        return []
    listed = found if isinstance(found, list) else []
    return [one for one in listed if isinstance(one, dict) and isinstance(one.get("parts"), dict)]


def shown_judgements(judgements: list[dict[str, Any]]) -> list[dict[str, str | list[str]]]:
    """Each judgement's summary, its other parts, its reason and its flags, as text."""
    shown: list[dict[str, str | list[str]]] = []
    for judgement in judgements[:_JUDGEMENTS]:
        parts, flags = judgement["parts"], judgement.get("flags")
        others = [
            f"{_words(name)} {_fields(value)}"
            for name, value in parts.items()
            if name not in ("total", "verdict", "reason")
        ]
        rationales = [
            f"{_words(name).capitalize()}: {readable(value['rationale'])}"
            for name, value in parts.items()
            if isinstance(value, dict) and value.get("rationale")
        ]
        reason = "\n".join([readable(parts.get("reason", "")), *rationales]).strip()
        listed = flags if isinstance(flags, list) else []
        shown.append(
            {
                "summary": judged_verdict([judgement]),
                "parts": [_shorten(one_line(part), 120) for part in others],
                "reason": _shorten(visible(reason), 1200),
                "flags": [_shorten(one_line(readable(flag)), 240) for flag in listed],
            }
        )
    return shown


def judged_verdict(judgements: list[dict[str, Any]]) -> str:
    """The judge's own verdict and total in a few words; several totals as their mean."""
    parts = [judgement["parts"] for judgement in judgements]
    verdicts = dict.fromkeys(
        _shorten(one_line(readable(p["verdict"])), 40) for p in parts if "verdict" in p
    )
    totals = [float(t) for p in parts if isinstance(t := p.get("total"), int | float)]
    mean = ""
    if totals:
        value = f"{fmean(totals):.3g}".replace("-", "−")
        mean = f"{'mean ' if len(totals) > 1 else ''}total {value}"
    return " · ".join(text for text in (" / ".join(list(verdicts)[:3]), mean) if text) or "judged"


def _words(name: str) -> str:
    """A field's name as words, without the range at its end."""
    return re.sub(r"_1_\d$", "", one_line(name)).replace("_", " ")


def _fields(value: JsonValue) -> str:
    """A part's value; of a block its fields but the rationale, which stands below."""
    if not isinstance(value, dict):
        return readable(value)
    known = {name: one for name, one in value.items() if name != "rationale" and one is not None}
    if len(known) == 1:
        return readable(*known.values())
    return ", ".join(f"{_words(name)} {readable(one)}" for name, one in known.items())
