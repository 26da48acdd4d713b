"""Commands that stand inside sentences and tables: each exists, and so does every option."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.docs.programs import ROOT

TABLE = json.loads((ROOT / "src/deadpan/cli/completion.json").read_text("utf-8"))
PAGES = [
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted(page for page in ROOT.glob("*.md") if page.name != "CHANGELOG.md"),  # that is history
    ROOT / "bench" / "README.md",
    ROOT / "examples" / "README.md",
    *sorted(path for path in (ROOT / "src").rglob("README.md") if "data" not in path.parts),
]
_FENCED = re.compile(r"^( *)```.*?^\1```", re.S | re.M)
_SPAN = re.compile(r"`(deadpan [^`]+)`")
_OPTION = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]*")


def inline(page: Path) -> Iterator[str]:
    """What stands between backticks and is a call of Deadpan, as far as the next command."""
    for found in _SPAN.findall(_FENCED.sub("", page.read_text("utf-8"))):
        yield re.split(r" [|&;]+ ", " ".join(found.split()).replace("\\|", "|"))[0]


def unknown(call: str) -> list[str]:
    """The words of a call that name no command and no option of it."""
    words, at = call.split()[1:], TABLE
    options: dict[str, Any] = dict(TABLE["options"])
    while words and (below := at.get("commands")):
        names = words[0].split("|")
        if names[0].startswith(("-", "[", "…")) or names[0].isupper():
            break
        if strange := [name for name in names if name not in below]:
            if "train" not in below:  # which `deadpan finetune BENCHMARK` leaves out
                return strange
            names, words = ["train"], ["train", *words]
        at = below[names[0]]
        options |= at["options"]
        words = words[1:]
    return [one for one in _OPTION.findall(" ".join(words)) if one not in options]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_in_sentences_exist(page: Path) -> None:
    wrong = {call: strange for call in inline(page) if (strange := unknown(call))}
    assert not wrong


def test_what_is_not_there_is_found() -> None:
    assert unknown("deadpan rum cfms") == ["rum"]
    assert unknown("deadpan run cfms --modell x") == ["--modell"]
    assert unknown("deadpan study crate x") == ["crate"]
    assert not unknown("deadpan study create cfms/labels --set teams=1 --out here")
