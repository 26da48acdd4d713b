"""Which packages are here, in which version, and whether they can be imported."""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from deadpan.base.version import __version__
from deadpan.checkup.findings import Finding, one_line, reason
from deadpan.checkup.imports import Imported, import_each

if TYPE_CHECKING:
    from packaging.requirements import Requirement

NAME = "deadpan"
MODULES = {
    "argon2-cffi": "argon2",
    "beautifulsoup4": "bs4",
    "opencv-python-headless": "cv2",
    "pillow": "PIL",
    "ppi-python": "ppi_py",
    "protego": "protego",
    "pyyaml": "yaml",
    "vl-convert-python": "vl_convert",
}
"""Modules that are not called like their packages."""
_HEAVY = {"torch", "transformers", "sentence_transformers", "peft", "accelerate", "diffusers"}
_OURS = "deadpan.api"
"""What is imported of ourselves."""
_LIBRARY = re.compile(r"(lib[\w.+-]+\.so[\w.]*): cannot open shared object file")
_PYTHONS = "Programming Language :: Python :: "


@dataclass(frozen=True)
class Package:
    """A package that is wanted: its version here, if any, and what is wrong with that."""

    name: str
    module: str
    wanted: str = ""
    version: str | None = None
    problem: str = ""
    outdated: bool = False


def package_findings(extras: Mapping[str, Sequence[str]]) -> Iterator[Finding]:
    """Of Deadpan and Python, of the packages of the core together, and of each extra."""
    yield Finding("core", NAME, "ok", f"Deadpan {__version__} in {Path(__file__).parents[1]}")
    yield from _python()
    wanted = {name: [_looked_at(one) for one in found] for name, found in _declared(extras).items()}
    here = {one.module for found in wanted.values() for one in found if one.version is not None}
    imported = _imported(sorted(here))
    yield from _core(wanted.pop("", []), imported)
    for extra, packages in wanted.items():
        yield _extra(extra, packages, imported)
    yield _gpus(imported)


def module_of(name: str) -> str:
    """The module of a package, by the package's name."""
    return MODULES.get(name.lower(), name.replace("-", "_"))


def _python() -> Iterator[Finding]:
    said = f"{platform.python_implementation()} {platform.python_version()} ({sys.executable})"
    system = f"{platform.system()} {platform.release()}, {platform.machine()}"
    yield Finding("core", "python", "ok", said)
    yield Finding("core", "platform", "ok", f"{system}, {os.cpu_count()} CPU cores")
    tried = _tried()
    mine = f"{sys.version_info.major}.{sys.version_info.minor}"
    if tried and mine not in tried:
        yield Finding("core", "python", "note", f"tried with Python {', '.join(tried)}")


def _tried() -> list[str]:
    """The versions of Python that the package says it was tried with."""
    try:
        told = metadata.metadata(NAME).get_all("Classifier", [])
    except Exception:
        return []
    found = [one.removeprefix(_PYTHONS) for one in told if one.startswith(_PYTHONS)]
    return [one for one in found if re.fullmatch(r"\d+\.\d+", one)]


def _declared(extras: Mapping[str, Sequence[str]]) -> dict[str, list[Requirement | str]]:
    """What the core ("") and each extra need; by modules where the package is not installed."""
    found: dict[str, list[Requirement | str]] = {name: [] for name in ("", *extras)}
    try:
        told = metadata.requires(NAME) or []
    except Exception:
        return found | {name: list(modules) for name, modules in extras.items()}
    from packaging.requirements import Requirement

    for line in told:
        one = Requirement(line)
        if one.name == NAME:
            continue
        for extra, needs in found.items():
            if one.marker is None:
                is_wanted = not extra
            else:
                in_core = one.marker.evaluate({"extra": ""})
                is_wanted = in_core if not extra else one.marker.evaluate({"extra": extra})
                is_wanted = is_wanted and (not extra or not in_core)
            if is_wanted:
                needs.append(one)
    return found


