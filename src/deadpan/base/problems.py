"""What is wrong in a document that somebody wrote, in words: where, what was given and what was
expected."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import BaseModel, ValidationError

from deadpan.base.errors import meant

MOST = 5
"""How many problems are told at once."""
_NOT_IN_PATHS = ("[key]",)
_FIELD = re.compile(r"([a-z_]+): (.+)", re.DOTALL)
COMMA = "; words that hold a comma stand in quotes"
_IN_WORDS = {
    "tuple_type": "a list",
    "list_type": "a list",
    "path_type": "a folder's name",
}
Path = tuple[str | int, ...]


class Problem(NamedTuple):
    """One thing that is wrong, and its place in the document."""

    path: Path
    what: str


def problems_of(
    error: ValidationError,
    model: type[BaseModel],
    document: Any,
    patterns: Mapping[str, str] | None = None,
) -> list[Problem]:
    """What is wrong with a document that should be a model. Unknown fields come first, and the
    field that one of them was meant to be is not said to be missing. `patterns` are the patterns
    of texts in words."""
    schema = model.model_json_schema()
    found: list[Problem] = []
    meant_fields: set[Path] = set()
    details = error.errors(include_url=False)
    for one in (one for one in details if one["type"] == "extra_forbidden"):
        path = plain_path(one["loc"], document)
        known = list(_properties(schema, path[:-1], document))
        hint = meant(str(path[-1]), known)
        meant_fields |= {(*path[:-1], name) for name in known if hint == f"; did you mean {name}?"}
        if not hint and one["input"] is None:
            hint = COMMA
        expected = hint or f"; expected one of {', '.join(known)}"
        found.append(Problem(path, f"unknown field{expected}"))
    for one in (one for one in details if one["type"] != "extra_forbidden"):
        path = plain_path(one["loc"], document, one["type"])
        problem = _problem(path, one, document, patterns or {})
        is_told = problem.path in meant_fields or problem.path in {told.path for told in found}
        if not is_told and not (one["type"] == "too_short" and one["input"]):
            found.append(problem)  # a list is too short also where what it holds is wrong
    return found


def told(problems: Sequence[Problem], place: Callable[[Path], str] = lambda path: "") -> str:
    """The problems, a line each where there are several; `place` stands in front of a path."""
    said = [f"{place(one.path)}{path_text(one.path)}: {one.what}" for one in problems[:MOST]]
    if len(problems) == 1:
        return said[0]
    more = [f"and {len(problems) - MOST} more"] if len(problems) > MOST else []
    return "\n  ".join([f"{len(problems)} problems:", *said, *more])


def path_text(path: Path) -> str:
    """A path as one writes it: stages[0].questions[1].options."""
    text = "".join(f"[{one}]" if isinstance(one, int) else f".{one}" for one in path)
    return text.removeprefix(".") or "the whole"


def without(document: Any, problems: Sequence[Problem]) -> Any:
    """The document without the fields that are wrong, for whoever looks what else is."""
    wrong = {one.path for one in problems}

    def kept(here: Any, path: Path) -> Any:
        if isinstance(here, Mapping):
            below = {name: (*path, name) for name in here if (*path, name) not in wrong}
            return {name: kept(here[name], place) for name, place in below.items()}
        if isinstance(here, list):
            return [kept(one, (*path, at)) for at, one in enumerate(here)]
        return here

    return kept(document, ())


def plain_path(loc: Sequence[str | int], document: Any, kind: str = "extra_forbidden") -> Path:
    """Where an error is in the document, without what Pydantic adds to tell kinds apart."""
    path: list[str | int] = []
    here = document
    for at, part in enumerate(loc):
        if part in _NOT_IN_PATHS:
            continue
        if isinstance(here, Mapping):
            may_be_kind = at + 1 < len(loc) or kind not in ("missing", "extra_forbidden")
            if may_be_kind and part not in here and part == here.get("kind"):
                continue
            here = here.get(part)
        elif isinstance(here, Sequence) and not isinstance(here, str) and isinstance(part, int):
            here = here[part] if part < len(here) else None
        path.append(part)
    return tuple(path)


def _problem(
    path: Path, error: Mapping[str, Any], document: Any, patterns: Mapping[str, str]
) -> Problem:
    kind, given, context = error["type"], error.get("input"), error.get("ctx", {})
    if kind == "missing":
        return Problem(path, "is missing")
    if kind in ("union_tag_invalid", "union_tag_not_found"):
        expected = str(context.get("expected_tags", "")).replace("'", "")
        path = (*path, "kind")
        if kind == "union_tag_not_found":
            return Problem(path, "is missing; it says what kind of question this is")
        tag = str(context["tag"])
        hint = meant(tag, expected.split(", "))
        return Problem(path, f"got {_quoted(tag)}; expected one of {expected}{hint}")
    if kind == "string_pattern_mismatch" and context["pattern"] in patterns:
        return Problem(path, f"got {_quoted(given)}; expected {patterns[context['pattern']]}")
    if kind in ("literal_error", "enum"):
        expected = str(context["expected"]).replace("'", "")
        known = re.split(r", | or ", expected)
        has_no_value = "[key]" in error["loc"] and _given(document, path) is None
        hint = COMMA if has_no_value else meant(str(given), known)
        return Problem(path, f"got {_quoted(given)}; expected {expected}{hint}")
    what = str(error["msg"]).removeprefix("Value error, ")
    if kind == "value_error":
        field = _FIELD.fullmatch(what)
        return Problem((*path, field[1]), field[2]) if field else Problem(path, what)
    if kind in ("model_type", "dict_type"):
        return Problem(path, f"got {_quoted(given)}; expected fields, as in name: value")
    if kind == "too_short":
        least, count = context["min_length"], context["actual_length"]
        return Problem(path, f"got {count}; expected at least {least}")
    if kind in _IN_WORDS:
        return Problem(path, f"got {_quoted(given)}; expected {_IN_WORDS[kind]}")
    if kind == "string_type" and isinstance(given, int | float):
        return Problem(path, f"got the number {given}; expected words: put it in quotes")
    what = what.replace("Input should be", "expected")
    return Problem(path, f"got {_quoted(given)}; {what[:1].lower()}{what[1:].split(',')[0]}")


def _given(document: Any, path: Path) -> Any:
    for part in path:
        document = document[part]
    return document


def _quoted(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else f"{text[:59]}…"


def _properties(schema: Mapping[str, Any], path: Path, document: Any) -> list[str]:
    """The fields that a JSON schema has at a place of a document; none where it names none."""
    definitions = schema.get("$defs", {})
    here, given = schema, document
    for part in path:
        here = _resolved(here, given, definitions)
        is_list = isinstance(part, int)
        here = here.get("items", {}) if is_list else here.get("properties", {}).get(part, {})
        fits = isinstance(given, Mapping) or (is_list and isinstance(given, Sequence))
        given = given[part] if fits else None
    return list(_resolved(here, given, definitions).get("properties", {}))


def _resolved(
    schema: Mapping[str, Any], given: Any, definitions: Mapping[str, Any]
) -> Mapping[str, Any]:
    """A schema with references followed: of several kinds the one that is given."""
    if "discriminator" in schema:
        kinds = schema["discriminator"]["mapping"]
        kind = given.get("kind") if isinstance(given, Mapping) else None
        schema = {"$ref": kinds[kind]} if kind in kinds else {}
    for one in schema.get("anyOf", ()):
        if one.get("type") != "null":
            return _resolved(one, given, definitions)
    if "$ref" in schema:
        return _resolved(definitions[schema["$ref"].rpartition("/")[2]], given, definitions)
    return schema
