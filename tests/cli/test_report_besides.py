"""`deadpan report` with ratings, failures and people; `deadpan score --people`; `--lexicon`."""

import json
from pathlib import Path

import pytest

from deadpan.benchmarks.janusmm.records import read_memes
from tests.cli.conftest import Deadpan

MEMES = [meme.row for meme in read_memes(None).records if meme.row.self_deprecating]
CHOSEN = [*[one for one in MEMES if one.language == "en"][:3], *MEMES[-3:]]
LEXICAL = ("--metric-model", "encoder=lexical")


@pytest.fixture
def table(deadpan: Deadpan, tmp_path: Path) -> Path:
    """Two models' answers to four tasks about six memes."""
    lines = []
    for model in ("one", "two"):
        for meme in CHOSEN:
            parts = ("情绪", "推理") if meme.language == "zh" else ("Emotion", "Reasoning")
            for task, text in {
                "recognition": "自嘲" if model == "one" else "joy",
                "reasoning": f"{parts[0]}: {meme.emotion}\n{parts[1]}: {meme.thinking}",
                "initiator": f"{parts[0]}: {meme.emotion}\n{parts[1]}: {meme.sender_reasoning}",
                "responder": f"{parts[0]}: {meme.emotion}\n{parts[1]}: {meme.receiver_reasoning}",
            }.items():
                item = {"item": meme.meme_id, "task": task, "model": model, "answer": text}
                lines.append(json.dumps(item, ensure_ascii=False))
    predictions, out = tmp_path / "p.jsonl", tmp_path / "t.parquet"
    predictions.write_text("\n".join(lines), "utf-8")
    run = deadpan("score", "janusmm", "--predictions", predictions, "--table", out, *LEXICAL)
    assert run.code == 0, run.err
    return out


def ratings(path: Path) -> Path:
    """Two raters who agree: `one` has 5, `two` 2 and 3 in turn."""
    rows = ["item,model,metric,rater,rating"]
    for metric in ("MG", "HUC"):
        for number, meme in enumerate(CHOSEN):
            for rater in ("ann", "bo"):
                rows.append(f"{meme.meme_id},one,{metric},{rater},5")
                rows.append(f"{meme.meme_id},two,{metric},{rater},{2 + number % 2}")
    (path / "ratings.csv").write_text("\n".join(rows), "utf-8")
    return path / "ratings.csv"


def test_ratings_stand_in_the_papers_tables(deadpan: Deadpan, table: Path, tmp_path: Path) -> None:
    """Means 5 and 2.5 of 1 to 5 are 100 and 38.125 of 1 to 100 over all."""
    out = tmp_path / "r.md"
    run = deadpan("report", table, "--ratings", ratings(tmp_path), *LEXICAL, "--out", out)
    assert run.code == 0, run.err
    text = out.read_text("utf-8")
    rated = text[text.index("### As rated by people") :]
    row = next(line for line in rated.splitlines() if line.startswith("| **one ‡**"))
    assert [cell.split()[0] for cell in row.split(" | ")[1:4]] == ["100.00", "100.00", "–"]
    assert "### How far the raters agree" in text and "| **raters** | 1.000 | 0 |" in text
    assert "GPT-4o (published, table 3)" in rated
    joined = text[text.index("### Joining the conversation") : text.index("### As rated")]
    assert "100.0" in next(line for line in joined.splitlines() if line.startswith("| **one ‡**"))
    assert "raters" not in text[: text.index("## Coverage")], "raters are no model"


def test_ratings_of_other_results_are_said(deadpan: Deadpan, table: Path, tmp_path: Path) -> None:
    file = tmp_path / "bad.csv"
    file.write_text("item,model,metric,rater,rating\nnowhere,one,MG,ann,3\n", "utf-8")
    run = deadpan("report", table, "--ratings", file, "--out", tmp_path / "r.md")
    assert run.code == 0 and "1 rated item is not in the results: nowhere" in run.out
    run = deadpan("report", table, "--ratings", "cfms=x.csv", "--out", tmp_path / "r.md")
    assert run.code == 2 and "cfms=x.csv" in run.err


