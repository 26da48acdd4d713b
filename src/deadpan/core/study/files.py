"""Studies and their items as files: the study in YAML, items in JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from deadpan.base.errors import InputError
from deadpan.base.files import read_text, write_text
from deadpan.base.rows import json_lines
from deadpan.core.study.items import StudyItem
from deadpan.core.study.problems import problems_of, told
from deadpan.core.study.specification import Study

_LONGEST = 2_000_000
_FIX = "Correct it; `deadpan study schema` prints what a study may say, for an editor."
_IF_EMPTY = "Write a study into it; `deadpan study schema` prints what one may say, for an editor."
_ITEM_FIX = "Correct the line; `deadpan study schema items` prints what an item may say."
_QUOTES = ' (put words that hold ? : , in quotes: {en: "Is it funny?"})'
_AS_TEXT = ("tag:yaml.org,2002:bool", "tag:yaml.org,2002:timestamp")


class _Loader(yaml.SafeLoader):  # type: ignore[misc]
    """Reads `Yes`, `on`, `true` and dates as text, which fields that need more than text read as
    that; and no aliases: those grow without end. A name that is there twice raises."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.events.AliasEvent):
            event = self.peek_event()
            raise yaml.MarkedYAMLError(
                problem="aliases are not read", problem_mark=event.start_mark
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


def read_study(path: Path) -> Study:
    """The study of a YAML file; a wrong one raises with the place in it."""
    text = read_text(path, _IF_EMPTY)
    if len(text) > _LONGEST:
        raise InputError(path, f"has {len(text):,} characters; expected a study", _FIX)
    return study_of(text, path)


def study_of(text: str, where: Path | str) -> Study:
    """The study that a YAML text says; a wrong one raises with the places in it."""
    try:
        loader = _Loader(text)
        node = loader.get_single_node()
        found = None if node is None else loader.construct_document(node)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        what = f"is no YAML: {error.problem}{_hint(error)}"
        raise InputError(f"{where}:{line}", what, _FIX) from None
    except RecursionError:
        raise InputError(where, "is nested too deeply", _FIX) from None
    except (yaml.YAMLError, ValueError) as error:
        raise InputError(where, f"is no YAML: {str(error).splitlines()[0]}", _FIX) from None
    if not isinstance(found, dict):
        raise InputError(where, "holds no study", _FIX)
    try:
        return Study.model_validate(found)
    except ValidationError as error:
        problems = problems_of(error, Study, found)
        problems.sort(key=lambda one: _line(node, one.path))
        what = told(problems, lambda path: f"line {_line(node, path)} ")
        raise InputError(where, what, _FIX) from None


def _hint(error: yaml.MarkedYAMLError) -> str:
    """What to do where words hold what YAML takes for its own."""
    said = f"{error.context} {error.problem}"
    is_flow = "flow" in said or "mapping values" in said or "complex key" in said
    return _QUOTES if is_flow else ""


def _line(node: yaml.Node, path: Sequence[str | int]) -> int:
    """The line of a place in YAML; of what holds it where it is missing."""
    line = int(node.start_mark.line) + 1
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


def study_text(study: Study) -> str:
    """A study as YAML, without what is as usual."""
    plain = study.model_dump(mode="json", exclude_defaults=True)
    for stage, own in zip(study.stages, plain["stages"], strict=True):
        for question, said in zip(stage.questions, own["questions"], strict=True):
            said["kind"] = question.kind
    text: str = yaml.safe_dump(plain, allow_unicode=True, sort_keys=False, width=100)
    return text


def read_items(path: Path) -> list[StudyItem]:
    """The items of a file of JSON lines; a wrong one raises with its line."""
    return [item for _, item in placed_items(path)]


def placed_items(path: Path) -> list[tuple[str, StudyItem]]:
    """The items of a file, each with its place, `file:line`."""
    found: list[tuple[str, StudyItem]] = []
    for where, row in json_lines(path):
        try:
            found.append((where, StudyItem.model_validate(row)))
        except ValidationError as error:
            what = told(problems_of(error, StudyItem, row))
            raise InputError(where, what, _ITEM_FIX) from None
    if not found:
        raise InputError(path, "holds no item", "Expected a JSON object a line.")
    return found


def write_items(path: Path, items: Iterable[StudyItem]) -> None:
    """Writes items as JSON lines, without what is as usual."""
    rows = (item.model_dump(mode="json", exclude_defaults=True) for item in items)
    write_text(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
