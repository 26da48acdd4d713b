"""Data from the hub: one commit, gone on with where it broke, checked, never over other files."""

import hashlib
import json
import os
import shutil
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from deadpan.base.errors import DeadpanError, InputError
from deadpan.benchmarks import find
from deadpan.cli import app
from deadpan.collecting.releases import Gotten, read_lock
from deadpan.collecting.releases import hub as hub_module
from deadpan.collecting.releases.lock import NAME
from tests.collecting.releases.stand_in_hub import COMMIT, LATER, StandInHub, mini_set

Get = Callable[..., Gotten]
MEMES = len(find("merbench").read(None).records)


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library's own pauses between attempts take no time."""
    monkeypatch.setattr("time.sleep", lambda seconds: None)


def test_annotations_and_media_come_as_they_are_read(
    hub: StandInHub, get: Get, said: list[str], tmp_path: Path
) -> None:
    gotten = get()
    dataset = find("merbench").read(gotten.folder)
    assert dataset.checksum == find("merbench").read(None).checksum
    assert len(dataset.media) == MEMES and all(Path(path).is_file() for path in dataset.media)
    folder = tmp_path / "data"
    assert sorted(path.name for path in folder.iterdir()) == [
        "Original", NAME, "index_final.json",
    ]  # fmt: skip
    assert said[0] == f"https://huggingface.co/datasets/LeoReverse/17nie at {COMMIT}"
    assert said[1] == "licence: mit, by its card" and said[2].startswith("note: ")
    assert "caption, Odd [1]" in said[3] or "Odd [1], caption" in said[3]
    assert said[4].startswith(f"{MEMES + 1} files, 0 of them in ")


def test_the_lock_tells_commit_licence_and_checksums(hub: StandInHub, get: Get) -> None:
    lock = read_lock(get().folder)
    assert lock is not None
    about = (lock.benchmark, lock.revision, lock.commit, lock.licence)
    assert about == ("merbench", "main", COMMIT, "mit, by its card")
    assert len(lock.files) == MEMES + 1
    for name, file in lock.files.items():
        data = hub.files[name]
        assert (file.size, file.sha256) == (len(data), hashlib.sha256(data).hexdigest())


def test_a_second_run_asks_for_no_file_and_keeps_the_commit(
    hub: StandInHub, get: Get, said: list[str]
) -> None:
    get()
    hub.requests.clear()
    hub.commit = LATER  # main has moved on
    gotten = get()
    assert hub.downloads() == [] and gotten.lock is not None and gotten.lock.commit == COMMIT
    assert "nothing to fetch" in said[-1]
    with pytest.raises(InputError, match=f"holds commit {COMMIT[:12]}, not {LATER[:12]}"):
        get(revision="main")


def test_a_part_then_the_rest(hub: StandInHub, get: Get) -> None:
    folder = get("annotations").folder
    assert not (folder / "Original").exists() and (folder / "index_final.json").is_file()
    get("Original/1*.png")
    some = {path.name for path in (folder / "Original").iterdir()}
    assert some and all(name.startswith("1") for name in some)
    hub.requests.clear()
    get("media")
    again = {Path(path).name for path in hub.downloads()}
    assert not again & some and len(again) + len(some) == MEMES
    lock = read_lock(folder)
    assert lock is not None and len(lock.files) == MEMES + 1


def test_models_answers_come_by_name(hub: StandInHub, get: Get) -> None:
    folder = get("annotations", models=("Odd [1]",)).folder
    assert [path.name for path in (folder / "EditedResults").iterdir()] == ["Odd [1]"]
    get("annotations", models=("all",))
    made = {path.name for path in (folder / "EditedResults").iterdir()}
    assert made == {"Odd [1]", "caption"}
    with pytest.raises(DeadpanError, match=r"--models captoin: expected all or one of .*caption\?"):
        get("annotations", models=("captoin",))


def test_a_connection_that_breaks_in_the_middle_of_a_file_goes_on_there(
    hub: StandInHub, get: Get
) -> None:
    name = "Original/1.png"
    hub.files[name] = os.urandom(1 << 20) * 12  # larger than the pieces that are written at once
    hub.cuts = {name: [11 << 20]}
    folder = get(name).folder
    assert (folder / name).read_bytes() == hub.files[name]
    ranges = [asked for method, path, asked in hub.requests if asked]
    assert ranges and all(asked == f"bytes={10 << 20}-" for asked in ranges)


