"""Claims of a paper's text in published.json: read, and refused where they are none."""

import json
from pathlib import Path
from typing import Any

import pytest

from deadpan.base.errors import InputError
from deadpan.core.published import read_published

CLAIM = {"where": "abstract", "task": "t", "metric": "x", "value": "61", "within": 0.5, "unit": 100}


def _folder(place: Path, *claims: dict[str, Any]) -> Path:
    (place / "published.csv").write_text(
        "table,model,task,metric,group,value\n1,m,t,x,all,0.614\n", "utf-8"
    )
    about = {"source": "P", "tables": {"1": "T"}, "claims": claims}
    (place / "published.json").write_text(json.dumps(about), "utf-8")
    return place


def test_claims_stand_beside_tables(tmp_path: Path) -> None:
    published = read_published(_folder(tmp_path, CLAIM))
    assert published is not None and len(published.rows) == 1
    sheet = published.sheet()
    claim = sheet.cell(table="abstract", model="gold", task="t", metric="x")
    assert claim.interval == pytest.approx((0.605, 0.615))
    assert sheet.cell(table="1", model="m", task="t", metric="x").printed == "0.614"


@pytest.mark.parametrize(
    "changed",
    [
        {"value": "sixty"},
        {"value": 61},
        {"within": -1},
        {"unit": 0},
        {"says": "more"},
        {"where": 1},
    ],
)
def test_what_is_no_claim_is_refused(tmp_path: Path, changed: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"published\.json.*cannot be used"):
        read_published(_folder(tmp_path, {**CLAIM, **changed}))
