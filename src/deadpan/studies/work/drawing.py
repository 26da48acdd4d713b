"""Panels that people drew, numbered for the stages after."""

from __future__ import annotations

from sqlalchemy.orm import Session

from deadpan.core.study.arranging import Boxes
from deadpan.core.study.numbering import with_drawn_panels
from deadpan.core.study.specification import Stage
from deadpan.media.images import read_image
from deadpan.media.prepared import draw_numbers
from deadpan.studies.storage.media import keep_picture, media_path
from deadpan.studies.storage.opened import OpenStudy
from deadpan.studies.storage.tables import ItemRow, MediaRow, ProgressRow


def number_panels(session: Session, study: OpenStudy, progress: ProgressRow, after: Stage) -> None:
    """Where a stage settled boxes, the item is from the next one on a comic with numbers drawn on
    its panels."""
    for question in study.stage(progress.stage).questions:
        boxes = progress.result.get(question.name)
        if not isinstance(question, Boxes) or not isinstance(boxes, list):
            continue
        item = study.item(session, progress.item, progress.stage)
        part = item.part(question.of)
        if part is None or not part.is_file:
            continue
        image = read_image(media_path(study.folder, part.path))
        draw = study.draw("panels", progress.item)
        drawn = with_drawn_panels(item, question.of, boxes, image.size, draw)
        comic = drawn.part(question.of)
        kept = keep_picture(draw_numbers(image, comic.panels if comic else ()), study.folder)
        if session.get(MediaRow, kept.checksum) is None:
            facts = {"type": kept.type, "width": kept.width, "height": kept.height}
            session.add(MediaRow(checksum=kept.checksum, **facts))
        parts = tuple(
            one.model_copy(update={"path": kept.checksum}) if one.name == question.of else one
            for one in drawn.parts
        )
        content = drawn.model_copy(update={"parts": parts}).model_dump(mode="json")
        row = session.get_one(ItemRow, progress.item)
        row.later = {**row.later, after.name: content}
