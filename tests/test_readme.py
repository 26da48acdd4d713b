"""The Python of the README, run as it stands there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from deadpan.benchmarks import BUILT_IN, find

PAGE = Path(__file__).parents[1] / "README.md"
SECTION = PAGE.read_text(encoding="utf-8").partition("## In Python")[2].partition("\n## ")[0]
BLOCKS = re.findall(r"```python\n(.*?)```", SECTION, re.S)


def test_the_python_of_the_readme_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for block in BLOCKS:
        exec(compile(block, str(PAGE), "exec"), names)
    said = capsys.readouterr().out
    for comment in re.findall(r"# <[^:;]*[:;] (?:…: )?(.*>)$", SECTION, re.M):
        assert comment in said
    frame = names["frame"]
    assert set(frame["model"]) == {"always yes"}  # type: ignore[index]
    assert set(frame["score.accuracy"]) == {0.0, 100.0}  # type: ignore[index]
    for made in ("overview.html", "cfms.html", "answers/store.json"):
        assert (tmp_path / made).is_file(), made


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_readme_says_where_data_is_released_and_under_which_licence(name: str) -> None:
    table = PAGE.read_text(encoding="utf-8").partition("\n## Data\n")[2].partition("\n## ")[0]
    title = find(name).title.partition(":")[0]
    (row,) = [line for line in table.splitlines() if line.startswith(f"| {title} |")]
    release = find(name).release
    assert release is not None and release.tried and release.licence in row
    assert (release.source.repository if release.source else "release known") in row
