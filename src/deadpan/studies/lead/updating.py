"""A study that is changed while it runs: words at any time, the rest before anybody is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from deadpan.base.errors import InputError
from deadpan.base.files import read_bytes, write_text
from deadpan.core.study.changes import Change, changes
from deadpan.core.study.files import read_study, study_text
from deadpan.core.study.items import StudyItem
from deadpan.core.study.specification import Study
from deadpan.core.study.validation import require_fit, require_own_fit, with_read_gold
from deadpan.studies.lead.deciding import add_version
from deadpan.studies.making.creating import SPECIFICATION
from deadpan.studies.storage.opened import OpenStudy
from deadpan.studies.storage.tables import ItemRow, PersonRow, TaskRow

_WORDS = "titles, help, guidelines, consent, pay, minutes and claim_hours"


@dataclass(frozen=True)
class Updated:
    """The version that a study is at, and what is another way in it than before."""

    version: int
    changes: Sequence[Change]


def update_study(study: OpenStudy, path: Path) -> Updated:
    """Takes over a changed study as a new version, unless nothing changed. What people were asked,
    and what becomes of their answers, raises with each change of it; so does, while nobody was
    asked, what the items do not fit. Who agreed to another consent is asked again."""
    changed = read_study(path)
    found = changes(study.study, changed)
    if not found:
        _write_down(study)
        return Updated(study.version, ())
    with study.database.write() as session:
        is_begun = session.scalar(select(TaskRow.id).limit(1)) is not None
        _require_allowed(path, found, is_begun)
        if any(one.weight != "free" for one in found):
            _fit_items(session, changed, path)
        if any(one.path.partition(".")[0] == "consent" for one in found):
            # Nobody agreed to this one yet.
            session.execute(update(PersonRow).values(consented_at=None))
        version = add_version(session, study, changed, None)
    study.study, study.version = changed, version
    _write_down(study)
    return Updated(version, found)


def _write_down(study: OpenStudy) -> None:
    """Has the folder's file say what the newest version does, also after somebody was cut off."""
    path, text = study.folder / SPECIFICATION, study_text(study.study)
    if not path.is_file() or read_bytes(path) != text.encode():
        write_text(path, text)


def _require_allowed(path: Path, found: Sequence[Change], is_begun: bool) -> None:
    """Raises with every change that is not possible any more."""
    refused = [one for one in found if one.weight == "fixed" or (is_begun and one.weight != "free")]
    if not refused:
        return
    listed = "; ".join(map(str, refused))
    if is_begun:
        what = f"changes what people were asked, or what becomes of their answers: {listed}"
        fix = f"Only words can change now ({_WORDS}): put the rest back, or make a new study"
    else:
        what = f"changes what the items were dealt by: {listed}"
        fix = "Put it back, or make a new study"
    raise InputError(path, what, f"{fix} with `deadpan study create {path} --from … --out …`.")


def _fit_items(session: Session, changed: Study, path: Path) -> None:
    """Raises where items do not fit the changed study; has their gold in the form that answers to
    it have."""
    rows = session.scalars(select(ItemRow)).all()
    items = [StudyItem.model_validate(row.content) for row in rows]
    placed = [(f"item {item.key}", item) for item in items]
    if changed.template:
        require_fit(changed, placed)
    else:
        require_own_fit(changed, placed, path)
    for row, item in zip(rows, items, strict=True):
        if (read := with_read_gold(changed, item)) != item:
            row.content = read.model_dump(mode="json")
