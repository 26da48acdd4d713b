"""Stage by stage with a person between: decisions, sheets, what is removed, what is released."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from deadpan.base.errors import DeadpanError, InputError
from deadpan.benchmarks.merbench.edits import read_edits
from deadpan.benchmarks.merbench.records import read_memes
from deadpan.core.editors import Editor
from deadpan.editing.reappraise import Done, Reappraisal, Wish
from deadpan.editing.reappraise.plan import Stage, read_plan
from deadpan.editing.reappraise.review import read_sheet, sheet_path
from deadpan.editing.reappraise.sources import found_sources, places
from deadpan.editing.reappraise.staged import STOPS, Release, release, run_stage
from deadpan.engine.run import simple_asker
from tests.editing.reappraise.stand_ins import Painter, planner, write_memes
from tests.model_server import ModelServer

MODEL = "openai-api/loopback/planner"


@pytest.fixture
def memes(tmp_path: Path) -> Path:
    return write_memes(tmp_path / "memes", 4)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    with ModelServer(planner) as running:
        running.offer(monkeypatch)
        yield running


def make(stage: Stage, memes: Path, out: Path, editor: Editor | None = None) -> dict[str, Done]:
    asker = simple_asker(MODEL, out.parent / "answers") if stage != "edit" else None
    results = places(found_sources(memes), out)
    whole = Reappraisal(editor, Wish(stop=STOPS[stage]), results, asker)
    return {one.source.stem: one for one in run_stage(stage, whole, out)}


def finish(memes: Path, out: Path) -> Release:
    return release(places(found_sources(memes), out), out)


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def decide(out: Path, stage: Stage, **decisions: str) -> None:
    """Fills in a sheet as a person does: `m00="remove: why"`; others are accepted."""
    path = sheet_path(out, stage)
    rows = rows_of(path)
    for row in rows:
        said = decisions.get(f"m{Path(row['file']).stem}", row["decision"] or "accept")
        row["decision"], _, reason = said.partition(": ")
        row["reason"] = reason or row["reason"]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def endings(done: dict[str, Done]) -> list[str]:
    return [one.ending for one in done.values()]


def test_three_stages_each_verified_end_in_the_released_form(
    memes: Path, out: Path, server: ModelServer
) -> None:
    assert endings(make("describe", memes, out)) == ["described"] * 4
    (row, *_) = rows_of(sheet_path(out, "describe"))
    assert row["file"] == "00.png" and row["decision"] == "" and row["emotion"] == "bored"
    assert row["visual_type"] == "Object_Animal_Dominant" and row["captions"] == "Monday\nagain"

    decide(out, "describe", m01="remove: no joke in it", m02="")
    assert endings(make("plan", memes, out)) == ["planned", "removed", "waiting", "planned"]
    assert server.total == 4 + 2, "nothing is asked of what waits or is gone"
    decide(out, "describe", m02="accept")
    assert endings(make("plan", memes, out)) == ["planned", "removed", "planned", "planned"]
    assert server.total == 4 + 3

    decide(out, "plan", m03="remove: unkind")
    editor = Painter(name="painter")
    assert endings(make("edit", memes, out, editor)) == ["edited", "removed", "edited", "removed"]
    decide(out, "edit", m02="")
    made = finish(memes, out)
    assert (made.memes, made.removed, made.waiting) == (1, 2, ("02.png",))
    decide(out, "edit")
    made = finish(memes, out)
    assert (made.memes, made.removed, made.waiting) == (2, 2, ())

    records, anomalies = read_memes(made.folder)
    assert [(one.id, one.gen_id) for one in records] == [("00.png", "00.png"), ("02.png", "02.png")]
    assert not anomalies
    first = records[0]
    assert (first.det_emo, first.tgt_emo, first.text) == ("bored", "excited", "Monday\nagain")
    assert (first.pos_txt, first.layout_type) == ("Monday!\nA fresh start", "SinglePanel_Meme")
    assert (first.visual_type, first.sentiment_polarity) == ("Object_Animal_Dominant", "Neutral")
    assert (made.folder / "Original/00.png").read_bytes() == (memes / "00.png").read_bytes()
    edits = read_edits(made.folder, records)
    assert sorted(edits["painter"].found) == ["00.png", "02.png"]
    removed = json.loads((made.folder / "removed.json").read_text(encoding="utf-8"))
    assert removed == [
        {"id": "01.png", "stage": "describe", "reason": "no joke in it"},
        {"id": "03.png", "stage": "plan", "reason": "unkind"},
    ]


def test_what_is_removed_stays_so_whatever_the_sheet_says_later(
    memes: Path, out: Path, server: ModelServer
) -> None:
    make("describe", memes, out)
    decide(out, "describe", m00="remove: doubtful")
    make("plan", memes, out)
    asked = server.total
    sheet_path(out, "describe").unlink()
    assert endings(make("describe", memes, out))[0] == "removed"
    assert endings(make("plan", memes, out))[0] == "removed" and server.total == asked
    plan = read_plan(out / "plans/00.json")
    assert plan.status == "removed" and plan.removed and plan.removed.reason == "doubtful"
    kept = {row["file"]: row for row in rows_of(sheet_path(out, "describe"))}
    assert (kept["00.png"]["decision"], kept["00.png"]["reason"]) == ("remove", "doubtful")


def test_what_is_sent_back_is_made_anew_and_the_model_told_why(
    memes: Path, out: Path, server: ModelServer
) -> None:
    prompts: list[str] = []

    def answer(picture: str, prompt: str) -> str:
        prompts.append(prompt)
        found = json.loads(planner(picture, prompt))
        if "lamp" in prompt and "description" in found:
            found["description"] = "A cat under a lamp."
        return json.dumps(found)

    server.answer = answer
    make("describe", memes, out)
    decide(out, "describe", m00="revise: Name the lamp >>> too")
    assert endings(make("plan", memes, out))[0] == "waiting"
    assert endings(make("describe", memes, out)) == ["described"] * 4
    sent = [prompt for prompt in prompts if "lamp" in prompt]
    assert len(sent) == 1 and "1. Name the lamp ››› too" in sent[0]
    rows = {row["file"]: row for row in rows_of(sheet_path(out, "describe"))}
    assert rows["00.png"]["decision"] == "" and rows["00.png"]["description"].endswith("a lamp.")
    assert rows["01.png"]["decision"] == "accept"
    plan = read_plan(out / "plans/00.json")
    assert [(one.decision, one.reason) for one in plan.reviews] == [
        ("revise", "Name the lamp >>> too")
    ]
    make("describe", memes, out)
    assert len(sent) == len([prompt for prompt in prompts if "lamp" in prompt]), "once is enough"


def test_an_edit_that_is_sent_back_is_made_with_the_reason_told(
    memes: Path, out: Path, server: ModelServer
) -> None:
    for stage in ("describe", "plan"):
        make(stage, memes, out)  # type: ignore[arg-type]
        decide(out, stage)  # type: ignore[arg-type]
    make("edit", memes, out, Painter())
    decide(out, "edit", m02="revise: warmer light")
    editor = Painter(colour="orange")
    make("edit", memes, out, editor)
    (told,) = editor.asked
    assert told.source.name == "02.png" and told.specification.endswith("shine.\nwarmer light")
    rows = {row["file"]: row["decision"] for row in rows_of(sheet_path(out, "edit"))}
    assert rows == {"00.png": "accept", "01.png": "accept", "02.png": "", "03.png": "accept"}
    assert finish(memes, out).waiting == ("02.png",)


def test_changes_by_hand_are_accepted_as_changed(
    memes: Path, out: Path, server: ModelServer
) -> None:
    make("describe", memes, out)
    path = out / "plans/00.json"
    whole = json.loads(path.read_text(encoding="utf-8"))
    whole["described"]["layout_type"] = "MultiPanel_Meme"
    path.write_text(json.dumps(whole), encoding="utf-8")
    decide(out, "describe")
    make("plan", memes, out)
    plan = read_plan(path)
    assert plan.described and plan.described.layout_type == "MultiPanel_Meme"
    assert plan.described.by.endswith("changed by hand") and plan.accepted("describe")
    rows = {row["file"]: row for row in rows_of(sheet_path(out, "describe"))}
    assert rows["00.png"]["layout_type"] == "MultiPanel_Meme"
    assert rows["00.png"]["decision"] == "accept"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("decision", "maybe"), 'decision: got "maybe"; expected accept, revise, remove, or nothi'),
        (("decision", "remove"), "reason: is empty; expected why to remove"),
        (("decision", "revise"), "reason: is empty; expected why to revise"),
        (("file", "99.png"), 'file: "99.png" is not among the memes'),
        (("file", "01.png"), "file: is there twice"),
    ],
)
def test_a_bad_sheet_is_told_with_its_place_and_changes_nothing(
    memes: Path, out: Path, server: ModelServer, change: tuple[str, str], said: str
) -> None:
    make("describe", memes, out)
    path = sheet_path(out, "describe")
    rows = rows_of(path)
    rows[0]["decision"], rows[2][change[0]] = "accept", change[1]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    before = (out / "plans/00.json").read_bytes()
    with pytest.raises(InputError) as caught:
        make("plan", memes, out)
    # Captions of two lines make the rows two lines long.
    assert str(caught.value).startswith(f"{path}:6 {said}")
    assert (out / "plans/00.json").read_bytes() == before and server.total == 4


def test_a_sheet_without_its_columns_or_with_a_torn_row(tmp_path: Path) -> None:
    path = tmp_path / "describe.csv"
    path.write_text("file,decision\na.png,accept\n")
    with pytest.raises(InputError, match="no column reason, made"):
        read_sheet(path, [Path("a.png")])
    path.write_text("file,decision,reason,made\na.png,accept\n")
    with pytest.raises(InputError, match=r"describe\.csv:2: has 2 cells; expected 4"):
        read_sheet(path, [Path("a.png")])
    assert read_sheet(tmp_path / "none.csv", []) == {}


def test_no_cell_is_a_formula(memes: Path, out: Path, server: ModelServer) -> None:
    def answer(picture: str, prompt: str) -> str:
        return json.dumps({**json.loads(planner(picture, prompt)), "captions": ["=1+1", "x"]})

    (memes / "00.png").rename(memes / "=cmd.png")
    server.answer = answer
    make("describe", memes, out)
    rows = rows_of(sheet_path(out, "describe"))
    assert rows[-1]["file"] == "'=cmd.png" and rows[-1]["captions"] == "'=1+1\nx"
    decide(out, "describe")
    assert endings(make("plan", memes, out)) == ["planned"] * 4


def test_nothing_is_released_that_lacks_something(
    memes: Path, out: Path, server: ModelServer
) -> None:
    with pytest.raises(DeadpanError, match="no meme was accepted in all three stages"):
        finish(memes, out)
    for stage in ("describe", "plan", "edit"):
        make(stage, memes, out, Painter() if stage == "edit" else None)  # type: ignore[arg-type]
        decide(out, stage)  # type: ignore[arg-type]
    path = out / "plans/01.json"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"Neutral"', "null"), encoding="utf-8")
    with pytest.raises(InputError, match=r"01\.json described\.sentiment_polarity: is missing"):
        finish(memes, out)
    path.write_text(text.replace('"target": "excited"', '"target": "calm"'), encoding="utf-8")
    with pytest.raises(InputError, match=r'proposed\.target: got "calm"; expected "excited"'):
        finish(memes, out)
    path.write_text(text, encoding="utf-8")
    (out / "edited/02.png").write_bytes((memes / "00.png").read_bytes())
    with pytest.raises(InputError, match="is not the picture that was reviewed"):
        finish(memes, out)
    assert not (out / "released/index_final.json").exists()


SCRIPT = """
import sys
from pathlib import Path
from deadpan.engine.run import simple_asker
from deadpan.editing.reappraise import Reappraisal, Wish
from deadpan.editing.reappraise.sources import found_sources, places
from deadpan.editing.reappraise.staged import run_stage
memes, out = map(Path, sys.argv[1:])
asker = simple_asker("openai-api/loopback/planner", out.parent / "answers")
whole = Reappraisal(None, Wish(stop="planned"), places(found_sources(memes), out), asker, at_once=1)
run_stage("plan", whole, out)
"""


def test_a_stage_that_is_killed_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    memes, out = write_memes(tmp_path / "memes", 8), tmp_path / "out"
    with ModelServer(planner, delay=0.1) as server:
        server.offer(monkeypatch)
        make("describe", memes, out)
        decide(out, "describe", m05="remove: dull")
        command = [sys.executable, "-c", SCRIPT, str(memes), str(out)]
        environment = {**os.environ, **server.environment}
        process = subprocess.Popen(command, env=environment, start_new_session=True)
        deadline = time.monotonic() + 90
        while server.total < 8 + 3 and time.monotonic() < deadline:
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        assert 11 <= server.total < 15 and not sheet_path(out, "plan").exists()
        assert endings(make("plan", memes, out)).count("planned") == 7
        assert server.total <= 8 + 7 + 1
    assert len(rows_of(sheet_path(out, "plan"))) == 7
    assert rows_of(sheet_path(out, "describe"))[5]["reason"] == "dull"
