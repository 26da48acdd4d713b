"""Answers to a part of the data are marked wherever they stand beside others."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from deadpan.core.parts import (
    brief_part_note,
    items_of,
    part_note,
    part_notes,
    parts_in,
    parts_of,
    score_notes,
)
from deadpan.core.score import Score, ScoringOptions
from deadpan.core.signature import ANSWERED_BY, PEOPLE, Signature, parse_signature
from deadpan.reports import Section, report_text
from deadpan.reports.marking import marked
from deadpan.reports.scores import score_tables
from deadpan.reports.tables import listings
from tests.reports.toy import MODELS, Toy

PART, WHOLE = MODELS[0], MODELS[1]
PEOPLE_SAID = str(
    Signature("toy", "presence", "1", 24, "0a1b2c3d", "-", settings={ANSWERED_BY: PEOPLE})
)


def signed(text: str, n: int, total: int) -> str:
    return str(replace(parse_signature(text), n=n, total=total))


def partial_section(section: Section, models: tuple[str, ...] = (PART,)) -> Section:
    """The same section, with some models' answers being to 24 of 2,800 items."""
    table = section.table.with_columns(
        pl.struct("model", "signature").map_elements(
            lambda row: signed(row["signature"], 24, 2800 if row["model"] in models else 24),
            return_dtype=pl.String,
        ).alias("signature")
    )  # fmt: skip
    scores = Toy().score(table, ScoringOptions())
    return replace(section, table=table, scores=scores)


NOTE = f"‡ {PART}: answers to 24 of 2,800 items."


def test_a_page_marks_the_model_in_every_table_and_plot(section: Section) -> None:
    page = report_text([partial_section(section)], ".html")
    matrix, *tables = page.split("<table")[1:]
    assert matrix.count('title="‡ answers to') == 1  # at the score: a model has several there
    named = [table for table in tables if "laugh-track-7b" in table and "costs" not in table[:20]]
    assert named and all("laugh-track-7b\u00a0‡" in table for table in named)
    assert "straight-face ‡" not in page
    assert page.count("answers to 24 of 2,800 items") >= 3
    assert "laugh-track-7b ‡" in page.split("<script")[1]  # plots and the sample browser


def test_markdown_and_latex_mark_it_too(section: Section) -> None:
    text = report_text([partial_section(section)], ".md")
    rows = [line for line in text.splitlines() if line.startswith("| **vllm")]
    assert rows and all("‡" in line for line in rows)
    assert "‡ vllm/laugh-track-7b: answers to 24 of 2,800 items." in text
    latex = report_text([partial_section(section)], ".tex")
    assert r"vllm/laugh-track-7b \textdaggerdbl{} &" in latex
    assert r"\textdaggerdbl{} vllm/laugh-track-7b: answers to 24 of 2,800 items." in latex
    assert "‡" not in latex


def test_csv_and_json_say_how_many_items_of_how_many(section: Section) -> None:
    made = partial_section(section)
    rows = list(csv.DictReader(io.StringIO(report_text([made], ".csv"))))
    found = {row["model"]: (row["items"], row["of_items"]) for row in rows}
    assert found == {PART: ("24", "2800"), WHOLE: ("24", ""), MODELS[2]: ("24", "")}
    document = json.loads(report_text([made], ".json"))
    assert {
        (row["items"], row["of_items"]) for row in document["rows"] if row["model"] == PART
    } == {(24, 2800)}
    assert {row["model"] for row in document["rows"]} == set(MODELS)  # names are as they were


def test_prices_and_names_without_parts_are_as_they_were(section: Section) -> None:
    assert marked(section) is section
    for suffix in (".html", ".md", ".tex", ".csv", ".json"):
        assert "‡" not in report_text([section], suffix)
    costs = report_text([partial_section(section)], ".md").split("## Usage and cost")[1]
    assert "laugh" in costs and "‡" not in costs


