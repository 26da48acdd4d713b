"""Every Eval Ever records: valid, joined, complete, and nothing in them that was not known."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from deadpan.base.errors import DeadpanError
from deadpan.core.score import ScoringOptions
from deadpan.reports import Section
from deadpan.reports.exchange.every_eval_ever import Choices, Publisher, Record, eval_records
from tests.conftest import SHARED
from tests.reports.hostile import ATTACKS, hostile_section
from tests.reports.toy import MODELS, Toy, sure, toy_section, toy_table

SCHEMAS = SHARED / "resources" / "every_eval_ever"
PUBLISHER = Publisher("The Toy authors", "third_party", "https://example.org")


def records(section: Section, choices: Choices | None = None, **errors: Any) -> list[Record]:
    """The records of a section at a fixed time."""
    known = errors.get("errors", {})
    return list(eval_records([section], known, PUBLISHER, choices or Choices(), 1_800_000_000))


def samples(record: Record) -> list[dict[str, Any]]:
    return [json.loads(line) for line in record.samples]


def require_valid(made: list[Record]) -> None:
    """Against the schemas, where they are there."""
    if not SCHEMAS.is_dir():
        pytest.skip(f"{SCHEMAS} is not there")
    jsonschema = pytest.importorskip("jsonschema")
    kinds = ("eval.schema.json", "instance_level_eval.schema.json")
    whole, one = (
        jsonschema.Draft202012Validator(json.loads((SCHEMAS / name).read_text("utf-8")))
        for name in kinds
    )
    for record in made:
        whole.validate(record.aggregate)
        for row in samples(record):
            one.validate(row)


def test_a_record_for_each_model_with_its_samples(section: Section, tmp_path: Path) -> None:
    made = records(sure(section))
    assert [record.aggregate["model_info"]["id"] for record in made] == [
        "laugh-track-7b",
        "openai/straight-face",
        "baseline/majority",
    ]
    for record in made:
        path = record.write(tmp_path)
        found = json.loads(path.read_text("utf-8"))
        told = found["detailed_evaluation_results"]
        lines = (tmp_path / told["file_path"]).read_bytes()
        assert told["checksum"] == hashlib.sha256(lines).hexdigest()
        assert told["total_rows"] == len(lines.decode().splitlines())
        known = {one["evaluation_result_id"] for one in found["evaluation_results"]}
        for row in samples(record):
            assert row["evaluation_id"] == found["evaluation_id"]
            assert row["evaluation_result_id"] in known
    assert records(sure(section))[0].path == made[0].path


def test_records_are_valid(section: Section) -> None:
    require_valid(records(sure(section), Choices(groups=True)))


def test_a_score_with_its_interval_error_counts_and_range(section: Section) -> None:
    key = (MODELS[1], "presence", "f1", "all")
    (record,) = [
        one
        for one in records(sure(section), errors={key: 0.04})
        if one.aggregate["model_info"]["id"] == MODELS[1]
    ]
    results = {one["evaluation_result_id"]: one for one in record.aggregate["evaluation_results"]}
    found = results["toy/presence/f1"]
    score = next(
        one for one in sure(section).scores if (one.model, one.task, one.metric, one.group) == key
    )
    assert found["score_details"]["score"] == score.value
    uncertainty = found["score_details"]["uncertainty"]
    assert uncertainty["standard_error"] == {"value": 0.04, "method": "jackknife over items"}
    assert uncertainty["confidence_interval"] == {
        "lower": score.low,
        "upper": score.high,
        "confidence_level": 0.95,
        "method": "bootstrap over items",
    }
    assert uncertainty["num_samples"] == score.n and uncertainty["num_bootstrap_samples"] == 1000
    config = found["metric_config"]
    assert (config["min_score"], config["max_score"], config["lower_is_better"]) == (0, 1, False)
    assert results["toy/panel_text/wer"]["metric_config"]["lower_is_better"]
    assert "score_type" not in results["toy/panel_text/wer"]["metric_config"]
    assert found["score_details"]["details"]["n"] == str(score.n)
    assert "toy/presence/f1/style=Pun" not in results


def test_samples_say_how_answers_ended_and_leave_out_what_has_no_score(section: Section) -> None:
    record = records(section)[0]
    rows = section.table.filter(
        (pl.col("model") == MODELS[0])
        & pl.col("score.f1").is_not_null()
        & (pl.col("task") == "style")
    )
    own = [row for row in samples(record) if row["metadata"]["task"] == "style"]
    assert [row["sample_id"] for row in own] == rows["item"].to_list()
    assert {row["metadata"]["outcome"] for row in own} <= {
        "answered",
        "invalid",
        "truncated",
        "refused",
    }
    assert all((row["error"] is None) == (row["metadata"]["outcome"] == "answered") for row in own)
    first, of_table = own[0], rows.row(0, named=True)
    assert first["output"]["raw"] == [of_table["answer"]]
    assert first["input"]["reference"] == json.loads(of_table["gold"])
    assert first["token_usage"] == {"input_tokens": 700, "output_tokens": 12, "total_tokens": 712}
    assert first["performance"] == {"latency_ms": 800.0}
    assert first["evaluation"]["is_correct"] is (of_table["parsed"] == of_table["gold"])
    whole = (of_table.get("question") or "") + "".join(first["input"]["reference"])
    assert first["sample_hash"] == hashlib.sha256(whole.encode()).hexdigest()
    told = record.aggregate["detailed_evaluation_results"]
    lacking = len(section.table.filter(pl.col("model") == MODELS[0])) - len(record.samples)
    assert told["additional_details"]["left_out"].startswith(f"{lacking} answers")


def test_texts_are_left_out_when_asked(section: Section, tmp_path: Path) -> None:
    made = records(section, Choices(texts=False))
    require_valid(made)
    lines = "".join(line for record in made for line in record.samples)
    for row in section.table.iter_rows(named=True):
        for text in filter(None, (row["answer"], row["reason"])):
            assert json.dumps(text, ensure_ascii=False)[1:-1] not in lines
    assert all(row["input"] == {"raw": "", "reference": []} for row in samples(made[0]))
    kept = [row["sample_hash"] for row in samples(records(section)[0])]
    assert [row["sample_hash"] for row in samples(made[0])] == kept


def test_no_path_of_the_machine_is_in_a_record(section: Section, tmp_path: Path) -> None:
    whole = "".join(
        json.dumps(record.aggregate) + "".join(record.samples) for record in records(section)
    )
    assert all(picture not in whole for picture in section.table["picture"])
    named = toy_table(tmp_path).with_columns(
        model=pl.lit("local/" + str(tmp_path / "adapter")),
    )
    toy = toy_section(tmp_path, named.unique(["task", "item"], maintain_order=True))
    (record,) = records(toy)
    assert str(tmp_path) not in json.dumps(record.aggregate) + record.path + "".join(record.samples)


def test_models_have_the_ids_they_are_given(section: Section) -> None:
    made = records(section, Choices(ids={MODELS[0]: "laugh/track 7b/../x"}))
    assert made[0].aggregate["model_info"]["id"] == "laugh/track 7b/../x"
    assert made[0].path.split("/")[:4] == ["data", "toy", "laugh", "track-7b-..-x"]
    with pytest.raises(DeadpanError, match="--id nobody: there are results of"):
        records(section, Choices(ids={"nobody": "x/y"}))


def test_hostile_texts_stay_values(tmp_path: Path) -> None:
    made = records(hostile_section(tmp_path))
    require_valid(made)
    for record in made:
        assert record.write(tmp_path / "out").is_relative_to(tmp_path / "out" / "data" / "toy")
        assert len(record.path.split("/")) == 5
        lines = "".join(record.samples)
        assert "\x1b" not in lines and "\u202e" not in lines and "\x00" not in lines
    replies = {text for record in made for row in samples(record) for text in row["output"]["raw"]}
    assert ATTACKS[0] in replies


def test_a_judge_is_a_model_and_its_stand_in_is_none(tmp_path: Path) -> None:
    toy = Toy()
    for judge in ("openai/gpt-4.1@toy.1.aa", "judge/lexical@toy.1.aa"):
        text = pl.col("signature").str.replace("judge:none", f"judge:{judge}", literal=True)
        table = toy_table(tmp_path).with_columns(signature=text)
        scores = toy.score(table, ScoringOptions())
        made = records(replace(toy_section(tmp_path, table), scores=scores))
        require_valid(made)
        config = made[0].aggregate["evaluation_results"][0]["metric_config"]
        if judge.startswith("judge/"):
            assert "llm_scoring" not in config and "graded_by" in config["additional_details"]
        else:
            assert config["llm_scoring"]["judges"][0]["model_info"]["id"] == "openai/gpt-4.1"
