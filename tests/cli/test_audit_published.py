"""`deadpan audit published`: what it prints, writes and refuses."""

import json
from pathlib import Path

from tests.cli.conftest import Deadpan


def test_it_prints_what_does_not_add_up(deadpan: Deadpan) -> None:
    run = deadpan("audit", "published", "cfms")
    assert run.code == 0, run.err
    assert "cfms: checked 156 relations, 111 hold" in run.out
    assert "table 2 6/6" in run.out
    words = " ".join(run.out.split())
    assert "73.848 to 73.858" in words and "precision 61.64 for 60.31" in words


def test_a_paper_that_adds_up(deadpan: Deadpan) -> None:
    run = deadpan("audit", "published", "vimu")
    assert run.code == 0 and "vimu: checked 46 relations, 46 hold" in run.out
    assert "likely slip" not in run.out


def test_many_alike_are_shown_once(deadpan: Deadpan) -> None:
    short, whole = (
        deadpan("audit", "published", "merbench"),
        deadpan(*("audit", "published", "merbench", "--all")),
    )
    assert "more like these (--all)" in short.out and "more like these" not in whole.out
    assert whole.out.count("printed as 0.00") > short.out.count("printed as 0.00")


def test_all_papers_as_json(deadpan: Deadpan, tmp_path: Path) -> None:
    out = tmp_path / "audit.json"
    run = deadpan("audit", "published", "--json", out)
    assert run.code == 0, run.err
    document = json.loads(out.read_text("utf-8"))
    assert document.keys() == {"pixelhumor", "janusmm", "merbench", "cfms", "vimu"}
    cfms = document["cfms"]
    assert cfms["tables"]["2"] == {"checked": 6, "held": 6}
    first = cfms["findings"][0]
    assert {
        "table",
        "cell",
        "printed",
        "follows_from",
        "expected",
        "off_by",
        "slip",
    } <= first.keys()


def test_data_needs_one_benchmark(deadpan: Deadpan, tmp_path: Path) -> None:
    run = deadpan("audit", "published", "--data", tmp_path)
    assert run.code == 2 and "name that benchmark" in run.err
    assert deadpan("audit", "published", "cfmss").code == 2
    missing = deadpan("audit", "published", "cfms", "--data", tmp_path / "none")
    assert missing.code == 2 and "none" in missing.err


def test_the_group_has_a_help(deadpan: Deadpan) -> None:
    run = deadpan("audit", "--help")
    assert run.code == 0 and "published" in run.out
