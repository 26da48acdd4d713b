"""THIRD_PARTY.md names every file of the package that is no Python, and every package it needs."""

from __future__ import annotations

import importlib.util
import re
import tomllib
from collections import Counter
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import yaml

from deadpan.base.resources import catalogue
from deadpan.base.version import __version__
from deadpan.benchmarks import BUILT_IN, find
from deadpan.reports.documents import _vega

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "deadpan"
PAGE = (ROOT / "THIRD_PARTY.md").read_text("utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def _script(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def section(title: str) -> list[list[str]]:
    """The rows of the table below a heading."""
    text = PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[2:]]


def patterns(title: str) -> list[str]:
    return [one for row in section(title) for one in re.findall(r"`([^`]+)`", row[0])]


def files() -> list[str]:
    found = (path for path in PACKAGE.rglob("*") if path.is_file() and path.suffix != ".py")
    return [
        path.relative_to(PACKAGE).as_posix() for path in found if "__pycache__" not in path.parts
    ]


OTHERS = patterns("In the package, made by others")
FACTS = patterns("In the package, facts of others")
OURS = patterns("In the package, ours")


def test_every_file_is_on_the_list() -> None:
    known = [*OTHERS, *FACTS, *OURS]
    unknown = [name for name in files() if not any(fnmatch(name, one) for one in known)]
    assert unknown == [], "name them in THIRD_PARTY.md, with origin and licence"


def test_every_entry_is_of_a_file() -> None:
    used = Counter(
        one for name in files() for one in (*OTHERS, *FACTS, *OURS) if fnmatch(name, one)
    )
    assert [one for one in (*OTHERS, *FACTS, *OURS) if not used[one]] == []


def test_what_could_be_somebody_elses_is_no_matter_of_a_rule() -> None:
    """Fonts, packed tables and scripts that were made small are named one by one."""
    names = [name for name in files() if re.search(r"\.(otf|ttf|woff2?|gz|wasm)$|\.min\.", name)]
    assert names and set(names) <= set(OTHERS)


def test_each_licence_file_is_there_and_goes_into_the_wheel() -> None:
    rows = [
        *section("In the package, made by others"),
        *section("Not in the package, written into what you make"),
    ]
    named = [one for *_, cell in rows for one in re.findall(r"`([^`]+)`", cell)]
    declared = PROJECT["license-files"]
    for one in named:
        assert (PACKAGE / one).is_file(), one
        assert any(fnmatch(f"src/deadpan/{one}", pattern) for pattern in declared), one
    there = {name for name in files() if "LICENSE" in name}
    assert there == set(named)


def test_reports_carry_the_notice_of_what_they_hold() -> None:
    script = _vega()
    assert script.startswith("/*!\nVega, Vega-Lite") and "Mike Bostock" in script.partition("*/")[0]
    assert script.index("*/") < script.index("vegaEmbed")


def test_the_licence_expression_names_every_licence_of_the_package() -> None:
    said = {row[3] for row in section("In the package, made by others")}
    said |= {row[2] for row in section("In the package, ours")}
    said = {one for one in said if re.fullmatch(r"[\w.-]+", one) and one != "–"}
    assert said == set(PROJECT["license"].split(" AND "))


def test_what_can_be_fetched_is_listed_with_its_licence() -> None:
    rows = {row[0].strip("`"): row for row in section("Fetched when you ask for it")}
    for one in catalogue():
        assert rows[one.name][1:] == [one.purpose, one.version, one.licence], one.name
    for name in BUILT_IN:
        release = find(name).release
        assert release is not None
        if release.source:
            (row,) = [row for row in rows.values() if release.source.repository in row[1]]
            assert row[2].startswith(release.licence)


def test_every_package_is_listed() -> None:
    needed = _script("dependency_licences").needed()
    listed = {row[0]: row[1].split(", ") for row in section("Packages that it needs")}
    assert listed == needed, "write it anew: python scripts/dependency_licences.py"


def test_a_licence_is_told_by_the_exact_words_first() -> None:
    said = _script("dependency_licences").licence
    assert said("MIT", "whatever", []) == "MIT"
    assert said(None, "Long\ntext", ["License :: OSI Approved :: BSD License"]) == "BSD License"
    assert said(None, "\nApache 2.0\nand more", []) == "Apache 2.0"
    assert said(None, None, []) == "not stated in its metadata"


def test_the_citation_is_of_this_version_and_of_each_benchmarks_paper() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert cited["version"] == __version__
    assert cited["authors"] == [PROJECT["authors"][0]]
    papers = {one["notes"]: one for one in cited["references"]}
    for name in BUILT_IN:
        benchmark = find(name)
        paper = papers.pop(benchmark.title.partition(":")[0])
        first = paper["authors"][0]["family-names"]
        assert benchmark.citation.startswith(first), name
    assert papers == {}


def test_forms_of_issues_are_such_as_the_site_takes() -> None:
    folder = ROOT / ".github" / "ISSUE_TEMPLATE"
    forms = [path for path in folder.glob("*.yml") if path.name != "config.yml"]
    assert len(forms) == 4
    for path in forms:
        form = yaml.safe_load(path.read_text("utf-8"))
        assert (
            {"name", "description", "body"}
            <= form.keys()
            <= {*("name", "description", "title", "labels", "body")}
        )
        asked = [one for one in form["body"] if one["type"] != "markdown"]
        ids = [one["id"] for one in asked]
        assert len(ids) == len(set(ids)) and asked
        for one in form["body"]:
            about = one["attributes"]
            match one["type"]:
                case "markdown":
                    assert about["value"]
                case "input" | "textarea":
                    assert about["label"]
                    assert about.keys() <= {"label", "description", "placeholder", "render"}
                case "dropdown":
                    assert about["label"] and all(isinstance(one, str) for one in about["options"])
                case "checkboxes":
                    assert all(option["label"] for option in about["options"])
                case other:
                    raise AssertionError(other)
    bug = (folder / "bug.yml").read_text("utf-8")
    assert "deadpan doctor" in bug and "signature" in (folder / "wrong-number.yml").read_text()
    assert (ROOT / ".github" / "pull_request_template.md").is_file()