def sure(section: Section) -> Section:
    """The section with intervals that leave no doubt."""
    scores = [
        one.model_copy(update={"low": one.value, "high": one.value}) for one in section.scores
    ]
    return replace(section, scores=scores)


def test_a_part_is_never_the_best_beside_wholes(section: Section) -> None:
    made = sure(partial_section(section, (WHOLE,)))  # the most able one answered a part
    tables = score_tables(marked(replace(made, published=None)))
    best = {row.model for table in tables for row in table.rows for cell in row.cells if cell.best}
    assert best and f"{WHOLE} ‡" not in best
    everybody = score_tables(
        marked(replace(sure(partial_section(section, MODELS)), published=None))
    )
    best = {
        row.model for table in everybody for row in table.rows for cell in row.cells if cell.best
    }
    assert f"{WHOLE} ‡" in best


def test_a_table_tells_of_its_own_tasks_alone(section: Section) -> None:
    """Of two tasks, one answered in part: the other's tables have neither mark nor footnote."""
    made = marked(partial_section(section))
    ((name, parts),) = made.parts.items()
    task = next(iter(parts))
    made = replace(made, parts={name: {task: parts[task]}})
    for one in score_tables(made):
        concerned = task in {column.key[0] for column in one.columns}
        rows = {row.model for row in one.rows if row.ours}
        assert (name in rows) == concerned
        assert (NOTE in one.remarks) == concerned
    for listing in listings(made):
        concerned = listing.title == made.task_title(task)
        assert (name in {model for model, _ in listing.rows}) == concerned
        assert bool(listing.notes) == concerned


def test_a_deviation_names_its_models_where_others_do_not_deviate(section: Section) -> None:
    def asked(model: str, signature: str) -> str:
        warm = model == PART or "/style|" in signature
        return str(parse_signature(signature).with_settings(temperature="0.7" if warm else "0"))

    table = section.table.with_columns(
        signature=pl.Series(map(asked, section.table["model"], section.table["signature"]))
    )
    made = replace(section, table=table, scores=Toy().score(table, ScoringOptions()))
    said = "asked at temperature 0.7, not 0"
    own = f"Humour presence: {said} ({PART})"
    assert made.deviations == [
        own,
        f"Humour style: {said}",
        f"Panel text: {said} ({PART})",
    ]
    assert own in report_text([made], ".html")
    assert any(own in one.deviations for one in score_tables(made))
    people = (
        Toy()
        .score(table, ScoringOptions())[0]
        .model_copy(update={"model": PEOPLE, "signature": PEOPLE_SAID})
    )
    alone = table.filter(pl.col("model") == PART)
    scores = [*Toy().score(alone, ScoringOptions()), people]
    assert f"Humour presence: {said}" in replace(made, table=alone, scores=scores).deviations


