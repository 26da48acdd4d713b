"""`deadpan audit judge`: from stores and tables with people's ratings to what is printed."""

import json
import re
from pathlib import Path

import pytest

from tests.benchmarks.merbench.meme_folder import folder, judgement, record
from tests.cli.conftest import Deadpan
from tests.model_server import ModelServer
from tests.pipeline.judged_world import JUDGES, MODELS, World

KIND, FAIR = JUDGES
JUDGE = "openai-api/loopback/judge"
DIMENSIONS = ("VGQ", "VEA", "TGQ", "TEA", "LC", "HGQ", "PPE", "PES")


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return World(80).write(tmp_path_factory.mktemp("world"))


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return World(80).write_ratings(tmp_path_factory.mktemp("people") / "people.csv", 40)


def test_everything_is_printed_and_in_the_document(
    deadpan: Deadpan, tables: list[Path], people: Path, tmp_path: Path
) -> None:
    out = tmp_path / "audit.json"
    run = deadpan("audit", "judge", *tables, "--people", people, "--width", 0.7, "--json", out)
    assert run.code == 0, run.err
    for words in (
        "pixelhumor/interpretation: judge and people",
        f"relevance: {KIND} agrees with people",
        "length, each doubling",
        "own family openai",
        "retest: no answer was judged twice",
        "all judges: alpha",
        "most disputed",
        "position: each answer is judged alone",
        "scores corrected by people",
        "worth: how many more ratings",
        "for 0.7",
    ):
        assert words in run.out, words
    (audit,) = json.loads(out.read_text("utf-8"))["audits"]
    assert [one["judge"] for one in audit["scales"]] == [KIND, FAIR, "panel"]
    assert {one["model"] for one in audit["corrected"]} == {*MODELS}
    first = audit["corrected"][0]
    assert first["rated"] == 40 and first["graded"] == 80
    assert first["corrected"]["low"] < first["corrected"]["value"] < first["corrected"]["high"]
    assert first["widths"]["50"] > first["widths"]["80"]
    assert first["needed"] is None or first["needed"] <= 80


def test_one_judge_of_several_is_looked_at(
    deadpan: Deadpan, tables: list[Path], people: Path
) -> None:
    run = deadpan("audit", "judge", *tables, "--people", people, "--judge", FAIR)
    assert run.code == 0 and KIND not in run.out and "all judges" not in run.out
    lost = deadpan("audit", "judge", *tables, "--people", people, "--judge", "gpt-9")
    assert lost.code == 2
    assert f"--judge gpt-9: these answers were graded by {KIND}, {FAIR}" in lost.err


def test_the_document_has_the_standard_output_to_itself(
    deadpan: Deadpan, tables: list[Path], people: Path
) -> None:
    run = deadpan("audit", "judge", tables[0], "--people", people, "--json", "-")
    assert json.loads(run.out)["audits"][0]["benchmark"] == "pixelhumor"


def test_choices_tell_of_positions(
    deadpan: Deadpan, tables: list[Path], people: Path, tmp_path: Path
) -> None:
    file = tmp_path / "choices.csv"
    rows = [f"i{at},a,b,{who},left" for at in range(30) for who in (FAIR, "ann")]
    file.write_text("\n".join(["item,left,right,rater,choice", *rows, ""]), "utf-8")
    run = deadpan("audit", "judge", tables[1], "--people", people, "--choices", file)
    assert run.code == 0, run.err
    assert f"position, {FAIR}: what stands left is chosen in 1.00" in run.out
    assert "surely not half" in run.out
    wrong = deadpan("audit", "judge", tables[0], "--people", people, "--choices", file)
    assert wrong.code == 2 and f"--choices: none is by {KIND}" in wrong.err


def test_what_cannot_be_used_is_refused(
    deadpan: Deadpan, tables: list[Path], people: Path, tmp_path: Path
) -> None:
    asked = ("audit", "judge", tables[0], "--people", people)
    other = tmp_path / "other.csv"
    other.write_text("item,model,metric,rater,rating\nx,y,relevance,ann,3\n", "utf-8")
    run = deadpan("audit", "judge", tables[0], "--people", other)
    assert run.code == 2 and "no rating is of an answer to pixelhumor" in run.err
    run = deadpan(*asked, "--metric", "nonsense")
    assert run.code == 2 and "--metric nonsense: no judged score of that name" in run.err
    run = deadpan(*asked, "--family", "nonsense")
    assert run.code == 2 and "expected PATTERN=FAMILY" in run.err
    run = deadpan("audit", "judge", tables[0])
    assert run.code == 2
    run = deadpan("audit", "judge", tmp_path / "nowhere", "--people", people)
    assert run.code == 2


def test_a_stranger_cannot_paint_the_terminal(deadpan: Deadpan, tmp_path: Path) -> None:
    """Names of models and items are hostile text."""
    odd = "\x1b[31m[bold]m[/bold]"
    world = World(30, models=(odd, "b"))
    people = world.write_ratings(tmp_path / "p.csv", 20)
    run = deadpan("audit", "judge", *world.write(tmp_path / "t"), "--people", people)
    assert run.code == 0, run.err
    assert "\x1b[31m" not in run.out and "[bold]m[/bold]" in run.out


