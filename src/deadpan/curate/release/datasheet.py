"""The datasheet of a data set: what was asked of makers of data by Gebru et al., answered from what
is known and counted. What nobody has said is `not stated`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from deadpan.base.counting import count_noun
from deadpan.curate.release.counts import counts_by
from deadpan.curate.release.markdown import bullets, listed, said, table
from deadpan.curate.release.material import About, Items
from deadpan.reports.documents import markdown_escape
from deadpan.reports.text import LANGUAGES

FILE = "DATASHEET.md"
_MOST_VALUES = 40
"""Values of a field that a table shows; of more, the others are counted together."""
Lines = Iterable[str]


def datasheet(about: About, parts: Mapping[str, Lines]) -> str:
    """The page, with a chapter for each part."""
    lines = [f"# {markdown_escape(about.title)}: datasheet", ""]
    for title, part in parts.items():
        lines += [f"## {title}", "", *part, ""]
    return "\n".join(_without_gaps(lines)).rstrip() + "\n"


def _without_gaps(lines: Iterable[str]) -> Iterator[str]:
    """The lines, with no two empty ones in a row."""
    before = ""
    for line in lines:
        if line or before:
            yield line
        before = line


def motivation(about: About) -> Iterator[str]:
    """Why it was made, and by whom."""
    yield f"- What it is: {said(about.description)}"
    yield from bullets("What it was made for", about.use_cases)
    yield f"- Who made it: {listed(_maker(one.name, one.url) for one in about.creators)}"
    whose = f"{markdown_escape(about.benchmark_title)} (`{about.benchmark}`)"
    yield f"- Whose format, questions and metrics it has: those of {whose}"


def _maker(name: str, url: str) -> str:
    return f"{name} ({url})" if url else name


def composition(
    about: About, items: Items, media: tuple[int, int], plot: str = ""
) -> Iterator[str]:
    """What is in it: items by split, language and label; `media` are the files and their bytes."""
    shows = "picture" if about.shows == "picture" else "video"
    yield f"- Items: {len(items):,}; each shows a {shows}, or several"
    if about.has_media:
        yield f"- Pictures and videos: {count_noun(media[0], 'file')}, {_size(media[1])}"
    else:
        yield "- Pictures and videos: not in it; where they are published is"
    yield ""
    if plot:
        yield f"![Items by split, language and label]({plot})"
        yield ""
    several = len(items.splits) > 1
    for name in items.fields:
        counts = counts_by(items, name)
        yield from table(
            [_titled(name), "items", *(items.splits if several else ())],
            _rows(counts, several, name),
        )


def _rows(
    counts: Mapping[str, Mapping[str, int]], several: bool, name: str
) -> Iterator[Sequence[str | int]]:
    shown = list(counts.items())
    for value, by_split in shown[:_MOST_VALUES]:
        label = LANGUAGES.get(value, value) if name == "language" else value
        yield [label, sum(by_split.values()), *(by_split.values() if several else ())]
    if rest := [by_split for _, by_split in shown[_MOST_VALUES:]]:
        summed = [sum(one[split] for one in rest) for split in rest[0]]
        yield [f"{len(rest)} more", sum(summed), *(summed if several else ())]


def _titled(name: str) -> str:
    return markdown_escape(name.replace("_", " "))


def _size(count: int) -> str:
    """Bytes as people say them."""
    size, unit = float(count), "bytes"
    for unit in ("bytes", "kB", "MB", "GB"):
        if size < 1000 or unit == "GB":
            break
        size /= 1000
    return f"{size:,.0f} {unit}" if unit == "bytes" else f"{size:,.1f} {unit}"


def uses(about: About, data: str = " --data DIR") -> Iterator[str]:
    """What it is good for, and what not; `data` is what a command has to name."""
    yield f"- `deadpan run {about.benchmark}{data}` asks models about it"
    yield from bullets("Limitations", about.limitations)
    yield from bullets("Known biases", about.biases)
    yield f"- Social impact: {said(about.social_impact)}"
    yield f"- Personal or sensitive information: {said(about.personal_information)}"


def distribution(about: About, licences: Mapping[str, int]) -> Iterator[str]:
    """Under which licence it goes out; `licences` are those of what people posted, by items."""
    yield f"- Licence of {about.licensed}: {said(about.licence)}"
    yield f"- Where it is published: {said(about.url)}"
    yield f"- When: {said(about.date)}"
    yield f"- To be cited as: {said(about.citation)}"
    if licences:
        yield ""
        yield "What the items show belongs to its makers, under the licences that sources state:"
        yield ""
        yield from table(["licence of the source", "items"], licences.items())


def maintenance(about: About, check: str = "") -> Iterator[str]:
    """Who keeps it, and how to see that it is whole."""
    yield f"- Version: {said(about.version)}"
    reached = [one.email or one.url for one in about.creators]
    yield f"- Whom to write to: {listed(filter(None, reached))}"
    if about.deadpan:
        yield f"- Made with Deadpan {about.deadpan}"
    if check:
        yield f"- To see that every file is as it was made: `{check}`"
