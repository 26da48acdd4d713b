"""Which models metrics measure with, and what cannot be measured."""

from pathlib import Path

import pytest

from deadpan.base.errors import DeadpanError, InputError
from deadpan.core.score import Score, unavailable
from deadpan.core.signature import combine_signatures
from deadpan.pipeline.scoring_choices import scoring_options
from deadpan.pipeline.table_files import check_table

SIGNATURE = (
    "janusmm/reasoning|v1|n:2|data:0|prompts:x|judge:none|bertscore:en=f1-bert,"
    "zh=unavailable: no model; name one, or two|deadpan:0"
)


def test_a_model_is_for_every_language_or_for_one() -> None:
    options = scoring_options(
        ["janusmm"], models=["encoder=minilm", "encoder:zh=/models/bge", "bertscore:zh=b#8"]
    )
    assert options.models_of("encoder", ("en", "zh")) == {"en": "minilm", "zh": "/models/bge"}
    assert options.models_of("bertscore", ("en", "zh")) == {"zh": "b#8"}
    assert options.models_of("bartscore", ("en", "zh")) == {}


@pytest.mark.parametrize(
    ("benchmark", "models", "told"),
    [
        ("janusmm", ["rouge=x"], "--metric-model rouge=x: expected one of bertscore=MODEL"),
        ("janusmm", ["encoder:fr=x"], "encoder:zh=MODEL"),
        ("janusmm", ["encoder"], "--metric-model encoder: expected one of"),
        ("janusmm", ["encoder="], "--metric-model encoder=: expected one of"),
        ("pixelhumor", ["encoder=x"], "none: no metric takes one"),
        ("janusmm", ["encoder=x", "encoder=y"], "encoder is given twice"),
        ("janusmm", ["encoder=lexcal"], "no such resource or folder; did you mean lexical"),
        ("janusmm", ["bertscore:zh=minlm"], "did you mean minilm"),
    ],
)
def test_what_no_metric_takes_is_told(benchmark: str, models: list[str], told: str) -> None:
    with pytest.raises(DeadpanError, match=told):
        scoring_options([benchmark], models=models)


def test_a_gate_is_taken_where_any_benchmark_has_it() -> None:
    assert scoring_options(["janusmm", "pixelhumor", "cfms"], "skip").gate == "skip"
    with pytest.raises(DeadpanError, match="--gate maybe: expected one of na, skip, none"):
        scoring_options(["pixelhumor", "janusmm"], "maybe")
    with pytest.raises(DeadpanError, match="--gate none: nothing here is gated; leave it out"):
        scoring_options(["cfms"], "none")


def test_a_table_of_another_kind_is_told_before_anything_is_asked() -> None:
    check_table(None)
    check_table(Path("a.parquet"))
    with pytest.raises(InputError, match=r"a\.xls: unknown table format"):
        check_table(Path("a.xls"))


def test_why_a_metric_has_no_number_stands_in_a_line_and_not_in_the_printed_signature() -> None:
    score = Score(
        model="m", task="reasoning", metric="bertscore", value=None, n=0, signature=SIGNATURE
    )
    assert unavailable([score, score]) == ["bertscore (zh) unavailable: no model; name one, or two"]
    other = SIGNATURE.replace("/reasoning", "/initiator")
    assert "bertscore:en=f1-bert,zh=unavailable|" in combine_signatures([SIGNATURE, other])
