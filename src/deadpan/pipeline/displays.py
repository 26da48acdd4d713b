"""What notebooks show of benchmarks, items and results: small HTML that needs no script, no style
sheet and no file, with every word from data escaped."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from PIL import Image

from deadpan.base.errors import DeadpanError, InputError
from deadpan.base.printable import visible
from deadpan.core.benchmark import Benchmark
from deadpan.core.measurement import ALL
from deadpan.core.questions import Clip, Picture, Question
from deadpan.core.score import Score
from deadpan.media.images import on_white, read_image
from deadpan.media.prepared import prepare_image
from deadpan.media.video import contact_sheet, sampled_frames
from deadpan.reports.samples import gold_text
from deadpan.reports.text import LANGUAGES, number

_ITEM, _STRIP, _FRAMES, _FRAME = 480, 150, 8, 200
"""Longest sides in pixels: of an item's picture, and of those in a row; a video's frames: how many,
and their longest side."""
_IN_STRIP, _LONGEST_GOLD = 6, 240
_CELL = "text-align:left;vertical-align:top"
_WORDS = "white-space:pre-wrap;text-align:left;margin:4px 0 10px 18px"
Questions = Mapping[str, Question]


def benchmark_page(
    benchmark: Benchmark[Any], about: str, licence: str, items: Sequence[Questions]
) -> str:
    """A benchmark: what it is, some of its pictures, and its tasks."""
    step = max(1, len(items) // _IN_STRIP)
    calm = [one for one in items[::step] if not _is_harmful(benchmark, one)][:_IN_STRIP]
    strip = "".join(_first_shown(one) for one in calm)
    languages = " + ".join(LANGUAGES.get(one, one) for one in benchmark.languages)
    rows = [
        (
            spec.name,
            spec.title,
            "a judge, if named" * spec.judge_optional or ("a judge" if spec.judge else "rule"),
            ", ".join(metric.title for metric in spec.metrics),
        )
        for spec in benchmark.tasks
    ]
    return (
        f"<div><p><b>{safe(benchmark.title)}</b><br>{safe(about)} · {safe(languages)} · "
        f"{safe(licence)}<br><i>{safe(benchmark.citation)}</i></p><p>{strip}</p>"
        f"{_table(('task', 'asks for', 'graded by', 'metrics'), rows)}</div>"
    )


def item_page(benchmark: Benchmark[Any], name: str, language: str, questions: Questions) -> str:
    """An item: what is shown, as a model sees it, what is known of it, and each task's prompt and
    gold. What is marked as potentially harmful is seen once it is asked for."""
    shown = "".join(_image(one, _ITEM) for one in _shown(questions.values()))
    if shown and _is_harmful(benchmark, questions):
        shown = f"<details><summary>potentially harmful: show</summary>{shown}</details>"
    first = next(iter(questions.values()))
    known = ((key, _listed(value)) for key, value in first.attributes.items())
    about = " · ".join(f"{safe(key)}: {safe(value)}" for key, value in known if value)
    spoken = LANGUAGES.get(language, language)
    tasks = "".join(_asked(benchmark, task, one) for task, one in questions.items())
    return f"<div>{shown}<p><b>{safe(name)}</b> · {safe(spoken)}<br>{about}</p>{tasks}</div>"


def results_page(about: str, scores: Mapping[str, Sequence[Score]]) -> str:
    """The overall scores, a row each task's metric and a column each model, with 95 % intervals."""
    from deadpan.benchmarks import find

    models = list(dict.fromkeys(one.model for rows in scores.values() for one in rows))
    tables = [f"<p>{safe(about)}</p>"]
    for name, every in scores.items():
        overall = [one for one in every if one.group == ALL]
        own = [model for model in models if any(one.model == model for one in overall)]
        found = {(one.task, one.metric, one.model): one for one in overall}
        rows = []
        for task, metric in dict.fromkeys((one.task, one.metric) for one in overall):
            known = find(name).metric(metric)
            row = [found[key] for model in own if (key := (task, metric, model)) in found]
            values = {one.model: _value(one, known.decimals) for one in row}
            counts = (_alike(one.n for one in row), _alike(one.unscored for one in row))
            cells = [values.get(model, Markup("")) for model in own]
            rows.append((task, known.title + known.mark, *cells, *counts))
        tables.append(_table((name, "metric", *own, "n", "unscored"), rows))
    return f"<div>{''.join(tables)}<p><small>95 % intervals in brackets</small></p></div>"


