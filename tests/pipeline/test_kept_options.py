"""Tables keep the choices by which they were scored, and whoever reads them scores them alike."""

import json
from pathlib import Path

import polars as pl
import pytest

import deadpan
from deadpan.base.errors import DeadpanError, InputError
from deadpan.benchmarks import find
from deadpan.core.score import Draws, ScoringOptions
from deadpan.pipeline.kept_options import keep_options, scoring_choices, with_kept
from deadpan.pipeline.results import Results
from deadpan.pipeline.sources import from_predictions
from deadpan.pipeline.table import read_tables
from deadpan.pipeline.table_files import read_table

ANSWERS = {"presence": "No", "style": "Pun"}


def scored(path: Path, options: ScoringOptions, model: str = "m") -> Path:
    loaded = deadpan.load("pixelhumor")
    rows = [
        {"task": task, "item": question.item, "answer": answer}
        for task, answer in ANSWERS.items()
        for question in loaded.questions(task)
    ]
    table = loaded.score(rows, model=model).table
    Results(table, options).write(path)
    return path


def f1(results: Results) -> float:
    found = results.scores().filter(task="style", metric="f1", group="all")
    return float(found["value"][0])


@pytest.mark.parametrize("suffix", ["parquet", "jsonl"])
def test_a_gate_is_kept_and_another_one_named_now_counts(tmp_path: Path, suffix: str) -> None:
    path = scored(tmp_path / f"t.{suffix}", ScoringOptions(gate="none"))
    ungated, usual = deadpan.read_results(path), ScoringOptions(gate="na")
    assert ungated.options.gate == "none"
    assert "|gate:none|" in ungated.by_benchmark["pixelhumor"][0].signature
    gated = deadpan.read_results(path, options=usual)
    assert gated.options.gate == "na" and f1(gated) != f1(ungated)


def test_what_was_kept_is_said_and_the_usual_is_not(tmp_path: Path) -> None:
    said: list[str] = []
    table = read_table(scored(tmp_path / "t.parquet", ScoringOptions(gate="skip")))
    assert with_kept(ScoringOptions(), table, said.append).gate == "skip"
    assert said == ["scored with --gate skip, as the table was"]
    plain = read_table(scored(tmp_path / "plain.parquet", ScoringOptions()))
    assert plain["scoring"].null_count() == len(plain)
    assert with_kept(ScoringOptions(), plain, said.append) == ScoringOptions()
    assert len(said) == 1


def test_tables_that_were_scored_unlike_are_told(tmp_path: Path) -> None:
    one = scored(tmp_path / "a.parquet", ScoringOptions(gate="none"), "a")
    two = scored(tmp_path / "b.parquet", ScoringOptions(), "b")
    with pytest.raises(DeadpanError, match=r"--gate: .* none and without it; name one"):
        deadpan.read_results(one, two)
    assert deadpan.read_results(one, two, options=ScoringOptions(gate="na")).options.gate == "na"


def test_each_benchmark_keeps_what_it_takes() -> None:
    options = ScoringOptions(
        gate="none",
        models={"bertscore:zh": "b", "encoder": "lexical"},
        draws=Draws(3, 2, 5),
        lexicons={"zh": "dutir"},
    )
    names = ["pixelhumor", "cfms", "janusmm", "merbench", "vimu"]
    tasks = [find(name).tasks[0].name for name in names]
    tasks[names.index("janusmm")] = "initiator"
    table = keep_options(pl.DataFrame({"benchmark": names, "task": tasks}), options)
    kept = dict(zip(names, map(scoring_choices, table["scoring"]), strict=True))
    assert kept["pixelhumor"] == {"--gate": "none"}
    assert kept["cfms"]["--metric-model bertscore:zh"] == "b" and "--gate" not in kept["cfms"]
    assert kept["janusmm"]["--lexicon zh"] == "dutir"
    assert kept["merbench"] == {"--draw-seed": 3, "--draws": 2, "--draw-size": 5}
    assert kept["vimu"] == {}
    assert with_kept(ScoringOptions(), table) == options


def test_a_task_that_takes_no_model_does_not_conflict() -> None:
    """The models' table was scored with an encoder, the people's of recognition without one."""
    options = ScoringOptions(models={"encoder": "lexical"}, lexicons={"zh": "dutir"})
    tasks = ["recognition", "initiator"]
    models = keep_options(pl.DataFrame({"benchmark": ["janusmm"] * 2, "task": tasks}), options)
    assert models["scoring"].is_null().to_list() == [True, False]
    people = models.head(1).with_columns(scoring=pl.lit(None, pl.String))
    assert with_kept(ScoringOptions(), pl.concat([models, people])) == options
    older = models.with_columns(scoring=pl.lit(models["scoring"][1]))
    assert with_kept(ScoringOptions(), pl.concat([older, people])) == options
    other = models.with_columns(scoring=pl.lit(None, pl.String))
    with pytest.raises(DeadpanError, match=r"zh: .* dutir and without it; name one"):
        with_kept(ScoringOptions(), pl.concat([models, other]))


def test_a_cell_that_holds_no_choices_is_told_with_its_place(tmp_path: Path) -> None:
    path = scored(tmp_path / "t.jsonl", ScoringOptions(gate="none"))
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    rows[0]["scoring"] = "[1]"
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    with pytest.raises(InputError, match=r"scoring: got .*expected scoring options"):
        read_table(path)


def test_older_tables_hold_neither_choices_nor_questions_that_nobody_answered(
    tmp_path: Path,
) -> None:
    path = scored(tmp_path / "t.parquet", ScoringOptions())
    nobody = {"outcome": pl.lit("failed"), "reason": pl.lit("no answer was given")}
    old = pl.read_parquet(path).drop("scoring").with_columns(**nobody, parsed=pl.lit(None))
    old.write_parquet(path)
    assert set(read_table(path)["outcome"]) == {"not_given"}


def test_the_reading_of_a_table_may_be_named_and_no_other(tmp_path: Path) -> None:
    path = scored(tmp_path / "t.parquet", ScoringOptions())
    with pytest.raises(InputError, match=r"replies to pixelhumor/style were read in the usual way"):
        read_tables([path], reading="literal")
    items = [one.item for one in deadpan.load("pixelhumor").questions("style")]
    lines = [json.dumps({"item": one, "task": "style", "answer": "Pun"}) for one in items]
    (tmp_path / "p.jsonl").write_text("\n".join(lines), "utf-8")
    about = ("pixelhumor", tmp_path / "p.jsonl", "m", None, tmp_path)
    read = from_predictions(*about, reading="literal").answers
    Results(read, ScoringOptions(reading="literal")).write(path)
    assert "|reading:literal|" in read_tables([path], reading="literal")["signature"][0]


def test_only_tasks_that_are_read_otherwise_say_so() -> None:
    readings = find("pixelhumor").readings["literal"]
    assert set(readings) == {"panel", "style", "panel_order"}
