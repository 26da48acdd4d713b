"""`deadpan ratings --benchmark merbench`: the judge's prompts beside what people rated."""

import json
from pathlib import Path

import pytest

from tests.benchmarks.merbench.meme_folder import folder, judgement, record
from tests.cli.conftest import Deadpan
from tests.model_server import ModelServer

JUDGE = "openai-api/loopback/judge"


@pytest.fixture
def tables(deadpan: Deadpan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Edits by A judged with two prompts: by the first all are well made, by the second badly."""
    data = folder(tmp_path / "data", [record(f"{n}.png") for n in range(3)], ("A",))
    made = []
    for task, rating in (("reappraisal", 5), ("reappraisal_rl_vl", 1)):
        table = tmp_path / f"{task}.parquet"
        said = json.dumps(judgement(VGQ=rating))
        with ModelServer(lambda picture, prompt, said=said: said) as server:
            server.offer(monkeypatch)
            asked = ["score", f"merbench/{task}", "--data", data, "--edits", data, "--judge", JUDGE]
            run = deadpan(*asked, "--store", tmp_path / task, "--table", table)
            assert run.code == 0, run.err
        made.append(table)
    return made


def rated(place: Path, *rows: str) -> Path:
    place.write_text("\n".join(["item,model,rater,dimension,rating", *rows, ""]), "utf-8")
    return place


def test_the_prompt_that_is_closer_to_people_wins(
    deadpan: Deadpan, tables: list[Path], tmp_path: Path
) -> None:
    people = rated(
        tmp_path / "people.csv", "0.png,A,ann,VGQ,6", "0.png,A,bo,VGQ,5", "1.png,A,ann,VGQ,6"
    )
    out = tmp_path / "out.json"
    named = [part for table in tables for part in ("--table", table)]
    run = deadpan("ratings", people, *named, "--benchmark", "merbench", "--json", out)
    assert run.code == 0, run.err
    rows = json.loads(out.read_text("utf-8"))["rows"]
    found = {(row["task"], row["metric"], row["group"]): (row["value"], row["n"]) for row in rows}
    assert found["reappraisal", "distance", "all"] == (pytest.approx(0.05), 2)
    assert found["reappraisal_rl_vl", "distance", "dimension=VGQ"] == (pytest.approx(0.95), 2)
    assert found["reappraisal", "win_rate", "against=reappraisal_rl_vl"] == (1.0, 2)
    assert found["reappraisal_rl_vl", "win_rate", "all"] == (0.0, 2)


def test_ratings_of_other_edits_or_on_another_scale_are_refused(
    deadpan: Deadpan, tables: list[Path], tmp_path: Path
) -> None:
    given = ("--table", tables[0], "--benchmark", "merbench")
    other = deadpan("ratings", rated(tmp_path / "other.csv", "0.png,B,ann,VGQ,6"), *given)
    assert other.code == 2 and "no rating is of a judged answer" in other.err
    scale = deadpan("ratings", rated(tmp_path / "scale.csv", "0.png,A,ann,VGQ,7"), *given)
    assert scale.code == 2 and "scale.csv:2 rating" in scale.err
    alone = deadpan("ratings", tmp_path / "other.csv", "--benchmark", "merbench")
    assert alone.code == 0 and "dimension=VGQ" in alone.out and "--table" in alone.out
