"""A small package that makes the data set a benchmark of its own, to be installed and grown."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Mapping
from importlib.metadata import packages_distributions
from pathlib import PurePosixPath
from typing import Any

from markupsafe import Markup

from deadpan.base.errors import DeadpanError, InputError
from deadpan.base.files import list_folder, read_text
from deadpan.benchmarks import BUILT_IN
from deadpan.core.benchmark import Benchmark
from deadpan.curate.release.material import About
from deadpan.curate.schema import Curation
from deadpan.reports.text import one_line
from deadpan.web.pages import templates

FOLDER = "plugin"
_PACKAGE = "deadpan.curate.release"
_VERSION = re.compile(r"\d+(\.\d+)*((a|b|rc)\d+)?")
"""Versions that packages may have."""
_NO_PLUGIN = "Call it otherwise (`name:`), or leave the plug-in out (`release: {plugin: false}`)."


def require_own_name(curation: Curation) -> None:
    """Raises where a plug-in would bear the name of a benchmark that comes with Deadpan."""
    if curation.release.plugin and curation.name in BUILT_IN:
        what = f"{curation.name} is a benchmark of Deadpan, so that none of its own can be"
        raise InputError("name", what, _NO_PLUGIN)


def plugin_texts(about: About, benchmark: Benchmark[Any], data: Iterable[str]) -> dict[str, str]:
    """The package's files by name: it has the prompts, to be changed, and takes the benchmark's
    own `data` from the folder above, which is copied into what is installed."""
    module = f"deadpan_{re.sub(r'[^a-z0-9]+', '_', about.name)}"
    facts = {
        "about": about,
        "module": module,
        "base": _place(benchmark),
        "needed": plugin_requirement(benchmark),
        "data": sorted({PurePosixPath(name).parts[0] for name in data}),
        "class_name": f"Own{''.join(one.capitalize() for one in re.split('[-_]+', about.name))}",
        "package_version": about.version if _VERSION.fullmatch(about.version) else "0",
    }
    environment = templates(_PACKAGE, finalize=_literal, keep_trailing_newline=True)
    environment.filters["docstring"] = _docstring
    made = {
        name: environment.get_template(template).render(**facts)
        for name, template in {
            "pyproject.toml": "pyproject.toml.jinja",
            "README.md": "plugin.md.jinja",
            f"src/{module}/__init__.py": "plugin.py.jinja",
        }.items()
    }
    prompts = {f"src/{module}/prompts/{name}": text for name, text in _prompts(benchmark).items()}
    return {f"{FOLDER}/{name}": text for name, text in (made | prompts).items()}


def plugin_requirement(benchmark: Benchmark[Any]) -> str:
    """The package besides Deadpan that holds a benchmark; empty for one that comes with it."""
    module = type(benchmark).__module__.partition(".")[0]
    if module == "deadpan":
        return ""
    return next(iter(packages_distributions().get(module, ())), module)


def _literal(value: object) -> object:
    """A text as a literal of TOML and Python alike; what a template marks as safe stays."""
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    return json.dumps(one_line(value), ensure_ascii=False)


def _docstring(text: str) -> Markup:
    """A text as what a module says of itself."""
    plain = one_line(text).replace("\\", "/").replace('"', "'")
    return Markup(f'"""{plain}."""')


def _place(benchmark: Benchmark[Any]) -> tuple[str, str]:
    """The module that holds a benchmark, and its name there."""
    module = type(benchmark).__module__
    held = vars(sys.modules[module])
    for name, value in held.items():
        if value is benchmark and name.isidentifier():
            return module, name
    raise DeadpanError(f"{benchmark.name}: {module} does not name it. {_NO_PLUGIN}")


def _prompts(benchmark: Benchmark[Any]) -> Mapping[str, str]:
    """The benchmark's prompts by their place."""
    found: dict[str, str] = {}
    folders = [benchmark.folder / "prompts"]
    for folder in folders:
        for path in list_folder(folder) if folder.is_dir() else ():
            if path.is_dir():
                folders.append(path)
            elif path.suffix == ".txt":
                found[path.relative_to(benchmark.folder / "prompts").as_posix()] = read_text(path)
    return dict(sorted(found.items()))
