"""The files that a study keeps, as its export names them."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from deadpan.core.study.exports import KeptMedia
from deadpan.studies.storage.media import media_path
from deadpan.studies.storage.opened import OpenStudy
from deadpan.studies.storage.tables import MediaRow

_ENDINGS = {"audio/mpeg": "mp3", "audio/mp4": "m4a"}
"""Of files that do not end as their type does."""
_NAMED = 16
"""How many digits of a checksum name a file."""


def kept_files(session: Session, study: OpenStudy) -> dict[str, KeptMedia]:
    """The files of a study, each under a name with an ending that tells its type."""
    found = {}
    for checksum, type_ in session.execute(select(MediaRow.checksum, MediaRow.type)):
        ending = _ENDINGS.get(type_) or type_.rpartition("/")[2]
        name = f"{checksum[:_NAMED]}.{ending}"
        found[checksum] = KeptMedia(media_path(study.folder, checksum), name)
    return found