def test_a_table_states_the_deviations_of_its_own_scores(
    section: Section, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Replies of one task are read another way: tables of others do not say so."""
    task = section.tasks[0]
    told = replace(
        section.benchmark.report,
        deviations=lambda signature: ["read otherwise"] if signature.task == task else [],
    )
    monkeypatch.setattr(type(section.benchmark), "report", told)
    assert section.deviations == ["read otherwise"]
    tables = score_tables(section)
    concerned = [task in {column.key[0] for column in one.columns} for one in tables]
    assert {*concerned} == {True, False}
    for one, is_read_otherwise in zip(tables, concerned, strict=True):
        assert one.deviations == ["read otherwise"] * is_read_otherwise
        settings = "settings that are not the paper's"
        is_told = is_read_otherwise and bool(one.published)
        assert (settings in one.caveat) == (settings in one.brief_caveat) == is_told


def test_several_parts_are_one_line() -> None:
    both = {"m": {"a": (15, 22), "b": (17, 22)}, "k": {"a": (21, 22)}}
    assert brief_part_note(both) == ["‡ answers to 15 to 21 of 22 items"]
    assert brief_part_note({"m": {"a": (1, 2), "b": (1, 3)}}) == [
        "‡ answers to a part of the items"
    ]
    assert brief_part_note({"m": {"a": (1, 2)}}) == ["‡ m: answers to 1 of 2 items"]
    assert brief_part_note({}) == []


def table(n: int, total: int, rows: int, epochs: int = 1) -> pl.DataFrame:
    settings = f"|epochs:{epochs}" if epochs > 1 else ""
    signature = f"toy/a|v1|n:{n}/{total}|data:d|prompts:p|judge:none{settings}|deadpan:0.2"
    signature = signature.replace(f"n:{n}/{n}|", f"n:{n}|").replace("/0|", "|")
    return pl.DataFrame(
        {"model": ["m"] * rows, "task": ["a"] * rows, "signature": [signature] * rows}
    )


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (table(1200, 2800, 2800), (1200, 2800)),  # a file of answers: the others are failed rows
        (table(50, 2800, 50), (50, 2800)),  # --limit
        (table(2800, 2800, 600), (600, 2800)),  # broken off
        (table(2800, 0, 600), (600, 2800)),  # the same in an older store
        (table(150, 8400, 150, epochs=3), (50, 2800)),
        (table(2800, 2800, 2800), None),
        (table(2800, 0, 2800), None),
    ],
)
def test_parts_of_tables(given: pl.DataFrame, expected: tuple[int, int] | None) -> None:
    assert parts_in(given).get("m", {}).get("a") == expected


def test_notes_are_short() -> None:
    assert part_note({"a": (1200, 2800), "b": (1200, 2800)}) == "answers to 1,200 of 2,800 items"
    assert part_note({"a": (1, 2), "b": (2, 3)}) == (
        "answers to a part of the items: 1 of 2 (a), 2 of 3 (b)"
    )
    assert part_notes({"m": {"a": (1, 2)}, "k": {"a": (1, 2)}}) == ["‡ answers to 1 of 2 items"]
    assert part_notes({}) == []


def test_scores_tell_by_their_signatures(tmp_path: Path) -> None:
    text = table(50, 2800, 1)["signature"][0]
    score = Score(model="m", task="a", metric="f1", value=1.0, n=40, signature=text)
    assert parts_of([score]) == {"m": {"a": (50, 2800)}}
    assert items_of(score) == {"items": 50, "of_items": 2800}
    assert items_of(score, {"m": {"a": (7, 2800)}}) == {"items": 7, "of_items": 2800}
    whole = score.model_copy(update={"signature": score.signature.replace("n:50/2800", "n:2800")})
    assert parts_of([score, whole]) == {}, "a difference is over what was asked in both ways"
    assert score_notes([whole, score.model_copy(update={"metric": "f1_minus_text_only"})]) == [
        "‡ m: scores with this mark are over 50 of 2,800 items"
    ]
    other = whole.model_copy(update={"task": "b"})
    assert score_notes([score, other]) == ["‡ m: answers to 50 of 2,800 items (a)"]
    unsigned = score.model_copy(update={"signature": ""})
    assert items_of(unsigned) == {"items": None, "of_items": None} and parts_of([unsigned]) == {}


def test_a_run_that_a_score_stopped_says_what_its_intervals_are(section: Section) -> None:
    fixed = "intervals are those of a fixed number of items"
    notes = {
        "f1±0.1@95;order:0": "Asking stopped by a score: its interval is about what all items "
        f"would give, and holds whenever asking stops; other {fixed}.",
        "f1 decided@95;order:0": f"Asking stopped by a difference of scores; {fixed}.",
    }
    for setting, note in notes.items():
        until = pl.col("signature").str.replace(r"\|deadpan:", f"|until:{setting}|deadpan:")
        stopped = replace(section, table=section.table.with_columns(until))
        for kind in (".html", ".md"):
            assert note in report_text([stopped], kind)
            assert note not in report_text([section], kind)
