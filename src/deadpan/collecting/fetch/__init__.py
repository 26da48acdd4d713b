"""Polite, resumable download of pictures, direct or behind an HTML page: what is finished stays,
the rest is fetched, every outcome is recorded."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from deadpan.base.files import sha256_of
from deadpan.base.http import utc_now
from deadpan.base.resources.storage import sync_file
from deadpan.collecting.fetch.download import EXTENSIONS, Downloader
from deadpan.collecting.fetch.exchange import Exchange, host_key, printable, web_url
from deadpan.collecting.fetch.pages import Page, SourceRules, load_rules, main_image
from deadpan.collecting.fetch.records import (
    FetchError,
    FetchItem,
    FetchRecord,
    FetchSettings,
    FetchSummary,
    ItemError,
    Manifest,
    file_stem,
    sync_folder,
    writing,
)

__all__ = ["FetchItem", "FetchSettings", "FetchSummary", "SourceRules", "fetch", "load_rules"]
Progress = Callable[[FetchRecord], None]


def fetch(
    items: Iterable[FetchItem],
    out: Path,
    rules: SourceRules,
    settings: FetchSettings,
    progress: Progress | None = None,
) -> FetchSummary:
    """The outcome of every item; pictures in `out/images`, records in `out/manifest.jsonl`.
    `progress` sees each item's record once, also those of an earlier run. A full disk raises
    `FetchError`; running again with the same arguments goes on where this run stopped."""
    wanted = list(items)
    twice = [name for name, count in Counter(item.id for item in wanted).items() if count > 1]
    if twice:
        raise FetchError(f"item ids {', '.join(twice[:5])}: given twice; expected each id once")
    images = out / "images"
    with writing(images):
        images.mkdir(parents=True, exist_ok=True)
    with Manifest(out) as manifest:
        with writing(images):
            for part in images.glob("*.part"):
                part.unlink(missing_ok=True)
        run = _Run(images, rules, settings, manifest, progress or (lambda record: None))
        settled = dict.fromkeys(item for item in wanted if run.is_settled(item))
        for item in settled:
            run.report(manifest.records[item.id])
        asyncio.run(run.fetch_all([item for item in wanted if item not in settled]))
        records = tuple(manifest.records[item.id] for item in wanted)
    notes = () if manifest.torn is None else (manifest.torn,)
    return FetchSummary(records=records, resumed=len(settled), notes=notes)


@dataclass
class _Run:
    images: Path
    rules: SourceRules
    settings: FetchSettings
    manifest: Manifest
    report: Progress

    def is_settled(self, item: FetchItem) -> bool:
        """Whether it needs no request: done with the file unchanged, or gone from the site."""
        record = self.manifest.records.get(item.id)
        if record is None or record.url != printable(item.url):
            return False
        if record.file is not None and sha256_of(self.images.parent / record.file) == record.sha256:
            return True
        return record.status == "gone" and not self.settings.recheck_gone

    async def fetch_all(self, items: list[FetchItem]) -> None:
        """Fetches the items, hosts side by side. Those that failed in an earlier run come last, so
        that a few broken pages cannot get a host given up before the others had their turn."""
        known = self.manifest.records
        failed = {name for name, record in known.items() if record.status == "failed"}
        queues: dict[str, deque[FetchItem]] = defaultdict(deque)
        for item in sorted(items, key=lambda item: item.id in failed):
            try:
                key = host_key(web_url(item.url))
            except ItemError:
                key = ""
            queues[key].append(item)
        exchange = Exchange(self.settings)
        downloader = Downloader(exchange)

        async def work(queue: deque[FetchItem]) -> None:
            while queue:
                record = await self._outcome(queue.popleft(), downloader)
                self.manifest.append(record)
                self.report(record)

        try:
            async with exchange.client, asyncio.TaskGroup() as group:
                for queue in queues.values():
                    # One more worker than slots: a page is asked for while a picture arrives.
                    for _ in range(self.settings.per_host + 1):
                        group.create_task(work(queue))
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from errors

    async def _outcome(self, item: FetchItem, downloader: Downloader) -> FetchRecord:
        stem = file_stem(item.id)
        part = self.images / f"{stem}.part"
        image_url: httpx.URL | None = None
        outcome: dict[str, Any]
        try:
            url = image_url = web_url(item.url)
            reply = await downloader.get(url, part)
            if isinstance(reply, Page):
                page, image_url = reply, None
                image_url = await asyncio.to_thread(
                    main_image, page, item.id, url, self.rules, item.width
                )
                reply = await downloader.get(image_url, part, referer=page.url)
            if isinstance(reply, Page):
                what = f"{printable(image_url)}: an HTML page, not a picture"
                raise ItemError("not_image", what)
            outcome = reply._asdict()
            final = await asyncio.to_thread(publish, part, stem, outcome.pop("extension"))
            outcome |= {"status": "done", "file": f"{final.parent.name}/{final.name}"}
        except ItemError as error:
            outcome = {"status": error.status, "error": str(error)}
        finally:
            part.unlink(missing_ok=True)
        return FetchRecord(
            id=item.id,
            url=printable(item.url),
            image_url=printable(image_url) if image_url else None,
            fetched_at=utc_now(),
            **outcome,
        )


def publish(part: Path, stem: str, extension: str) -> Path:
    """The final path of a checked part, on disk for good; other formats of it are removed."""
    final = part.with_name(stem + extension)
    with writing(final):
        sync_file(part)
        part.replace(final)
        for other in set(EXTENSIONS.values()) - {extension}:
            part.with_name(stem + other).unlink(missing_ok=True)
        sync_folder(part.parent)
    return final
