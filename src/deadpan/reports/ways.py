"""Models that were asked otherwise too, and the models that they are: one is not counted twice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from deadpan.core.signature import parse_signature
from deadpan.reports.section import Section, distinct
from deadpan.reports.text import one_line

_MOST_NAMED = 3


@dataclass(frozen=True)
class Way:
    """A model as it was asked otherwise than in full, in words, and the model that it is."""

    words: str
    model: str


def ways_of(section: Section) -> dict[str, Way]:
    """The names in a section that are a model with a way of asking behind it: `M (text only)`."""
    found: dict[str, Way] = {}
    for name, text in (
        section.table.select("model", "signature").unique(maintain_order=True).iter_rows()
    ):
        with suppress(ValueError):
            words = parse_signature(str(text)).way
            measured = section.measured_as.get(name, name)
            model = measured.removesuffix(f" ({words})")
            if words and model != measured:
                found[name] = Way(words, model)
    return found


def models_of(section: Section, names: Iterable[str]) -> list[str]:
    """The models behind names of a section, each once, whatever ways they were asked in."""
    ways = ways_of(section)
    return distinct(
        ways[name].model if name in ways else section.measured_as.get(name, name) for name in names
    )


def besides(sections: Sequence[Section]) -> dict[str, Way]:
    """The names that are ways of asking a model which was asked in full too."""
    ways = {name: way for one in sections for name, way in ways_of(one).items()}
    full = {
        one.measured_as.get(name, name)
        for one in sections
        for name in one.table["model"].unique()
        if name not in ways
    }
    return {name: way for name, way in ways.items() if way.model in full}


def besides_note(ways: Iterable[Way]) -> list[str]:
    """A line that says which ways of asking are not shown here, where there are some."""
    words = distinct(one_line(way.words) for way in ways)
    if not words:
        return []
    more = f" and {len(words) - _MOST_NAMED} more" if len(words) > _MOST_NAMED else ""
    listed = ", ".join(words[:_MOST_NAMED])
    return [f"Asked otherwise too ({listed}{more}): see the benchmark's own tables."]
