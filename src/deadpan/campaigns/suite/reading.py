"""A campaign's file, read and checked: every problem at once, each with its line."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from deadpan.base.errors import DeadpanError
from deadpan.base.files import read_text
from deadpan.base.problems import Problem, path_text, problems_of, without
from deadpan.base.yaml_documents import YamlDocument, yaml_document
from deadpan.campaigns.suite.checks import problems_in
from deadpan.campaigns.suite.schema import Suite

_LONGEST = 200_000
FIX = "`deadpan suite --schema` prints what a campaign's file may say, for an editor."
_IF_EMPTY = f"Write a campaign into it: models and benchmarks. {FIX}"


class WrongSuite(DeadpanError):
    """A campaign's file that cannot be run, with all that is wrong in it."""


@dataclass(frozen=True)
class SuiteFile:
    """A campaign as it was written."""

    path: Path
    text: str
    suite: Suite
    document: YamlDocument

    @property
    def checksum(self) -> str:
        """The SHA-256 of the text."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @property
    def out(self) -> Path:
        """Where tables, plots and the report go."""
        return self.suite.out or Path(self.path.stem)

    def wrong(self, problems: Sequence[Problem]) -> WrongSuite:
        """The error that says what is wrong, each at its line."""
        return _wrong(self.path, self.document, problems)


def read_suite(path: Path) -> SuiteFile:
    """The campaign of a YAML file. Raises with everything that is wrong in it, a line each."""
    text = read_text(path, _IF_EMPTY)
    if len(text) > _LONGEST:
        raise WrongSuite(f"{path}: has {len(text):,} characters; expected a campaign. {FIX}")
    document = yaml_document(text, path, "campaign", FIX)
    try:
        suite = Suite.model_validate(document.value)
    except ValidationError as error:
        problems = problems_of(error, Suite, document.value)
        raise _wrong(path, document, [*problems, *_besides(document, problems)]) from None
    if problems := problems_in(suite):
        raise _wrong(path, document, problems)
    return SuiteFile(path, text, suite, document)


def _besides(document: YamlDocument, problems: Sequence[Problem]) -> list[Problem]:
    """What is wrong besides fields that cannot be read, as far as it can be told without them."""
    if any(len(one.path) < 2 for one in problems):
        return []
    try:
        return problems_in(Suite.model_validate(without(document.value, problems)))
    except ValidationError:
        return []


def _wrong(path: Path, document: YamlDocument, problems: Sequence[Problem]) -> WrongSuite:
    placed = sorted((document.line(one.path), at, one) for at, one in enumerate(problems))
    lines = [f"{path}:{line}: {path_text(one.path)}: {one.what}" for line, _, one in placed]
    if len(lines) == 1:
        return WrongSuite(lines[0])
    return WrongSuite("\n".join([f"{len(lines)} problems in {path}:", *lines]))
