"""`deadpan curate` at the terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("daft")

from deadpan.cli.curate import with_address
from tests.cli.conftest import Deadpan
from tests.curate.drawn_posts import make_posts

_FILE = """\
name: drawn
benchmark: cfms
out: work
collect: [{name: drawn, path: posts/posts.jsonl, fields: {pictures: images}}]
read: {ocr: false}
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    make_posts(tmp_path / "posts", 8, 2)
    (tmp_path / "c.yaml").write_text(_FILE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "c.yaml"


def test_counts_runs_and_explains(deadpan: Deadpan, file: Path) -> None:
    planned = deadpan("curate", "run", "c.yaml", "--dry-run", "--json", "-")
    assert planned.code == 0 and json.loads(planned.out)["posts"] == 8
    assert not (file.parent / "work").exists()
    before = deadpan("curate", "status", "c.yaml")
    assert before.code == 2 and "nothing was done here yet" in before.err
    done = deadpan("curate", "run", "c.yaml", "--json", "told.json")
    assert done.code == 1 and "nobody says what the posts are" in done.err
    told = json.loads((file.parent / "told.json").read_text())
    assert told["posts"] == 8 and told["stages"][0]["in"] == 8
    assert {"open", "read", "purify", "hash"} <= set(told["seconds"])
    status = deadpan("curate", "status", "c.yaml", "--json", "-")
    assert json.loads(status.out)["stages"] == told["stages"]
    explained = deadpan("curate", "explain", "c.yaml", "drawn-p000001")
    assert explained.code == 0 and "posts.jsonl:2" in explained.out
    wrong = deadpan("curate", "explain", "c.yaml", "drawn-p00000l")
    assert wrong.code == 2 and "did you mean drawn-p00000" in wrong.err


def test_begins_with_a_file(deadpan: Deadpan, tmp_path: Path) -> None:
    path = tmp_path / "spring.yaml"
    assert deadpan("curate", "init", path, "--benchmark", "vimu").code == 0
    again = deadpan("curate", "init", path)
    assert again.code == 2 and "is there already" in again.err
    run = deadpan("curate", "run", path)
    assert run.code == 2 and "posts.jsonl: no such file or folder" in run.err
    assert deadpan("curate", "init", tmp_path / "x.yaml", "--benchmark", "vinu").code == 2
    assert "讽刺" in deadpan("curate", "keywords").out
    assert json.loads(deadpan("curate", "schema").out)["properties"]["collect"]


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        (["c.yaml", "--ray"], ["c.yaml", "--ray", "local"]),
        (["--ray", "c.yaml"], ["--ray", "local", "c.yaml"]),
        (["c.yaml", "--ray", "--quiet"], ["c.yaml", "--ray", "local", "--quiet"]),
        (["--ray", "auto", "c.yaml"], ["--ray", "auto", "c.yaml"]),
        (["c.yaml", "--ray", "10.0.0.1:6379"], ["c.yaml", "--ray", "10.0.0.1:6379"]),
        (["c.yaml"], ["c.yaml"]),
    ],
)
def test_ray_may_stand_by_itself(given: list[str], meant: list[str]) -> None:
    assert with_address(given) == meant
