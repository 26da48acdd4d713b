"""The output's folder: what killed calls left is removed, what others hold is not."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from deadpan.collecting.anonymise.folder import new_folder


def test_what_a_killed_call_left_is_removed_and_no_more(tmp_path: Path) -> None:
    out = tmp_path / "anonymous"
    stale, held = tmp_path / ".anonymous.0123abcd", tmp_path / ".anonymous.89abcdef"
    others = [tmp_path / ".anonymous.cache", tmp_path / ".anonymous2.0123abcd"]
    for path in (stale, held, *others):
        path.mkdir()
        (path / "a.png").write_bytes(b"x")
    handle = os.open(held, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    try:
        with new_folder(out) as folder:
            (folder / "b.png").write_bytes(b"y")
            assert not stale.exists()
    finally:
        os.close(handle)
    assert held.exists() and all(path.exists() for path in others)
    assert [path.name for path in out.iterdir()] == ["b.png"]


def test_an_output_that_was_about_to_be_replaced_comes_back(tmp_path: Path) -> None:
    old = tmp_path / ".anonymous.0123abcd.old"
    old.mkdir()
    (old / "a.png").write_bytes(b"x")
    with new_folder(tmp_path / "anonymous"):
        assert (tmp_path / "anonymous" / "a.png").exists() and not old.exists()