def _looked_at(one: Requirement | str) -> Package:
    """The package as it is here."""
    if isinstance(one, str):
        from importlib.util import find_spec

        return Package(one, one, version=None if find_spec(one) is None else "here")
    from packaging.version import InvalidVersion, Version

    name, module, wanted = one.name, module_of(one.name), str(one.specifier)
    try:
        version = metadata.version(name)
        is_right = one.specifier.contains(Version(version), prereleases=True)
    except metadata.PackageNotFoundError:
        return Package(name, module, wanted)
    except (InvalidVersion, TypeError, KeyError, OSError, ValueError) as error:
        said = f"{name}: its metadata cannot be read ({reason(error)})"
        return Package(name, module, wanted, "?", said)
    said = "" if is_right else f"{name} {version} is here; {wanted} is needed"
    return Package(name, module, wanted, version, said, outdated=not is_right)


def _imported(modules: Sequence[str]) -> dict[str, Imported]:
    """How each import went, in two processes: torch and what stands on it take as long as all
    others."""
    heavy = [one for one in modules if one in _HEAVY]
    others = [_OURS, *(one for one in modules if one not in _HEAVY)]
    with ThreadPoolExecutor(2) as pool:
        both = [pool.submit(_all, some) for some in (heavy, others)]
        return both[0].result() | both[1].result()


def _all(modules: Sequence[str]) -> dict[str, Imported]:
    return dict(import_each(modules))


def _core(packages: Sequence[Package], imported: Mapping[str, Imported]) -> Iterator[Finding]:
    if not packages:
        said = "Deadpan is run from a folder and not installed: versions are not compared"
        yield Finding("core", "packages", "note", said, ('pip install "deadpan"',))
    faults = 0
    for one in packages:
        told = _fault(one, imported)
        if one.version is None:
            faults += 1
            fix = (f'pip install "{one.name}{one.wanted}"',)
            yield Finding("core", one.name, "missing", f"{one.name} is not installed", fix)
        elif told:
            faults += 1
            yield Finding("core", one.name, "broken", told, _mending(one, told, NAME))
    if packages and not faults:
        said = f"{len(packages)} packages, in versions that fit, all imported"
        yield Finding("core", "packages", "ok", said)
    if (error := imported[_OURS].error) and not faults:
        fix = (f'pip install --force-reinstall "{NAME}"',)
        yield Finding("core", NAME, "broken", f"Deadpan does not import: {one_line(error)}", fix)


def _extra(extra: str, packages: Sequence[Package], imported: Mapping[str, Imported]) -> Finding:
    missing = [one.name for one in packages if one.version is None]
    faults = {one: told for one in packages if (told := _fault(one, imported))}
    here = [f"{one.name} {one.version}" for one in packages if one.version is not None]
    install = f'pip install "{NAME}[{extra}]"'
    if missing and all(one.outdated for one in faults):
        said = "; ".join([", ".join(missing), *faults.values()])
        said += f" (here: {', '.join(here)})" if here and not faults else ""
        return Finding("extras", extra, "missing", said, (install,))
    if faults:
        fixes = [line for one, told in faults.items() for line in _mending(one, told, install)]
        said = "; ".join([*faults.values(), *(f"{name} is missing" for name in missing)])
        return Finding("extras", extra, "broken", said, tuple(dict.fromkeys(fixes)))
    return Finding("extras", extra, "ok", ", ".join(here))


def _fault(one: Package, imported: Mapping[str, Imported]) -> str:
    """What is wrong with a package that is here."""
    if one.version is None or one.problem:
        return one.problem
    found = imported.get(one.module)
    if found is None or found.error is None:
        return ""
    return f"{one.name} {one.version} does not import: {one_line(found.error)}"


def _mending(one: Package, told: str, install: str) -> tuple[str, ...]:
    """The commands that mend a package."""
    if lacks := _LIBRARY.search(told):
        return (f"apt-file search {lacks[1]}   # Debian and Ubuntu: which package has it",)
    if one.outdated:
        return (f'pip install "{one.name}{one.wanted}"',)
    return (f'pip install --force-reinstall "{one.name}{one.wanted}"',)


def _gpus(imported: Mapping[str, Imported]) -> Finding:
    torch = imported.get("torch")
    if torch is None:
        said = "not looked for: torch is not here (models on this machine need it)"
        return Finding("machine", "gpu", "note", said, ('pip install "deadpan[learn]"',))
    if torch.error is not None:
        return Finding("machine", "gpu", "note", "not looked for: torch does not import")
    if not torch.gpus:
        said = "torch sees none: models on this machine run on its processors"
        return Finding("machine", "gpu", "note", said)
    return Finding("machine", "gpu", "ok", "; ".join(torch.gpus))