def test_failures_are_drawn_in_the_page(deadpan: Deadpan, table: Path, tmp_path: Path) -> None:
    people, labels = tmp_path / "people.jsonl", tmp_path / "labels.jsonl"
    run = deadpan(
        "failures", "sample", table, "--badly-explained", "greedy_match:10", "--out", people
    )
    assert run.code == 0, run.err
    assert "badly explained: recognition right and greedy_match of reasoning below 10" in run.out
    page = (tmp_path / "people.html").read_text("utf-8")
    assert "data:image/webp" in page
    rows = [json.loads(line) | {"type": "AH"} for line in people.read_text("utf-8").splitlines()]
    people.write_text("".join(json.dumps(one) + "\n" for one in rows), "utf-8")
    given = ("--people", people, "--judge", "judge/lexical", "--store", tmp_path / "s")
    same = ("--badly-explained", "greedy_match:10", "--out", labels)
    run = deadpan("failures", "label", table, *given, *same)
    assert run.code == 0, run.err
    out = tmp_path / "r.html"
    run = deadpan("report", table, "--failures", labels, *LEXICAL, "--out", out)
    assert run.code == 0, run.err
    assert "Why models fail" in out.read_text("utf-8")
    run = deadpan("failures", "report", labels, "--plot", tmp_path / "types.svg")
    assert run.code == 0 and (tmp_path / "types.svg").read_text("utf-8").startswith("<svg")
    assert "wrong:own,badly_explained=greedy_match:10" in run.out


SIX = ("61.0", "to", "100.0")
"""Wilson's interval of six of six."""


def test_people_are_scored_and_printed_one_by_one(deadpan: Deadpan, tmp_path: Path) -> None:
    file = tmp_path / "lay.csv"
    rows = [f"{meme.meme_id},{rater},自嘲" for meme in CHOSEN for rater in ("ann", "bo")]
    file.write_text("item,rater,answer\n" + "\n".join(rows), "utf-8")
    run = deadpan("score", "janusmm/recognition", "--people", file)
    assert run.code == 0, run.err
    lines = [line.split() for line in run.out.splitlines()]
    # Two people about six items are six items, not twelve.
    own, all_of_them = (("people:", "ann", "‡"), "6"), (("people", "‡"), "12")
    for who, n in (own, all_of_them):
        assert [*who, "recognition", "accuracy", "%", "100.0", *SIX, n, *"00000"] in lines
    run = deadpan("score", "janusmm/recognition", "--people", file, "--predictions", file)
    assert run.code == 2 and "give one of --predictions, --people" in run.err


@pytest.mark.parametrize("command", [("score",), ("report", "--out", "r.md")])
def test_another_lexicon_is_named_and_signed(
    deadpan: Deadpan, table: Path, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(table.parent)
    name, *rest = command
    run = deadpan(name, table, *rest, *LEXICAL, "--lexicon", "zh=dutir")
    assert run.code == 0, run.err
    text = run.out if name == "score" else Path("r.md").read_text("utf-8")
    assert "deadpan resources get dutir" in text.replace("\\", "")
    run = deadpan(name, table, *rest, "--lexicon", "zh=nrc")
    assert run.code == 2
    assert "--lexicon zh=nrc: expected one of en=nrc, zh=ntusd, zh=dutir" in run.err
    run = deadpan(name, table, *rest, "--lexicon", "zh=dutir", "--lexicon", "zh=ntusd")
    assert run.code == 2 and "zh is given twice, with different lexicons" in run.err


def test_irc_takes_a_lexicon_too(deadpan: Deadpan) -> None:
    run = deadpan("irc", *LEXICAL, "--lexicon", "zh=dutir")
    assert run.code == 0 and "deadpan resources get dutir" in run.out
    run = deadpan("irc", "--lexicon", "dutir")
    assert run.code == 2 and "--lexicon dutir: expected one of en=nrc" in run.err
    run = deadpan("score", "pixelhumor", "--predictions", "x", "--lexicon", "zh=dutir")
    assert run.code == 2
