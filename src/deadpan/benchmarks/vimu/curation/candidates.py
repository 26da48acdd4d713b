"""Posts and what was drafted of them as videos with questions that nobody has reviewed yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import JsonValue

from deadpan.base.errors import InputError
from deadpan.benchmarks.vimu import rows
from deadpan.benchmarks.vimu.curation.questions import drafted_lines
from deadpan.benchmarks.vimu.records import OpenEnded, Video, readable
from deadpan.benchmarks.vimu.taxonomy import TAXONOMIES
from deadpan.core.curation import Post, PostMedia
from deadpan.core.dataset import Dataset
from deadpan.core.drafting import NO_VIDEO, unlabelled

_TASKS = {"rm": "rhetoric_mechanisms", "sv": "social_value_signals"}


def video_of(post: Post) -> PostMedia:
    """The first video of a post that could be opened; one without any raises InputError."""
    for one in post.media:
        if one.kind == "video" and one.file:
            return one
    raise InputError(post.where, NO_VIDEO, "Leave the post out.")


def candidates(posts: Sequence[Post], media: Path) -> Dataset[Video]:
    """The posts that are still there, each with its questions, which are None where nothing was
    drafted; a post without a video is left out, and told."""

    def candidate(post: Post) -> tuple[Video, str]:
        film = video_of(post)
        return _video(post, media / film.file), film.file

    return unlabelled(posts, media, candidate)


def _video(post: Post, path: Path) -> Video:
    lines = drafted_lines(post.id, post.draft, post.written_in)
    oe = rows.OpenEndedRow.model_validate(lines["oe"]) if lines else None
    return Video(
        video_id=post.id,
        language=post.written_in,
        difficulty=(oe.qa.difficulty if oe else None) or "unknown",
        reading=_reading(oe) if oe else None,
        transcript=post.transcript or None,
        frames=(),
        rhetoric=tuple((oe and oe.taxonomy.rhetoric_mechanisms) or ()),
        social=tuple((oe and oe.taxonomy.social_value_signals) or ()),
        targets=tuple((oe and oe.taxonomy.target_subjects) or ()),
        path=str(path),
        found_frames=(),
        **_choices(post.where, lines),
    )


def _reading(row: rows.OpenEndedRow) -> OpenEnded:
    told = {
        "question": row.qa.question,
        "reference": row.qa.answer,
        "literal_summary": row.taxonomy.literal_summary,
        "intended_meaning": row.taxonomy.intended_meaning,
        "evidence": row.taxonomy.evidence,
        "rubric": row.qa.rubric,
    }
    return OpenEnded(**{name: readable(value) for name, value in told.items()})


def _choices(
    where: str, lines: Mapping[str, Mapping[str, JsonValue]]
) -> dict[str, rows.Choice | None]:
    """The choice questions by task; None where there are none."""
    found: dict[str, rows.Choice | None] = dict.fromkeys(("eg", *_TASKS))
    if not lines:
        return found
    tasks = rows.StructureRow.model_validate(lines["ss"]).mcq_tasks
    asked: dict[str, rows.ChoiceRow] = {"eg": rows.EvidenceChoiceRow.model_validate(lines["eg"])}
    asked |= {task: tasks[name] for task, name in _TASKS.items()}
    return found | {
        task: rows.choice_of(row, TAXONOMIES[task], where) for task, row in asked.items()
    }
