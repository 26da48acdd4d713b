"""People's ratings of JanusMM's answers beside its IRC."""

from pathlib import Path

import polars as pl
import pytest

from deadpan.base.resources import Unavailable
from deadpan.benchmarks.janusmm import JANUSMM
from deadpan.benchmarks.janusmm.irc import Consistency
from deadpan.benchmarks.janusmm.ratings import score_ratings
from deadpan.core.questions import Language
from deadpan.core.rating_files import read_ratings
from deadpan.core.ratings import RatingStudy
from deadpan.core.score import select
from tests.benchmarks.janusmm.meme_folder import answered, chinese_row, data, row

HEADING = "item,model,metric,rater,rating\n"


@pytest.fixture
def table(tmp_path: Path) -> pl.DataFrame:
    said = {
        "m1": "Emotion: joy\nReasoning: He likes it.\nReply: Ha.",
        "m2": "情绪：喜\n推理：好。\n回复：哈",
    }
    folder = data(tmp_path / "data", [row("m1"), chinese_row("m2")])
    return answered(folder, {"initiator": said, "responder": said})


def a_file(folder: Path, *lines: str) -> Path:
    path = folder / "ratings.csv"
    path.write_text(HEADING + "".join(f"{line}\n" for line in lines), "utf-8")
    return path


def study_of(file: Path, languages: dict[str, Language] | None = None) -> RatingStudy:
    assert JANUSMM.ratings
    rows = read_ratings([file], JANUSMM.ratings.form())
    return RatingStudy("janusmm", JANUSMM.ratings.scales, rows, languages or {})


def missing(language: Language) -> Consistency:
    raise Unavailable("the lexicon is not here", "deadpan get nrc")


def test_that_irc_cannot_be_measured_is_told_and_the_ratings_are_still_there(
    table: pl.DataFrame, tmp_path: Path
) -> None:
    file = a_file(tmp_path, "m1,m,HUC,r1,4", "m1,m,HUC,r2,4", "m2,m,HUC,r1,2", "m2,m,HUC,r2,2")
    study = study_of(file, {"m1": "en", "m2": "zh"})
    found = score_ratings(study, table, dict.fromkeys(("elc", "fgc", "crc"), missing), None)
    (note,) = found.notes
    assert note.startswith("IRC is unavailable") and "the lexicon is not here" in note
    (chinese,) = select(found.scores, metric="huc", group="language=zh")
    assert chinese.n == 1
    assert not select(found.scores, metric="pearson_items")


def test_what_raters_disagree_on_is_told(tmp_path: Path) -> None:
    pairs = [("m1", 4, 4), ("m2", 2, 2), ("m3", 1, 5)]
    lines = [f"{item},m,MG,r{n},{value}" for item, *two in pairs for n, value in enumerate(two)]
    found = score_ratings(study_of(a_file(tmp_path, *lines)), None, {}, None)
    assert found.notes == ["MG: 1 of 3 answers dropped, raters disagree"]
