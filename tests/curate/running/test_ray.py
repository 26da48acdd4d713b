"""The same curation on a Ray cluster of two nodes, where a worker is killed: the same bytes."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import threading
import time
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.curate.cluster import TwoNodes, two_nodes
from tests.curate.drawn_posts import make_posts

_FILE = """\
name: drawn
benchmark: cfms
out: {out}
shard: 3
collect: [{{name: drawn, path: posts/posts.jsonl, fields: {{pictures: images}}}}]
read: {{ocr: false}}
"""
_PATIENCE = 240.0


def _run(folder: Path, out: str, *more: str) -> None:
    (folder / f"{out}.yaml").write_text(_FILE.format(out=out), encoding="utf-8")
    command = [sys.executable, "-m", "deadpan", "curate", "run", f"{out}.yaml", *more]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=_PATIENCE, env=os.environ
    )
    assert done.returncode == 1 and "nobody says what the posts are" in done.stderr, done.stderr


def _outcome(work: Path) -> dict[str, str]:
    found = [*(work / "stages").rglob("*"), *(work / "media").iterdir()]
    return {
        str(path.relative_to(work)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in found
        if path.is_file()
    }


def _kill_when_some_are_done(work: Path, cluster: TwoNodes) -> None:
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        some = len(list((work / "stages" / "prepare").glob("*.parquet"))) > 1
        if some and cluster.kill_worker():
            return
        time.sleep(0.05)


@pytest.mark.timeout(600)
def test_a_killed_worker_changes_nothing(tmp_path: Path) -> None:
    if find_spec("ray") is None or find_spec("daft") is None:
        pytest.skip("needs the [ray] and [curate] extras")
    make_posts(tmp_path / "posts", 30, 4)
    _run(tmp_path, "native")
    with two_nodes() as cluster:
        killer = threading.Thread(
            target=_kill_when_some_are_done, args=(tmp_path / "nodes", cluster), daemon=True
        )
        killer.start()
        _run(tmp_path, "nodes", "--ray", cluster.address)
        killer.join(timeout=_PATIENCE)
    assert _outcome(tmp_path / "nodes") == _outcome(tmp_path / "native")
