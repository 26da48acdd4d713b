"""The published PixelHumor tables: schema, agreement between tables, agreement with the paper."""

import csv
import json
import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "src" / "deadpan" / "benchmarks" / "pixelhumor"
PAPER = ROOT.parent / "shared" / "seeds" / "pixelhumor.txt"

COMICS = 2800
MODELS = (
    "GPT-4o",
    "Gemini-1.5-Pro",
    "Qwen2-VL-72B",
    "Gemma3-27B",
    "LLaVA-OV-7B",
    "Qwen2-VL-7B",
)
STYLES = (
    "Comparison",
    "Personification",
    "Exaggeration",
    "Pun",
    "Sarcasm",
    "Silliness",
    "Surprise",
    "Dark",
    "NA",
)
SOURCES = ("explosm", "peanuts", "garfield", "xkcd", "phdcomics", "they_can_talk", "smbc")
QUESTIONS = ("presence", "sound_effect", "panel", "modality", "style")
PANELS = (*range(1, 15), 17, 18)
AVERAGED = ("f1", "precision", "recall")
COUNTS = ("tp", "fp", "tn", "fn")

# (task, metric) of each column group that a table prints.
MEASURES = {
    2: {(task, metric) for task in QUESTIONS[:4] for metric in AVERAGED},
    3: {("style", metric) for metric in AVERAGED},
    4: {("style", "styles_predicted")},
    5: {("interpretation", f"rating_{name}") for name in ("mean", "median", "std")},
    6: {("interpretation", "alpha"), ("interpretation", "exact_match")}
    | {("interpretation", f"difference_{name}") for name in ("mean", "median", "std")},
    7: {("preference", "times_selected")},
    8: {("panel_order", "accuracy")}
    | {("panel_text", metric) for metric in ("accuracy", "wer", "cer")},
    10: {("data", f"panels_{name}") for name in ("max", "min", "mean")},
    11: {("data", f"words_{name}") for name in ("max", "min", "mean")},
    12: {("data", "comics")},
    13: {("style", metric) for metric in COUNTS},
    14: {(task, "f1") for task in QUESTIONS},
    15: {(task, "f1") for task in QUESTIONS},
}
ROWS = {
    2: 72,
    3: 72,
    4: 35,
    5: 18,
    6: 35,
    7: 7,
    8: 24,
    10: 21,
    11: 21,
    12: 63,
    13: 216,
    14: 270,
    15: 480,
}
NAMED = {4: {"gold"}, 6: {"overall"}, 7: {"Human"}}
BY_STYLE = {f"style={style}" for style in STYLES}
BY_SOURCE = {f"source={source}" for source in SOURCES}
GROUPS = {
    **{table: {"all"} for table in (2, 5, 6, 7, 8)},
    3: {"all"} | BY_STYLE,
    4: {f"styles={number}" for number in ("1", "2", "3", "4", "5+")},
    10: BY_SOURCE,
    11: BY_SOURCE,
    12: {f"{source},{style}" for source in BY_SOURCE for style in BY_STYLE},
    13: BY_STYLE,
    14: BY_STYLE,
    15: {f"panels={number}" for number in PANELS},
}
# Table 13 rows whose supports and recall are those of the other style; printed so.
EXCHANGED = {
    ("LLaVA-OV-7B", "Personification"),
    ("LLaVA-OV-7B", "Exaggeration"),
    ("Qwen2-VL-7B", "Personification"),
    ("Qwen2-VL-7B", "Exaggeration"),
}


class Key(NamedTuple):
    """What a published value is the value of."""

    table: int
    model: str
    task: str
    metric: str
    group: str = "all"


