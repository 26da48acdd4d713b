"""Folders of memes reappraised: every ending, what is reused, what is written."""

import json
from collections import Counter
from pathlib import Path

import pytest
from PIL import Image

from deadpan.base.errors import InputError
from deadpan.core.editors import Editor
from deadpan.editing.reappraise import Done, Reappraisal, Wish
from deadpan.editing.reappraise.plan import Plan, read_plan
from deadpan.editing.reappraise.sources import found_sources, given_plans, places
from deadpan.editing.received import FolderEditor
from deadpan.editing.remote import Unusable
from deadpan.engine.asker import Asker
from deadpan.engine.run import simple_asker
from tests.editing.reappraise.stand_ins import (
    DESCRIBED,
    DESCRIBED_ZH,
    Painter,
    Unwilling,
    awkward,
    planner,
    write_memes,
)
from tests.model_server import ModelServer

MODEL = "openai-api/loopback/planner"
WORDS = Wish(captions=("Hello there",), target="happy")


def planning(out: Path) -> Asker:
    """A model on loopback that keeps its answers beside what is written."""
    return simple_asker(MODEL, out.parent / "answers")


@pytest.fixture
def memes(tmp_path: Path) -> Path:
    return write_memes(tmp_path / "memes", 3)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


def run(
    source: Path,
    out: Path,
    editor: Editor | None,
    wish: Wish = WORDS,
    asker: Asker | None = None,
    plans: Path | None = None,
) -> list[Done]:
    sources = found_sources(source)
    given = given_plans(plans, sources) if plans else None
    return Reappraisal(editor, wish, places(sources, out), asker, given).run()


def endings(done: list[Done]) -> dict[str, str]:
    return {one.source.name: one.ending for one in done}


def written(out: Path) -> list[str]:
    return sorted(str(path.relative_to(out)) for path in out.rglob("*") if path.is_file())


def test_each_meme_gets_an_edit_a_sheet_and_a_plan(memes: Path, out: Path) -> None:
    editor = Painter()
    done = run(memes, out, editor)
    assert [one.ending for one in done] == ["edited"] * 3 and not any(one.reused for one in done)
    assert written(out) == sorted(
        f"{folder}/0{number}.{ending}"
        for number in range(3)
        for folder, ending in (("edited", "png"), ("plans", "json"), ("side_by_side", "png"))
    )
    with Image.open(out / "edited" / "00.png") as image:
        assert image.getpixel((3, 3)) == (255, 215, 0) and image.size == (64, 48)
    plan = read_plan(out / "plans" / "00.json")
    assert plan.status == "edited" and plan.described is None and plan.source.file == "00.png"
    assert plan.proposed and plan.proposed.by == "person" and plan.proposed.target == "happy"
    assert plan.edited and plan.edited.editor == "painter"
    assert {one.captions for one in editor.asked} == {("Hello there",)}


def test_finished_work_is_reused_until_something_it_depends_on_changes(
    memes: Path, out: Path
) -> None:
    editor = Painter()
    run(memes, out, editor)
    assert all(one.reused for one in run(memes, out, editor)) and len(editor.asked) == 3
    Image.new("RGB", (64, 48), "white").save(memes / "01.png")
    (out / "edited" / "02.png").write_bytes(b"damaged")
    (out / "side_by_side" / "00.png").unlink()
    done = run(memes, out, editor)
    assert [one.reused for one in done] == [True, False, False] and len(editor.asked) == 5
    assert (out / "side_by_side" / "00.png").is_file(), "a lost sheet is drawn again"
    assert not any(one.reused for one in run(memes, out, editor, Wish(captions=("Other",))))
    other = Painter(name="another painter", colour="navy")
    assert not any(one.reused for one in run(memes, out, other, Wish(captions=("Other",))))


def test_an_edit_replaced_in_its_folder_is_taken_anew(memes: Path, out: Path) -> None:
    edits = write_memes(memes.parent / "edits", 3)
    editor = FolderEditor(edits)
    run(memes, out, editor, Wish())
    Image.new("RGB", (64, 48), "white").save(edits / "01.png")
    assert [one.reused for one in run(memes, out, editor, Wish())] == [True, False, True]
    with Image.open(out / "edited" / "01.png") as image:
        assert image.getpixel((0, 0)) == (255, 255, 255)


