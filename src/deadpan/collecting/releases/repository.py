"""Files of a repository on GitHub by their raw addresses, at one commit, politely."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import re
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import httpx

from deadpan.base.errors import DeadpanError, InputError
from deadpan.base.files import is_there, write_bytes
from deadpan.base.printable import visible
from deadpan.collecting.fetch.exchange import Exchange, decode_body, printable, web_url
from deadpan.collecting.fetch.records import FetchSettings, ItemError
from deadpan.collecting.releases.lock import COMMIT, Lock, recorded, write_lock
from deadpan.collecting.releases.selection import (
    ANNOTATIONS,
    MEDIA,
    Found,
    Selection,
    Watcher,
    announce,
    begin,
    known_lock,
    matching,
    require_room,
)
from deadpan.core.benchmark import Benchmark
from deadpan.core.release import RepositoryData
from deadpan.media.checksums import file_checksum

_RAW = ("DEADPAN_GITHUB_RAW", "https://raw.githubusercontent.com")
_API = ("DEADPAN_GITHUB_API", "https://api.github.com")
"""The setting that names another place, such as a mirror, and the usual one."""
_LARGEST = 50_000_000
_AGAIN = "What came is kept: run the same command again to go on."


def get_repository_data(
    benchmark: Benchmark[Any],
    source: RepositoryData,
    folder: Path,
    wanted: Selection,
    watcher: Watcher,
) -> tuple[Path, Lock | None]:
    """Where the data lies, and the folder's record, once every file wanted is there. A folder that
    holds some of them already, from elsewhere, is left as it is unless it is asked for."""
    names = _names(source, wanted)
    address = f"https://github.com/{source.repository}"
    lock = known_lock(benchmark, address, folder)
    lacking = [name for name in names if not is_there(folder / name)]
    is_own = lock is None and len(lacking) < len(names)  # it came in another way
    if is_own and not wanted.only and wanted.revision is None:
        watcher.say(f"the annotations in {folder} are left as they are")
        return folder, lock
    revision = wanted.revision or (lock.commit if lock else source.revision)
    commit = revision if re.fullmatch(COMMIT, revision) else _resolve(source, revision, wanted)
    found = Found(address, revision, commit, benchmark.licence)
    announce(benchmark, found, lock, folder, watcher)
    known = {name: file.sha256 for name, file in lock.files.items()} if lock else {}
    known |= source.files if commit == source.revision else {}
    for name in names:
        if name not in lacking:
            _require_same(folder / name, known.get(name))
    require_room(folder, _LARGEST)
    lock = begin(benchmark, found, lock, folder)
    for place, name in enumerate(lacking):
        watcher.progress(place, len(lacking))
        url = f"{_endpoint(_RAW)}/{source.repository}/{commit}/{source.folder}/{name}"
        data = _fetched(url, wanted, known.get(name))
        write_bytes(folder / name, data)
        lock = write_lock(folder, lock, recorded(folder, [name]))
        watcher.progress(place + 1, len(lacking))
    return folder, write_lock(folder, lock, recorded(folder, names))


def _names(source: RepositoryData, wanted: Selection) -> list[str]:
    """The files that are wanted: all of them with their media, which go by them."""
    if wanted.wants(ANNOTATIONS) or wanted.wants(MEDIA):
        return list(source.files)
    found = matching(source.files, wanted.patterns)
    if not found:
        known = ", ".join((ANNOTATIONS, MEDIA, *source.files))
        raise DeadpanError(f"--only {' '.join(wanted.patterns)}: expected some of {known}")
    return found


def _require_same(path: Path, sha256: str | None) -> None:
    if sha256 is not None and file_checksum(str(path)) != sha256:
        what = "is another file than the release's, and is not overwritten"
        raise InputError(path, what, "Remove it to fetch it, or choose another folder.")


def _endpoint(place: tuple[str, str]) -> str:
    setting, usual = place
    return (os.environ.get(setting) or usual).rstrip("/")


def _resolve(source: RepositoryData, revision: str, wanted: Selection) -> str:
    """The commit that a branch or tag is now."""
    if not re.fullmatch(r"[\w./-]{1,200}", revision) or ".." in revision:
        raise DeadpanError(f"--revision {visible(revision)[:60]}: expected a branch, tag or commit")
    url = f"{_endpoint(_API)}/repos/{source.repository}/commits/{revision}"
    try:
        commit = str(json.loads(_fetched(url, wanted))["sha"])
    except (ValueError, LookupError, TypeError, RecursionError):
        commit = ""
    if not re.fullmatch(COMMIT, commit):
        raise InputError(url, "does not tell a commit", "Name the commit itself with --revision.")
    return commit


def _fetched(url: str, wanted: Selection, sha256: str | None = None) -> bytes:
    """The body of an address, asked for again where that may help; what cannot be had, or is not
    what it should be, raises. Somebody named these files, and nobody crawls: no robots.txt is
    asked."""
    settings = FetchSettings(allow_private=wanted.allow_private, interval=0.2, backoff=0.5)

    async def get() -> bytes:
        exchange, address = Exchange(settings), web_url(url)
        attempt: Callable[[], Awaitable[bytes]] = partial(_attempt, exchange, address)
        async with exchange.client:
            return await exchange.host(address).retry(attempt)

    try:
        data = asyncio.run(get())
    except ItemError as error:
        raise InputError(url, f"cannot be fetched ({error})", _AGAIN) from error
    if sha256 is not None and (found := hashlib.sha256(data).hexdigest()) != sha256:
        what = f"has the SHA-256 {found[:12]}…; expected {sha256[:12]}…"
        raise InputError(url, what, f"Nothing of it was kept. {_AGAIN}")
    return data


async def _attempt(exchange: Exchange, url: httpx.URL) -> bytes:
    async with exchange.response(url) as response:
        if not response.is_success:
            raise ItemError("failed", f"{printable(url)}: HTTP {response.status_code}")
        body = b""
        async for chunk in decode_body(response, url):
            body += chunk
            if len(body) > _LARGEST:
                raise ItemError("failed", f"{printable(url)}: more than {_LARGEST} bytes")
        return body