def csv_rows() -> list[list[str]]:
    with (FOLDER / "published.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def published() -> dict[Key, str]:
    return {Key(int(row[0]), *row[1:5]): row[5] for row in csv_rows()[1:]}


@pytest.fixture(scope="module")
def values() -> dict[Key, float]:
    return {key: float(value) for key, value in published().items()}


def confusion(values: dict[Key, float], model: str, style: str) -> tuple[int, int, int, int]:
    """Table 13's true and false positives, true and false negatives."""
    tp, fp, tn, fn = (
        int(values[Key(13, model, "style", metric, f"style={style}")]) for metric in COUNTS
    )
    return tp, fp, tn, fn


def test_schema() -> None:
    header, *rows = csv_rows()
    assert header == ["table", "model", "task", "metric", "group", "value"]
    assert all(len(row) == 6 for row in rows)
    assert all(re.fullmatch(r"\d+(\.\d+)?", row[5]) for row in rows)
    keys = [tuple(row[:5]) for row in rows]
    assert [key for key, count in Counter(keys).items() if count > 1] == []


def test_row_counts() -> None:
    assert Counter(key.table for key in published()) == ROWS


@pytest.mark.parametrize("table", ROWS)
def test_each_table_is_a_full_grid(table: int) -> None:
    keys = {key for key in published() if key.table == table}
    expected_models = {"gold"} if table in (10, 11, 12) else {*MODELS} | NAMED.get(table, set())
    expected = {
        Key(table, model, task, metric, group)
        for model in expected_models
        for task, metric in MEASURES[table]
        for group in GROUPS[table]
        # Table 3 breaks only recall down by style.
        if not (table == 3 and metric != "recall" and group != "all")
    }
    assert keys == expected


def test_values_are_printed_to_their_tables_precision() -> None:
    for key, value in published().items():
        decimals = len(value.partition(".")[2])
        if key.table in (4, 7, 12, 13) or key.metric.endswith(("_max", "_min")):
            assert decimals == 0, key
        elif key.table in (10, 11):
            assert decimals == 2, key
        else:
            assert decimals == 3, key


def test_value_ranges(values: dict[Key, float]) -> None:
    fractions = {*AVERAGED, "accuracy", "wer", "cer", "alpha", "exact_match"}
    for key, value in values.items():
        if key.metric in fractions:
            assert 0 <= value <= 1, key
        elif key.metric in ("rating_mean", "rating_median"):
            assert 1 <= value <= 7, key
        elif key.metric.startswith("difference_") or key.metric == "rating_std":
            assert 0 <= value <= 6, key
        else:
            assert 0 <= value <= COMICS, key


@pytest.mark.parametrize("model", ["gold", *MODELS])
def test_table_4_rows_cover_all_comics(values: dict[Key, float], model: str) -> None:
    assert sum(values[Key(4, model, "style", "styles_predicted", g)] for g in GROUPS[4]) == COMICS


@pytest.mark.parametrize("model", MODELS)
def test_table_4_and_13_count_the_same_predictions(values: dict[Key, float], model: str) -> None:
    predicted = sum(sum(confusion(values, model, style)[:2]) for style in STYLES)
    comics = [
        values[Key(4, model, "style", "styles_predicted", f"styles={n}")]
        for n in ("1", "2", "3", "4", "5+")
    ]
    at_least = sum(number * count for number, count in enumerate(comics, start=1))
    at_most = at_least + 3 * comics[-1]  # "5+" is at most all eight styles
    assert at_least <= predicted <= at_most


def test_table_4_and_13_count_the_same_gold_labels(values: dict[Key, float]) -> None:
    gold = [values[Key(4, "gold", "style", "styles_predicted", f"styles={n}")] for n in range(1, 5)]
    labels = sum(number * count for number, count in enumerate(gold, start=1))
    for model in MODELS:
        tables = [confusion(values, model, style) for style in STYLES]
        assert sum(tp + fn for tp, _, _, fn in tables) == labels == 3662


def test_table_7_choices_cover_all_comics(values: dict[Key, float]) -> None:
    assert sum(value for key, value in values.items() if key.table == 7) == 70


@pytest.mark.parametrize("source", SOURCES)
def test_table_12_gives_each_comic_one_style(values: dict[Key, float], source: str) -> None:
    row = [
        values[Key(12, "gold", "data", "comics", f"source={source},style={style}")]
        for style in STYLES
    ]
    assert sum(row) == 400


def test_table_12_is_below_the_gold_supports_except_na(values: dict[Key, float]) -> None:
    short = set()
    for style in STYLES:
        listed = sum(
            values[Key(12, "gold", "data", "comics", f"source={source},style={style}")]
            for source in SOURCES
        )
        tp, _, _, fn = confusion(values, "GPT-4o", style)
        assert listed <= tp + fn
        if listed < tp + fn:
            short.add(style)
    assert short == {*STYLES} - {"NA"}


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("style", STYLES)
def test_table_13_rows_cover_all_comics(values: dict[Key, float], model: str, style: str) -> None:
    assert sum(confusion(values, model, style)) == COMICS


def test_table_13_supports_differ_only_in_the_exchanged_rows(values: dict[Key, float]) -> None:
    odd = set()
    for style in STYLES:
        tp, _, _, fn = confusion(values, "GPT-4o", style)
        for model in MODELS:
            found = confusion(values, model, style)
            if found[0] + found[3] != tp + fn:
                odd.add((model, style))
    assert odd == EXCHANGED


def test_recall_of_tables_3_and_13_differs_only_in_the_exchanged_rows(
    values: dict[Key, float],
) -> None:
    odd = set()
    for model in MODELS:
        for style in STYLES:
            tp, _, _, fn = confusion(values, model, style)
            printed = values[Key(3, model, "style", "recall", f"style={style}")]
            if abs(tp / (tp + fn) - printed) > 0.001:
                odd.add((model, style))
    assert odd == EXCHANGED


@pytest.mark.parametrize(("model", "style"), sorted(EXCHANGED))
def test_exchanged_rows_have_the_other_styles_recall(
    values: dict[Key, float], model: str, style: str
) -> None:
    other = "Exaggeration" if style == "Personification" else "Personification"
    tp, _, _, fn = confusion(values, model, style)
    printed = values[Key(3, model, "style", "recall", f"style={other}")]
    assert tp / (tp + fn) == pytest.approx(printed, abs=0.001)


@pytest.mark.parametrize("model", MODELS)
def test_table_3_averages_follow_from_table_13(values: dict[Key, float], model: str) -> None:
    """All six models: exchanging two whole rows leaves a support-weighted average as it is."""
    labels = recall = precision = f1 = 0.0
    for style in STYLES:
        tp, fp, _, fn = confusion(values, model, style)
        labels += tp + fn
        recall += tp
        precision += (tp + fn) * (tp / (tp + fp) if tp + fp else 0)
        f1 += (tp + fn) * (2 * tp / (2 * tp + fp + fn))
    for metric, total in (("recall", recall), ("precision", precision), ("f1", f1)):
        printed = values[Key(3, model, "style", metric)]
        assert total / labels == pytest.approx(printed, abs=0.001), metric


def test_presence_recall_follows_from_the_na_rows_except_for_one_model(
    values: dict[Key, float],
) -> None:
    odd = {}
    for model in MODELS:
        tp, _, tn, _ = confusion(values, model, "NA")
        printed = values[Key(2, model, "presence", "recall")]
        if abs((tp + tn) / COMICS - printed) > 0.001:
            odd[model] = (round((tp + tn) / COMICS, 3), printed)
    assert odd == {"Qwen2-VL-72B": (0.986, 0.988)}


@pytest.mark.parametrize("model", MODELS)
def test_sound_effect_f1_is_a_harmonic_mean(values: dict[Key, float], model: str) -> None:
    """The sign that only one class scored: see the oddities."""
    f1, precision, recall = (values[Key(2, model, "sound_effect", m)] for m in AVERAGED)
    assert f1 == pytest.approx(2 * precision * recall / (precision + recall), abs=0.001)


def test_table_6_overall_is_the_mean_of_the_models(values: dict[Key, float]) -> None:
    for metric in ("exact_match", "difference_mean", "difference_median"):
        mean = sum(values[Key(6, model, "interpretation", metric)] for model in MODELS) / 6
        overall = values[Key(6, "overall", "interpretation", metric)]
        assert mean == pytest.approx(overall, abs=0.001), metric


def test_source_file_describes_every_table() -> None:
    about = json.loads((FOLDER / "published.json").read_text(encoding="utf-8"))
    assert set(about) == {"source", "url", "tables", "claims", "oddities"}
    assert "Humor in Pixels" in about["source"]
    assert about["url"].startswith("https://")
    assert [int(table) for table in about["tables"]] == list(ROWS)
    for table in about["tables"].values():
        assert table["title"]
        assert set(table) <= {"title", "note"}
    assert len(about["oddities"]) == len(set(about["oddities"]))
    assert all(re.search(r"\d", oddity) for oddity in about["oddities"])


# The paper's text, read a second time: a table is the tab-separated lines above its caption.

PRINTED_SOURCES = {
    "Happiness and Cyanide": "explosm",
    "Peanuts": "peanuts",
    "Garfield": "garfield",
    "XKCD": "xkcd",
    "PhD Comics": "phdcomics",
    "They Can Talk": "they_can_talk",
    "SMBC": "smbc",
}
PRINTED_TASKS = {
    "Humor Presence Identification": "presence",
    "Sound Effect Identification": "sound_effect",
    "Panel Contribution": "panel",
    "Modality Contribution": "modality",
    **{f"Task {number}": task for number, task in enumerate(QUESTIONS, start=1)},
}
# Column heading -> (task, metric); None: the task stands at the left of the row.
FLAT_COLUMNS: dict[int, dict[str, tuple[str | None, str]]] = {
    2: {"F1": (None, "f1"), "Prec.": (None, "precision"), "Rec.": (None, "recall")},
    5: {
        "Mean": ("interpretation", "rating_mean"),
        "Median": ("interpretation", "rating_median"),
        "STD": ("interpretation", "rating_std"),
    },
    6: {
        "K-alpha": ("interpretation", "alpha"),
        "Exact Match": ("interpretation", "exact_match"),
        "Mean": ("interpretation", "difference_mean"),
        "Median": ("interpretation", "difference_median"),
        "STD": ("interpretation", "difference_std"),
    },
    7: {"Times Selected": ("preference", "times_selected")},
    8: {
        "Panel Acc.": ("panel_order", "accuracy"),
        "Text Acc.": ("panel_text", "accuracy"),
        "WER": ("panel_text", "wer"),
        "CER": ("panel_text", "cer"),
    },
}

Grid = list[list[str]]


def printed_grid(lines: list[str], table: int) -> Grid:
    """The cells above a table's caption; blank lines between its parts are passed over."""
    caption = next(i for i, line in enumerate(lines) if line.startswith(f"Table {table}:"))
    grid: Grid = []
    for line in reversed(lines[:caption]):
        if line and "\t" not in line:
            break
        if line:
            grid.append([cell.strip() for cell in line.split("\t")])
    return grid[::-1]


def printed_model(name: str) -> str:
    special = {"Ground Truth": "gold", "Overall": "overall"}
    return special.get(name, name.replace(" ", "-"))


def printed_style(name: str) -> str:
    matches = [style for style in STYLES if style.startswith(name.replace("/", "").rstrip("."))]
    assert len(matches) == 1, name
    return matches[0]


def printed_source(name: str) -> str:
    return PRINTED_SOURCES[name.removeprefix("<i>").removesuffix("</i>")]


def flat_cells(table: int, grid: Grid) -> dict[Key, str]:
    """Tables of one model per row."""
    columns = FLAT_COLUMNS[table]
    width = len(columns)
    assert grid[0][-width:] == list(columns)
    cells: dict[Key, str] = {}
    left = ""
    for row in grid[1:]:
        left = row[0] or left
        model = printed_model(row[-width - 1])
        for (task, metric), value in zip(columns.values(), row[-width:], strict=True):
            cells[Key(table, model, task or PRINTED_TASKS[left], metric)] = value
    return cells


def style_cells(grid: Grid) -> dict[Key, str]:
    """Table 3: three averages, then recall per style."""
    assert grid[0][:4] == ["Model", "F1.", "Prec.", "Rec."]
    groups = ["all"] * 3 + [f"style={printed_style(name)}" for name in grid[0][4:]]
    metrics = [*AVERAGED, *["recall"] * 9]
    return {
        Key(3, printed_model(row[0]), "style", metric, group): value
        for row in grid[1:]
        for metric, group, value in zip(metrics, groups, row[1:], strict=True)
    }


def number_of_styles_cells(grid: Grid) -> dict[Key, str]:
    """Table 4."""
    groups = [f"styles={name.removesuffix(' HS')}" for name in grid[0][1:]]
    return {
        Key(4, printed_model(row[0]), "style", "styles_predicted", group): value.replace(",", "")
        for row in grid[1:]
        for group, value in zip(groups, row[1:], strict=True)
    }


def source_cells(table: int, grid: Grid) -> dict[Key, str]:
    """Tables 10 and 11 (statistics), table 12 (comics per style)."""
    cells: dict[Key, str] = {}
    unit = {10: "panels", 11: "words", 12: ""}[table]
    for row in grid[1:]:
        source = f"source={printed_source(row[0])}"
        for name, value in zip(grid[0][1:], row[1:], strict=True):
            if unit:
                metric = f"{unit}_{name.lower().replace('average', 'mean')}"
                cells[Key(table, "gold", "data", metric, source)] = value
            else:
                group = f"{source},style={printed_style(name)}"
                cells[Key(table, "gold", "data", "comics", group)] = value
    return cells


def side_by_side_cells(table: int, grid: Grid) -> dict[Key, str]:
    """Tables 13 to 15: models beside each other, in parts that start with a row of models."""
    cells: dict[Key, str] = {}
    models: list[str] = []
    headings: list[str] = []
    for row in grid:
        if row[0] == "Model":
            models = []
            for name in row[1:]:
                models.append(printed_model(name) if name else models[-1])
        elif row[0] in ("Styles", "# Panels"):
            headings = row[1:]
        else:
            group = f"panels={row[0]}" if table == 15 else f"style={printed_style(row[0])}"
            for model, heading, value in zip(models, headings, row[1:], strict=True):
                task = PRINTED_TASKS.get(heading, "style")
                metric = "f1" if heading.startswith("Task") else heading.lower()
                cells[Key(table, model, task, metric, group)] = value
    return cells


def printed_cells(lines: list[str], table: int) -> dict[Key, str]:
    grid = printed_grid(lines, table)
    if table in FLAT_COLUMNS:
        return flat_cells(table, grid)
    if table == 3:
        return style_cells(grid)
    if table == 4:
        return number_of_styles_cells(grid)
    if table in (10, 11, 12):
        return source_cells(table, grid)
    return side_by_side_cells(table, grid)


@pytest.mark.skipif(
    not PAPER.exists(), reason="the paper's text, ../shared/seeds/pixelhumor.txt, is absent"
)
@pytest.mark.parametrize("table", ROWS)
def test_every_cell_is_as_printed(table: int) -> None:
    cells = printed_cells(PAPER.read_text(encoding="utf-8").splitlines(), table)
    assert len(cells) == ROWS[table]
    assert cells == {key: value for key, value in published().items() if key.table == table}
