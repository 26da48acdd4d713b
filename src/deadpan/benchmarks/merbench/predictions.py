"""Folders of edited pictures → predictions, one for each model, and what the folders lack."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from deadpan.benchmarks.merbench.answers import EditedPicture
from deadpan.benchmarks.merbench.layout import ModelEdits, folder_of, original
from deadpan.benchmarks.merbench.records import Meme
from deadpan.core.capabilities import Predictions
from deadpan.core.dataset import Dataset
from deadpan.core.outcomes import NOT_ASKED
from deadpan.core.questions import Reply
from deadpan.core.score import Score
from deadpan.core.signature import Signature
from deadpan.media.looked import looked_at

DEFAULT_TASKS = ("reappraisal",)


def edits_predictions(
    edits: Mapping[str, ModelEdits],
    dataset: Dataset[Meme],
    tasks: Sequence[str] = DEFAULT_TASKS,
) -> dict[str, Predictions]:
    """What each model made of each meme, as answers to the tasks named.

    A missing edit is a failed answer, and so is one of a meme whose source cannot be shown; an
    unreadable one is invalid.
    """
    return {model: _predictions(made, dataset, tasks) for model, made in edits.items()}


def _predictions(edits: ModelEdits, dataset: Dataset[Meme], tasks: Sequence[str]) -> Predictions:
    place = folder_of(dataset)
    replies = {meme.id: _reply(meme, edits, place) for meme in dataset.records}
    return Predictions(dict.fromkeys(tasks, replies), edits.strays)


def _reply(meme: Meme, edits: ModelEdits, place: Path) -> Reply:
    if meme.id in edits.unreadable:
        path, _ = edits.unreadable[meme.id]
        looked = looked_at(Path(path))
        return answer(path, looked.sha256 if looked else "")
    if (edit := edits.found.get(meme.id)) is None:
        return Reply(error=f"{edits.model} has no edited picture {meme.gen_id}")
    source = looked_at(original(place, meme))
    if source is None or source.problem is not None:
        why = source.problem if source else "there is no such picture"
        return Reply(error=f"{NOT_ASKED}: source {meme.id}: {why}")
    return answer(edit.path, edit.sha256)


def answer(path: str, sha256: str) -> Reply:
    """An edited picture as a reply."""
    return Reply(text=EditedPicture(path=path, sha256=sha256).model_dump_json())


def edit_scores(edits: Mapping[str, ModelEdits], dataset: Dataset[Meme]) -> list[Score]:
    """How many edits each model's folder holds, lacks, has broken and has under other names."""
    memes = len(dataset.records)
    signature = Signature("merbench", "edits", "1", memes, dataset.checksum, prompts="none")
    scores = []
    for model, made in edits.items():
        counts = {
            "usable_outputs": len(made.found),
            "missing_outputs": len(made.missing),
            "unreadable_outputs": len(made.unreadable),
            "wrongly_named_outputs": len(made.wrongly_named),
        }
        scores += [
            Score(
                model=model,
                task="edits",
                metric=name,
                value=float(count),
                n=memes,
                signature=str(signature),
            )
            for name, count in counts.items()
        ]
    return scores