def test_a_run_that_broke_off_is_gone_on_with(hub: StandInHub, get: Get, tmp_path: Path) -> None:
    hub.after = 10
    with pytest.raises(InputError, match=r"broke off after \d+ of 29 files .* same command again"):
        get()
    lock = read_lock(tmp_path / "data")
    assert lock is not None and lock.commit == COMMIT and not lock.files
    kept = {path.name for path in (tmp_path / "data" / "Original").glob("*.png")}
    hub.after, hub.commit = None, LATER
    hub.requests.clear()
    gotten = get()
    assert len(find("merbench").read(gotten.folder).records) == MEMES
    assert kept and not kept & {Path(path).name for path in hub.downloads()}
    assert gotten.lock is not None and gotten.lock.commit == COMMIT


def test_what_comes_otherwise_than_listed_is_removed(
    hub: StandInHub, get: Get, tmp_path: Path
) -> None:
    name = "Original/1.png"
    hub.lies = {name: bytes(len(hub.files[name]))}  # the right size
    with pytest.raises(InputError, match="did not come as the hub lists it, and was removed"):
        get(name)
    assert not (tmp_path / "data" / name).exists()
    hub.lies = {"index_final.json": b" " * len(hub.files["index_final.json"])}
    with pytest.raises(InputError, match="did not come as the hub lists it"):
        get("annotations")
    hub.lies = {}
    assert (get("annotations", name).folder / name).read_bytes() == hub.files[name]


def test_a_file_of_the_users_own_is_not_overwritten(
    hub: StandInHub, get: Get, tmp_path: Path
) -> None:
    own = tmp_path / "data" / "index_final.json"
    own.parent.mkdir()
    own.write_text("[]")
    with pytest.raises(InputError, match="is another file than the release's"):
        get()
    assert own.read_text() == "[]" and hub.downloads() == []
    own.write_bytes(hub.files["index_final.json"])  # the same is the same, whoever put it there
    get("annotations")
    assert hub.downloads() == []


@pytest.mark.parametrize(
    ("status", "told"),
    [
        ((401, "RepoNotFound"), r"does not let us in \(HTTP 401\).* HF_TOKEN"),
        ((401, ""), r"does not let us in \(HTTP 401\)"),
        ((403, "GatedRepo"), "is gated.*accept"),
        ((403, ""), r"does not let us in \(HTTP 403\)"),
        ((404, "RepoNotFound"), "private, or gone"),
        ((500, ""), r"answers with HTTP 500 \(.*try again"),
    ],
)
def test_what_the_hub_refuses_is_told(
    hub: StandInHub, get: Get, status: tuple[int, str], told: str, tmp_path: Path
) -> None:
    hub.status = status
    with pytest.raises(InputError, match=told):
        get()
    assert not (tmp_path / "data").exists()


def test_an_unknown_revision_is_told(hub: StandInHub, get: Get) -> None:
    with pytest.raises(InputError, match="there is no revision v9"):
        get(revision="v9")


