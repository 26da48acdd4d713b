"""Going on after an end of any kind: finished, changed, killed, or out of space."""

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from deadpan.collecting.fetch import FetchItem, FetchSettings, SourceRules, fetch
from deadpan.collecting.fetch.records import FetchError, read_manifest

from .loopback import Reply, Site, html, picture, png

SCRIPT = """
import json, os, sys
from pathlib import Path
from deadpan.collecting.fetch.records import Manifest
from deadpan.collecting.fetch import FetchItem, FetchSettings, SourceRules, fetch

out, urls, crash = Path(sys.argv[1]), json.loads(sys.argv[2]), sys.argv[3]
calls = []

def fatal(real, half=False):
    def call(*args):
        calls.append(args)
        if len(calls) == 3:
            if half:
                os.write(args[0], args[1][: len(args[1]) // 2])
            os.kill(os.getpid(), 9)
        return real(*args)
    return call

if crash == "before rename":
    Path.replace = fatal(Path.replace)
elif crash == "after rename":
    Manifest.append = fatal(Manifest.append)
elif crash == "in a manifest line":
    os.write = fatal(os.write, half=True)
items = [FetchItem(id=f"i{n}", url=url) for n, url in enumerate(urls)]
settings = FetchSettings(interval=0, backoff=0.01, timeout=20, allow_private=True)
summary = fetch(items, out, SourceRules(), settings)
print(json.dumps({**summary.counts, "resumed": summary.resumed, "notes": len(summary.notes)}))
"""


def items_of(site: Site, count: int) -> list[FetchItem]:
    return [FetchItem(id=f"i{n}", url=site.put(f"/{n}", png(n))) for n in range(count)]


def command(out: Path, urls: list[str], crash: str = "never") -> list[str]:
    return [sys.executable, "-c", SCRIPT, str(out), json.dumps(urls), crash]


def finished(out: Path) -> set[str]:
    """The ids in the manifest whose lines are whole."""
    return set(read_manifest(out / "manifest.jsonl").records)


def until(condition: Callable[[], bool]) -> None:
    """Returns when the condition holds; fails after 20 seconds without it."""
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def test_finished_items_are_not_requested_again(
    site: Site, tmp_path: Path, quick: FetchSettings, no_rules: SourceRules
) -> None:
    items = items_of(site, 4)
    first = fetch(items, tmp_path, no_rules, quick)
    site.requests.clear()
    told: list[str] = []
    second = fetch(items, tmp_path, no_rules, quick, lambda record: told.append(record.id))
    assert site.requests == []
    assert second.records == first.records and second.resumed == 4
    assert told == ["i0", "i1", "i2", "i3"]


def test_only_what_is_missing_or_changed_is_requested(
    site: Site, tmp_path: Path, quick: FetchSettings, no_rules: SourceRules
) -> None:
    items = items_of(site, 5)
    site.put("/4", Reply(400), png(4))
    fetch(items, tmp_path, no_rules, quick)
    (tmp_path / "images/i0.png").unlink()
    (tmp_path / "images/i1.png").write_bytes(picture(1)[:-20])
    items[2] = FetchItem(id="i2", url=site.put("/moved", png(9)))
    site.requests.clear()
    summary = fetch(items, tmp_path, no_rules, quick)
    assert site.asked() == {"/0": 1, "/1": 1, "/moved": 1, "/4": 1}
    assert summary.counts["done"] == 5 and summary.resumed == 1
    assert (tmp_path / "images/i1.png").read_bytes() == picture(1)


def test_gone_is_final_unless_asked_for(
    site: Site, tmp_path: Path, quick: FetchSettings, no_rules: SourceRules
) -> None:
    items = [FetchItem(id="a", url=site.put("/a", Reply(404), png()))]
    fetch(items, tmp_path, no_rules, quick)
    assert fetch(items, tmp_path, no_rules, quick).counts["gone"] == 1
    assert site.asked() == {"/a": 1}
    again = quick.model_copy(update={"recheck_gone": True})
    assert fetch(items, tmp_path, no_rules, again).counts["done"] == 1


def test_a_new_rule_is_tried_on_the_next_run(
    site: Site, tmp_path: Path, quick: FetchSettings, no_rules: SourceRules
) -> None:
    site.put("/x.png", png())
    items = [FetchItem(id="a", url=site.put("/page", html("<html><img src=x.png>")))]
    assert fetch(items, tmp_path, no_rules, quick).counts["no_rule"] == 1
    source = {"name": "s", "hosts": ["127.0.0.1"], "rules": [{"select": "img"}]}
    rules = SourceRules.model_validate({"sources": [source]})
    assert fetch(items, tmp_path, rules, quick).counts["done"] == 1


def test_another_format_replaces_the_old_file(
    site: Site, tmp_path: Path, quick: FetchSettings, no_rules: SourceRules
) -> None:
    items = items_of(site, 1)
    fetch(items, tmp_path, no_rules, quick)
    (tmp_path / "manifest.jsonl").unlink()
    site.put("/0", Reply(body=picture(0, "GIF"), kind="image/gif"))
    fetch(items, tmp_path, no_rules, quick)
    assert [path.name for path in (tmp_path / "images").iterdir()] == ["i0.gif"]


