"""Pictures as answers: files in the store, named by what they hold."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from deadpan.core.questions import Reply

PICTURES = "pictures"
_START = '{"picture": '


def picture_place(store: Path, sha256: str) -> Path:
    """Where a store keeps the picture of that checksum."""
    return store / PICTURES / sha256[:2] / f"{sha256}.png"


def picture_answer(sha256: str, notes: Sequence[str] = ()) -> str:
    """The answer that stands for a picture, wherever the store lies."""
    return json.dumps({"picture": sha256, "notes": list(notes)}, ensure_ascii=False)


def located(reply: Reply, store: Path) -> tuple[Reply, tuple[str, ...]]:
    """The reply with the place of its picture, if it is one, and what was noted of it."""
    if reply.text is None or not reply.text.startswith(_START):
        return reply, ()
    told = json.loads(reply.text)
    place = picture_place(store, told["picture"]).resolve()
    text = json.dumps({"path": str(place), "sha256": told["picture"]}, ensure_ascii=False)
    return reply.model_copy(update={"text": text}), tuple(told["notes"])
