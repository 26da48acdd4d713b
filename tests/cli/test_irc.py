"""`deadpan irc` as a user types it."""

import json
from pathlib import Path

import pytest

from tests.benchmarks.janusmm.reworded import own_lexicons
from tests.cli.conftest import Deadpan

LEXICAL = ("--metric-model", "encoder=lexical")
SAME = {"emotion": "guilt", "reasoning": "I laugh because the cat broke the red vase."}
OTHER = {"emotion": "pride", "reasoning": "Everybody admires my garden, so I sing."}


def pairs(folder: Path, *lines: str) -> Path:
    one = {
        "id": "vase",
        "language": "en",
        "initiator": SAME,
        "responder": SAME,
        "paraphrases": [
            {"side": "responder", "kind": "paraphrase", **SAME},
            {"side": "initiator", "kind": "contradiction", **OTHER},
        ],
    }
    path = folder / "pairs.jsonl"
    path.write_text("\n".join([json.dumps(one), *lines]), "utf-8")
    return path


@pytest.fixture(autouse=True)
def _taggers() -> None:
    pytest.importorskip("textblob", reason="needs the [text] extra")
    pytest.importorskip("jieba", reason="needs the [text] extra")


def test_moves_of_a_file_are_printed_and_written(deadpan: Deadpan, tmp_path: Path) -> None:
    out = tmp_path / "irc.json"
    with own_lexicons(tmp_path):
        result = deadpan("irc", pairs(tmp_path), *LEXICAL, "--json", out)
    assert result.code == 0, result.err
    lines = [line.split() for line in result.out.splitlines()]
    # The same words: five of them in one chunk, so 100 (1 - 0.5 / 125) before and after.
    assert ["en", "paraphrase", "fgc", "99.6", "99.6", "+0.0", "0.0", "100%", "1"] in lines
    assert ["en", "contradiction", "elc", "100.0", "0.0", "-100.0", "100.0", "0%", "1"] in lines
    assert "crc:en=lexical-3grams-4096-content|elc:en=nrc|fgc:en=wn3.0" in result.out
    document = json.loads(out.read_text())
    assert document["signature"].startswith("janusmm/robustness|v1|n:1|data:")
    (move,) = [
        one
        for one in document["rows"]
        if (one["model"], one["metric"]) == ("paraphrase", "irc_move")
        and one["group"] == "pair=vase"
    ]
    assert (move["value"], move["n"]) == (pytest.approx(0), 1)


def test_without_a_file_our_own_pairs_and_what_is_missing_is_told(deadpan: Deadpan) -> None:
    result = deadpan("irc")
    assert result.code == 0, result.err
    lines = [line.split() for line in result.out.splitlines()]
    (facts,) = [line for line in lines if line[:3] == ["en", "paraphrase", "fgc"]]
    assert facts[-1] == "42" and "–" not in facts
    assert ["en", "paraphrase", "irc", *["–"] * 5, "0"] in lines
    for part, name in {"elc (en)": "nrc", "crc (en)": "minilm", "crc (zh)": "bge-small-zh"}.items():
        (line,) = [line for line in result.out.splitlines() if line.startswith(part)]
        assert "unavailable: " in line and f"get it with: deadpan resources get {name}" in line


def test_an_encoder_that_cannot_be_had_is_told(deadpan: Deadpan, tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers", reason="needs the [neural] extra")
    result = deadpan("irc", pairs(tmp_path), "--metric-model", f"encoder:en={tmp_path}/nothing")
    assert result.code == 0 and "crc (en) unavailable: " in result.out


@pytest.mark.parametrize(
    ("models", "told"),
    [
        (["encoder=lexical", "encoder=minilm"], "encoder is given twice, with different models"),
        (["bertscore=x"], "expected one of encoder=MODEL, encoder:en=MODEL, encoder:zh=MODEL"),
        (["lexical"], "--metric-model lexical: expected one of encoder=MODEL"),
    ],
)
def test_only_the_encoder_of_causes_is_named(
    deadpan: Deadpan, models: list[str], told: str
) -> None:
    result = deadpan("irc", *(part for model in models for part in ("--metric-model", model)))
    assert result.code == 2 and told in result.err


def test_a_broken_line_is_told(deadpan: Deadpan, tmp_path: Path) -> None:
    result = deadpan("irc", pairs(tmp_path, '{"id": "b", "language": "en"}'))
    assert result.code == 2
    assert "pairs.jsonl:2 initiator: is missing" in result.err
