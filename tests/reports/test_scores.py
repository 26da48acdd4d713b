"""Which tables a report has: none that says nothing, and those of the paper alone set apart."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import deadpan
from deadpan.core.capabilities import Report, TableLayout
from deadpan.core.score import Score
from deadpan.reports import Section, report_text
from deadpan.reports.scores import score_tables
from tests.reports.toy import MODELS, Toy

UNAVAILABLE = "unavailable: it needs a model and none was named; --metric-model x:en=NAME"


class Grouped(Toy):
    """The toy with tables by language, of a metric that another has over all, and of one that none
    has."""

    name = "grouped"
    report = Report(
        (
            TableLayout("All", "", (("F1", "style", "f1", "all"),)),
            TableLayout(
                "Again", "", tuple((one, "style", "f1", f"language={one}") for one in ("en", "zh"))
            ),
            TableLayout(
                "Anew", "", tuple((one, "style", "wer", f"language={one}") for one in ("en", "zh"))
            ),
        )
    )


def grouped(section: Section, *languages: str) -> Section:
    def score(metric: str, group: str) -> Score:
        return Score(model=MODELS[0], task="style", metric=metric, group=group, value=0.5, n=3)

    by_language = [score(name, f"language={one}") for one in languages for name in ("f1", "wer")]
    scores = [score("f1", "all"), *by_language]
    return replace(section, benchmark=Grouped(), scores=scores, published=None)


def test_a_breakdown_into_one_group_that_says_the_same_again_is_left_out(section: Section) -> None:
    one = score_tables(grouped(section, "en"))
    assert [table.title for table in one] == ["All", "Anew"]
    assert [column.heading for column in one[1].columns] == ["en"], "nobody has a score in zh"
    both = score_tables(grouped(section, "en", "zh"))
    assert [table.title for table in both] == ["All", "Again", "Anew"]
    assert [len(table.columns) for table in both] == [1, 2, 2]


@pytest.fixture(scope="module")
def answered() -> deadpan.Results:
    loaded = deadpan.load("pixelhumor")
    return loaded.score({loaded[0].id: "Pun"}, task="style", model="m")


def test_tables_of_the_paper_alone_are_set_apart(answered: deadpan.Results, tmp_path: Path) -> None:
    text = answered.report(tmp_path / "r.md").read_text("utf-8")
    assert "no value for (`--only NUMBER` shows one):\n2, 8, 5, 6, 7, 10, 11, 12\n" in text
    assert "### Comics per source and style" not in text
    page = answered.report(tmp_path / "r.html").read_text("utf-8")
    assert "have no value for: 2, 8, 5, 6, 7, 10, 11, 12</summary>" in page
    assert "Usage and cost" not in page, "nothing was called"


def test_a_table_of_63_columns_has_a_row_for_each_source(
    answered: deadpan.Results, tmp_path: Path
) -> None:
    text = answered.report(tmp_path / "r.md", only=["12"]).read_text("utf-8")
    (head,) = [line for line in text.splitlines() if line.startswith("|  | Comparison")]
    assert head.count("|") == 11 and "Personification" in head
    assert "| peanuts (published, table 12) | 8 | 76 |" in text


def test_a_signature_does_not_say_why_a_metric_is_unavailable(section: Section) -> None:
    """That is a line of its own, and the signature is spelled as in the terminal."""
    told = section.scores[0].signature.replace("|judge:", f"|x:en={UNAVAILABLE}|judge:")
    scores = [section.scores[0].model_copy(update={"signature": told}), *section.scores[1:]]
    for suffix in (".md", ".tex", ".html", ".csv"):
        text = report_text([replace(section, scores=scores)], suffix)
        assert "x:en=unavailable" in text.replace("\\allowbreak{}", "")
        assert "en=unavailable: it needs" not in text
        assert ("it needs a model" in text) == (suffix != ".csv")
