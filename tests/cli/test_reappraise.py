"""`deadpan reappraise`: options, exit status, what is printed and written."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from deadpan.base.errors import DeadpanError
from deadpan.cli import app
from deadpan.core.editors import Editor
from deadpan.editing.reappraise.plan import read_plan
from tests.editing.reappraise.stand_ins import Painter, Unwilling, planner, write_memes
from tests.model_server import ModelServer

MODEL = "openai-api/loopback/planner"


@pytest.fixture
def memes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DEADPAN_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return write_memes(tmp_path / "memes", 3)


@pytest.fixture
def editors(monkeypatch: pytest.MonkeyPatch) -> dict[str, Editor]:
    """The editors that can be found in a test, by name."""
    known: dict[str, Editor] = {"caption": Painter(name="caption"), "folder:x": Painter()}
    monkeypatch.setattr("deadpan.editing.find_editor", known.__getitem__)
    return known


def reappraise(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["reappraise", *map(str, arguments)])


def refused(*arguments: str | Path) -> str:
    """What the command says where it refuses to start."""
    result = reappraise(*arguments)
    assert isinstance(result.exception, DeadpanError), result.output
    return str(result.exception)


@pytest.mark.usefixtures("editors")
def test_a_caption_needs_no_model(memes: Path) -> None:
    result = reappraise(
        memes / "00.png", "--caption", "上面", "--caption", "下面", "--target", "calm"
    )
    assert result.exit_code == 0, result.output
    assert "1 meme: 1 edited" in result.output
    assert "wrote reappraised/edited and reappraised/side_by_side" in result.output
    plan = read_plan(Path("reappraised/plans/00.json"))
    assert plan.proposed and plan.proposed.captions == ("上面", "下面") and plan.language == "zh"
    assert plan.proposed.target == "calm"
    assert Path("reappraised/edited/00.png").is_file()
    assert Path("reappraised/side_by_side/00.png").is_file()


@pytest.mark.usefixtures("editors")
def test_a_folder_counts_and_continues(memes: Path, tmp_path: Path) -> None:
    (memes / "99.png").write_text("not a picture")
    result = reappraise(memes, "--caption", "Hi", "--out", tmp_path / "o")
    assert result.exit_code == 1
    assert "99.png: unreadable: " in result.output
    assert "4 memes: 3 edited, 1 unreadable" in result.output
    (memes / "99.png").unlink()
    result = reappraise(memes, "--caption", "Hi", "--out", tmp_path / "o")
    assert result.exit_code == 0
    assert "3 memes: 3 edited (3 of them by an earlier run)" in result.output


def test_an_editor_that_gives_nothing_ends_with_status_one(
    memes: Path, editors: dict[str, Editor]
) -> None:
    editors["caption"] = Unwilling(refuses=True)
    result = reappraise(memes, "--caption", "Hi")
    assert result.exit_code == 1
    assert (
        "00.png: refused: not this one" in result.output and "3 memes: 3 refused" in result.output
    )


def test_a_plan_is_reviewed_changed_and_taken_back(
    memes: Path, editors: dict[str, Editor], monkeypatch: pytest.MonkeyPatch
) -> None:
    with ModelServer(planner) as server:
        server.offer(monkeypatch)
        result = reappraise(memes, "--model", MODEL, "--review")
        assert result.exit_code == 0, result.output
    assert "3 memes: 3 planned" in result.output and "--plan reappraised/plans" in result.output
    assert not Path("reappraised/edited").exists()
    path = Path("reappraised/plans/01.json")
    whole = json.loads(path.read_text(encoding="utf-8"))
    whole["proposed"]["captions"] = ["Mine", "all mine"]
    path.write_text(json.dumps(whole), encoding="utf-8")

    said = refused(memes, "--caption", "Hi")
    assert "01.json: was changed by hand" in said and "--plan" in said

    result = reappraise(memes, "--plan", "reappraised/plans")
    assert result.exit_code == 0, result.output
    painter = editors["caption"]
    assert isinstance(painter, Painter)
    told = {one.source.name: one.captions for one in painter.asked}
    assert told["01.png"] == ("Mine", "all mine") and len(told) == 3


def test_one_plan_for_one_picture(memes: Path, editors: dict[str, Editor]) -> None:
    reappraise(memes / "02.png", "--caption", "Hi", "--review")
    result = reappraise(memes / "02.png", "--plan", "reappraised/plans/02.json")
    assert result.exit_code == 0 and "1 meme: 1 edited" in result.output


@pytest.mark.usefixtures("editors")
def test_a_wrong_plan_says_where_what_and_what_to_do(memes: Path) -> None:
    reappraise(memes / "02.png", "--caption", "Hi", "--review")
    path = Path("reappraised/plans/02.json")
    path.write_text(path.read_text().replace('"target": null', '"target": "glad"'))
    said = refused(memes / "02.png", "--plan", path)
    assert said == (
        f"{path} proposed.target: got \"glad\"; expected 'happy', 'calm', 'relaxed' or 'excited'. "
        "Correct the plan."
    )


@pytest.mark.usefixtures("editors")
@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "caption needs the new words"),
        (["--target", "happy"], "caption needs the new words"),
        (["--caption", "Hi", "--model", MODEL], "leaves a --model nothing to plan"),
        (["--plan", "x.json", "--caption", "Hi"], "--plan says it all"),
        (["--plan", "x.json"], "no such file"),
        (["--describe", "--caption", "Hi"], "--describe needs a --model"),
        (["--caption", "a\u202eb"], "--caption: it holds characters that cannot be seen"),
        (["--caption", "x" * 501], "--caption: String should have at most 500"),
        (["--model", "nobody/nothing"], "--model nobody/nothing"),
    ],
)
def test_options_that_make_no_sense_are_refused(memes: Path, options: list[str], said: str) -> None:
    assert said in refused(memes, *options)
    assert not Path("reappraised").exists()


def test_a_target_that_is_none_is_wrong_usage(memes: Path) -> None:
    result = reappraise(memes, "--caption", "Hi", "--target", "sad")
    assert result.exit_code == 2 and "happy" in result.output


def accept_all(stage: str) -> None:
    path = Path("reappraised/review") / f"{stage}.csv"
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows({**row, "decision": "accept"} for row in rows)


@pytest.mark.usefixtures("editors")
def test_stage_by_stage_to_data_that_is_scored(
    memes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ModelServer(planner) as server:
        server.offer(monkeypatch)
        result = reappraise(memes, "--model", MODEL, "--stage", "describe")
        assert result.exit_code == 0, result.output
        assert "3 memes: 3 described" in result.output
        assert "decide in reappraised/review/describe.csv" in result.output
        assert "then go on with --stage plan" in result.output
        waiting = reappraise(memes, "--model", MODEL, "--stage", "plan")
        assert waiting.exit_code == 0 and "3 memes: 3 waiting" in waiting.output
        assert "00.png: waiting: reappraised/review/describe.csv does not accept" in waiting.output
        accept_all("describe")
        assert "3 planned" in reappraise(memes, "--model", MODEL, "--stage", "plan").output
    accept_all("plan")
    assert "3 edited" in reappraise(memes, "--stage", "edit").output
    accept_all("edit")
    result = reappraise(memes, "--stage", "release")
    assert result.exit_code == 0, result.output
    assert "released 3 memes: reappraised/released" in result.output
    data = Path("reappraised/released")
    command = ["score", "merbench", "--data", data, "--edits", data, "--judge", "judge/lexical"]
    result = CliRunner().invoke(app, [*map(str, command), "--store", "answers"])
    assert result.exit_code == 0, result.output
    assert "caption" in result.output


@pytest.mark.usefixtures("editors")
@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--stage", "describe"], "--stage describe needs a --model"),
        (["--stage", "plan"], "--stage plan needs a --model"),
        (["--stage", "edit", "--caption", "Hi"], "--stage edit takes no --plan, --caption"),
        (["--stage", "edit", "--review"], "takes no --plan, --caption, --describe or --review"),
        (["--stage", "release"], "no meme was accepted in all three stages"),
    ],
)
def test_options_that_do_not_go_with_a_stage(memes: Path, options: list[str], said: str) -> None:
    assert said in refused(memes, *options)
    assert not Path("reappraised/plans").exists()


@pytest.mark.usefixtures("editors")
def test_no_picture_is_told(memes: Path, tmp_path: Path) -> None:
    assert "no such picture or folder" in refused(tmp_path / "none.png", "--caption", "Hi")
    (tmp_path / "empty").mkdir()
    assert "holds no pictures" in refused(tmp_path / "empty", "--caption", "Hi")


@pytest.mark.usefixtures("editors")
def test_an_editor_with_words_of_its_own_needs_no_caption(memes: Path) -> None:
    result = reappraise(memes, "--editor", "folder:x", "--target", "happy")
    assert result.exit_code == 0, result.output


def test_the_shipped_editor_letters_a_caption(memes: Path, tmp_path: Path) -> None:
    from PIL import Image, ImageDraw

    from deadpan.media.fonts import lettering
    from deadpan.media.ocr import read_text

    pytest.importorskip("rapidocr")
    meme = Image.new("RGB", (640, 480), "#6a9fb5")
    draw = ImageDraw.Draw(meme)
    draw.text((320, 60), "MONDAY AGAIN", font=lettering(60, "A"), fill="white", anchor="mm")
    draw.ellipse((220, 180, 420, 400), fill="#f2c14e")
    meme.save(memes / "meme.png")
    result = reappraise(memes / "meme.png", "--caption", "HELLO FRIDAY", "--target", "excited")
    assert result.exit_code == 0, result.output
    words = " ".join(box.text for box in read_text(Path("reappraised/edited/meme.png"))).upper()
    assert "FRIDAY" in words and "MONDAY" not in words
