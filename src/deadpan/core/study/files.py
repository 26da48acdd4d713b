"""Studies and their items as files: the study in YAML, items in JSON lines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from deadpan.base.errors import InputError
from deadpan.base.files import read_text, write_text
from deadpan.base.rows import json_lines
from deadpan.core.study.items import StudyItem
from deadpan.core.study.specification import Study

_LONGEST = 2_000_000
_FIX = "Correct it; `deadpan study create --help` shows where studies come from."


class _Loader(yaml.SafeLoader):  # type: ignore[misc]
    """Reads `Yes` and `on` as text, as YAML 1.2 does, and no aliases: those grow without end."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.events.AliasEvent):
            event = self.peek_event()
            raise yaml.MarkedYAMLError(
                problem="aliases are not read", problem_mark=event.start_mark
            )
        return super().compose_node(parent, index)


_Loader.yaml_implicit_resolvers = {
    first: [(tag, regexp) for tag, regexp in found if tag != "tag:yaml.org,2002:bool"]
    for first, found in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(?:true|false)$"), list("tf"))


def read_study(path: Path) -> Study:
    """The study of a YAML file; a wrong one raises with the place in it."""
    text = read_text(path)
    if len(text) > _LONGEST:
        raise InputError(path, f"has {len(text):,} characters; expected a study", _FIX)
    return study_of(text, path)


def study_of(text: str, where: Path | str) -> Study:
    """The study that a YAML text says; a wrong one raises with the place in it."""
    try:
        found = yaml.load(text, _Loader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise InputError(f"{where}:{line}", f"is no YAML: {error.problem}", _FIX) from None
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise InputError(where, f"is no YAML: {str(error).splitlines()[0]}", _FIX) from None
    if not isinstance(found, dict):
        raise InputError(where, "holds no study", _FIX)
    try:
        return Study.model_validate(found)
    except ValidationError as error:
        raise InputError(f"{where} {_place(error)}", _what(error), _FIX) from None


def study_text(study: Study) -> str:
    """A study as YAML, without what is as usual."""
    plain = study.model_dump(mode="json", exclude_defaults=True)
    for stage, own in zip(study.stages, plain["stages"], strict=True):
        for question, said in zip(stage.questions, own["questions"], strict=True):
            said["kind"] = question.kind
    text: str = yaml.safe_dump(plain, allow_unicode=True, sort_keys=False, width=100)
    return text


def read_items(path: Path) -> list[StudyItem]:
    """The items of a file of JSON lines; a wrong one raises with its line, and a key that is there
    twice with both."""
    found: list[StudyItem] = []
    for where, row in json_lines(path):
        try:
            found.append(StudyItem.model_validate(row))
        except ValidationError as error:
            raise InputError(
                f"{where} {_place(error)}", _what(error), "Correct the line."
            ) from None
    if not found:
        raise InputError(path, "holds no item", "Expected a JSON object a line.")
    return found


def write_items(path: Path, items: Iterable[StudyItem]) -> None:
    """Writes items as JSON lines, without what is as usual."""
    rows = (item.model_dump(mode="json", exclude_defaults=True) for item in items)
    write_text(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def _place(error: ValidationError) -> str:
    """Where in a study the first error is: stages.1.questions.0.title."""
    return ".".join(str(part) for part in error.errors(include_url=False)[0]["loc"])


def _what(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    said = str(first["msg"]).removeprefix("Value error, ")
    return said[:1].lower() + said[1:]
