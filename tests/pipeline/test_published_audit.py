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
