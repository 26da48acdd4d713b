"""Panels that people drew, numbered for the stages after."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from deadpan.core.study.items import StudyItem
from deadpan.core.study.numbering import with_drawn_panels
from deadpan.core.study.stages import Stage
from deadpan.media.images import read_image
from deadpan.media.panels import overlap
from deadpan.media.prepared import draw_numbers
from deadpan.studies.storage.media import keep_picture, media_path
from deadpan.studies.storage.opened import OpenStudy
from deadpan.studies.storage.tables import ItemRow, MediaRow, ProgressRow, TaskRow
from deadpan.studies.work.answering import keep_value

_SAME = 0.5
"""The part that two boxes share at least which are of one panel."""


def number_panels(session: Session, study: OpenStudy, progress: ProgressRow, after: Stage) -> None:
    """Where a stage settled boxes, the item is from the next one on a comic with numbers drawn on
    its panels."""
    for question in study.stage(progress.stage).questions:
        boxes = progress.result.get(question.name)
        if not question.draws_on or not isinstance(boxes, list):
            continue
        item = study.item(session, progress.item, progress.stage)
        part = item.part(question.draws_on)
        if part is None or not part.is_file:
            continue
        image = read_image(media_path(study.folder, part.path))
        draw = study.draw("panels", progress.item)
        drawn = with_drawn_panels(item, question.draws_on, boxes, image.size, draw)
        comic = drawn.part(question.draws_on)
        kept = keep_picture(draw_numbers(image, comic.panels if comic else ()), study.folder)
        if session.get(MediaRow, kept.checksum) is None:
            facts = {"type": kept.type, "width": kept.width, "height": kept.height}
            session.add(MediaRow(checksum=kept.checksum, **facts))
        parts = tuple(
            one.model_copy(update={"path": kept.checksum}) if one.name == question.draws_on else one
            for one in drawn.parts
        )
        content = drawn.model_copy(update={"parts": parts}).model_dump(mode="json")
        row = session.get_one(ItemRow, progress.item)
        known = row.later.get(after.name)
        row.later = {**row.later, after.name: content}
        study.forget(progress.item)
        if known is not None and not _same_panels(StudyItem.model_validate(known), drawn):
            _ask_anew(session, study, progress)


def _same_panels(known: StudyItem, drawn: StudyItem) -> bool:
    """Whether every number stands for the panel that it stood for before, drawn better."""
    before, after = (
        {box.panel_number: box for part in item.parts for box in part.panels}
        for item in (known, drawn)
    )
    return before.keys() == after.keys() and all(
        overlap(before[number], after[number]) >= _SAME for number in before
    )


def _ask_anew(session: Session, study: OpenStudy, progress: ProgressRow) -> None:
    """Takes out what people said of panels, by numbers that other panels have now."""
    names = [stage.name for stage in study.study.stages]
    for stage in study.study.stages[names.index(progress.stage) + 1 :]:
        asked = [one for one in stage.questions if one.names_panels]
        query = select(TaskRow).where(TaskRow.item == progress.item, TaskRow.stage == stage.name)
        for task in session.scalars(query.where(TaskRow.kind == "answer")).all():
            for question in asked:
                key = f"drawn:{task.round}:{question.name}"
                keep_value(session, study, task, question, None, key, "undone")
