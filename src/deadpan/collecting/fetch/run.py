"""A whole fetch: what is finished stays, the rest is fetched, every outcome is recorded."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from deadpan.base.files import sha256_of
from deadpan.base.retry_after import utc_now
from deadpan.collecting.fetch.addresses import host_key, shown, web_url
from deadpan.collecting.fetch.download import Downloader, Picture
from deadpan.collecting.fetch.errors import FetchError, ItemError, OutputError
from deadpan.collecting.fetch.exchange import Exchange, new_client
from deadpan.collecting.fetch.hosts import HostTable
from deadpan.collecting.fetch.manifest import Manifest
from deadpan.collecting.fetch.pages import Page, main_image
from deadpan.collecting.fetch.records import FetchItem, FetchRecord, FetchSummary, file_stem
from deadpan.collecting.fetch.robots import Robots
from deadpan.collecting.fetch.settings import FetchSettings
from deadpan.collecting.fetch.sources import SourceRules
from deadpan.collecting.fetch.storage import made_folder, publish

Progress = Callable[[FetchRecord], None]


async def fetch_all(
    items: Iterable[FetchItem],
    out: Path,
    rules: SourceRules,
    settings: FetchSettings,
    progress: Progress | None = None,
) -> FetchSummary:
    """The outcome of every item; pictures in `out/images`, records in `out/manifest.jsonl`.

    `progress` sees each item's record once, also those of an earlier run. A full disk raises
    `OutputError`; running again with the same arguments goes on where this run stopped.
    """
    wanted = _unique(items)
    images = made_folder(out / "images")
    with Manifest(out) as manifest:
        _remove_parts(images)
        report = progress or (lambda record: None)
        settled = await asyncio.to_thread(_settled, wanted, manifest.records, out, settings)
        for record in settled.values():
            report(record)
        async with new_client(settings) as client:
            run = _Run(client, images, rules, settings, manifest, report, dict(settled))
            await run.everything([item for item in wanted if item.id not in settled])
        notes = () if manifest.torn is None else (manifest.torn,)
    records = tuple(run.records[item.id] for item in wanted)
    return FetchSummary(records=records, resumed=len(settled), notes=notes)


def fetch(
    items: Iterable[FetchItem],
    out: Path,
    rules: SourceRules,
    settings: FetchSettings,
    progress: Progress | None = None,
) -> FetchSummary:
    """`fetch_all` for callers without an event loop."""
    return asyncio.run(fetch_all(items, out, rules, settings, progress))


@dataclass
class _Run:
    client: httpx.AsyncClient
    images: Path
    rules: SourceRules
    settings: FetchSettings
    manifest: Manifest
    report: Progress
    records: dict[str, FetchRecord]
    downloader: Downloader = field(init=False)

    def __post_init__(self) -> None:
        exchange = Exchange(self.client, HostTable(self.settings), self.settings)
        self.downloader = Downloader(exchange, Robots(exchange, self.settings), self.settings)

    async def everything(self, items: list[FetchItem]) -> None:
        """Fetches the items, hosts side by side.

        Those that failed in an earlier run come last, so that a few broken pages cannot get a
        host given up again and again before the others had their turn.
        """
        queues: dict[str, deque[FetchItem]] = defaultdict(deque)
        for item in sorted(items, key=self._failed_before):
            queues[_queue_key(item)].append(item)
        try:
            async with asyncio.TaskGroup() as group:
                for queue in queues.values():
                    # One more worker than slots: a page is asked for while a picture arrives.
                    for _ in range(self.settings.per_host + 1):
                        group.create_task(self._work(queue))
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from errors

    def _failed_before(self, item: FetchItem) -> bool:
        record = self.manifest.records.get(item.id)
        return record is not None and record.status == "failed"

    async def _work(self, queue: deque[FetchItem]) -> None:
        while queue:
            record = await self._outcome(queue.popleft())
            self.manifest.append(record)
            self.records[record.id] = record
            self.report(record)

    async def _outcome(self, item: FetchItem) -> FetchRecord:
        stem = file_stem(item.id)
        part = self.images / f"{stem}.part"
        image_url: httpx.URL | None = None
        try:
            url = image_url = web_url(item.url)
            reply = await self.downloader.get(url, part)
            if isinstance(reply, Page):
                page, image_url = reply, None
                image_url = await asyncio.to_thread(main_image, page, item.id, url, self.rules)
                reply = await self.downloader.get(image_url, part, referer=page.url)
            if isinstance(reply, Page):
                raise ItemError("not_image", f"{shown(image_url)}: an HTML page, not a picture")
            final = await asyncio.to_thread(publish, part, stem, reply.facts.extension)
            return _done(item, image_url, reply, final)
        except ItemError as error:
            return FetchRecord(
                id=item.id,
                url=_shown_text(item.url),
                image_url=shown(image_url) if image_url else None,
                status=error.status,
                fetched_at=utc_now(),
                error=str(error),
            )
        finally:
            part.unlink(missing_ok=True)


def _done(item: FetchItem, image_url: httpx.URL, picture: Picture, final: Path) -> FetchRecord:
    return FetchRecord(
        id=item.id,
        url=_shown_text(item.url),
        image_url=shown(image_url),
        status="done",
        file=f"{final.parent.name}/{final.name}",
        sha256=picture.body.sha256,
        bytes=picture.body.size,
        content_type=picture.body.content_type,
        width=picture.facts.width,
        height=picture.facts.height,
        fetched_at=utc_now(),
    )


def _unique(items: Iterable[FetchItem]) -> list[FetchItem]:
    wanted = list(items)
    twice = [name for name, count in Counter(item.id for item in wanted).items() if count > 1]
    if twice:
        raise FetchError(f"item ids {', '.join(twice[:5])}: given twice; expected each id once")
    return wanted


def _settled(
    wanted: list[FetchItem], known: dict[str, FetchRecord], out: Path, settings: FetchSettings
) -> dict[str, FetchRecord]:
    """The records that need no request: done with the file unchanged, or gone from the site."""
    settled: dict[str, FetchRecord] = {}
    for item in wanted:
        record = known.get(item.id)
        if record is None or record.url != _shown_text(item.url):
            continue
        intact = record.file is not None and sha256_of(out / record.file) == record.sha256
        if intact or (record.status == "gone" and not settings.recheck_gone):
            settled[item.id] = record
    return settled


def _queue_key(item: FetchItem) -> str:
    try:
        return host_key(web_url(item.url))
    except ItemError:
        return ""


def _shown_text(url: str) -> str:
    try:
        return shown(httpx.URL(url.strip()))
    except (httpx.InvalidURL, ValueError):
        return url


def _remove_parts(images: Path) -> None:
    try:
        for part in images.glob("*.part"):
            part.unlink(missing_ok=True)
    except OSError as error:
        raise OutputError(images, error) from error
