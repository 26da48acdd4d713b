"""Says what is wrong with a wheel and a source distribution, or how large they are.

python scripts/check_distribution.py WHEEL SDIST      # ends with 1 if anything is off
"""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from email.parser import BytesParser
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "src/deadpan/"
WHEEL_LIMIT, CODE_LIMIT, SDIST_LIMIT = 15_000_000, 5_000_000, 20_000_000
"""Bytes: of the wheel, of what is no mini-set in it, of the source distribution."""
HEAVY = re.compile(r"(torch|transformers|ray|vllm|pandas)\b")
ENTRY_POINTS = ("deadpan = deadpan.cli:main", "deadpan = deadpan.engine.registry")
PAGES = (
    ".pre-commit-config.yaml",
    "CHANGELOG.md",
    "LICENSE",
    "PKG-INFO",
    "README.md",
    "mkdocs.yml",
    "pyproject.toml",
)
"""What a source distribution holds beside its folders."""
RELATIVE = re.compile(
    r"\]\((?!https?:|mailto:)[^)\s]*\)|\b(?:src|href)=[\"'](?!https?:|mailto:)[^\"']*[\"']"
)
"""A link or a picture that leads nowhere on the page of a package index."""


def tracked(root: Path = ROOT) -> frozenset[str]:
    """The files of a checkout that git knows; without git, all that would be in an archive."""
    listed = subprocess.run(
        ["git", "-C", str(root), "ls-files", "-z"], capture_output=True, check=False
    )
    if listed.returncode == 0 and listed.stdout:
        names = listed.stdout.decode().split("\0")
    else:
        names = [str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()]
    return frozenset(name for name in names if name and "__pycache__" not in name)


def wheel_problems(
    wheel: Path, sources: Collection[str], project: Mapping[str, Any]
) -> Iterator[str]:
    """What is off in a wheel: files that are missing or too many, metadata, licences, size."""
    with zipfile.ZipFile(wheel) as archive:
        sizes = {one.filename: one.compress_size for one in archive.infolist()}
        (info,) = {name.partition("/")[0] for name in sizes if ".dist-info/" in name}
        metadata = BytesParser().parsebytes(archive.read(f"{info}/METADATA"))
        points = archive.read(f"{info}/entry_points.txt").decode()
    ours = {name for name in sizes if not name.startswith(f"{info}/")}
    wanted = {name.removeprefix("src/") for name in sources if name.startswith(PACKAGE)}
    yield from (f"wheel: {name} is missing" for name in sorted(wanted - ours))
    yield from (f"wheel: {name} does not belong there" for name in sorted(ours - wanted))
    for name in licences(sources, project):
        if f"{info}/licenses/{name}" not in sizes:
            yield f"wheel: the licence file {name} is missing"
    yield from (f"wheel: no entry point {one}" for one in ENTRY_POINTS if one not in points)
    needs = [one for one in metadata.get_all("Requires-Dist", []) if "extra ==" not in one]
    yield from (f"wheel: the core needs {one}" for one in needs if HEAVY.match(one))
    text = metadata.get_payload(decode=True).decode()
    yield from (f"wheel: {one} leads nowhere on an index page" for one in RELATIVE.findall(text))
    if len(text) < 1000:
        yield "wheel: it has no long description"
    code = sum(size for name, size in sizes.items() if "/data/" not in name)
    yield from too_large("wheel", wheel.stat().st_size, WHEEL_LIMIT)
    yield from too_large("wheel: what is no data", code, CODE_LIMIT)


def licences(sources: Collection[str], project: Mapping[str, Any]) -> list[str]:
    """The licence files that the project declares."""
    patterns = project["license-files"]
    return [name for name in sorted(sources) for one in patterns if fnmatch(name, one)]


def sdist_problems(sdist: Path, sources: Collection[str], include: Iterable[str]) -> Iterator[str]:
    """What is off in a source distribution; it holds the tests, so that packagers can run them."""
    with tarfile.open(sdist) as archive:
        held = {one.name.partition("/")[2] for one in archive if one.isfile()}
    patterns = [pattern.lstrip("/") for pattern in include]
    wanted = {
        name
        for name in sources
        for one in patterns
        if name.startswith(f"{one}/") or ("/" not in name and fnmatch(name, one))
    }
    known = {*sources, "PKG-INFO"}
    yield from (f"sdist: {name} is missing" for name in sorted({*wanted, *PAGES} - held))
    yield from (f"sdist: {name} does not belong there" for name in sorted(held - known))
    yield from too_large("sdist", sdist.stat().st_size, SDIST_LIMIT)


def too_large(what: str, size: int, limit: int) -> Iterator[str]:
    """A line where something takes more than it may."""
    if size > limit:
        yield f"{what} takes {size / 1e6:.1f} MB; at most {limit / 1e6:.0f} MB"


def described(wheel: Path) -> str:
    """What takes a wheel's space, largest first."""
    parts: Counter[str] = Counter()
    with zipfile.ZipFile(wheel) as archive:
        for one in archive.infolist():
            parts[_part(one.filename)] += one.compress_size
    listed = ", ".join(f"{name} {size / 1e6:.1f}" for name, size in parts.most_common(4))
    return f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB ({listed})"


def _part(name: str) -> str:
    if "/data/" in name:
        return "lexicon" if "/metrics/" in name else "mini-sets"
    return "fonts" if "/fonts/" in name else "code and its texts"


def main(wheel: Path, sdist: Path) -> int:
    """Prints what is off, else the sizes; 1 where anything is."""
    written = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    include = written["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    sources = tracked()
    problems = [
        *wheel_problems(wheel, sources, written["project"]),
        *sdist_problems(sdist, sources, include),
    ]
    for line in problems or [
        described(wheel),
        f"{sdist.name}: {sdist.stat().st_size / 1e6:.1f} MB",
    ]:
        print(line, file=sys.stderr if problems else sys.stdout)
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:3])))