def test_awkward_pictures_end_as_they_should_and_stop_no_other(tmp_path: Path, out: Path) -> None:
    expected = awkward(tmp_path / "awkward")
    done = run(tmp_path / "awkward", out, Painter())
    assert endings(done) == expected
    for one in done:
        plan = out / "plans" / f"{one.source.stem}.json"
        if one.ending == "unreadable":
            assert one.source.name in one.reason and not plan.exists()
            continue
        assert read_plan(plan).status == "edited"
        with Image.open(out / "edited" / f"{one.source.stem}.png") as image:
            assert image.mode == "RGB"
            assert image.size == {"turned": (40, 60), "tiny": (1, 1)}.get(one.source.stem, (60, 40))


def test_another_size_is_written_as_it_came(memes: Path, out: Path, tmp_path: Path) -> None:
    edits = tmp_path / "edits"
    edits.mkdir()
    for number in range(3):
        Image.new("RGB", (100, 30), "green").save(edits / f"0{number}.png")
    done = run(memes, out, FolderEditor(edits), Wish())
    assert done[0].notes == ("the edited picture is 100 × 30, the source 64 × 48",)
    with Image.open(out / "edited" / "00.png") as image:
        assert image.size == (100, 30)
    plan = read_plan(out / "plans" / "00.json")
    assert plan.edited and plan.edited.notes == done[0].notes


@pytest.mark.parametrize(("refuses", "ending"), [(True, "refused"), (False, "not_edited")])
def test_an_editor_that_gives_nothing_is_told_and_leaves_nothing_stale(
    memes: Path, out: Path, refuses: bool, ending: str
) -> None:
    run(memes, out, Painter())
    done = run(memes, out, Unwilling(refuses))
    assert {one.ending for one in done} == {ending}
    assert written(out) == [f"plans/0{number}.json" for number in range(3)]
    plan = read_plan(out / "plans" / "01.json")
    assert plan.status == "failed" and plan.edited is None
    assert plan.problem == done[1].reason == ("not this one" if refuses else "it gave no picture")
    assert [one.ending for one in run(memes, out, Painter())] == ["edited"] * 3


def test_what_would_fail_for_all_ends_the_run(memes: Path, out: Path) -> None:
    class Keyless(Painter):
        def edit(self, instruction: object) -> None:  # type: ignore[override]
            self.asked.append(instruction)  # type: ignore[arg-type]
            raise Unusable("no key")

    editor = Keyless()
    with pytest.raises(Unusable, match="no key"):
        Reappraisal(editor, WORDS, places(found_sources(memes), out), at_once=1).run()  # type: ignore[arg-type]
    assert len(editor.asked) == 1


