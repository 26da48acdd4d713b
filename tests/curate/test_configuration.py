"""A curation's file: everything that is wrong in it at once, each with its line."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import yaml

pytest.importorskip("sqlalchemy")

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks import find, names
from deadpan.curate.configuration import read_curation
from deadpan.curate.schema import Curation
from deadpan.curate.starting import start_curation

GOOD = """\
name: spring
benchmark: cfms
collect:
- {name: posts, path: posts.jsonl}
"""


def _problems(folder: Path, text: str) -> str:
    (folder / "posts.jsonl").write_text("{}\n")
    (folder / "chats").mkdir(exist_ok=True)
    (folder / "c.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(DeadpanError) as found:
        read_curation(folder / "c.yaml")
    return str(found.value)


def test_a_good_one_is_read(tmp_path: Path) -> None:
    (tmp_path / "posts.jsonl").write_text("{}\n")
    (tmp_path / "c.yaml").write_text(GOOD)
    file = read_curation(tmp_path / "c.yaml")
    assert file.curation.collect[0].name == "posts"
    assert file.out == tmp_path / "c" and file.building.media == "picture"


@pytest.mark.parametrize(
    ("changed", "line", "said"),
    [
        ("benchmark: cfsm", 2, "did you mean cfms?"),
        ("benchmark: cfms\npurfy: {}", 3, "unknown field; did you mean purify?"),
        ("benchmark: cfms\npurify: {shortest_side: -1}", 3, "got -1"),
        ("benchmark: cfms\nopen: {faces: blur}", 3, "expected drop, flag or keep"),
        ("benchmark: cfms\nlanguages: [fr]", 3, "expected en or zh"),
        ("benchmark: cfms\nkeywords: {lists: [sarcams]}", 3, "expected one of sarcasm"),
        ("benchmark: cfms\npeople: {template: cfms/labelz}", 3, "did you mean cfms/labels"),
        ("benchmark: cfms\npeople: {template: vimu/review}", 3, "expected a study of cfms"),
        ("benchmark: cfms\ndraft: {model: nobody/knows}", 3, "nobody"),
        ("benchmark: cfms\npeople: {set: {peopel: 2}}", 3, "did you mean people?"),
        ("benchmark: cfms\npeople: {set: {people: two}}", 3, "expected a number"),
        ("benchmark: cfms\nsplit: {shares: {trian: 1}}", 3, "did you mean train?"),
    ],
)
def test_what_is_wrong_has_its_line(tmp_path: Path, changed: str, line: int, said: str) -> None:
    told = _problems(tmp_path, GOOD.replace("benchmark: cfms", changed))
    assert f"c.yaml:{line}: " in told and said in told


def test_sources_are_looked_at(tmp_path: Path) -> None:
    told = _problems(
        tmp_path,
        "name: x\nbenchmark: cfms\ncollect:\n"
        "- {name: a, path: gone.csv}\n"
        "- {name: a, path: posts.jsonl, fetch: true}\n"
        "- {name: b, path: chats, kind: chats}\n",
    )
    assert "4 problems" in told
    assert "c.yaml:4: collect[0].path: gone.csv: no such file or folder" in told
    assert 'c.yaml:5: collect[1].name: "a" names another source too' in told
    assert "collect[1].contact: is missing" in told
    assert "collect[2].consent: is missing" in told


def test_a_plugin_has_a_name_of_its_own(tmp_path: Path) -> None:
    told = _problems(tmp_path, GOOD.replace("name: spring", "name: cfms"))
    assert "c.yaml:1: name: " in told


@pytest.mark.parametrize("name", names())
def test_the_file_to_begin_with_is_one(name: str, tmp_path: Path) -> None:
    benchmark = find(name)
    if benchmark.building is None:
        pytest.skip(f"{name} is not built from posts")
    path = tmp_path / "Meine Posts 1.yaml"
    start_curation(path, benchmark)
    (tmp_path / "posts.jsonl").write_text("{}\n")
    assert read_curation(path).curation.benchmark == name
    with pytest.raises(DeadpanError, match="is there already"):
        start_curation(path, benchmark)
    text = path.read_text("utf-8")
    # What stands behind # is what holds where it is left out.
    shown = yaml.safe_load("\n".join(_uncommented(text, ("open", "read", "purify", "deduplicate"))))
    usual = Curation.model_validate(
        {"name": "x", "benchmark": name, "collect": [{"name": "p", "path": "p"}]}
    )
    for section, values in shown.items():
        own = getattr(usual, section)
        assert values == {field: getattr(own, field) for field in values}


def _uncommented(text: str, sections: tuple[str, ...]) -> list[str]:
    found: list[str] = []
    for line in text.splitlines():
        bare = line.removeprefix("# ")
        begins = bare.startswith(tuple(f"{name}: {{" for name in sections))
        continues = found and line.startswith("#   ") and found[-1].rstrip().endswith(",")
        if begins or continues:
            found.append(bare.partition("  #")[0])
    return found


def test_a_work_folder_is_one_curations_and_no_source(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "curation.yaml").write_text(GOOD.replace("spring", "autumn"))
    told = _problems(tmp_path, GOOD + "out: work\n")
    assert 'holds the work of another curation, "autumn"' in told
    told = _problems(tmp_path, GOOD.replace("posts.jsonl", "chats") + "out: chats/work\n")
    assert "lie in one another; name another folder as out" in told


def test_what_is_only_looked_at_needs_no_sources(tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text(GOOD)
    assert read_curation(tmp_path / "c.yaml", is_run=False).out == tmp_path / "c"


def test_a_language_without_prompts_is_refused_before_anything_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "cfms"
    shutil.copytree(find("cfms").folder / "curation" / "prompts", own / "curation" / "prompts")
    (own / "curation" / "prompts" / "zh" / "sarcasm.txt").unlink()
    monkeypatch.setattr(type(find("cfms")), "folder", own)
    told = _problems(tmp_path, f"{GOOD}draft: {{model: baseline/random}}\n")
    assert "zh/sarcasm.txt" in told
    english = f"{GOOD}languages: en\ndraft: {{model: baseline/random}}\n"
    (tmp_path / "c.yaml").write_text(english)
    assert read_curation(tmp_path / "c.yaml").curation.draft


def test_a_study_that_settles_no_records_is_refused(tmp_path: Path) -> None:
    told = _problems(tmp_path, f"{GOOD}people: {{template: cfms/judge}}\n")
    assert "people.template" in told
