"""PixelHumor's files from its repository: by raw addresses, at one commit, checksums known."""

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from deadpan.base.errors import DeadpanError, InputError
from deadpan.benchmarks import find
from deadpan.benchmarks.pixelhumor.release import RELEASE
from deadpan.cli import app
from deadpan.collecting.releases import Gotten, Selection, Watcher, get_release, read_lock
from deadpan.core.release import RepositoryData
from tests.collecting.fetch.loopback import Reply, Site

Get = Callable[..., Gotten]
assert isinstance(RELEASE.source, RepositoryData)
SOURCE = RELEASE.source
COMMIT = "feedfacefeedfacefeedfacefeedfacefeedface"
RAW = f"/raw/{SOURCE.repository}/{{}}/{SOURCE.folder}/{{}}"
MINI_SET = find("pixelhumor").folder / "data"
FILES = {path.name: path.read_bytes() for path in MINI_SET.glob("*.csv")}


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """The repository on the loopback interface: its main branch is the mini-set's files."""
    made = Site()
    monkeypatch.setenv("DEADPAN_GITHUB_RAW", f"{made.base}/raw")
    monkeypatch.setenv("DEADPAN_GITHUB_API", f"{made.base}/api/")
    told = json.dumps({"node_id": "x", "sha": COMMIT}).encode()
    made.put(f"/api/repos/{SOURCE.repository}/commits/main", Reply(body=told))
    serve(made, COMMIT, FILES)
    yield made
    made.close()


def serve(site: Site, commit: str, files: dict[str, bytes]) -> None:
    for name, data in files.items():
        site.put(RAW.format(commit, name), Reply(body=data, kind="text/plain"))


def test_every_file_of_a_branch_comes_at_its_commit(site: Site, get: Get, said: list[str]) -> None:
    folder = get("annotations", name="pixelhumor", revision="main").folder
    assert {path.name for path in folder.glob("*.csv")} == set(FILES) == set(SOURCE.files)
    assert find("pixelhumor").read(folder).checksum == find("pixelhumor").read(None).checksum
    assert said[:2] == [
        f"https://github.com/{SOURCE.repository} at {COMMIT}",
        "licence: not stated",
    ]
    assert "belong to their owners" in said[2]
    lock = read_lock(folder)
    assert lock is not None and (lock.revision, lock.commit) == ("main", COMMIT)
    for name, file in lock.files.items():
        assert file.sha256 == hashlib.sha256(FILES[name]).hexdigest()
    asked = site.asked()
    get("annotations", name="pixelhumor")
    assert site.asked() == asked, "a second run asks for nothing"


def test_a_broken_answer_is_asked_for_again_and_a_broken_run_gone_on_with(
    site: Site, get: Get, tmp_path: Path
) -> None:
    path = RAW.format(COMMIT, "metadata.csv")
    data = FILES["metadata.csv"]
    site.put(path, Reply(body=data, cut=100), Reply(503), Reply(body=data))
    other = RAW.format(COMMIT, "objective_label.csv")
    site.put(other, Reply(404))
    with pytest.raises(InputError, match=r"objective_label.csv: cannot be fetched .*HTTP 404"):
        get("annotations", name="pixelhumor", revision="main")
    assert (tmp_path / "data" / "metadata.csv").read_bytes() == data
    site.put(other, Reply(body=FILES["objective_label.csv"]))
    before = site.asked()
    get("annotations", name="pixelhumor")  # the commit is known by now
    asked = site.asked() - before
    assert set(asked) == {other, RAW.format(COMMIT, "subjective_label.csv")}


def test_the_known_commit_has_known_checksums(site: Site, get: Get, tmp_path: Path) -> None:
    serve(site, SOURCE.revision, FILES)  # other files than were released
    with pytest.raises(InputError, match=r"annotation.csv: has the SHA-256 .* expected d2b65"):
        get("annotations", name="pixelhumor")
    assert not list((tmp_path / "data").glob("*.csv"))


