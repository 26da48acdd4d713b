"""What people say in CFMS: generated pictures by several judges, and annotators' agreement."""

from pathlib import Path

import polars as pl
import pytest
from sklearn.metrics import cohen_kappa_score

from deadpan.base.errors import InputError
from deadpan.benchmarks.cfms import CFMS
from deadpan.benchmarks.cfms.people import ASKED, MET, RATINGS, generation_scores
from deadpan.core.annotations import read_annotations
from deadpan.core.published import read_published
from deadpan.core.rating_files import read_ratings
from deadpan.core.ratings import RatingStudy
from deadpan.core.score import Score, select
from deadpan.metrics.annotation_scores import annotation_scores
from deadpan.pipeline.rating import RatedStudy
from deadpan.pipeline.rating_plots import write_rating_plots
from deadpan.reports.checks import REQUIRED
from deadpan.reports.scores import score_tables
from deadpan.reports.section import Section


def study(*paths: Path) -> RatingStudy:
    return RatingStudy("cfms", [MET], read_ratings(paths, RATINGS.form("painter")))


def test_shares_are_of_each_judge_and_their_mean(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text("item,judge,met\n1,A,1\n2,A,0\n3,A,1\n4,A,1\n1,B,1\n2,B,0\n3,B,\n", "utf-8")
    scores = generation_scores(study(path))
    found = {(one.metric, one.group): (one.value, one.n, one.unscored) for one in scores}
    assert found == {
        ("met_of", "judge=A"): (4.0, 4, 0),
        ("met_of", "judge=B"): (2.0, 2, 1),
        ("met_of", "all"): (3.0, 6, 1),
        ("met_share", "judge=A"): (75.0, 4, 0),
        ("met_share", "judge=B"): (50.0, 2, 1),
        ("met_share", "all"): (62.5, 6, 1),
        ("met", "judge=A"): (3.0, 4, 0),
        ("met", "judge=B"): (1.0, 2, 1),
        ("met", "all"): (2.0, 6, 1),
    }
    assert {one.model for one in scores} == {"painter"}


def test_sheets_of_several_generators_unite(tmp_path: Path) -> None:
    first, second = tmp_path / "one.csv", tmp_path / "two.csv"
    first.write_text("item,judge:A,judge:B,model\n1,1,是,g1\n2,0,否,g1\n", "utf-8")
    second.write_text("item,judge,met,model\n1,A,1,g2\n2,A,1,g2\n", "utf-8")
    scores = generation_scores(study(first, second))
    shares = {(one.model, one.group): one.value for one in scores if one.metric == "met_share"}
    assert shares == {
        ("g1", "all"): 50.0,
        ("g1", "judge=A"): 50.0,
        ("g1", "judge=B"): 50.0,
        ("g2", "all"): 100.0,
        ("g2", "judge=A"): 100.0,
    }
    second.write_text("item,judge,met,model\n1,A,1,g1\n", "utf-8")
    with pytest.raises(InputError, match=r"two.csv:2: 1 g1 met A .*first in .*one.csv:2 judge:A"):
        study(first, second)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("item,judge,met\n1,A,maybe\n", r'r\.csv:2 met: got "maybe"; expected 1 or 0'),
        ("item,judge,met\n1,A,2\n", r"r\.csv:2 met: got 2; expected 1 or 0"),
        ("item,judge,met\n1,,1\n", r"r\.csv:2 judge: is empty"),
        ("item,judge,met\n,A,1\n", r"r\.csv:2 item: is empty"),
        ("item,judge,met\n1,A,1\n1,A,0\n", r"r\.csv:3: 1 painter met A is there twice"),
        ("item,met\n1,1\n", r"r\.csv:2 rater: is missing"),
    ],
)
def test_a_wrong_rating_is_told(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "r.csv").write_text(text, "utf-8")
    with pytest.raises(InputError, match=message):
        study(tmp_path / "r.csv")


