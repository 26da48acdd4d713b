"""The card of a data set, as the Hugging Face hub reads it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from deadpan.base.counting import count_noun
from deadpan.curate.release.licences import card_licence
from deadpan.curate.release.markdown import said, table
from deadpan.curate.release.material import About, Items
from deadpan.reports.documents import markdown_escape
from deadpan.reports.text import one_line

FILE = "README.md"
_TASKS = {
    "picture": ("image-text-to-text", "visual-question-answering"),
    "video": ("video-text-to-text",),
}
_SIZES = {1_000: "n<1K", 10_000: "1K<n<10K", 100_000: "10K<n<100K", 1_000_000: "100K<n<1M"}


def card(
    about: About,
    items: Items,
    languages: Sequence[str],
    data_files: Mapping[str, str],
    files: Mapping[str, str],
    licences: Mapping[str, int],
    plugin: str | None,
) -> str:
    """The card: a heading that the hub reads, and a page for people. `data_files` is by split the
    file of its rows, `files` what else there is and what it holds, `licences` those of what items
    show, `plugin` what is installed with the plug-in, where there is one."""
    front = yaml.safe_dump(
        _front(about, items, languages, data_files),
        allow_unicode=True,
        sort_keys=False,
        width=10_000,
    )
    lines = [f"# {markdown_escape(about.title)}", "", said(about.description), ""]
    lines += [f"{count_noun(len(items), 'item')} in the format of"]
    lines += [f"{markdown_escape(about.benchmark_title)}, made with Deadpan {about.deadpan}.", ""]
    counts = {name: list(items.of("split")).count(name) for name in items.splits}
    lines += [*table(["split", "items"], counts.items())]
    needed = " ".join(f'"{one}"' for one in ("deadpan", *filter(None, [plugin])))
    lines += ["## Ask a model", "", "```sh", f"pip install {needed}"]
    lines += [f"deadpan run {about.benchmark} --data . {about.trial}"]
    if plugin is not None:
        lines += [f"pip install ./plugin && deadpan run {about.name} {about.trial}"]
    lines += ["```", "", "## Files", ""]
    lines += [*table(["file", "what it holds"], files.items())]
    lines += ["`sha256sum -c SHA256SUMS` tells whether every file is as it was made.", ""]
    lines += ["## Licence and citation", "", f"- Licence of the annotations: {said(about.licence)}"]
    lines += [f"- To be cited as: {said(about.citation)}"]
    shown = ", ".join(f"{markdown_escape(name)} ({many:,})" for name, many in licences.items())
    lines += [f"- Licences of what the items show: {shown}; each one's is in `provenance.csv`"]
    return f"---\n{front}---\n\n" + "\n".join(lines) + "\n"


def _front(
    about: About, items: Items, languages: Sequence[str], data_files: Mapping[str, str]
) -> dict[str, Any]:
    many = len(items)
    size = next((name for most, name in _SIZES.items() if many < most), "1M<n<10M")
    found: dict[str, Any] = {
        **card_licence(about.licence, about.shown_licences),
        "language": list(languages),
        "task_categories": list(_TASKS[about.shows]),
        "size_categories": [size],
        "pretty_name": one_line(about.title),
        "tags": ["humour", "multimodal", "benchmark", "deadpan", about.benchmark, "croissant"],
    }
    if data_files:
        splits = [{"split": split_name(name), "path": path} for name, path in data_files.items()]
        found["configs"] = [{"config_name": "default", "data_files": splits}]
    return found


def split_name(name: str) -> str:
    """A split as the hub takes it: letters, digits and underscores."""
    return re.sub(r"\W+", "_", name)
