"""Media that a source only gives the addresses of: fetched politely, or left."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from deadpan.base.errors import InputError
from deadpan.collecting.fetch import FetchItem, FetchSettings, SourceRules, fetch
from deadpan.collecting.fetch.records import FetchRecord, read_manifest
from deadpan.curate.schema import Source


@dataclass(frozen=True)
class Fetched:
    """What is there of a source's addresses: where files lie, and why others do not."""

    folder: Path
    records: Mapping[str, FetchRecord]

    def file(self, address: str) -> Path | None:
        """The file of an address; None where there is none."""
        record = self.records.get(item_id(address))
        return self.folder / record.file if record and record.file else None

    def why(self, address: str) -> str:
        """Why there is none."""
        record = self.records.get(item_id(address))
        return record.error or record.status if record else "`fetch` is not said for its source"


def item_id(address: str) -> str:
    """By what an address is known in the manifest."""
    return hashlib.sha256(address.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def fetch_settings(source: Source) -> FetchSettings:
    """How a source is fetched; a contact that cannot be sent raises."""
    try:
        return FetchSettings(contact=source.contact or None)
    except ValidationError as error:
        what = f"contact: {error.errors()[0]['msg']}"
        raise InputError(source.name, what, "Give a mail address.") from None


def fetched_media(
    source: Source,
    addresses: Iterable[str],
    work: Path,
    settings: FetchSettings | None = None,
    progress: Callable[[FetchRecord], None] | None = None,
) -> Fetched:
    """What is there of some addresses, in a folder of the source's own under `work`: fetched now
    where the source says so, else only what an earlier call fetched."""
    folder = work / source.name
    if not source.fetch:
        return Fetched(folder, read_manifest(folder / "manifest.jsonl").records)
    items = [FetchItem(id=item_id(one), url=one) for one in dict.fromkeys(addresses)]
    if not items:
        return Fetched(folder, {})
    summary = fetch(items, folder, SourceRules(), settings or fetch_settings(source), progress)
    return Fetched(folder, {record.id: record for record in summary.records})