def agreed(folder: Path, *lines: str) -> list[Score]:
    path = folder / "annotations.csv"
    path.write_text("item,annotator,question,value\n" + "\n".join(lines) + "\n", "utf-8")
    return annotation_scores("cfms", read_annotations([path], ASKED))


def value(scores: list[Score], task: str, metric: str, group: str = "all") -> float | None:
    (found,) = select(scores, task=task, metric=metric, group=group)
    return found.value


def test_labels_have_kappa_and_explanations_bleu(tmp_path: Path) -> None:
    first, second = ["yes", "yes", "no", "no", "yes", "no"], ["yes", "no", "no", "no", "yes", "yes"]
    lines = [f"{n},A,sarcastic,{one}" for n, one in enumerate(first)]
    lines += [f"{n},B,sarcastic,{ {'yes': '是', 'no': '否'}[one] }" for n, one in enumerate(second)]
    lines += ["1,A,target_type,others", "1,B,target_type,social_phenomena"]
    lines += ["2,A,target_type,others", "2,B,target_type,others"]
    lines += ["1,A,explanation,他在讽刺老板总是迟到", "1,B,explanation,他在讽刺老板总是迟到"]
    lines += ["1,A,explanation_fits,1", "1,B,explanation_fits,0"]
    lines += ["2,A,explanation_fits,1", "2,B,explanation_fits,1"]
    scores = agreed(tmp_path, *lines)
    expected = cohen_kappa_score(first, second)
    assert value(scores, "sarcastic", "cohen_kappa") == pytest.approx(expected)
    assert value(scores, "target_type", "agreement_exact") == 0.5
    assert value(scores, "explanation", "agreement_bleu4") == pytest.approx(1)
    assert value(scores, "explanation_fits", "cohen_kappa") == 0
    with pytest.raises(InputError, match=r'csv:2 value \(target_type\): got "boss"; expected one'):
        agreed(tmp_path, "1,A,target_type,boss")


def test_metaphor_labels_have_fleiss_kappa(tmp_path: Path) -> None:
    votes = ("yyn", "nny", "yyy", "nnn", "yny")
    lines = [
        f"{item},{annotator},metaphor,{vote}"
        for item, given in enumerate(votes)
        for annotator, vote in zip("ABC", given, strict=True)
    ]
    scores = agreed(tmp_path, *lines)
    # 8 yes and 7 no of 15; pairs agree in 1/3, 1/3, 1, 1, 1/3
    expected = (8 / 15) ** 2 + (7 / 15) ** 2
    fleiss = (0.6 - expected) / (1 - expected)
    assert value(scores, "metaphor", "fleiss_kappa") == pytest.approx(fleiss)
    assert value(scores, "metaphor", "cohen_kappa", "annotators=A+B") == pytest.approx(
        cohen_kappa_score(list("ynyny"), list("ynynn"))
    )


def test_generators_stand_in_the_reports_table_and_plot(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text("item,judge:A,judge:B,model\n1,1,1,g1\n2,1,0,g1\n1,0,0,g2\n2,1,0,g2\n", "utf-8")
    nothing = pl.DataFrame(schema=dict.fromkeys(REQUIRED, pl.String))
    published = read_published(CFMS.folder)
    section = Section(CFMS, nothing, generation_scores(study(path)), published, only=("6",))
    (table,) = score_tables(section)
    printed = [(row.model, row.ours, [cell.text for cell in row.cells]) for row in table.rows]
    assert printed == [
        ("g1", True, ["1.5", "75.0"]),
        ("g2", True, ["0.5", "25.0"]),
        ("gemini-3-pro-image-preview", False, ["76", "76.0"]),
    ]
    written = write_rating_plots(CFMS, RatedStudy(study(path), section.scores), tmp_path / "plots")
    assert [one.name for one in written] == ["met-share-generation.png"]
    drawn = written[0].with_suffix(".svg").read_text("utf-8")
    assert all(word in drawn for word in ("g1", "g2", "judge A", "judge B", "mean of the judges"))
