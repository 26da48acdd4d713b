"""Whether a page shows the answers that its task has: somebody may have it open twice, and none is
submitted that they do not see."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Sequence

from pydantic import JsonValue
from sqlalchemy.orm import Session

from deadpan.studies.storage.opened import OpenStudy
from deadpan.studies.storage.tables import TaskRow
from deadpan.studies.work.answering import history, with_draft


def mark(study: OpenStudy, token: str, question: str, value: JsonValue) -> str:
    """By what a page tells which answer to a question of a task it shows. Nobody can make out the
    answer from it: an output is kept by its place among the sources."""
    told = json.dumps([token, question, value], sort_keys=True)
    digest = hmac.new(study.secret.encode(), told.encode(), hashlib.sha256).hexdigest()
    return f"{question}:{digest[:24]}"


def is_stale(session: Session, study: OpenStudy, task: TaskRow, shown: Sequence[str]) -> bool:
    """Whether a page with these marks shows other answers than the task has; one that tells none
    is taken at its word."""
    if not shown:
        return False
    item = study.item(session, task.item, task.stage)
    values = with_draft(study, task, item, history(session, task.id))
    names = [one.name for one in study.stage(task.stage).questions]
    return set(shown) != {mark(study, task.token, name, values.get(name)) for name in names}
