"""The plug-in that goes along: a benchmark of its own, at once."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks.cfms import CFMS, Cfms
from deadpan.curate.release.material import About, trial_of
from deadpan.curate.release.plugin import plugin_texts

ABOUT = About("my-set", 'A "set" \\ of\nmine 我的', "cfms", "CFMS", version="2026-draft")


@pytest.fixture
def installed(release: Path, tmp_path: Path) -> Path:
    """A folder in which the plug-in is found as if it were installed from where it lies."""
    described = tomllib.loads((release / "plugin" / "pyproject.toml").read_text("utf-8"))
    entries = described["project"]["entry-points"]["deadpan.benchmarks"]
    info = tmp_path / "site" / "deadpan_office_cats-1.0.dist-info"
    info.mkdir(parents=True)
    lines = "".join(f"{name} = {value}\n" for name, value in entries.items())
    (info / "entry_points.txt").write_text(f"[deadpan.benchmarks]\n{lines}")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: office\nVersion: 1.0\n")
    return tmp_path


def test_it_runs_on_the_released_data_at_once(installed: Path, release: Path) -> None:
    places = [str(installed / "site"), str(release / "plugin" / "src")]
    found = os.pathsep.join([*places, os.environ.get("PYTHONPATH", "")])
    asked = ["run", "office-cats/identification", "--model", "baseline/random", "--store", "s"]
    done = subprocess.run(
        [sys.executable, "-c", "from deadpan.cli import main; main()", *asked],
        env={**os.environ, "PYTHONPATH": found, "COLUMNS": "200", "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=installed,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert "baseline/random identification: 6/6 answered" in done.stdout + done.stderr
    assert "office-cats/identification" in done.stdout + done.stderr


def test_it_takes_its_own_data_where_none_is_named(
    release: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(release / "plugin" / "src"))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    import deadpan_office_cats as plugin  # type: ignore[import-not-found]

    benchmark = plugin.BENCHMARK
    assert isinstance(benchmark, Cfms) and benchmark.name == "office-cats"
    assert len(benchmark.read(None).everything) == 30
    prompts = benchmark.prompts("identification")
    assert prompts.checksum == CFMS.prompts("identification").checksum
    examples = benchmark.training.examples(None, "identification", prompts, "train")
    assert len(examples) == 18
    assert len(CFMS.read(None).everything) == 124  # the mini-set is as it was
    assert not (benchmark.folder / "published.csv").exists()


def test_data_of_any_name_and_words_of_any_kind_are_packaged() -> None:
    texts = plugin_texts(ABOUT, CFMS, ["pairs.jsonl", "images/a.png", "images/b.png"])
    project = tomllib.loads(texts["plugin/pyproject.toml"])
    assert project["project"]["description"] == 'A "set" \\ of mine 我的'
    assert project["project"]["version"] == "0"
    assert project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"] == {
        "../images": "deadpan_my_set/data/images",
        "../pairs.jsonl": "deadpan_my_set/data/pairs.jsonl",
    }
    compile(texts["plugin/src/deadpan_my_set/__init__.py"], "plugin", "exec")
    assert "plugin/src/deadpan_my_set/prompts/zh/system.txt" in texts


def test_a_benchmark_that_no_module_names_raises() -> None:
    with pytest.raises(DeadpanError, match="does not name it"):
        plugin_texts(ABOUT, Cfms(), ["pairs.jsonl"])


def test_the_first_command_needs_no_key() -> None:
    from deadpan.benchmarks import find

    assert trial_of(find("janusmm")) == "--model baseline/random"
    assert trial_of(find("vimu")) == "--model baseline/random --judge judge/lexical"
    assert trial_of(find("merbench")).startswith("--model editor/caption")