def lines_page(title: str, lines: Iterable[str]) -> str:
    """A title, and a point for each line."""
    points = "".join(f"<li>{safe(line)}</li>" for line in lines)
    return f"<div><p><b>{safe(title)}</b></p><ul>{points}</ul></div>"


class Markup(str):
    """Text that is HTML already."""


def safe(text: object) -> str:
    """Any text as HTML: nothing in it is markup, hides or reorders."""
    return text if isinstance(text, Markup) else escape(visible(str(text)))


def _value(score: Score, decimals: int) -> Markup:
    value = safe(number(score.value, decimals))
    if score.low is None or score.high is None:
        return Markup(value)
    ends = f"{number(score.low, decimals)}, {number(score.high, decimals)}"
    return Markup(f"{value} <small>[{safe(ends)}]</small>")


def _alike(counts: Iterable[int]) -> str:
    """One number where all are the same, else each in its model's place."""
    every = [f"{count:,}" for count in counts]
    return every[0] if len(set(every)) == 1 else " / ".join(every)


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    top = "".join(f'<th style="{_CELL}">{safe(head)}</th>' for head in heads)
    body = (
        "<tr>" + "".join(f'<td style="{_CELL}">{safe(cell)}</td>' for cell in row) + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{top}</tr></thead><tbody>{''.join(body)}</tbody></table>"


def _asked(benchmark: Benchmark[Any], task: str, question: Question) -> str:
    said = question.clip.transcript if question.clip else None
    prompt = "\n\n".join(part for part in (question.system, question.prompt_text(said)) if part)
    lines = gold_text(benchmark, task, question.gold).splitlines()
    gold = " / ".join(" ".join(line.split()) for line in lines if line.strip())
    shorter = gold if len(gold) <= _LONGEST_GOLD else gold[: _LONGEST_GOLD - 1] + "…"
    return (
        f"<details><summary><b>{safe(benchmark.task(task).title)}</b> – gold: {safe(shorter)}"
        f'</summary><pre style="{_WORDS}">{safe(prompt)}</pre></details>'
    )


def _listed(value: object) -> str:
    parts = value if isinstance(value, list) else [value]
    return ", ".join(str(part) for part in parts if part not in (None, ""))


def _is_harmful(benchmark: Benchmark[Any], questions: Questions) -> bool:
    return benchmark.is_harmful(next(iter(questions.values())).attributes)


def _shown(questions: Iterable[Question]) -> Iterator[Picture | Clip]:
    """Every picture and video that is asked about, once."""
    seen: set[str] = set()
    for question in questions:
        media: list[Picture | Clip] = [*question.pictures]
        media += [question.clip] if question.clip else []
        for one in media:
            if (key := one.model_dump_json()) not in seen:
                seen.add(key)
                yield one


def _first_shown(questions: Questions) -> str:
    """A small picture of an item; nothing where it cannot be shown."""
    first = next(_shown(questions.values()), None)
    page = "" if first is None else _image(first, _STRIP, frames=1)
    return f"{page} " if page.startswith("<img") else ""


def _image(shown: Picture | Clip, longest: int, frames: int = _FRAMES) -> str:
    """A picture with its panels' numbers, or a video's frames; why not, where it is not there."""
    try:
        if isinstance(shown, Picture):
            return _embedded(prepare_image(shown).data, longest)
        found = sampled_frames(Path(shown.path), frames, max(longest, _FRAME)).frames
        if frames == 1:
            return _embedded(found[0].data, longest)
        return _embedded(contact_sheet(found, _FRAME), 2 * longest)
    except InputError as error:
        return f"<p><i>{safe(Path(error.where).name)}: {safe(error.what)}</i></p>"
    except DeadpanError as error:
        return f"<p><i>{safe(error)}</i></p>"


def _embedded(data: bytes, longest: int) -> str:
    image = on_white(read_image(data))
    image.thumbnail((longest, longest), Image.Resampling.LANCZOS)
    buffer = io.BytesIO()
    image.save(buffer, "WEBP", quality=72, method=4)
    uri = "data:image/webp;base64," + base64.b64encode(buffer.getvalue()).decode("ascii")
    return f'<img src="{uri}" width="{image.width}" height="{image.height}" alt="">'