def test_kill_in_mid_body_then_the_same_command(site: Site, tmp_path: Path) -> None:
    urls = [item.url for item in items_of(site, 8)]
    large = picture(4, "BMP", (300, 300))
    half = Reply(body=large, kind="image/bmp", cut=len(large) // 2, hang=True)
    site.put("/4", half, Reply(body=large, kind="image/bmp"))
    with subprocess.Popen(command(tmp_path, urls), stdout=subprocess.PIPE) as process:
        assert site.hanging.wait(20)
        until(lambda: (tmp_path / "images/i4.part").exists() and len(finished(tmp_path)) == 4)
        process.send_signal(signal.SIGKILL)
        assert process.wait(10) == -signal.SIGKILL
    assert (tmp_path / "images/i4.part").exists()
    assert finished(tmp_path) == {"i0", "i1", "i2", "i3"}
    result = json.loads(subprocess.check_output(command(tmp_path, urls), timeout=120))
    assert result["done"] == 8 and result["resumed"] == 4 and result["notes"] == 0
    assert site.asked() == {f"/{n}": 2 if n == 4 else 1 for n in range(8)}
    assert (tmp_path / "images/i4.bmp").read_bytes() == large
    for n in {*range(8)} - {4}:
        assert (tmp_path / f"images/i{n}.png").read_bytes() == picture(n)
    assert list(tmp_path.rglob("*.part")) == []


@pytest.mark.parametrize("moment", ["before rename", "after rename", "in a manifest line"])
def test_kill_at_the_worst_moments(site: Site, tmp_path: Path, moment: str) -> None:
    urls = [item.url for item in items_of(site, 5)]
    killed = subprocess.run(command(tmp_path, urls, moment), timeout=120, check=False)
    assert killed.returncode == -signal.SIGKILL
    whole = finished(tmp_path)
    assert len(whole) in (1, 2)
    result = json.loads(subprocess.check_output(command(tmp_path, urls), timeout=120))
    assert result["done"] == 5 and result["resumed"] == len(whole)
    assert result["notes"] == (1 if moment == "in a manifest line" else 0)
    asked = site.asked()
    assert {asked[f"/{name[1:]}"] for name in whole} == {1}
    assert max(asked.values()) == 2
    for n in range(5):
        assert (tmp_path / f"images/i{n}.png").read_bytes() == picture(n)


def test_a_full_disk_stops_the_run_and_keeps_what_is_done(
    site: Site,
    tmp_path: Path,
    quick: FetchSettings,
    no_rules: SourceRules,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    items = items_of(site, 6)
    real = Path.open

    class Full:
        def __init__(self, file: object) -> None:
            self.file = file

        def write(self, chunk: bytes) -> int:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        def __enter__(self) -> object:
            return self

        def __exit__(self, *_: object) -> None:
            self.file.close()  # type: ignore[attr-defined]

    def opened(path: Path, *how: str) -> object:
        file = real(path, *how)
        return Full(file) if path.name == "i3.part" else file

    monkeypatch.setattr(Path, "open", opened)
    with pytest.raises(FetchError) as caught:
        fetch(items, tmp_path, no_rules, quick)
    assert str(caught.value) == (
        f"{tmp_path}/images/i3.part: cannot write: No space left on device; every finished item "
        "is kept; free some space or choose another folder, then run the same command again"
    )
    assert list(tmp_path.rglob("*.part")) == []
    kept = finished(tmp_path)
    assert len(kept) >= 2  # of i0, i1 and i2, one may still have been on its way
    monkeypatch.undo()
    site.requests.clear()
    summary = fetch(items, tmp_path, no_rules, quick)
    assert summary.counts["done"] == 6 and summary.resumed == len(kept)
    assert not {f"/{name[1:]}" for name in kept} & set(site.asked())


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 KiB, where one may be mounted."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = shutil.which("mount")
    options = ["-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
    if mount is None or subprocess.run([mount, *options], check=False).returncode:
        pytest.skip("mounting a tmpfs is not allowed here")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_disk_that_really_is_full(
    site: Site, tiny_disk: Path, quick: FetchSettings, no_rules: SourceRules
) -> None:
    body = picture(1, "BMP", (80, 80))
    items = [
        FetchItem(id=f"i{n}", url=site.put(f"/{n}", Reply(body=body, kind="image/bmp")))
        for n in range(6)
    ]
    with pytest.raises(FetchError, match="No space left on device"):
        fetch(items, tiny_disk, no_rules, quick)
    kept = finished(tiny_disk)
    assert kept and all((tiny_disk / f"images/{name}.bmp").read_bytes() == body for name in kept)
    site.requests.clear()
    summary = fetch([item for item in items if item.id in kept], tiny_disk, no_rules, quick)
    assert summary.resumed == len(kept) and site.requests == []


def test_a_folder_that_cannot_be_written(
    tmp_path: Path, quick: FetchSettings, no_rules: SourceRules
) -> None:
    (tmp_path / "out").write_text("a file")
    with pytest.raises(FetchError, match="make the folder writable or choose another"):
        fetch([], tmp_path / "out", no_rules, quick)
