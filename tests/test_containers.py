"""The container files: what they copy is there and let in, and what they serve answers."""

from __future__ import annotations

import json
import shlex
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import httpx
import pytest
import typer

from deadpan.cli import load_command

ROOT = Path(__file__).resolve().parents[1]
FILES = sorted((ROOT / "containers").glob("*/Containerfile"))
DEMO = ROOT / "containers" / "demo" / "Containerfile"


def lines(file: Path, name: str) -> list[str]:
    whole = file.read_text("utf-8").replace("\\\n", " ")
    return [line.partition(" ")[2] for line in whole.splitlines() if line.startswith(f"{name} ")]


def is_let_in(name: str) -> bool:
    """Whether .dockerignore leaves a file of the root in: the last rule that fits holds."""
    let_in = True
    for rule in (ROOT / ".dockerignore").read_text("utf-8").splitlines():
        if rule and not rule.startswith("#") and fnmatch(name, rule.removeprefix("!")):
            let_in = rule.startswith("!")
    return let_in


@pytest.mark.parametrize("file", FILES, ids=[file.parent.name for file in FILES])
def test_what_is_copied_is_there_and_let_in(file: Path) -> None:
    sources = [one for line in lines(file, "COPY") for one in shlex.split(line)[:-1]]
    own = [one for one in sources if "--from" not in one and not one.startswith("/")]
    assert own and all((ROOT / one).exists() and is_let_in(one) for one in own)
    assert not any(map(is_let_in, ("shared", "data", ".git", "answers", ".env", "tests")))
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    for needed in ("README.md", "LICENSE", "THIRD_PARTY.md"):
        assert needed in project and needed in own, "the package is not built without it"


@pytest.mark.parametrize("file", FILES, ids=[file.parent.name for file in FILES])
def test_it_runs_as_an_ordinary_user(file: Path) -> None:
    text = file.read_text("utf-8")
    (user,) = lines(file, "USER")
    assert not user.startswith(("root", "0"))
    assert text.index("\nUSER") < text.index("\nCMD") and text.rindex("\nFROM") < text.index(
        "\nUSER"
    )


def test_the_demo_is_a_command_that_there_is() -> None:
    (command,) = [line for line in lines(DEMO, "RUN") if line.startswith("deadpan")]
    _, name, *arguments = shlex.split(command)
    parameters = load_command(name).get_params(typer.Context(load_command(name)))
    known = {option for one in parameters for option in one.opts}
    assert {one for one in arguments if one.startswith("--")} <= known
    assert f"{arguments[arguments.index('--out') + 1]}/report.html" in lines(DEMO, "COPY")[-1]


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Where the command of the container serves a page, in a folder that cannot be written to."""
    site = tmp_path / "site"
    site.mkdir()
    (site / "index.html").write_text("<!doctype html><title>report</title>")
    (tmp_path / "secret").write_text("not served")
    site.chmod(0o555)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    swapped = {
        "python": sys.executable,
        "8000": str(port),
        "0.0.0.0": "127.0.0.1",
        "/site": str(site),
    }
    command = [swapped.get(one, one) for one in json.loads(lines(DEMO, "CMD")[0])]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, cwd="/") as process:
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.05)
        yield f"http://127.0.0.1:{port}"
        process.terminate()


def test_it_serves_the_report_and_nothing_else(address: str) -> None:
    with httpx.Client(base_url=address, trust_env=False) as client:
        front = client.get("/")
        assert front.status_code == 200 and "<title>report</title>" in front.text
        assert front.headers["content-type"].startswith("text/html")
        for odd in ("/nothing", "/../secret", "/%2e%2e/secret", "//etc/passwd", "/index.html/x"):
            assert client.get(odd).status_code == 404, odd
        assert client.post("/").status_code == 501
    assert lines(DEMO, "EXPOSE") == ["8000"]
