"""A data set of the Hugging Face hub, by `huggingface_hub`: one commit, file by file, each checked
against the checksum that the hub keeps of it."""

from __future__ import annotations

import errno
import importlib
import os
import re
import shutil
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

import tenacity

from deadpan.base.errors import DeadpanError, InputError, MissingExtra
from deadpan.base.printable import visible
from deadpan.collecting.releases.hub_files import (
    RemoteFile,
    choose_files,
    layout_prefix,
    missing_files,
)
from deadpan.collecting.releases.lock import COMMIT, Lock, is_inside, recorded, write_lock
from deadpan.collecting.releases.selection import (
    Found,
    Selection,
    Watcher,
    announce,
    begin,
    in_bytes,
    known_lock,
    require_room,
)
from deadpan.core.benchmark import Benchmark
from deadpan.core.release import HubData

_AGAIN = "What came is kept: run the same command again to go on."
_AT_ONCE = 8
_ATTEMPTS = 3
_PATIENCE = 60.0
"""How many seconds the hub may take to say what it has."""
_FINAL = range(400, 408)
"""What the hub says and will say again."""
_USUAL = "https://huggingface.co"


def get_hub_data(
    benchmark: Benchmark[Any], source: HubData, folder: Path, wanted: Selection, watcher: Watcher
) -> tuple[Path, Lock]:
    """Where the data begins, and the folder's record, once everything wanted is there."""
    hub = _Hub(source)
    lock = known_lock(benchmark, hub.page, folder)
    revision = wanted.revision or (lock.commit if lock else source.revision)
    found = hub.resolve(revision)
    announce(benchmark, found, lock, folder, watcher)
    files = hub.files(found.commit)
    prefix = layout_prefix(files, source)
    chosen = choose_files(files, prefix, source, wanted, watcher)
    missing = missing_files(chosen, folder)
    size = sum(file.size for file in missing)
    here = f"{len(chosen):,} files, {len(chosen) - len(missing):,} of them in {folder}"
    watcher.say(f"{here}; {in_bytes(size)} to fetch" if missing else f"{here}; nothing to fetch")
    require_room(folder, size)
    lock = begin(benchmark, found, lock, folder)
    hub.download(missing, found.commit, folder, watcher)
    lock = write_lock(folder, lock, recorded(folder, (file.path for file in chosen)))
    shutil.rmtree(folder / ".cache" / "huggingface", ignore_errors=True)
    _remove_if_empty(folder / ".cache")
    return folder / prefix, lock


def _in_time(call: Callable[[], Any]) -> Any:
    """What a call gives; one that takes too long raises. The library itself waits for ever."""
    ended: list[tuple[Any, BaseException | None]] = []

    def work() -> None:
        try:
            ended.append((call(), None))
        except BaseException as error:
            ended.append((None, error))

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(_PATIENCE)
    if not ended:
        raise TimeoutError(f"no reply in {_PATIENCE:g} seconds")
    found, error = ended[0]
    if error is not None:
        raise error
    return found


def _may_pass(error: BaseException) -> bool:
    """Whether what broke may go on: not what the hub refuses, nor a file that is not as listed."""
    status = getattr(getattr(error, "response", None), "status_code", None)
    is_ours = isinstance(error, DeadpanError)
    is_disk = isinstance(error, OSError) and error.errno == errno.ENOSPC
    return isinstance(error, Exception) and not (is_ours or is_disk or status in _FINAL)


