"""The programs that pages call: Deadpan itself, and what is not to be had where tests run.

What a page calls is run by `forking.py`. Deadpan runs as it is, but that what serves until Ctrl-C
is opened once, and then ended; where it is a study, those who were invited answer it. The programs
of others check what they can of their arguments.
"""

from __future__ import annotations

import hashlib
import os
import random
import re
import signal
import subprocess
import sys
import tomllib
import urllib.request
from collections.abc import Callable, Sequence
from pathlib import Path

from pydantic import JsonValue

from deadpan.cli import load_command
from deadpan.cli import main as deadpan_main
from deadpan.core.study.items import StudyItem
from deadpan.core.study.stages import Question
from tests.docs.forking import CALLER
from tests.docs.packages import SITE, put_package

ROOT = Path(__file__).parents[2]
LINKS = Path("invitations.links")
"""Where invitations are noted, as a person notes them who sends them on."""
NAMES = (
    "deadpan",
    "pip",
    "python",
    "python3",
    "vllm",
    "podman",
    "apt-get",
    "createdb",
    "systemctl",
)
_ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+\S*")
_JOIN = re.compile(r"/join/[\w-]+")


def deadpan(arguments: Sequence[str]) -> None:
    """The command, as it is; what serves is opened, answered and ended."""
    given = [*arguments]
    if given[:1] == ["demo"] or given[:2] == ["data", "get"] or "local/FOLDER" in given:
        read_options(given)
        return
    writes = {"--export", "--labels", "--help"} & {*given}
    if (
        given[:1] == ["view"] or given[:2] in (["study", "serve"], ["study", "demo"])
    ) and not writes:
        serve(given)
        return
    if given[:2] == ["study", "invite"]:
        noted(given)
        return
    sys.argv = ["deadpan", *given]
    deadpan_main()


def read_options(given: Sequence[str]) -> None:
    """Reads what is asked for and goes no further: the demo takes a minute and is run by itself,
    data lie elsewhere, and a page's FOLDER holds no model."""
    command = load_command(given[0])
    place = command.make_context(given[0], [*given[1:]])
    if below := getattr(command, "commands", {}):
        below[given[1]].make_context(given[1], [*given[2:]], parent=place)


def serve(arguments: list[str]) -> None:
    """Starts what serves, opens the first address that it prints, and ends it as Ctrl-C does."""
    if "--port" not in arguments:
        arguments += ["--port", "0"]
    if arguments[:2] != ["study", "serve"] and "--no-browser" not in arguments:
        arguments += ["--no-browser"]
    command = [sys.executable, "-c", "from deadpan.cli import main; main()", *arguments]
    opened = False
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as served:
        assert served.stdout
        for line in served.stdout:
            print(line, end="", flush=True)
            if found := _ADDRESS.search(line):
                opened = opens(found[0])
                break
            if "--url" in arguments and arguments[arguments.index("--url") + 1] in line:
                opened = True  # what a proxy stands before, under a name that is not to be had here
                break
        served.send_signal(signal.SIGINT)
        assert served.wait(60) in (0, 130), f"{command} ended with {served.returncode}"
    assert opened, f"{command} served nothing"
    if arguments[:2] == ["study", "serve"]:
        people_answer(Path(arguments[2]))


def opens(address: str) -> bool:
    """Whether a browser, which keeps the cookie that a token is changed for, gets a page there."""
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    try:
        with browser.open(address, timeout=60) as answer:
            return bool(answer.status == 200)
    except OSError as error:
        print(f"{address}: {error}")
        return False


def noted(arguments: Sequence[str]) -> None:
    """Invites people, and notes their links."""
    command = [sys.executable, "-c", "from deadpan.cli import main; main()", *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=120)
    print(done.stdout, end="")
    with LINKS.open("a", encoding="utf-8") as file:
        file.writelines(f"{arguments[2]} {link}\n" for link in _JOIN.findall(done.stdout))
    sys.exit(done.returncode)


