"""What the first page says of a benchmark's scores."""

from dataclasses import replace
from pathlib import Path

from deadpan import evaluate, read_results
from deadpan.viewing.chapters import chapter_of
from deadpan.viewing.rows import view_rows, with_ids


def test_a_score_that_asking_stopped_by_has_the_interval_it_ended_with(tmp_path: Path) -> None:
    given = {"tasks": "panel_order", "store": tmp_path, "progress": False}
    results = evaluate("pixelhumor", model="baseline/random", until=0.2, **given)
    (score,) = [
        one
        for one in results.by_benchmark["pixelhumor"]
        if (one.metric, one.group) == ("accuracy", "all")
    ]
    assert score.interval == "sequence" and score.low is not None and score.high is not None
    shown = read_results(tmp_path)
    shown = type(shown)(with_ids(shown.table))
    (section,) = shown.sections()
    chapter = chapter_of(section, view_rows(section), shown.measurements["pixelhumor"])
    (cell,) = chapter.rows[0].cells
    assert cell is not None and cell.interval == f"[{score.low:.3f}, {score.high:.3f}]"


def test_n_is_that_of_the_score_not_of_the_answers(tmp_path: Path) -> None:
    """The mini-set asks about 96 memes, and accuracy is over the 48 that are self-deprecating."""
    evaluate("janusmm/recognition", model="baseline/random", store=tmp_path, progress=False)
    shown = read_results(tmp_path)
    shown = type(shown)(with_ids(shown.table))
    (section,) = shown.sections()
    chapter = chapter_of(section, view_rows(section), shown.measurements["janusmm"])
    (cell,) = chapter.rows[0].cells
    assert chapter.answers == 96 and cell is not None and cell.counted == "n 48"
    unscored = replace(section, scores=[])
    (cell,) = chapter_of(unscored, view_rows(section), ()).rows[0].cells
    assert cell is not None and cell.counted == "96 answers"
