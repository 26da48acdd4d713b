"""What stands in a report: counts, tables, plots, samples, pictures, published scores."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import polars as pl
import pytest
from PIL import Image

from deadpan.base.errors import InputError
from deadpan.base.printable import visible
from deadpan.core.benchmark import Task
from deadpan.core.metric import Metric
from deadpan.core.outcomes import OUTCOMES
from deadpan.core.published import read_published
from deadpan.core.score import Score
from deadpan.core.units import natural
from deadpan.reports import Plot, Section, plot_png, plot_svg, plots, report_text
from deadpan.reports.charts import group_label
from deadpan.reports.pictures import LONGEST_SIDE, MOST_BYTES, WIDE, WIDEST, small_picture
from deadpan.reports.samples import browser, chosen_items
from deadpan.reports.score_table import behind
from deadpan.reports.scores import score_tables
from deadpan.reports.tables import coverage_table
from deadpan.reports.text import counts, number
from deadpan.reports.verdicts import own_scores, verdict
from tests.reports.toy import F1, MODELS, SOURCES, WER, Toy, toy_section, toy_table


def test_coverage_adds_up(section: Section) -> None:
    coverage = coverage_table(section)
    assert coverage.total.coverage.total == len(section.table)
    assert {name for name, _ in coverage.total.counts} == set(OUTCOMES)
    for i, (name, _) in enumerate(coverage.total.counts):
        of_models = sum(row.counts[i][1] for row in coverage.by_model)
        of_tasks = sum(row.counts[i][1] for _, rows in coverage.by_task for row in rows)
        in_table = section.table.filter(pl.col("outcome") == name).height
        assert coverage.total.counts[i] == (name, in_table)
        assert of_models == of_tasks == in_table
        assert in_table or name == "not_given", "everything was answered somehow"
    read = section.table.filter(pl.col("outcome").is_in(["answered", "judge_failed"])).height
    assert dict(coverage.total.cells)["answered"] == read, "as every `answered` counts it"


def test_published_values_stand_as_they_are_printed(section: Section) -> None:
    paper = section.published
    assert paper is not None
    printed = pl.when(model="GPT-4o").then(pl.lit("0.9800")).otherwise(pl.lit("0.7"))
    value = pl.when(model="GPT-4o").then(0.98).otherwise(0.7)
    rows = paper.rows.with_columns(printed=printed, value=value)
    table = score_tables(replace(section, published=replace(paper, rows=rows)))[0]
    assert {cell.text for cell in table.rows[3].cells} == {"0.9800"}
    assert {cell.text for cell in table.rows[4].cells} == {"0.7"}
    # Ours have as many decimals as stand beside them; how sure the paper's are nobody knows.
    assert {len(row.cells[0].text) for row in table.rows if row.ours} == {len("0.9800")}
    assert not any(cell.best for row in table.rows[3:] for cell in row.cells)


def test_our_models_come_first_and_published_ones_after(section: Section) -> None:
    first, second = score_tables(section)
    assert [row.model for row in first.rows] == [*MODELS, "GPT-4o", "Qwen2-VL-72B"]
    assert [row.ours for row in first.rows] == [True] * 3 + [False] * 2
    assert (first.published, first.note) == ("2", "the recall is as printed")
    assert second.rows[0].cells[-1].text == "–"
    assert second.rows[3].cells[-1].text != "–"


def with_ends(section: Section, half: float) -> Section:
    """The section with intervals of this half width."""
    scores = [
        one.model_copy(update={"low": (one.value or 0) - half, "high": (one.value or 0) + half})
        for one in section.scores
    ]
    return replace(section, scores=scores)


def test_best_is_the_highest_but_the_lowest_error_rate(section: Section) -> None:
    table = score_tables(with_ends(section, 1e-6))[0]
    for i, column in enumerate(table.columns):
        values = [row.cells[i].score.value for row in table.rows[:3]]
        best = min(values) if column.key[1] == "wer" else max(values)
        alone = values.count(best) == 1
        assert [row.cells[i].best for row in table.rows[:3]] == [
            alone and value == best for value in values
        ]


def test_what_is_too_close_to_call_is_not_bold(section: Section) -> None:
    for table in score_tables(with_ends(section, 1.0)):
        assert not any(cell.best for row in table.rows for cell in row.cells)
        ours = [cell for row in table.rows if row.ours for cell in row.cells]
        assert all(cell.interval for cell in ours if cell.score)


def test_other_data_than_the_papers_does_not_compete(
    section: Section, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert section.caveat == ""
    monkeypatch.setattr(section.benchmark, "released", "ffffffff", raising=False)
    assert "0a1b2c3d" in section.caveat and "ffffffff" in section.caveat
    for suffix in (".html", ".md", ".tex"):
        assert "Not comparable" in report_text([section], suffix)


def test_counts_stand_behind_our_scores_only(section: Section) -> None:
    table = score_tables(section)[0]
    score = next(f for f in section.scores if (f.model, f.task) == (MODELS[0], "presence"))
    assert table.rows[0].cells[0].note == counts(score)
    assert behind(table, table.rows[0])[0] == table.rows[0].cells[0].note
    assert all(cell.note == "" for row in table.rows[3:] for cell in row.cells)
    assert sum(span.width for row in table.rows for span in row.counts) == 3 * len(table.columns)


def test_headings_say_a_shared_task_once(section: Section) -> None:
    table = score_tables(section)[0]
    assert [(s.text, s.width) for s in table.above] == [
        ("Humour presence", 2),
        ("Humour style", 2),
        ("Panel text", 2),
    ]
    layout = replace(
        section.benchmark.report.tables[0],
        columns=tuple(
            (f"{task.replace('_', ' ')} {heading}", task, metric, group)
            for heading, task, metric, group in section.benchmark.report.tables[0].columns
        ),
    )
    benchmark = type(section.benchmark)()
    benchmark.report = replace(benchmark.report, tables=(layout,))
    same = score_tables(replace(section, benchmark=benchmark))[0]
    assert (same.above, same.columns) == (table.above, table.columns)


def test_without_published_results_our_models_stand_alone(section: Section) -> None:
    assert len(score_tables(replace(section, published=None))[0].rows) == 3


def test_plots_hold_our_scores_and_hollow_published_ones(section: Section) -> None:
    overview, lines, dots = plots(section)
    assert [plot.title for plot in (overview, lines, dots)] == [
        "Overview",
        "Presence by number of panels",
        "Style by source",
    ]
    ours, published = _drawn(lines, 0), _drawn(lines, -1)
    assert {row["group"] for row in ours} == {"1", "2", "3", "4"}
    assert {row["model"] for row in published} == {"GPT-4o", "Qwen2-VL-72B"}
    assert lines.spec["layer"][-1]["mark"]["filled"] is False
    assert all(row["counts"].startswith("n ") for row in ours)
    assert {row["group"] for row in _drawn(dots, 0)} == set(SOURCES)


def _drawn(plot: Plot, layer: int) -> list[dict[str, str]]:
    """The rows of a layer, or of the whole plot where all layers share them."""
    name = plot.spec["layer"][layer].get("data", plot.spec.get("data", {}))["name"]
    rows: list[dict[str, str]] = plot.spec["datasets"][name]
    return rows


def test_plots_become_static_pictures(section: Section, tmp_path: Path) -> None:
    for plot in plots(section):
        svg = plot_svg(plot.spec)
        assert svg.startswith("<svg") and plot.title in svg
        assert plot_png(plot.spec).startswith(b"\x89PNG")
    assert "夜猫" in plot_svg(plots(section)[2].spec)


def test_a_group_without_a_score_is_left_out_of_its_plot(section: Section) -> None:
    scores = [
        f.model_copy(update={"value": None}) if f.group == "panels=2" else f for f in section.scores
    ]
    plot = plots(replace(section, scores=scores, published=None))[1]
    assert {row["group"] for row in _drawn(plot, 0)} == {"1", "3", "4"}


@pytest.mark.parametrize(
    ("task", "outcome", "score", "expected"),
    [
        ("style", "answered", 1.0, "right"),
        ("style", "answered", 0.5, "partly"),
        ("style", "answered", 0.0, "wrong"),
        ("style", "invalid", 0.0, "wrong"),
        ("style", "refused", 0.0, "wrong"),
        ("style", "truncated", None, "wrong"),
        ("style", "judge_failed", None, "unscored"),
        ("style", "failed", None, "unscored"),
        ("style", "answered", None, "open"),
        ("panel_text", "answered", 1.0, "open"),
        ("no such task", "answered", 1.0, "open"),
    ],
)
def test_right_and_wrong_are_as_the_task_grades_them(
    section: Section, task: str, outcome: str, score: float | None, expected: str
) -> None:
    row = {"task": task, "outcome": outcome, "score.f1": score, "judgements": None}
    assert verdict(section, row) == expected


def test_of_a_metric_in_which_lower_is_better_the_lowest_is_right(section: Section) -> None:
    alarms = Metric("alarms", better="lower", unit="percent", range=(0, 100))
    tasks = (Task("calm", "Calm", 1, (F1, alarms), graded_by=("f1", "alarms")),)
    calm = replace(section, benchmark=type("Calm", (Toy,), {"tasks": tasks})())
    row = {"task": "calm", "outcome": "answered", "score.alarms": 0.0, "judgements": None}
    assert verdict(calm, row) == "right"
    assert verdict(calm, row | {"score.alarms": 100.0}) == "wrong"
    assert verdict(calm, row | {"score.f1": 0.0}) == "wrong"
    assert own_scores(calm, row) == ["alarms 0.000"]


def test_a_task_is_graded_by_a_metric_of_its_own_that_has_a_range() -> None:
    with pytest.raises(ValueError, match="graded by wer, which has no range"):
        Task("x", "X", 1, (F1, WER), graded_by=("wer",))


def test_chosen_items_hold_every_outcome_however_rare(tmp_path: Path) -> None:
    table = pl.DataFrame(
        {
            "item": [f"i{n:04d}" for n in range(2000)],
            "language": ["en"] * 1999 + ["zh"],
            "outcome": ["answered"] * 700 + ["refused", "judge_failed"] + ["answered"] * 1298,
            "task": ["t"] * 2000,
            "model": ["m"] * 2000,
        }
    )
    items = chosen_items(table, 120)
    assert len(items) == len(set(items)) == 120
    assert {"i0700", "i0701", "i1999"} <= set(items)
    assert items == sorted(items)
    gaps = [int(b[1:]) - int(a[1:]) for a, b in pairwise(items)]
    assert max(gaps) <= 60
    assert len(chosen_items(table, 3)) == 3


def test_a_picture_is_embedded_once_and_small(section: Section, tmp_path: Path) -> None:
    made = browser(section)
    assert (made.shown, made.of) == (24, 24)
    assert len(made.data["cards"]) == 24 * 3
    assert len(made.data["pictures"]) == 24
    for uri, width, height in made.data["pictures"].values():
        assert uri.startswith("data:image/webp;base64,")
        assert max(width, height) <= (WIDEST if width >= WIDE * height else LONGEST_SIDE)
    assert browser(section, limit=5).shown == 5
    assert len(browser(section, limit=5).data["pictures"]) == 5


def test_missing_and_broken_pictures_leave_a_note(tmp_path: Path) -> None:
    (tmp_path / "broken.png").write_bytes(b"\x89PNG not really")
    (tmp_path / "empty.png").write_bytes(b"")
    for name in ("broken.png", "empty.png", "absent.png", "a" * 400, "nul\0", "\ud800"):
        small = small_picture(str(tmp_path / name), [tmp_path])
        assert small.uri == "" and small.note
    assert small_picture("/dev/zero", [Path("/dev")]).note
    table = toy_table(tmp_path, items=6).with_columns(
        picture=pl.when(pl.col("item").str.ends_with("000"))
        .then(pl.lit("/nowhere/x.png"))
        .when(pl.col("item").str.ends_with("001"))
        .then(None)
        .otherwise(pl.col("picture"))
    )
    cards = browser(toy_section(tmp_path, table)).data["cards"]
    assert cards[0]["note"] == "The picture x.png is not in a folder named with --pictures."
    assert cards[3]["note"] == "No picture was recorded."
    assert cards[6]["picture"]


def test_pictures_keep_within_their_limit_whatever_they_show(tmp_path: Path) -> None:
    noise = Image.effect_noise((3000, 2000), 120)
    for name, size in (("noise.png", (3000, 2000)), ("wide.png", (3000, 900))):
        noise.crop((0, 0, *size)).convert("RGB").save(tmp_path / name)
        small = small_picture(str(tmp_path / name), [tmp_path])
        assert small.uri and len(small.uri) <= MOST_BYTES * 4 / 3 + 100
    Image.new("RGBA", (10, 10), (0, 0, 0, 0)).save(tmp_path / "clear.png")
    assert small_picture(str(tmp_path / "clear.png"), [tmp_path]).uri


def test_text_that_hides_is_spelled_out() -> None:
    assert visible("a\u202eb\x00\ud800\r\nc") == "a⟦U+202E⟧b⟦U+0000⟧⟦U+D800⟧\nc"


def test_numbers_read_alike() -> None:
    assert number(None) == "–"
    assert number(-0.25, 2) == "−0.25"
    assert number(-0.001, 2) == "0.00"
    assert sorted(["10", "2", "5+", "5"], key=natural) == ["2", "5", "5+", "10"]
    plain = Score(model="m", task="t", metric="f1", value=0.5, n=200)
    ended = {"invalid": 3, "truncated": 5, "refused": 1, "unscored": 1}
    told = "n 200 · 1.5% invalid · 2.5% truncated · 0.5% refused · 1 unscored"
    assert counts(plain.model_copy(update=ended)) == told
    assert counts(plain.model_copy(update={"n": 2, "invalid": 3})) == "n 2 · 3 invalid"
    assert counts(plain) == "n 200"


def test_reasoning_stands_beside_the_answer(section: Section) -> None:
    thought = section.table.with_columns(reasoning=pl.lit("hm\u202e"))
    shown = browser(replace(section, table=thought)).data["cards"][0]["answers"]
    assert {answer["reasoning"] for answer in shown} == {"hm⟦U+202E⟧"}
    plain = browser(section).data["cards"][0]["answers"]
    assert {answer["reasoning"] for answer in plain} == {""}


def test_lists_of_attributes_are_joined_and_empty_ones_left_out(section: Section) -> None:
    lists = pl.Series([["B", "C"], [], [""], None] * (len(section.table) // 4), dtype=pl.List(str))
    table = section.table.with_columns(lists.alias("attr.options"), pl.lit("").alias("attr.none"))
    cards = browser(replace(section, table=table)).data["cards"]
    plain = [["source", "tabby"], ["panels", "1"], ["style", "Pun"]]
    assert cards[0]["attributes"] == [*plain, ["options", "B, C"]]
    shown = [value for card in cards for name, value in card["attributes"] if name == "options"]
    assert set(shown) == {"B, C"} and len(shown) < len(cards)
    assert not any(name == "none" for card in cards for name, _ in card["attributes"])


def test_published_results_are_read_and_checked(tmp_path: Path) -> None:
    assert read_published(tmp_path) is None
    (tmp_path / "published.csv").write_text(
        "table,model,task,metric,group,value\n2,GPT-4o,presence,f1,all,0.980\n", "utf-8"
    )
    with pytest.raises(InputError, match=r"published\.json: no such file"):
        read_published(tmp_path)
    (tmp_path / "published.json").write_text(
        '{"source": "P", "url": "u", "tables": {"2": {"title": "T", "note": "N"}, "3": "U"},'
        ' "oddities": ["o"]}',
        "utf-8",
    )
    published = read_published(tmp_path)
    assert published is not None
    assert published.rows.rows() == [("2", "GPT-4o", "presence", "f1", "all", 0.98, "0.980")]
    assert (published.source, published.url, published.oddities) == ("P", "u", ["o"])
    assert (published.tables, published.notes) == ({"2": "T", "3": "U"}, {"2": "N"})
    with (tmp_path / "published.csv").open("a") as stream:
        stream.write("2,GPT-4o,presence,f1,all,n/a\n")
    with pytest.raises(InputError, match=r"published\.csv:3: value: got 'n/a'"):
        read_published(tmp_path)


def test_a_run_that_was_broken_off_is_told(section: Section) -> None:
    assert section.unfinished == []
    short = replace(section, table=section.table.head(len(section.table) - 1))
    (line,) = short.unfinished
    assert "1 of " in line
    for suffix in (".html", ".md", ".tex"):
        assert "Unfinished" in report_text([short], suffix)
        assert "Unfinished" not in report_text([section], suffix)


def test_groups_are_named_as_a_reader_would() -> None:
    labels = [group_label(group) for group in ("language=zh", "source=group_chat", "language=x")]
    assert labels == ["Chinese", "group chat", "x"]