def people_answer(folder: Path) -> None:
    """Those who were invited to the study join, and work until nothing is left to do."""
    from deadpan.studies.making.creating import open_study
    from tests.studies.robots import Robot, served, work_together

    lines = LINKS.read_text("utf-8").splitlines() if LINKS.exists() else []
    links = [line.rpartition(" ")[2] for line in lines if line.partition(" ")[0] == str(folder)]
    if not links:
        return
    room = served(open_study(folder, os.environ.get("DEADPAN_STUDY_DATABASE", "")))
    people = [Robot(room, f"rater {at}", room.client(), link) for at, link in enumerate(links)]
    for one in people:
        one.draw = Mind(one.name)
    work_together(people, sensible)
    for one in people:
        one.client.close()
    room.study.database.close()
    LINKS.unlink()


class Mind(random.Random):
    """Somebody's own lot, which falls for an item as it does whenever they come to it."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name

    def about(self, question: Question, item: StudyItem) -> random.Random:
        """What falls for one question about one item."""
        shown = [output.source for output in item.outputs]
        return random.Random(f"{self.name} {item.key} {shown} {question.name}")


def sensible(question: Question, item: StudyItem, draw: random.Random) -> JsonValue:
    """What most people would say of an item, and now and then what somebody says by lot."""
    from tests.docs.judging import rated
    from tests.studies.robots import any_answer

    draw = draw.about(question, item) if isinstance(draw, Mind) else draw
    if said := rated(question.name, item, draw):
        return said
    same = random.Random(hashlib.sha256(f"{item.key} {question.name}".encode()).digest())
    return any_answer(question, item, same if draw.random() < 0.75 else draw)


def pip(arguments: Sequence[str]) -> None:
    """Whether what is to be installed is this package, with extras that it has, or another; a
    package that lies here is found from then on."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert arguments[0] == "install", arguments
    for wanted in arguments[1:]:
        if found := re.fullmatch(r"(?:\.|deadpan|/\S+deadpan)\[([\w,]+)\]", wanted):
            unknown = {*found[1].split(",")} - {*project["optional-dependencies"]}
            assert not unknown, f"{wanted}: no such extra"
        elif (Path(wanted) / "pyproject.toml").is_file():
            put_package(Path(wanted), Path(os.environ["HOME"]) / SITE)


def python(arguments: Sequence[str]) -> None:
    """A new environment has these programs in it; anything else is run."""
    if arguments[:2] == ["-m", "venv"]:
        place = Path(arguments[2]) / "bin"
        place.mkdir(parents=True)
        for name in ("deadpan", "pip", "python"):
            put_program(place, name)
        (place / "activate").write_text(f'export PATH="{place.absolute()}:$PATH"\n')
        return
    if arguments[:2] == ["-m", "pytest"]:
        return
    raise SystemExit(subprocess.run([sys.executable, *arguments]).returncode)


def podman(arguments: Sequence[str]) -> None:
    """Whether the file that an image is made from is there."""
    if arguments[0] == "build":
        name = arguments[arguments.index("-f") + 1]
        assert (ROOT / name).is_file() or Path(name).is_file(), arguments


def nothing(arguments: Sequence[str]) -> None:
    """A program of others, which is not here."""


def put_program(place: Path, name: str) -> None:
    """Makes a program callable by its name."""
    path = place / name
    path.write_text(
        CALLER.format(python=sys.executable, socket=os.environ["PAGES_SOCKET"], name=name)
    )
    path.chmod(0o755)


_PROGRAMS: dict[str, Callable[[Sequence[str]], None]] = {
    "deadpan": deadpan,
    "pip": pip,
    "python": python,
    "python3": python,
    "podman": podman,
}


def run(arguments: Sequence[str]) -> None:
    """The program of the first argument's name, with the others."""
    _PROGRAMS.get(arguments[0], nothing)(arguments[1:])
