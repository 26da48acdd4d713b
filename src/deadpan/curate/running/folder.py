"""The work folder: what each stage made, under names that tell from what, so that a file is there
whole or not at all and what was made before is found again."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
from pydantic import BaseModel

from deadpan.base.errors import InputError
from deadpan.base.files import is_file, read_bytes, write_bytes, write_text
from deadpan.core.curation import Post

_SCHEMA = {
    "id": pl.String,
    "source": pl.String,
    "language": pl.String,
    "text": pl.String,
    "group": pl.String,
    "stage": pl.String,
    "reason": pl.String,
    "what": pl.String,
    "record": pl.String,
}


def key_of(*parts: object) -> str:
    """The name of what is made from these parts: models, texts, numbers, lists of them."""
    return hashlib.sha256(json.dumps(_plain(parts), ensure_ascii=False).encode()).hexdigest()[:24]


def _plain(value: object) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if isinstance(value, Mapping):
        return {str(name): _plain(one) for name, one in sorted(value.items())}
    if isinstance(value, str | int | float | bool) or value is None:
        return value
    if isinstance(value, Iterable):
        return [_plain(one) for one in value]
    return str(value)


@dataclass(frozen=True)
class WorkFolder:
    """Where a curation's work lies."""

    path: Path

    @property
    def media(self) -> Path:
        """The cleaned pictures and videos, each under its checksum."""
        return self.path / "media"

    @property
    def fetched(self) -> Path:
        """What came from addresses."""
        return self.path / "fetched"

    @property
    def answers(self) -> Path:
        """The answer store of drafts."""
        return self.path / "answers"

    @property
    def study(self) -> Path:
        """The study in which people decide."""
        return self.path / "study"

    @property
    def release(self) -> Path:
        """What goes out."""
        return self.path / "release"

    def place(self, stage: str, key: str, suffix: str = ".parquet") -> Path:
        """Where what a stage made from something lies."""
        return self.path / "stages" / stage / f"{key}{suffix}"

    def write_posts(self, stage: str, key: str, posts: Sequence[Post]) -> None:
        """Keeps posts as a stage left them."""
        stream = io.BytesIO()
        pl.DataFrame([_row(post) for post in posts], schema=_SCHEMA).write_parquet(stream)
        write_bytes(self.place(stage, key), stream.getvalue())

    def read_posts(self, stage: str, key: str) -> list[Post] | None:
        """The posts that are kept so; None where they are not there."""
        path = self.place(stage, key)
        if not is_file(path):
            return None
        try:
            records = pl.read_parquet(read_bytes(path), columns=["record"])["record"]
        except pl.exceptions.PolarsError as error:
            fix = "Delete the file; the same command makes it again."
            raise InputError(path, f"is damaged ({error})", fix) from None
        return [Post.model_validate_json(record) for record in records]

    def write_json(self, stage: str, key: str, value: object) -> None:
        """Keeps what a stage tells besides posts."""
        text = json.dumps(_plain(value), ensure_ascii=False, indent=1)
        write_text(self.place(stage, key, ".json"), text + "\n")

    def read_json(self, stage: str, key: str) -> Any:
        """What is kept so; None where it is not there."""
        path = self.place(stage, key, ".json")
        return json.loads(read_bytes(path)) if is_file(path) else None

    def mark(self, stage: str, keys: Sequence[str], **facts: object) -> None:
        """Notes which files hold a stage's outcome now, for `status` and `explain`."""
        now = self.current()
        known = {"keys": list(keys), **facts}
        if now.get(stage) != known:
            text = json.dumps({**now, stage: known}, ensure_ascii=False, indent=1)
            write_text(self.path / "current.json", text + "\n")

    def current(self) -> dict[str, Any]:
        """What `mark` noted; nothing where nothing was done."""
        path = self.path / "current.json"
        if not is_file(path):
            return {}
        try:
            return dict(json.loads(read_bytes(path)))
        except (ValueError, TypeError):
            fix = "Delete it; `deadpan curate run` writes it again."
            raise InputError(path, "is damaged", fix) from None


def _row(post: Post) -> dict[str, str | None]:
    drop = post.drop
    return {
        "id": post.id,
        "source": post.source,
        "language": post.language,
        "text": post.text,
        "group": post.group,
        "stage": drop.stage if drop else None,
        "reason": drop.reason if drop else None,
        "what": drop.what if drop else None,
        "record": post.model_dump_json(),
    }
