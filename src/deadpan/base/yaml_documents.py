"""YAML that people write, read so that every place in it has a line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from deadpan.base.errors import InputError
from deadpan.base.files import read_text

_LONGEST = 2_000_000
_QUOTES = ' (put words that hold ? : , in quotes: {en: "Is it funny?"})'
_TABS = " (indent with spaces: YAML takes no tabs)"
_AS_TEXT = ("tag:yaml.org,2002:bool", "tag:yaml.org,2002:timestamp")


class _Loader(yaml.SafeLoader):  # type: ignore[misc]
    """Reads `Yes`, `on`, `true` and dates as text, which fields that need more than text read as
    that; and no aliases: those grow without end. A name that is there twice raises."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.events.AliasEvent):
            event = self.peek_event()
            raise yaml.MarkedYAMLError(
                problem="aliases (*name, <<) are not read: write out what they stand for",
                problem_mark=event.start_mark,
            )
        return super().compose_node(parent, index)

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        seen: set[str] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode) and key.value in seen:
                what = f"{key.value} is there twice; name it once"
                raise yaml.MarkedYAMLError(problem=what, problem_mark=key.start_mark)
            seen.add(str(key.value))
        return super().construct_mapping(node, deep)


_Loader.yaml_implicit_resolvers = {
    first: [(tag, regexp) for tag, regexp in found if tag not in _AS_TEXT]
    for first, found in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


@dataclass(frozen=True)
class YamlDocument:
    """What a YAML text says, and where in it."""

    value: dict[str, Any]
    node: yaml.Node

    def line(self, path: Sequence[str | int]) -> int:
        """The line of a place; of what holds it where it is missing."""
        node, line = self.node, int(self.node.start_mark.line) + 1
        for part in path:
            below = None
            if isinstance(node, yaml.MappingNode):
                for key, value in node.value:
                    if key.value == str(part):
                        line, below = int(key.start_mark.line) + 1, value
            elif isinstance(node, yaml.SequenceNode) and isinstance(part, int):
                below = node.value[part] if part < len(node.value) else None
                line = int(below.start_mark.line) + 1 if below is not None else line
            if below is None:
                break
            node = below
        return line


def read_yaml(path: Path, noun: str, fix: str, if_empty: str) -> YamlDocument:
    """The document of a YAML file that should hold a `noun`; a wrong one raises with its place."""
    text = read_text(path, if_empty)
    if len(text) > _LONGEST:
        raise InputError(path, f"has {len(text):,} characters; expected a {noun}", fix)
    return yaml_document(text, path, noun, fix)


def yaml_document(text: str, where: Path | str, noun: str, fix: str) -> YamlDocument:
    """The document of a YAML text; one that is none, or holds no mapping, raises."""
    try:
        loader = _Loader(text)
        node = loader.get_single_node()
        found = None if node is None else loader.construct_document(node)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        what = f"is no YAML: {error.problem}{_hint(error)}"
        raise InputError(f"{where}:{line}", what, fix) from None
    except RecursionError:
        raise InputError(where, "is nested too deeply", fix) from None
    except (yaml.YAMLError, ValueError) as error:
        raise InputError(where, f"is no YAML: {str(error).splitlines()[0]}", fix) from None
    if not isinstance(found, dict):
        raise InputError(where, f"holds no {noun}", fix)
    return YamlDocument(found, node)


def _hint(error: yaml.MarkedYAMLError) -> str:
    """What to do where words hold what YAML takes for its own."""
    said = f"{error.context} {error.problem}"
    if r"'\t'" in said:
        return _TABS
    is_flow = "flow" in said or "mapping values" in said or "complex key" in said
    return _QUOTES if is_flow else ""