def test_a_hub_that_says_nothing_is_not_waited_for(
    get: Get, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{silent.getsockname()[1]}")
        monkeypatch.setattr("deadpan.collecting.releases.hub._PATIENCE", 0.5)
        with pytest.raises(InputError, match=r"cannot be reached \(no reply in 0.5 seconds\)"):
            get()


def test_no_network_is_told(get: Get, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(InputError, match=r"cannot be reached .*Check the network"):
        get()


def test_no_licence_is_said_to_be_not_stated(hub: StandInHub, get: Get, said: list[str]) -> None:
    hub.licence = None
    get("annotations")
    assert said[1] == "licence: not stated"


def test_no_room_is_told_before_anything_comes(
    hub: StandInHub, get: Get, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage("/")._replace(free=1000)
    monkeypatch.setattr("shutil.disk_usage", lambda path: usage)
    with pytest.raises(InputError, match=r"needs .* and its disk has 1\.0 kB left"):
        get()
    assert hub.downloads() == []


@pytest.mark.parametrize("path", ["../up.png", "/etc/x", "a\\..\\b.png", "C:/x.png", "a\n.png"])
def test_a_path_that_leads_elsewhere_stops_everything(
    hub: StandInHub, get: Get, path: str, tmp_path: Path
) -> None:
    hub.listed = {"Original/1.png": path}
    with pytest.raises(InputError, match="leads elsewhere"):
        get()
    assert hub.downloads() == [] and not (tmp_path / "data").exists()


def test_a_tree_of_many_pages_is_read_whole(hub: StandInHub, get: Get) -> None:
    hub.page = 5
    assert len(find("merbench").read(get().folder).records) == MEMES


def test_a_layout_one_folder_down_is_found(hub: StandInHub, get: Get, tmp_path: Path) -> None:
    hub.files = {f"data/{name}": data for name, data in hub.files.items()}
    gotten = get()
    assert gotten.folder == tmp_path / "data" / "data"
    assert len(find("merbench").read(gotten.folder).records) == MEMES


def test_archives_and_another_layout_are_told(hub: StandInHub, get: Get) -> None:
    kept = {name: data for name, data in hub.files.items() if not name.startswith("Original")}
    hub.files = kept | {"Original.zip": b"PK"}
    with pytest.raises(InputError, match=r"media: no file is Original/\*.*--only 'Original.zip'"):
        get()
    hub.files = {"README.md": b"moved"}
    with pytest.raises(InputError, match=r"has no index_final\.json; it holds README\.md"):
        get()
    with pytest.raises(InputError, match=r"has no index_final\.json"):
        get("*.md")


def test_a_pattern_that_fits_nothing_is_told(hub: StandInHub, get: Get) -> None:
    with pytest.raises(InputError, match=r"--only video/\*: no file is video/\*; there are "):
        get("video/*")


def test_a_folder_of_something_else_is_not_used(hub: StandInHub, get: Get, tmp_path: Path) -> None:
    get("annotations")
    with pytest.raises(InputError, match=r"holds merbench from https://huggingface\.co"):
        get(name="vimu")
    path = tmp_path / "data" / NAME
    path.write_text(json.dumps({**json.loads(path.read_text()), "commit": "main"}))
    with pytest.raises(InputError, match=r"commit: .*Remove it"):
        get()


def test_vimu_comes_with_its_videos(
    get: Get, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    with StandInHub("LIQIIIII/ViMU", mini_set("vimu") | {"metadata/README.md": b"#"}) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.address)
        dataset = find("vimu").read(get(name="vimu").folder)
        with pytest.raises(DeadpanError, match="no model's answers are released"):
            get(name="vimu", models=("all",))
    assert dataset.checksum == find("vimu").read(None).checksum
    assert all(Path(path).is_file() for path in dataset.media)


@pytest.mark.parametrize(("name", "file"), [("janusmm", "memes.jsonl"), ("cfms", "pairs.jsonl")])
def test_what_is_not_released_says_so_and_what_to_do(get: Get, name: str, file: str) -> None:
    with pytest.raises(DeadpanError) as told:
        get(name=name)
    text = str(told.value)
    assert text.startswith(f"{name}: no release of its data is known") and file in text
    assert "mini-set" in text and f"deadpan data verify {name} --data DIR" in text
    form = find(name).read(None).records[0].row
    assert all(field in text for field, info in type(form).model_fields.items()
               if info.is_required())  # fmt: skip


def test_without_the_library_the_extra_is_named(get: Get, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(hub_module.importlib, "import_module", missing)
    with pytest.raises(DeadpanError, match=r'pip install "deadpan\[data\]"'):
        get()


def test_the_command_gets_verifies_and_goes_on(
    hub: StandInHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a user does it: HF_ENDPOINT in the environment, a folder of the command's own choice."""
    monkeypatch.chdir(tmp_path)
    script = "from deadpan.cli import main; main()"
    command = [sys.executable, "-c", script, "data", "get", "merbench"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "deadpan run merbench --data data/merbench --model …" in done.stdout
    assert done.stdout.index("licence: mit") < done.stdout.index("to fetch")

    def deadpan(*arguments: str) -> Result:
        return CliRunner().invoke(app, ["data", *arguments])

    picture = tmp_path / "data" / "merbench" / "Original" / "1.png"
    picture.write_bytes(picture.read_bytes() + b"\0")
    verified = deadpan("verify", "merbench", "--data", "data/merbench").output
    assert "Original/1.png: fetched file changed: SHA-256 begins" in verified
    assert "is not overwritten" in str(deadpan("get", "merbench").exception)
    picture.unlink()
    verified = deadpan("verify", "merbench", "--data", "data/merbench").output
    assert "Original/1.png: fetched file missing" in verified
    assert deadpan("get", "merbench").exit_code == 0
    assert Counter(hub.downloads())["/cdn/Original/1.png"] == 2
    refused = deadpan("get", "merbench", "--limit", "3")
    assert "--limit: no use where no media are" in str(refused.exception)