class _Hub:
    """One data set of the hub, and what goes wrong with it in words."""

    def __init__(self, source: HubData) -> None:
        try:
            self._library: Any = importlib.import_module("huggingface_hub")
        except ImportError:
            raise MissingExtra("Getting data from the Hugging Face hub", "data") from None
        importlib.import_module("huggingface_hub.utils").disable_progress_bars()
        self._repository = source.repository
        self._endpoint = os.environ.get("HF_ENDPOINT", "").rstrip("/") or None
        self._api = self._library.HfApi(endpoint=self._endpoint, library_name="deadpan")

    @property
    def page(self) -> str:
        """The data set's page, whatever mirror it is fetched from."""
        return f"{_USUAL}/datasets/{self._repository}"

    @property
    def address(self) -> str:
        """The same where it is fetched from."""
        return f"{self._endpoint or _USUAL}/datasets/{self._repository}"

    def resolve(self, revision: str) -> Found:
        """The commit that a revision is now, and the licence that the data set's card tells."""
        try:
            found = _in_time(lambda: self._api.dataset_info(self._repository, revision=revision))
        except Exception as error:  # of huggingface_hub, or of the HTTP library it is built on
            raise self._problem(error, revision) from error
        commit = str(found.sha)
        if not re.fullmatch(COMMIT, commit):
            what = f"the hub says that {revision} is {visible(commit)[:60]!r}; expected a commit"
            raise InputError(self.address, what, "Try again later.")
        card = getattr(found, "card_data", None)
        told = card.get("license") if card is not None else None
        listed = ", ".join(map(str, told)) if isinstance(told, list) else told
        licence = f"{visible(str(listed))[:100]}, by its card" if listed else "not stated"
        return Found(self.page, revision, commit, licence)

    def files(self, commit: str) -> dict[str, RemoteFile]:
        """Every file of a commit, by path; one whose path leads elsewhere raises."""
        about = {"repo_type": "dataset", "revision": commit, "recursive": True}
        try:
            every = _in_time(lambda: [*self._api.list_repo_tree(self._repository, **about)])
        except Exception as error:
            raise self._problem(error, commit) from error
        found: dict[str, RemoteFile] = {}
        for one in every:
            if not hasattr(one, "size"):  # folders have none
                continue
            if not is_inside(one.path):
                what = f"lists the path {visible(one.path)[:80]!r}, which leads elsewhere"
                raise InputError(self.address, what, "Nothing was fetched. Tell its authors.")
            large = one.lfs.sha256 if one.lfs is not None else None
            found[one.path] = RemoteFile(one.path, int(one.size), large, one.blob_id)
        return found

    def download(
        self, files: Sequence[RemoteFile], commit: str, folder: Path, watcher: Watcher
    ) -> None:
        """Fetches the files side by side, and checks each; the first that fails stops the rest."""
        done = 0
        pool = ThreadPoolExecutor(max_workers=_AT_ONCE)
        work = [pool.submit(self._fetch, file, commit, folder) for file in files]
        try:
            for ended in as_completed(work):
                ended.result()
                done += 1
                watcher.progress(done, len(files))
        except DeadpanError:
            raise
        except Exception as error:
            so_far = f"after {done:,} of {len(files):,} files"
            raise self._problem(error, commit, so_far) from error
        finally:  # after Ctrl-C too, only what is under way is waited for
            pool.shutdown(cancel_futures=True)

    @tenacity.retry(
        retry=tenacity.retry_if_exception(_may_pass),
        stop=tenacity.stop_after_attempt(_ATTEMPTS),
        wait=tenacity.wait_exponential(max=30),
        reraise=True,
    )
    def _fetch(self, file: RemoteFile, commit: str, folder: Path) -> None:
        self._library.hf_hub_download(
            self._repository,
            file.path,
            repo_type="dataset",
            revision=commit,
            local_dir=str(folder),
            endpoint=self._endpoint,
            library_name="deadpan",
        )
        path = folder / file.path
        if not path.is_file() or not file.is_at(path):
            path.unlink(missing_ok=True)
            what = "did not come as the hub lists it, and was removed"
            raise InputError(path, what, _AGAIN)

    def _problem(self, error: Exception, revision: str, so_far: str = "") -> InputError:
        """What went wrong, and what to do about it."""
        kinds = {kind.__name__ for kind in type(error).__mro__}
        status = getattr(getattr(error, "response", None), "status_code", None)
        log_in = "log in (`hf auth login`, or set HF_TOKEN) and try again."
        if "GatedRepoError" in kinds:
            what = "the data set is gated: its owners ask you to accept their terms"
            return InputError(self.address, what, f"Open the page, accept them, {log_in}")
        if "RevisionNotFoundError" in kinds:
            what = f"there is no revision {visible(revision)[:60]}"
            return InputError(self.address, what, "Check --revision.")
        if "RepositoryNotFoundError" in kinds or status in (401, 403):
            what = f"the hub does not let us in (HTTP {status or 401}): it is private, or gone"
            return InputError(self.address, what, f"If it is private, {log_in}")
        if "OfflineModeIsEnabled" in kinds or os.environ.get("HF_HUB_OFFLINE", "0") not in (
            "",
            "0",
        ):
            what = "huggingface_hub is set to stay offline (HF_HUB_OFFLINE)"
            return InputError(self.address, what, f"Unset it. {_AGAIN if so_far else ''}".strip())
        if isinstance(error, OSError) and error.errno is not None and error.filename is not None:
            what = f"cannot be written ({error.strerror})"
            return InputError(str(error.filename), what, f"Free some space. {_AGAIN}")
        said = " ".join(visible(str(error)).split())[:200] or type(error).__name__
        ended = "cannot be reached" if status is None else f"answers with HTTP {status}"
        broke = f"broke off {so_far} ({said})" if so_far else f"{ended} ({said})"
        fix = _AGAIN if so_far else "Check the network, or HF_ENDPOINT, and try again."
        return InputError(self.address, broke, fix)


def _remove_if_empty(folder: Path) -> None:
    try:
        folder.rmdir()
    except OSError:
        return
