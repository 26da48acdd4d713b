"""Which pictures are taken, where their results go, and which plan is whose."""

from pathlib import Path

import pytest

from deadpan.base.errors import InputError
from deadpan.editing.reappraise.plan import Origin, Plan, Proposed, write_plan
from deadpan.editing.reappraise.sources import found_sources, given_plans, places, require_untouched
from tests.editing.reappraise.stand_ins import write_memes


def write(path: Path, file: str, **more: Proposed) -> Path:
    write_plan(path, Plan(source=Origin(file=file, sha256="00" * 32), **more))
    return path


def test_a_folder_gives_its_pictures_by_name(tmp_path: Path) -> None:
    write_memes(tmp_path, 2)
    for name in (".hidden.png", "notes.txt", "B.JPG"):
        (tmp_path / name).write_bytes(b"x")
    (tmp_path / "folder.png").mkdir()
    assert [path.name for path in found_sources(tmp_path)] == ["00.png", "01.png", "B.JPG"]
    assert found_sources(tmp_path / "notes.txt") == [tmp_path / "notes.txt"]


def test_no_picture_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no pictures"):
        found_sources(tmp_path)
    with pytest.raises(InputError, match="no such picture or folder"):
        found_sources(tmp_path / "nothing.png")


def test_results_of_pictures_that_share_a_stem_stay_apart() -> None:
    sources = [Path("a.jpg"), Path("A.png"), Path("b.gif")]
    found = places(sources, Path("out"))
    assert [str(found[one].edited) for one in sources] == [
        "out/edited/a.jpg.png",
        "out/edited/A.png.png",
        "out/edited/b.png",
    ]
    assert found[sources[2]].plan == Path("out/plans/b.json")
    with pytest.raises(InputError, match="the same name"):
        places([Path("a.jpg"), Path("a.png"), Path("a.png.gif")], Path("out"))


def test_plans_are_found_by_the_picture_they_name(tmp_path: Path) -> None:
    sources = found_sources(write_memes(tmp_path / "in", 2))
    folder = tmp_path / "plans"
    first = write(folder / "x.json", "01.png")
    assert list(given_plans(first, sources)) == [sources[1]]
    assert list(given_plans(folder, sources)) == [sources[1]]
    write(folder / "y.json", "01.png")
    with pytest.raises(InputError, match=r"second plan for 01\.png"):
        given_plans(folder, sources)
    write(folder / "y.json", "../02.png")
    with pytest.raises(InputError, match=r"is for \.\./02\.png, which is not among"):
        given_plans(folder, sources)


def test_a_folder_without_plans_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no plans"):
        given_plans(tmp_path, [])


def test_a_plan_changed_by_hand_is_not_written_over(tmp_path: Path) -> None:
    results = places([Path("a.png")], tmp_path)
    require_untouched(results)
    write(tmp_path / "plans" / "a.json", "a.png", proposed=Proposed(captions=("x",)).with_seal())
    require_untouched(results)
    write(tmp_path / "plans" / "a.json", "a.png", proposed=Proposed(captions=("x",)))
    with pytest.raises(InputError, match=r"changed by hand .* --plan"):
        require_untouched(results)
