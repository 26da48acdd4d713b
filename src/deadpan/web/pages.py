"""What every page of ours has in common: it asks the network for nothing, runs only the scripts
that it came with, and shows text as text."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import BytecodeCache, ChoiceLoader, Environment, PackageLoader, StrictUndefined
from jinja2.bccache import Bucket
from markupsafe import Markup


class _Compiled(BytecodeCache):
    """Compiled templates, for as long as the process lives."""

    def __init__(self) -> None:
        self._code: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if code := self._code.get(bucket.key):
            bucket.bytecode_from_string(code)

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._code[bucket.key] = bucket.bytecode_to_string()


@cache
def _compiled(package: str, options: frozenset[tuple[str, Any]]) -> _Compiled:
    """What is compiled of a package's templates; options of an environment are compiled in."""
    return _Compiled()


def templates(package: str, **options: Any) -> Environment:
    """The templates of a package, which may include `head.html`, the head of every page."""
    options |= {"undefined": StrictUndefined, "trim_blocks": True, "lstrip_blocks": True}
    loader = ChoiceLoader([PackageLoader(package), PackageLoader("deadpan.web")])
    compiled = _compiled(package, frozenset(options.items()))
    return Environment(loader=loader, bytecode_cache=compiled, **options)


def page(
    package: str,
    template: str,
    title: str,
    style: str,
    scripts: Sequence[str] = (),
    shown: Callable[[Any], Any] | None = None,
    **facts: Any,
) -> str:
    """A page from a package's template, with its style and scripts inside of it; `shown` is what
    becomes of every value that the template prints."""
    environment = templates(package, autoescape=True, **({"finalize": shown} if shown else {}))
    return environment.get_template(template).render(
        title=title,
        policy=script_policy(scripts),
        style=Markup(style),
        scripts=[Markup(script) for script in scripts],
        **facts,
    )


def embedded_json(value: dict[str, Any]) -> Markup:
    """JSON that cannot end the script element it stands in."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)


def script_policy(scripts: Sequence[str]) -> str:
    """A content security policy under which these scripts run and nothing is fetched."""
    digests = (base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() for s in scripts)
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests) or "'none'"
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


@cache
def asset(package: str, name: str) -> str:
    """A file of a package's templates folder, to be inlined."""
    return files(package).joinpath("templates", name).read_text("utf-8")
