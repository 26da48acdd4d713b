"""What mkdocs does besides: pages made of the code and of the files that lie beside it."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from scripts.site import beside, commands, fields  # noqa: E402

_FOR_TESTS = re.compile(r"^<!-- (?:before\n.*?|ends with \d+ |needs \w+ )-->\n", re.S | re.M)
"""What stands in pages for those who run them."""
_MADE = re.compile(r"^\{\{ (?P<what>\w+) (?P<of>[\w.]+) \}\}$", re.M)
_BROKEN = re.compile(r"(?<=[，。、；：！？（）\u4e00-\u9fff])\n(?=[（\w])")
"""Where a line ends in a Chinese sentence, which has no space there."""


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Names a page for each command, where the contents say `commands`."""
    config.nav = _with_commands(config.nav)
    return config


def _with_commands(entries: Any) -> Any:
    if isinstance(entries, dict):
        return {name: _with_commands(below) for name, below in entries.items()}
    if not isinstance(entries, list):
        return entries
    every = [{name: commands.place(name)} for name in commands.NAMES]
    return [
        more for one in entries for more in (every if one == "commands" else [_with_commands(one)])
    ]


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Adds the pages that are made."""
    made = {commands.place(name): commands.page(name) for name in commands.NAMES}
    made |= {place: beside.page(place) for place in beside.PAGES}
    for place, text in made.items():
        files.append(File.generated(config, place, content=text))
    return files


def on_page_markdown(markdown: str, *, page: Page, **_: Any) -> str:
    """Fills in `{{ fields MODULE.CLASS }}` and its like, and leaves out what is there for tests."""
    making = {"fields": fields.of_class, "columns": fields.of_columns, "commands": commands.listed}
    filled = _MADE.sub(lambda found: making[found["what"]](found["of"]), markdown)
    shown = _FOR_TESTS.sub("", filled)
    if not page.file.generated_by:
        shown = beside.led(shown, Path(page.file.abs_src_path or "").parent, page.file.src_uri)
    if is_chinese(page):
        shown = beside.outside_code(shown, lambda words: _BROKEN.sub("", words))
    return shown


def on_page_context(context: Any, *, page: Page, config: MkDocsConfig, **_: Any) -> Any:
    """The words around a Chinese page are Chinese too."""
    config.theme["language"] = "zh" if is_chinese(page) else "en"
    return context


def on_post_page(output: str, *, page: Page, **_: Any) -> str:
    """Says which Chinese it is."""
    return output.replace('<html lang="zh"', '<html lang="zh-Hans"', 1)


def is_chinese(page: Page) -> bool:
    return page.file.src_uri.startswith("zh/")