def test_a_model_describes_and_plans_and_is_paid_once(
    memes: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor = Painter()
    with ModelServer(planner) as server:
        server.offer(monkeypatch)
        done = run(memes, out, editor, Wish(), planning(out))
        assert Counter(one.ending for one in done) == {"edited": 3} and server.total == 6
        again = run(memes, out, editor, Wish(), planning(out))
        assert all(one.reused for one in again) and server.total == 6
    told = editor.asked[0]
    assert (told.emotion, told.target, told.old_caption) == ("bored", "excited", "Monday\nagain")
    assert told.captions == ("Monday!", "A fresh start")
    plan = read_plan(out / "plans" / "02.json")
    assert plan.described and plan.described.by == MODEL == (plan.proposed and plan.proposed.by)


def test_a_chinese_meme_is_planned_in_chinese(
    memes: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prompts: list[str] = []

    def answer(picture: str, prompt: str) -> str:
        prompts.append(prompt)
        if "又是周一" in prompt:
            return planner(picture, prompt)
        return json.dumps(DESCRIBED_ZH, ensure_ascii=False)

    editor = Painter()
    with ModelServer(answer) as server:
        server.offer(monkeypatch)
        done = run(memes / "00.png", out, editor, Wish(), planning(out))
    assert done[0].ending == "edited" and "请计划" in prompts[1]
    assert editor.asked[0].captions == ("新的一周",) and editor.asked[0].language == "zh"


def test_a_model_that_fails_or_refuses_stops_no_other(
    memes: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = ["I'm sorry, but I can't assist with that."] * 3 + ["Purple."] * 3

    def answer(picture: str, prompt: str) -> str:
        return script.pop(0) if script else planner(picture, prompt)

    with ModelServer(answer) as server:
        server.offer(monkeypatch)
        sources = places(found_sources(memes), out)
        done = Reappraisal(Painter(), Wish(), sources, planning(out), at_once=1).run()
    assert [one.ending for one in done] == ["refused", "not_planned", "edited"]
    plan = read_plan(out / "plans" / "01.json")
    assert plan.status == "failed" and "no usable reply in 3 attempts" in (plan.problem or "")


def test_stages_are_given_to_people_and_taken_back(
    memes: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plans = out / "plans"
    with ModelServer(planner) as server:
        server.offer(monkeypatch)
        done = run(memes, out, None, Wish(stop="described"), planning(out))
        assert {one.ending for one in done} == {"described"} and server.total == 3
        plan = read_plan(plans / "00.json")
        assert plan.status == "described" and plan.proposed is None
        change(plans / "00.json", "described", "emotion", "sad")

        def answer(picture: str, prompt: str) -> str:
            found = json.loads(planner(picture, prompt))
            wanted = "happy" if "feel happy" in prompt else "excited"
            return json.dumps({**found, "target": wanted})

        server.answer = answer
        done = run(memes, out, None, Wish(stop="planned"), planning(out), plans)
        assert {one.ending for one in done} == {"planned"} and server.total == 6
    plan = read_plan(plans / "00.json")
    assert plan.proposed and plan.proposed.target == "happy"
    assert plan.described and plan.described.by == f"{MODEL}, changed by hand"
    assert written(out) == [f"plans/0{number}.json" for number in range(3)]

    change(plans / "01.json", "proposed", "captions", ["My own words"])
    editor = Painter()
    done = run(memes, out, editor, Wish(), None, plans)
    assert {one.ending for one in done} == {"edited"}
    told = {one.source.name: one.captions for one in editor.asked}
    assert told["01.png"] == ("My own words",) and told["00.png"] == ("Monday!", "A fresh start")
    by = {number: read_plan(plans / f"0{number}.json") for number in range(3)}
    assert _proposed_by(by[1]) == f"{MODEL}, changed by hand" and _proposed_by(by[2]) == MODEL


def _proposed_by(plan: Plan) -> str:
    assert plan.proposed
    return plan.proposed.by


def change(path: Path, stage: str, name: str, value: object) -> None:
    whole = json.loads(path.read_text(encoding="utf-8"))
    whole[stage][name] = value
    path.write_text(json.dumps(whole), encoding="utf-8")


def test_a_plan_for_another_picture_or_without_a_second_stage_is_told(
    memes: Path, out: Path
) -> None:
    run(memes, out, None, Wish(captions=("Hi",), stop="planned"))
    Image.new("RGB", (64, 48), "white").save(memes / "01.png")
    whole = json.loads((out / "plans" / "02.json").read_text())
    (out / "plans" / "02.json").write_text(json.dumps({**whole, "proposed": None}))
    done = run(memes, out, Painter(), Wish(), None, out / "plans")
    assert [one.ending for one in done] == ["edited", "not_planned", "not_planned"]
    assert "made for another 01.png" in done[1].reason
    assert "without its second stage" in done[2].reason


def test_a_full_disk_ends_the_run_with_what_to_do(memes: Path, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file where a folder should be")
    with pytest.raises(InputError, match="cannot be written"):
        run(memes, tmp_path / "out", Painter())


def test_the_description_is_kept_when_planning_fails(
    memes: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer(picture: str, prompt: str) -> str:
        return json.dumps(DESCRIBED) if "Look at this meme" in prompt else "Purple."

    with ModelServer(answer) as server:
        server.offer(monkeypatch)
        (done,) = run(memes / "00.png", out, Painter(), Wish(), planning(out))
        assert done.ending == "not_planned" and server.total == 4
        plan = read_plan(out / "plans" / "00.json")
        assert plan.described and plan.described.emotion == "bored" and plan.proposed is None
        server.answer = planner
        (done,) = run(memes / "00.png", out, Painter(), Wish(), planning(out))
        assert done.ending == "edited" and server.total == 5