def test_a_store_with_two_judges_is_a_panel(
    deadpan: Deadpan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "store"
    asked = ("run", "cfms/target", "--model", "baseline/majority", "--judge", "judge/lexical")
    made = deadpan(*asked, "--store", store, "-q")
    assert made.code == 0, made.err
    reply = json.dumps({"same_meaning": True, "reason": "so"})
    with ModelServer(lambda picture, prompt: reply) as server:
        server.offer(monkeypatch)
        table = tmp_path / "t.jsonl"
        run = deadpan("score", store, "--judge", JUDGE, "--store", store, "--table", table)
        assert run.code == 0, run.err
    items = [json.loads(line)["item"] for line in table.read_text("utf-8").splitlines()]
    rows = [
        f"{item},baseline/majority,same_meaning,{who},{'no' if at % 4 else 'yes'}"
        for at, item in enumerate(dict.fromkeys(items))
        for who in ("ann", "bo")
    ]
    people = tmp_path / "people.csv"
    people.write_text("\n".join(["item,model,metric,rater,rating", *rows, ""]), "utf-8")
    out = tmp_path / "audit.json"
    run = deadpan("audit", "judge", store, "--people", people, "--json", out)
    assert run.code == 0, run.err
    (audit,) = json.loads(out.read_text("utf-8"))["audits"]
    assert {one["judge"] for one in audit["scales"]} == {"judge/lexical", JUDGE, "panel"}
    found = {one["judge"]: one for one in audit["corrected"]}
    assert found[JUDGE]["judge_alone"]["value"] == 100.0
    assert found[JUDGE]["corrected"]["value"] == pytest.approx(25.0)
    # Nine of twelve answers differ: 2 / 2^9, three times over for three scores.
    assert found[JUDGE]["is_off"] and not found["judge/lexical"]["is_off"]
    assert found[JUDGE]["judge_minus_people"]["adjusted"] == pytest.approx(3 / 256, abs=0.005)
    assert "1 of 3 scores by a judge alone is surely not what people would say" in run.out
    assert f"of baseline/majority by {JUDGE}: judge − people 75.0 [" in run.out


def test_words_are_singular_where_one_thing_is_meant(deadpan: Deadpan, tmp_path: Path) -> None:
    """One rated answer, one choice, and one rating of an answer that was not judged."""
    world = World(8, models=MODELS[:1])
    tables = world.write(tmp_path / "t")
    people = world.write_ratings(tmp_path / "p.csv", 1)
    people.write_text(people.read_text("utf-8") + f"new,{MODELS[0]},relevance,ann,3\n", "utf-8")
    choices = tmp_path / "choices.csv"
    choices.write_text(f"item,left,right,rater,choice\ni,a,b,{KIND},left\n", "utf-8")
    run = deadpan("audit", "judge", tables[0], "--people", people, "--choices", choices)
    assert run.code == 0, run.err
    said = run.out + run.err
    assert "1 answer was rated by several people: too few" in said
    assert "1 rated answer was not judged by" in said and "and says nothing of it" in said
    assert "of 1 choice" in said and "length: 1 answer of too few lengths" in said
    for wrong in ("1 answers", "1 items", "1 choices", "1 others", "1 rated answers"):
        assert f" {wrong}" not in said, wrong


def test_a_width_that_takes_more_items_is_said_in_words(
    deadpan: Deadpan, tables: list[Path], people: Path
) -> None:
    run = deadpan("audit", "judge", tables[0], "--people", people, "--width", 0.05)
    assert run.code == 0, run.err
    assert "more items" in run.out and "all of" not in run.out
    found = re.search(
        r"of openai/gpt-4o by \S+: an interval 0\.05 wide needs a larger set, about ([\d,]+) "
        r"items, all rated; there are 80",
        " ".join(run.out.split()),
    )
    assert found is not None and int(found[1].replace(",", "")) > 1000


def test_composites_of_an_edit_are_corrected(
    deadpan: Deadpan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MER-Bench: a judge that finds every edit perfect, and people who give each part 4 of 6."""
    data = folder(tmp_path / "data", [record(f"{n}.png") for n in range(12)], ("A",))
    table = tmp_path / "t.parquet"
    best = json.dumps(judgement(VGQ=5, VEA=5, TGQ=5, TEA=5, HGQ=5, PES=5))
    with ModelServer(lambda picture, prompt: best) as server:
        server.offer(monkeypatch)
        asked = ["score", "merbench/reappraisal", "--data", data, "--edits", data, "--judge", JUDGE]
        run = deadpan(*asked, "--store", tmp_path / "store", "--table", table)
        assert run.code == 0, run.err
    rows = [f"{n}.png,A,ann,{name},4" for n in range(6) for name in DIMENSIONS]
    people = tmp_path / "people.csv"
    people.write_text("\n".join(["item,model,rater,dimension,rating", *rows, ""]), "utf-8")
    out = tmp_path / "audit.json"
    wanted = ("--metric", "RFS", "--metric", "VGQ", "--metric", "gate_broken")
    run = deadpan("audit", "judge", table, "--people", people, *wanted, "--json", out)
    assert run.code == 0, run.err
    (audit,) = json.loads(out.read_text("utf-8"))["audits"]
    found = {one["metric"]: one for one in audit["corrected"]}
    assert set(found) == {"RFS", "VGQ"}, "people say nothing of the gate"
    assert found["VGQ"]["judge_alone"]["value"] == 100.0
    assert found["VGQ"]["corrected"]["value"] == pytest.approx(60.0)
    assert 0 < found["RFS"]["corrected"]["value"] < found["RFS"]["judge_alone"]["value"]
    (shift,) = [one for one in audit["scales"] if one["scale"] == "PES"]
    assert "exact" not in shift["judge_with_people"], "the two scales differ"


def test_a_report_shows_the_judge_beside_people(
    deadpan: Deadpan, tables: list[Path], people: Path, tmp_path: Path
) -> None:
    page = tmp_path / "r.html"
    run = deadpan("report", tables[0], "--ratings", people, "--out", page)
    assert run.code == 0, run.err
    text = page.read_text("utf-8")
    assert "How far the judge can be believed" in text
    assert "corrected by people" in text
