"""Tables of what a file may hold, made of the classes that read it."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any, get_args, get_origin

from pydantic import BaseModel
from pydantic_core import PydanticUndefined

_ADDED = re.compile(r"\b(?:pydantic|typing|collections\.abc|pathlib|datetime|deadpan(?:\.\w+)*)\.")


def of_class(path: str) -> str:
    """Field, type, default and what is said of it, of a model of pydantic."""
    model = _found(path)
    assert issubclass(model, BaseModel), path
    said = _attribute_docs(model)
    rows = []
    for name, field in model.model_fields.items():
        cells = (f"`{name}`", _typed(field.annotation), _default(field), _cell(said.get(name, "")))
        rows.append(f"| {' | '.join(cells)} |")
    head = ["| field | holds | default | |", "| --- | --- | --- | --- |"]
    return "\n".join([" ".join((inspect.getdoc(model) or "").split()), "", *head, *rows])


def of_columns(path: str) -> str:
    """The columns of a table, and their types."""
    columns: Mapping[str, Any] = _found(path)
    rows = [f"| `{name}` | {_column_type(kind)} |" for name, kind in columns.items()]
    return "\n".join(["| column | holds |", "| --- | --- |", *rows])


def _found(path: str) -> Any:
    module, _, name = path.rpartition(".")
    return getattr(import_module(module), name)


def _attribute_docs(model: type[BaseModel]) -> dict[str, str]:
    """What stands below each attribute, of the class and of those above it."""
    return {k: v for one in reversed(model.__mro__) for k, v in _own_docs(one).items()}


@cache
def _own_docs(kind: type) -> dict[str, str]:
    if kind.__module__.partition(".")[0] != "deadpan":
        return {}
    (node,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    assert isinstance(node, ast.ClassDef)
    found = {}
    for before, after in zip(node.body, node.body[1:], strict=False):
        if not (isinstance(before, ast.AnnAssign) and isinstance(before.target, ast.Name)):
            continue
        if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            found[before.target.id] = str(after.value.value)
    return found


def _typed(kind: Any) -> str:
    """A type in words of files: text, number, list of …"""
    plain = {str: "text", int: "integer", float: "number", bool: "true or false", type(None): ""}
    if kind in plain:
        return plain[kind]
    name, parts = getattr(get_origin(kind), "__name__", ""), get_args(kind)
    match name:
        case "Literal":
            return ", ".join(f"`{one}`" for one in parts)
        case "Annotated":
            return _typed(parts[0])
        case "Union" | "UnionType":
            return " or ".join(filter(None, map(_typed, parts)))
        case "tuple" | "list" | "frozenset":
            return f"list of {_typed(parts[0])}" if parts else "list"
        case "dict" | "Mapping":
            return f"{_typed(parts[0])} → {_typed(parts[1])}"
    if inspect.isclass(kind) and issubclass(kind, BaseModel):
        return f"*{kind.__name__}*"
    words = {"Path": "path", "date": "date", "JsonValue": "anything", "Any": "anything"}
    named = getattr(kind, "__name__", str(kind))
    return words.get(named, _ADDED.sub("", named))


def _default(field: Any) -> str:
    if field.is_required():
        return "required"
    value = field.default
    if value is PydanticUndefined or value in (None, "", (), {}) or isinstance(value, BaseModel):
        return ""
    return f"`{str(value).lower() if isinstance(value, bool) else _shown(value)}`"


def _shown(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _column_type(kind: Any) -> str:
    words = {"String": "text", "Float64": "number", "Int64": "integer", "Boolean": "true or false"}
    return words.get(str(kind), str(kind))


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
