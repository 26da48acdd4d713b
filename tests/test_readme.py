"""What the README promises: it is short, and its data are as released."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from deadpan.benchmarks import BUILT_IN, find

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
DATA = ROOT / "docs" / "guides" / "data.md"
PYTHON = ROOT / "docs" / "guides" / "predictions.md"


def test_it_is_short() -> None:
    assert len(README.read_text("utf-8").splitlines()) < 150


@pytest.mark.parametrize("name", BUILT_IN)
@pytest.mark.parametrize("page", [README, DATA], ids=lambda page: page.name)
def test_pages_say_where_data_is_released_and_under_which_licence(name: str, page: Path) -> None:
    title = find(name).title.partition(":")[0]
    form = re.compile(rf"^\| \[?{re.escape(title)}\b.*$", re.M)
    rows = [row for row in form.findall(page.read_text("utf-8")) if row.count("|") >= 5]
    release = find(name).release
    assert release is not None and release.tried and len(rows) == 1
    assert release.licence in rows[0]
    assert (release.source.repository if release.source else "release known") in rows[0]


def test_the_python_that_is_shown_prints_what_its_comments_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    section = PYTHON.read_text("utf-8").partition("## In Python")[2].partition("\n## ")[0]
    names: dict[str, object] = {}
    for block in re.findall(r"```python\n(.*?)```", section, re.S):
        exec(compile(block, str(PYTHON), "exec"), names)
    said = capsys.readouterr().out
    comments = re.findall(r"# <[^:;]*[:;] (?:…: )?(.*>)$", section, re.M)
    assert comments and all(comment in said for comment in comments)
    frame = names["frame"]
    assert set(frame["model"]) == {"always yes"}  # type: ignore[index]
    assert set(frame["score.accuracy"]) == {0.0, 100.0}  # type: ignore[index]
    for made in ("overview.html", "cfms.html", "answers/store.json"):
        assert (tmp_path / made).is_file(), made