def test_the_release_comes_by_default(site: Site, get: Get, released: Path) -> None:
    serve(site, SOURCE.revision, {name: (released / name).read_bytes() for name in SOURCE.files})
    dataset = find("pixelhumor").read(get("annotations", name="pixelhumor").folder)
    assert dataset.checksum == find("pixelhumor").released and len(dataset.records) == 2800


def test_a_folder_that_came_in_another_way_is_left_as_it_is(
    site: Site, get: Get, said: list[str], tmp_path: Path
) -> None:
    own = tmp_path / "data" / "full_label.csv"
    own.parent.mkdir()
    own.write_bytes(FILES["full_label.csv"])
    get(name="pixelhumor")
    assert site.asked() == {} and "left as they are" in said[0]
    own.write_text("mine")
    serve(site, SOURCE.revision, FILES)
    with pytest.raises(InputError, match="is another file than the release's"):
        get("annotations", name="pixelhumor")
    assert own.read_text() == "mine"


@pytest.mark.parametrize(
    ("body", "told"),
    [(b"[]", "does not tell a commit"), (b'{"sha": "main"}', "does not tell"), (b"<", "does not")],
)
def test_a_branch_that_is_no_commit_is_told(site: Site, get: Get, body: bytes, told: str) -> None:
    site.put(f"/api/repos/{SOURCE.repository}/commits/main", Reply(body=body))
    with pytest.raises(InputError, match=told):
        get("annotations", name="pixelhumor", revision="main")


def test_what_cannot_be_had_is_told(site: Site, get: Get) -> None:
    with pytest.raises(DeadpanError, match="expected a branch, tag or commit"):
        get(name="pixelhumor", revision="../../x?y")
    with pytest.raises(InputError, match="HTTP 404"):
        get("annotations", name="pixelhumor", revision="v9")
    with pytest.raises(DeadpanError, match=r"--only \*.json: expected some of annotations, media"):
        get("*.json", name="pixelhumor")
    with pytest.raises(DeadpanError, match="no model's answers are released"):
        get("annotations", name="pixelhumor", models=("all",))
    with pytest.raises(InputError, match="--allow-private asks it"):
        get("annotations", name="pixelhumor", revision="main", private=False)


def test_the_command_gets_annotations_then_comics(site: Site, tmp_path: Path) -> None:
    listed = "comic_id,comic_url\n" + "".join(
        f"deadpan_{number},{site.base}/comic{number}.png\n" for number in (1, 2)
    )
    serve(site, COMMIT, FILES | {"comic_url.csv": listed.encode()})
    picture = MINI_SET / "images" / "deadpan_1.png"
    site.put("/comic1.png", Reply(body=picture.read_bytes(), kind="image/png"))
    folder = tmp_path / "comics"
    command = ["data", "get", "pixelhumor", "--data", str(folder), "--revision", "main"]
    more = ["--interval", "0", "--allow-private"]
    result = CliRunner().invoke(app, [*command, *more])
    assert result.exit_code == 0, result.output
    assert "licence: not stated" in result.output and "35 items, checksum" in result.output
    assert "1 done, 0 robots, 1 gone" in result.output
    assert (folder / "images" / "deadpan_1.png").read_bytes() == picture.read_bytes()
    part = CliRunner().invoke(app, [*command, "--only", "annotations", "--limit", "3"])
    assert isinstance(part.exception, DeadpanError) and "--limit: no use" in str(part.exception)


@pytest.mark.parametrize("benchmark", ["pixelhumor", "merbench", "vimu"])
def test_a_typo_is_told_before_anything_is_looked_for(tmp_path: Path, benchmark: str) -> None:
    wanted = Selection(only=("anotations",))
    with pytest.raises(DeadpanError, match=r"--only anotations: .*; did you mean annotations"):
        get_release(find(benchmark), tmp_path, wanted, Watcher())


def test_models_are_no_part_of_a_release_without_answers(tmp_path: Path) -> None:
    with pytest.raises(DeadpanError, match="--models: no model's answers"):
        get_release(find("vimu"), tmp_path, Selection(models=("a",)), Watcher())
