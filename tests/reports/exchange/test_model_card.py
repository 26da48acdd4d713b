"""Model cards: an index that hubs read, a section for people, hostile names harmless."""

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
import yaml

from deadpan.base.errors import DeadpanError
from deadpan.core.score import ScoringOptions
from deadpan.core.signature import parse_signature
from deadpan.reports import Section
from deadpan.reports.exchange.model_card import model_card
from tests.reports.hostile import hostile_section
from tests.reports.toy import MODELS, Toy, sure


def index_of(card: str) -> dict[str, object]:
    front = card.split("---\n")[1]
    (found,) = yaml.safe_load(front)["model-index"]
    return dict(found)


def test_the_index_holds_a_score_for_each_task(section: Section) -> None:
    card = model_card([sure(section)], MODELS[1], name="Straight Face")
    found = index_of(card)
    assert found["name"] == "Straight Face"
    results = found["results"]
    assert isinstance(results, list) and len(results) == 3
    first = results[0]
    assert first["task"] == {"type": "image-text-to-text", "name": "Humour presence"}
    assert first["dataset"]["config"] == "presence" and first["dataset"]["revision"] == "0a1b2c3d"
    score = next(
        one
        for one in section.scores
        if (one.model, one.task, one.metric, one.group) == (MODELS[1], "presence", "f1", "all")
    )
    assert score.value is not None
    assert first["metrics"][0]["value"] == pytest.approx(score.value, abs=1e-6)
    assert "95 % interval" in first["metrics"][0]["name"]


def test_the_index_says_parts_and_judges(section: Section) -> None:
    """Hubs show the index alone: a name is the only place for what makes a score another one."""
    scores = [
        one.model_copy(
            update={
                "signature": str(
                    replace(
                        parse_signature(one.signature), total=2800, judge="judge/lexical@x.1.0a"
                    )
                )
            }
        )
        for one in section.scores
    ]
    results = index_of(model_card([replace(section, scores=scores)], MODELS[1]))["results"]
    assert isinstance(results, list)
    name = results[0]["metrics"][0]["name"]
    assert "of 2,800 items" in name and "judge judge/lexical, a stand-in" in name


def test_hubs_read_it(section: Section) -> None:
    hub = pytest.importorskip("huggingface_hub")
    card = hub.ModelCard(model_card([sure(section)], MODELS[0]), ignore_metadata_errors=False)
    results = card.data.eval_results
    assert [one.dataset_config for one in results] == ["presence", "style", "panel_text"]
    assert card.data.model_name == "laugh-track-7b"


def test_people_read_scores_with_intervals_counts_data_and_commands(section: Section) -> None:
    card = model_card([sure(section)], MODELS[0])
    (line,) = [one for one in card.splitlines() if one.startswith("| Humour presence |")]
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    assert cells[1] == "F1" and " to " in cells[3] and int(cells[4]) > 0
    assert "WER ↓" in card
    assert f"deadpan run toy --model {MODELS[0]}" in card
    assert "toy/presence|v1|n:24|data:0a1b2c3d" in card and "checksum 0a1b2c3d, 24 items" in card
    assert "<built-in" not in card and MODELS[1] not in card


def test_a_model_without_any_score_has_no_card(section: Section) -> None:
    table = section.table.with_columns(outcome=pl.lit("failed"))
    dead = replace(section, table=table, scores=Toy().score(table, ScoringOptions()))
    with pytest.raises(DeadpanError, match=r"no score to put on a card \(0/72 answered, 72 failed"):
        model_card([dead], MODELS[0])


def test_an_unknown_model_is_named(section: Section) -> None:
    with pytest.raises(DeadpanError, match=f"--model x: there are results of {MODELS[0]}"):
        model_card([section], "x")


def test_hostile_names_are_harmless(tmp_path: Path) -> None:
    section = hostile_section(tmp_path)
    for model in section.table["model"].unique():
        card = model_card([section], model, name="a: b\n---\n# x | <script>")
        found = index_of(card)
        assert found["name"] == "a: b --- # x | <script>"
        body = card.split("-->\n", 1)[1].split("```")[0]
        assert "<script" not in body and "<img" not in body
        assert "\x1b" not in card and "\u202e" not in card
