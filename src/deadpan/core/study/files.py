"""Studies and their items as files: the study in YAML, items in JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import yaml
from pydantic import ValidationError

from deadpan.base.errors import InputError
from deadpan.base.files import write_text
from deadpan.base.problems import problems_of, told
from deadpan.base.rows import json_lines
from deadpan.base.yaml_documents import YamlDocument, read_yaml, yaml_document
from deadpan.core.study.items import StudyItem
from deadpan.core.study.specification import Study
from deadpan.core.study.words import PATTERNS

_FIX = "Correct it; `deadpan study schema` prints what a study may say, for an editor."
_IF_EMPTY = "Write a study into it; `deadpan study schema` prints what one may say, for an editor."
_ITEM_FIX = "Correct the line; `deadpan study schema items` prints what an item may say."


def read_study(path: Path) -> Study:
    """The study of a YAML file; a wrong one raises with the place in it."""
    return _study(read_yaml(path, "study", _FIX, _IF_EMPTY), path)


def study_of(text: str, where: Path | str) -> Study:
    """The study that a YAML text says; a wrong one raises with the places in it."""
    return _study(yaml_document(text, where, "study", _FIX), where)


def _study(document: YamlDocument, where: Path | str) -> Study:
    try:
        return Study.model_validate(document.value)
    except ValidationError as error:
        problems = problems_of(error, Study, document.value, PATTERNS)
        problems.sort(key=lambda one: document.line(one.path))
        what = told(problems, lambda path: f"line {document.line(path)} ")
        raise InputError(where, what, _FIX) from None


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
            what = told(problems_of(error, StudyItem, row, PATTERNS))
            raise InputError(where, what, _ITEM_FIX) from None
    if not found:
        raise InputError(path, "holds no item", "Expected a JSON object a line.")
    return found


def write_items(path: Path, items: Iterable[StudyItem]) -> None:
    """Writes items as JSON lines, without what is as usual."""
    rows = (item.model_dump(mode="json", exclude_defaults=True) for item in items)
    write_text(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
