"""Every block of code and every command of the documentation, run as it stands there.

A page is run from its top in a folder of its own, in which `data/` lies as `deadpan data get`
leaves it (the mini-sets). Models answer from a server on loopback; numbers that stand in a page
below a command are what was printed, with `…` for what differs from time to time.
"""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml

from deadpan.benchmarks import BUILT_IN, find
from tests.docs.blocks import OTHER, Block, blocks_of
from tests.docs.model_host import ModelHost
from tests.docs.packages import SITE
from tests.docs.programs import NAMES, ROOT, put_program

DOCS = ROOT / "docs"
TRANSLATED = {path: DOCS / path.name for path in sorted((DOCS / "zh").glob("*.md"))}
"""Pages in Chinese, which have the blocks of the English ones, and those."""
PAGES = [
    *sorted(path for path in DOCS.rglob("*.md") if path not in TRANSLATED),
    ROOT / "README.md",
    *sorted(path for path in (ROOT / "src").rglob("README.md") if "data" not in path.parts),
]
SECONDS = 300
_PLAIN = {"COLUMNS": "100", "NO_COLOR": "1"}
_HOST = "127.0.0.1:8000"
"""The address of models' servers in pages; a test's own takes its place."""
_SERVER = re.compile(r"(?<![\w./])/(?=(?:srv|backups|opt)/)")
"""Folders of a server in pages; they lie in the page's own."""


@pytest.fixture(scope="module", autouse=True)
def forking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What runs the programs of pages."""
    place = Path(tempfile.mkdtemp()) / "calls"  # the path of a socket has to be short
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    environment = {**os.environ, "PYTHONPATH": path, **_PLAIN}
    command = [sys.executable, "-m", "tests.docs.forking", str(place)]
    with (
        pytest.MonkeyPatch.context() as patch,
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as running,
    ):
        assert running.stdout and running.stdout.readline()
        patch.setenv("PAGES_SOCKET", str(place))
        yield
        running.kill()
    shutil.rmtree(place.parent)


@pytest.fixture(scope="module")
def host() -> Iterator[ModelHost]:
    with ModelHost() as running:
        yield running


class Reader:
    """Somebody who does what a page says, from its top."""

    def __init__(self, folder: Path, host: ModelHost) -> None:
        self.folder, self.host = folder, host
        self.names: dict[str, object] = {"__name__": "__main__"}
        self.printed = ""
        programs = folder.parent / "programs"
        programs.mkdir()
        for name in NAMES:
            put_program(programs, name)
        self.state = folder.parent / "state"
        beside = Path(sys.executable).parent
        own = {
            "PATH": os.pathsep.join([str(programs), str(beside), os.environ["PATH"]]),
            "PYTHONPATH": os.pathsep.join(
                [str(ROOT / "src"), str(ROOT), str(folder.parent / SITE)]
            ),
            "HOME": str(folder.parent),
            **_PLAIN,
            "OPENAI_BASE_URL": host.url,
            "OPENAI_API_KEY": "not-a-secret",
            "DEADPAN_CACHE": os.environ["DEADPAN_CACHE"],
        }
        self.environment = {**os.environ, **own}
        del self.environment["DEADPAN_STORE"]
        for name in BUILT_IN:
            place = folder / "data" / name
            place.parent.mkdir(exist_ok=True)
            place.symlink_to(find(name).folder / "data")

    def follow(self, block: Block) -> None:
        """Does what a block says, or holds what it shows against what was printed."""
        body = block.body.replace(_HOST, f"127.0.0.1:{self.host.port}")
        body = _SERVER.sub(rf"{self.folder}\g<0>", body)
        match block.kind:
            case "file":
                path = self.folder / block.title
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(body, encoding="utf-8")
            case "run" if block.language == "python":
                with redirect_stdout(io.StringIO()) as said, self._here():
                    exec(compile(body, str(block), "exec"), self.names)
                self.printed = said.getvalue()
                print(f"{block}\n{self.printed}")
            case "run" | "before":
                self._run(block, body)
            case "output":
                compare(block, self.printed)
            case "needs":
                if find_spec(block.body) is None:
                    pytest.skip(f"from line {block.line} on it needs {block.body}")
            case "data":
                parse = {"json": json.loads, "toml": tomllib.loads, "yaml": yaml.safe_load}
                parse[block.language](body)
            case _:
                assert block.language in OTHER | {"text", "console"}, f"{block}: {block.language}?"

    @contextmanager
    def _here(self) -> Iterator[None]:
        before, known = Path.cwd(), dict(os.environ)
        os.chdir(self.folder)
        os.environ.update(self.environment)
        os.environ.pop("DEADPAN_STORE", None)
        try:
            yield
        finally:
            os.chdir(before)
            os.environ.clear()
            os.environ.update(known)

    def _run(self, block: Block, body: str) -> None:
        """Runs a block in a shell that knows what earlier ones exported."""
        script = (
            f"set -euo pipefail; cd {self.folder}; [ ! -e {self.state} ] || . {self.state}\n"
            f"{body.replace('…', 'none')}\nexport -p > {self.state}"
        )
        done = subprocess.run(
            ["bash", "-c", script],
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=SECONDS,
        )
        self.printed = done.stdout
        print(f"{block}\n{body}\n{self.printed}")  # shown by -s, and where a page fails
        assert done.returncode == block.status, (
            f"{block} ended with {done.returncode}:\n{body}\n{done.stdout[-6000:]}"
        )


def compare(block: Block, printed: str) -> None:
    """Every line of the block stands in what was printed, in this order; `…` is anything."""
    lines = [_even(line) for line in printed.splitlines()]
    at = 0
    for wanted in block.body.splitlines():
        if wanted.strip() in ("", "…"):
            continue
        form = re.compile(".*".join(map(re.escape, _even(wanted).split("…"))))
        found = next((n for n, line in enumerate(lines[at:], at) if form.fullmatch(line)), None)
        assert found is not None, f"{block}: {wanted!r} was not printed\n{printed[-6000:]}"
        at = found + 1


def _even(line: str) -> str:
    return " ".join(line.split())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_the_page_says_works(page: Path, tmp_path: Path, host: ModelHost) -> None:
    folder = tmp_path / "own"
    folder.mkdir()
    reader = Reader(folder, host)
    for block in blocks_of(page):
        reader.follow(block)


@pytest.mark.parametrize("page", TRANSLATED, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_translated_page_says_the_same_to_the_shell(page: Path) -> None:
    assert _commands(page) == _commands(TRANSLATED[page])


def _commands(page: Path) -> list[tuple[str, str]]:
    """The blocks of a page by their kind, without what they say to the reader."""
    return [(one.kind, re.sub(r"(?m)\s+# .*$", "", one.body)) for one in blocks_of(page)]
