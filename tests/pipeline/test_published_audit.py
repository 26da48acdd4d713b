"""`deadpan audit published`: every paper's findings, each checked by hand, and nothing else."""

import json
from pathlib import Path
from typing import Any

import pytest

import deadpan as package
from deadpan.benchmarks import BUILT_IN, find
from deadpan.core.relations import DATA
from deadpan.metrics.arithmetic.auditing import UNEXPLAINED
from deadpan.pipeline.published_audit import audit_paper, data_cells

FINDINGS: dict[str, Any] = json.loads(
    (Path(__file__).parent / "published_findings.json").read_text("utf-8")
)
"""By benchmark the relations checked, and of each finding table, cell, printed, expected, slip."""


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_findings_of_every_paper(name: str) -> None:
    found = audit_paper(find(name))
    told = [[one.table, one.cell, one.printed, one.expected, one.slip] for one in found.findings]
    assert told == FINDINGS[name]["findings"]
    assert sum(found.checked.values()) == FINDINGS[name]["checked"]
    broken = sum(found.checked.values()) - sum(found.held.values())
    assert broken == len(found.findings)


def test_every_relation_names_its_cells_once() -> None:
    for name in BUILT_IN:
        for one in audit_paper(find(name)).findings:
            assert one.cell and one.follows_from and one.expected and one.slip
            assert one.off_by is None or one.off_by > 0
            assert "{}" not in one.follows_from


def test_the_mini_set_is_no_released_data(tmp_path: Path) -> None:
    """What data gives is held against what is printed: here a mini-set, which is another's."""
    cells = data_cells(find("cfms"), find("cfms").folder / "data")
    assert cells and all(one.table == DATA and not one.is_printed for one in cells)
    found = audit_paper(find("cfms"), find("cfms").folder / "data")
    gold = [one for one in found.findings if one.kind == "gold"]
    assert any(one.table == "2" and one.printed == "2796" for one in gold)


def test_as_a_frame() -> None:
    frame = package.audit_published("cfms")
    assert len(frame) == len(FINDINGS["cfms"]["findings"]) and "slip" in frame.columns
    assert package.audit_published("vimu").is_empty()
    unexplained = frame.filter(slip=UNEXPLAINED)
    assert 0 < len(unexplained) < len(frame)


def test_pixelhumor_against_its_released_data(released: Path) -> None:
    """Gold counts, shares that the text gives, and table 2 against table 15, whose groups the data
    sizes: every sound-effect recall is below what the groups' F1 need, nothing else is."""
    found = audit_paper(find("pixelhumor"), released)
    alone = len(FINDINGS["pixelhumor"]["findings"])
    more = [one for one in found.findings if one.kind in ("gold", "groups")]
    assert len(found.findings) == alone + len(more)
    groups = [one for one in more if one.kind == "groups"]
    assert [one.printed for one in groups] == ["0.820", "0.742", "0.624", "0.666", "0.609", "0.007"]
    assert groups[0].expected == "at least 0.8531"
    gold = {(one.table, one.printed) for one in more if one.kind == "gold"}
    assert {("10", "4.53"), ("11", "152"), ("section 3.3", "35")} <= gold
    by_table = [one.table for one in more]
    assert (by_table.count("10"), by_table.count("11"), by_table.count("12")) == (4, 3, 54)


def test_merbench_against_its_released_data() -> None:
    folder = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "merbench"
    if not folder.is_dir():
        pytest.skip("the released MER-Bench annotations are not on this machine")
    found = audit_paper(find("merbench"), folder)
    assert len(found.findings) == len(FINDINGS["merbench"]["findings"])
    assert found.held["section IV-C"] == 1
