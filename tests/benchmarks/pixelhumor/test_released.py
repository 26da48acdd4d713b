"""The released data: all 2,800 comics, their oddities, their gold, their statistics."""

import json
from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

from deadpan.benchmarks.pixelhumor import FOLDER, KINDS, PIXELHUMOR
from deadpan.benchmarks.pixelhumor.votes import (
    agreement_scores,
    majority_gold,
    read_ballots,
    released_gold,
)
from deadpan.cli import app
from deadpan.core.published import read_published
from deadpan.core.score import select


def test_every_comic_is_read(released: Path) -> None:
    dataset = PIXELHUMOR.read(released)
    assert len(dataset.records) == 2800
    assert dataset.anomalies == ()
    assert dataset.checksum == PIXELHUMOR.released
    assert set(Counter(comic.source for comic in dataset.records).values()) == {400}


def test_every_anomaly_is_reported(released: Path) -> None:
    found = PIXELHUMOR.verify(released)
    by_kind: dict[str, list[str]] = {}
    for anomaly in found:
        by_kind.setdefault(anomaly.kind, []).append(f"{anomaly.where} {anomaly.what}")
    assert [place.split()[0] for place in by_kind["repeated panel"]] == ["xkcd_108"]
    assert [place.split()[0] for place in by_kind["gold panel out of range"]] == ["smbc_2640"]
    numbers = {place.split()[0] for place in by_kind["panel numbers not 1..N"]}
    assert numbers == {"explosm_1917", "explosm_2038"}
    unknown = " ".join(by_kind["unknown id"])
    assert all(name in unknown for name in ("explosm_3279", "garfied_2158", "smbc_1603"))
    assert len(by_kind["vote not counted"]) == 2
    assert "gold not from votes" not in by_kind and "differs" not in by_kind


def test_votes_give_the_released_gold_in_all_cells(released: Path) -> None:
    gold = majority_gold(read_ballots(released)[0])
    cells = released_gold(released)
    assert sum(len(row) for row in cells.values()) == 14_000
    assert {c: {q: str(v) for q, v in row.items()} for c, row in gold.items()} == cells


def test_gold_is_written_in_the_released_form(released: Path, tmp_path: Path) -> None:
    out = tmp_path / "gold.csv"
    result = CliRunner().invoke(
        app, ["agreement", "pixelhumor", "--data", str(released), "--gold", str(out)]
    )
    assert "14000 of 14000 cells equal the released gold" in result.stdout
    written, there = (
        p.read_text("utf-8").split() for p in (out, released / "subjective_label.csv")
    )
    assert written == there


def test_agreement_is_as_measured(released: Path) -> None:
    scores = agreement_scores(read_ballots(released)[0], "")
    group = "annotators=pairs"
    level = select(scores, task="overall", metric="agreement_overlap", group=group)[0].value
    assert level == pytest.approx(0.88, abs=0.005)
    first = select(scores, task="Q1", metric="alpha_nominal", group=group)[0].value
    assert first == pytest.approx(0.056, abs=0.001)


def test_statistics_come_close_to_the_papers(released: Path) -> None:
    ours = {
        (f.metric, f.group): f.value for f in PIXELHUMOR.analyses.stats(PIXELHUMOR.read(released))
    }
    published = read_published(FOLDER)
    assert published is not None
    rows = published.rows.filter(published.rows["table"].is_in(["10", "11"]))
    off = {
        (row["metric"], row["group"])
        for row in rows.iter_rows(named=True)
        if ours[row["metric"], row["group"]] != pytest.approx(row["value"], abs=0.006)
    }
    assert off == {
        ("panels_max", "source=peanuts"),
        ("panels_min", "source=peanuts"),
        ("panels_mean", "source=peanuts"),
        ("panels_mean", "source=xkcd"),
        ("words_max", "source=peanuts"),
        ("words_mean", "source=peanuts"),
        ("words_mean", "source=explosm"),
    }


def test_the_majority_answers_are_the_released_ones(released: Path) -> None:
    comics = PIXELHUMOR.read(released).records
    reference = json.loads((FOLDER / "reference.json").read_text())
    for task in ("presence", "sound_effect", "panel", "modality", "style"):
        counts = Counter(label for comic in comics for label in KINDS[task].gold(comic))  # type: ignore[union-attr]
        label, count = counts.most_common(1)[0]
        assert reference[task] == {"answer": [label], "count": count}


def test_a_file_for_all_comics_is_scored(released: Path, tmp_path: Path) -> None:
    comics = PIXELHUMOR.read(released).records
    answers = {
        comic.comic_id: {
            "Q1": comic.presence,
            "Q2": comic.sound_effect,
            "Q3": comic.panel[0],
            "Q4": comic.modality,
            "Q5": list(comic.styles),
            "text": comic.text,
            "panel_sequence": ", ".join(map(str, comic.panel_sequence)),
        }
        for comic in comics[5:]
    } | {"nowhere_1": {"Q1": "Yes"}}
    path, out = tmp_path / "answers.json", tmp_path / "scores.json"
    path.write_text(json.dumps(answers))
    result = CliRunner().invoke(
        app,
        [
            "score",
            "pixelhumor",
            "--predictions",
            str(path),
            "--data",
            str(released),
            "--json",
            str(out),
        ],
    )
    assert result.exit_code == 0
    assert "1 unknown id, not scored: nowhere_1" in result.stdout
    assert "answers: no answer is given to 5 items, counted as not given" in result.stdout
    for row in json.loads(out.read_text())["rows"]:
        if row["group"] == "all" and row["metric"] in ("f1", "accuracy"):
            assert (row["n"], row["not_given"]) in ((2795, 5), (2767 - 5, 5))
            assert (row["unscored"], row["items"], row["of_items"]) == (0, 2795, 2800)
            perfect = row["task"] != "panel_order"
            assert row["value"] == pytest.approx(1.0, abs=0 if perfect else 0.001)
