"""How commands end that something stops: one line, a status, and no trace."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from deadpan.base.errors import InputError
from deadpan.base.files import write_text
from deadpan.cli import listing, people
from tests.cli.conftest import Deadpan

COMMAND = (sys.executable, "-c", "from deadpan.cli import main; main()")


class Trouble(Exception):
    """Nothing that a user could mend."""


def _break(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def raises() -> list[str]:
        raise error

    monkeypatch.setattr(listing, "names", raises)


def test_a_bug_is_one_line_with_its_place_and_status_70(
    deadpan: Deadpan, monkeypatch: pytest.MonkeyPatch
) -> None:
    _break(monkeypatch, Trouble("of our\nown\x1b[2J"))
    monkeypatch.delenv("DEADPAN_DEBUG")
    done = deadpan("list")
    said = " ".join(done.err.split())
    assert done.code == 70
    assert "internal error: Trouble: of our own⟦U+001B⟧[2J (listing.py:" in said
    assert "DEADPAN_DEBUG=1" in said and "Traceback" not in said


def test_with_debug_a_bug_comes_through(deadpan: Deadpan, monkeypatch: pytest.MonkeyPatch) -> None:
    _break(monkeypatch, Trouble("of our own"))
    with pytest.raises(Trouble):
        deadpan("list")


def test_an_error_of_the_system_is_the_user_s_to_mend(
    deadpan: Deadpan, monkeypatch: pytest.MonkeyPatch
) -> None:
    _break(monkeypatch, PermissionError(13, "Permission denied", "/closed/place"))
    monkeypatch.delenv("DEADPAN_DEBUG")
    done = deadpan("list")
    assert (done.code, done.err.strip()) == (2, "error: /closed/place: Permission denied")


@pytest.mark.parametrize("arguments", [("list",), ("report", "answers.jsonl")])
def test_a_broken_package_of_the_core_leads_to_the_doctor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    monkeypatch.delenv("DEADPAN_DEBUG")
    (tmp_path / "polars.py").write_text("raise ImportError('libpolars.so is no library')")
    first = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); "
    done = subprocess.run(
        [sys.executable, "-c", first + COMMAND[2], *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert "libpolars.so is no library" in line and "`deadpan doctor`" in line


def test_a_module_that_is_missing_is_no_bug_of_ours_unless_it_is_ours(
    deadpan: Deadpan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DEADPAN_DEBUG")
    _break(monkeypatch, ModuleNotFoundError("No module named 'tqdm'", name="tqdm"))
    done = deadpan("list")
    assert done.code == 2 and "`deadpan doctor`" in done.err
    _break(monkeypatch, ImportError("cannot import name 'x'", name="deadpan.core"))
    assert deadpan("list").code == 70


def test_a_reader_that_leaves_is_no_error(tmp_path: Path) -> None:
    with subprocess.Popen(
        [*COMMAND, "list"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_what_an_encoding_lacks_is_replaced(encoding: str) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    done = subprocess.run([*COMMAND, "list"], env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"pixelhumor ? PixelHumor" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "closed", "code"),
    [
        ("list", ">&-", 0),
        ("list", "<&- >&- 2>&-", 0),
        ("lits", "2>&-", 2),
        ("data stats nothing", ">&- 2>&-", 2),
        ("run pixelhumor/presence --model baseline/random --store store", ">&- 2>&-", 0),
    ],
)
def test_closed_streams_lead_nowhere(
    tmp_path: Path, arguments: str, closed: str, code: int
) -> None:
    line = f'exec "$@" {arguments} {closed}'
    done = subprocess.run(
        ["sh", "-c", line, "sh", *COMMAND], cwd=tmp_path, capture_output=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (code, b"", b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
@pytest.mark.parametrize("arguments", ["list", "list --json -"])
def test_a_full_output_is_named(arguments: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DEADPAN_DEBUG")
    line = f'exec "$@" {arguments} >/dev/full'
    done = subprocess.run(
        ["sh", "-c", line, "sh", *COMMAND], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr.endswith("error: standard output: No space left on device\n")


def test_an_argument_that_is_no_text_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DEADPAN_DEBUG")
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run(
        [*COMMAND, "demo", "--out", "a b 中文"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2 and done.stderr.startswith("error: argument 'a b ")
    assert "PYTHONUTF8=1" in done.stderr and not list(tmp_path.iterdir())


def test_scores_go_into_a_pipe_and_do_not_replace_it(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(InputError, match="No such device"):
        write_text(pipe, "nobody reads")
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_text(pipe, "read 好")
    assert os.read(reader, 100).decode() == "read 好"
    os.close(reader)
    assert pipe.is_fifo()
    write_text(Path("/dev/null"), "gone")
    assert Path("/dev/null").is_char_device()


@pytest.mark.parametrize(
    ("place", "what"),
    [
        ("folder", "Is a directory"),
        ("file/scores.json", "is no folder"),
        ("loop", "symbolic links"),
        ("x" * 300, "File name too long"),
    ],
)
def test_places_that_cannot_be_written_are_told(
    deadpan: Deadpan,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    place: str,
    what: str,
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("kept")
    (tmp_path / "loop").symlink_to("loop")
    monkeypatch.setattr(people, "print_scores", lambda *_, **__: None)
    done = deadpan("agreement", "pixelhumor", "--json", tmp_path / place)
    assert done.code == 2
    assert what in " ".join(done.err.split())
    assert (tmp_path / "file").read_text() == "kept"


def test_typing_errors_get_a_suggestion(deadpan: Deadpan) -> None:
    for arguments, suggested in (
        (("run", "CFMS", "--model", "baseline/random"), "did you mean cfms?"),
        (("data", "stats", "pixelhumr"), "did you mean pixelhumor?"),
        (("run", "pixelhumor/styl", "--model", "baseline/random"), "did you mean style?"),
        (("run", "cfms/ident", "--model", "baseline/random"), "did you mean identification?"),
        (("resources", "get", "cilim"), "did you mean cilin"),
        (("rnu",), "did you mean run?"),
        (("data", "sats"), "Did you mean 'stats'?"),
    ):
        done = deadpan(*arguments)
        assert done.code == 2
        assert suggested in " ".join(done.err.split())
