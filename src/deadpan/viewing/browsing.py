"""What the list of answers and the page of an item show."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from deadpan.viewing.chapters import Chapter
from deadpan.viewing.marks import Marks
from deadpan.viewing.media import Media, video_kind
from deadpan.viewing.queries import Query, find_answers, neighbours, read_item, read_rows
from deadpan.viewing.showing import cut, gold, gold_excerpt, shown
from deadpan.viewing.snapshots import Snapshot
from deadpan.web.paging import Page

ROWS = 50
LONG_QUESTION = 320
"""Questions with more characters are folded."""
_Asked = Mapping[str, str]


def list_page(snapshot: Snapshot, marks: Marks, media: Media, asked: _Asked) -> dict[str, Any]:
    """One page of the answers that match."""
    query = Query.of(asked)
    found = find_answers(snapshot, query, marks.tagged(query.tag) if query.tag else None)
    page = Page(_whole(asked.get("page", "")), len(found), ROWS)
    rows = read_rows(snapshot, found.places[page.start : page.end])
    titles = _titles(snapshot)
    return {
        "query": query,
        "page": page,
        "rows": [
            {
                "one": shown(row, marks, media),
                "task": titles.get((row["benchmark"], row["task"]), row["task"]),
                "gold": gold_excerpt(row),
                "picture": media.name(row["picture"]),
                "address": query.address(
                    "/item", benchmark=row["benchmark"], item=row["item"], **_kept(query)
                )
                + f"#a{row['id']}",
                "refusal": marks.refusal(str(row["source"])),
            }
            for row in rows
        ],
        "choices": choices(snapshot, query),
        "back": query.address("/answers", page=page.number if page.number > 1 else None),
    }


def _kept(query: Query) -> dict[str, str]:
    """What of a query an item's page is asked with, by names that are not its own."""
    return {"of": query.benchmark} if query.benchmark else {}


def _whole(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 10 else 1


def _titles(snapshot: Snapshot) -> dict[tuple[str, str], str]:
    return {
        (chapter.name, task): title
        for chapter in snapshot.chapters
        for task, title in chapter.tasks
    }


def choices(snapshot: Snapshot, query: Query) -> dict[str, list[tuple[str, str]]]:
    """What filters can be set to, of the benchmark that is chosen or of all: values, and how they
    are said."""
    own = [one for one in snapshot.chapters if query.benchmark in ("", one.name)]
    one = own[0] if len(own) == 1 else None
    return {
        "benchmark": [(one.name, one.title.partition(":")[0]) for one in snapshot.chapters],
        "task": list(dict.fromkeys(task for chapter in own for task in chapter.tasks)),
        "model": _same(model for chapter in own for model in chapter.models),
        "outcome": _same(name for chapter in own for name in chapter.outcomes),
        "verdict": _same(name for chapter in own for name in chapter.verdicts),
        "language": _same(code for chapter in own for code in chapter.languages),
        "attribute": _same(one.attributes if one else ()),
    }


def _same(values: Any) -> list[tuple[str, str]]:
    return [(value, value) for value in dict.fromkeys(values)]


def item_page(
    snapshot: Snapshot, marks: Marks, media: Media, asked: _Asked
) -> dict[str, Any] | None:
    """One item with every answer about it, task by task; None where there is none such."""
    benchmark, item = asked.get("benchmark", ""), asked.get("item", "")
    chapter = snapshot.chapter(benchmark)
    rows = read_item(snapshot, benchmark, item)
    if chapter is None or not rows:
        return None
    query = Query.of({**asked, "benchmark": asked.get("of", "")})
    found = find_answers(snapshot, query, marks.tagged(query.tag) if query.tag else None)
    before, after, number, of = neighbours(snapshot, found, benchmark, item)
    first = rows[0]
    main = _pictures(first, media)

    def address(pair: tuple[str, str] | None) -> str:
        if pair is None:
            return ""
        return query.address("/item", benchmark=pair[0], item=pair[1], **_kept(query))

    return {
        "chapter": chapter,
        "item": item,
        "first": first,
        "query": query,
        "before": address(before),
        "after": address(after),
        "number": number,
        "of": of,
        "up": query.address("/answers"),
        "here_address": query.address("/item", benchmark=benchmark, item=item, **_kept(query)),
        "pictures": main,
        "missing": "" if main else media.missing(first["picture"]),
        "video": _video(first, media),
        "is_harmful": any(row["harmful"] for row in rows),
        "attributes": [text.partition("=")[::2] for text in first["attributes"] or ()],
        "parts": [_part(chapter, task, own, main, marks, media) for task, own in _by_task(rows)],
        "has_epochs": len({row["epoch"] for row in rows if not row["rater"]}) > 1,
    }


def _by_task(rows: list[dict[str, Any]]) -> list[tuple[str, list[dict[str, Any]]]]:
    tasks: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        tasks.setdefault(row["task"], []).append(row)
    return list(tasks.items())


def _part(
    chapter: Chapter,
    task: str,
    rows: list[dict[str, Any]],
    main: list[str],
    marks: Marks,
    media: Media,
) -> dict[str, Any]:
    first = rows[0]
    pictures = _pictures(first, media)
    question = cut(first["question"] or "")
    return {
        "title": dict(chapter.tasks).get(task, task),
        "task": task,
        "language": first["language"],
        "question": question,
        "is_long": len(question) > LONG_QUESTION,
        "gold": gold(first),
        "pictures": [one for one in pictures if one not in main],
        "answers": [
            {"one": shown(row, marks, media), "refusal": marks.refusal(str(row["source"]))}
            for row in rows
        ],
    }


def _pictures(row: Mapping[str, Any], media: Media) -> list[str]:
    """The checksums of all pictures that were shown with a question and may be shown here."""
    named = [media.name(path) for path in dict.fromkeys([row["picture"], *(row["pictures"] or ())])]
    return [one for one in dict.fromkeys(named) if one]


def _video(row: Mapping[str, Any], media: Media) -> str:
    """The checksum of the video that a question is about, where a browser can play it."""
    checksum = media.name(row["video"])
    return checksum if checksum and video_kind(media.path(checksum)) else ""
