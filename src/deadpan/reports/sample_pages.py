"""Every item's answers, on pages of their own beside a report whose page cannot hold them all."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from deadpan.base.files import is_folder, list_folder, write_text
from deadpan.reports.documents import samples_document
from deadpan.reports.marking import marked
from deadpan.reports.samples import items_a_page
from deadpan.reports.section import Section

MOST_ITEMS = 6000
"""Items that have a page where nobody asks for more."""


@dataclass(frozen=True)
class SamplePage:
    """A page of its own: where it lies beside the report, and the items on it."""

    address: str
    items: tuple[str, ...]


def plan_pages(section: Section, folder: str, a_page: int, most: int) -> list[SamplePage]:
    """The pages of a section's items in the order of its table, `a_page` on each where their
    pictures allow, `most` in all; none where the report's own page holds them all."""
    items = section.table["item"].unique(maintain_order=True).to_list()
    size = items_a_page(section, a_page)
    if len(items) <= size:
        return []
    items = items[:most]
    name = _file_name(section)
    return [
        SamplePage(f"{folder}/{name}-{number:03}.html", tuple(items[start : start + size]))
        for number, start in enumerate(range(0, len(items), size), 1)
    ]


def write_pages(
    sections: Sequence[Section], planned: Sequence[Sequence[SamplePage]], report: Path
) -> None:
    """Writes the pages beside the report, and takes away those of ours that an earlier, longer
    report left there."""
    for section, pages in zip(sections, planned, strict=True):
        written = {page.address for page in pages}
        names = ["", *(Path(page.address).name for page in pages), ""]
        named = marked(section) if pages else section
        for number, page in enumerate(pages, 1):
            text = samples_document(
                named,
                page.items,
                place=f"{number} of {len(pages)}",
                back=f"../{report.name}",
                before=names[number - 1],
                after=names[number + 1],
            )
            write_text(report.parent / page.address, text)
        folder = report.parent / samples_folder(report)
        ours = re.compile(rf"{re.escape(_file_name(section))}-\d{{3,}}\.html")
        for path in list_folder(folder) if is_folder(folder) else ():
            if ours.fullmatch(path.name) and f"{folder.name}/{path.name}" not in written:
                path.unlink()


def samples_folder(report: Path) -> str:
    """The name of the folder beside a report that holds its pages of samples."""
    return f"{report.stem}-samples"


def _file_name(section: Section) -> str:
    return re.sub(r"[^a-z0-9]+", "-", section.benchmark.name.lower()).strip("-") or "items"
