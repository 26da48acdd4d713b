"""A curated data set released: the benchmark's own files, and everything that is to be known of
them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from pydantic import JsonValue

from deadpan.base.errors import InputError
from deadpan.base.files import sha256_of
from deadpan.core.curation import ReleasedFiles
from deadpan.curate.release import card, croissant, datasheet, history, plots, tables
from deadpan.curate.release.counts import funnel_of
from deadpan.curate.release.material import Material, Row
from deadpan.curate.release.plugin import (
    plugin_requirement,
    plugin_texts,
    require_own_name,
)
from deadpan.curate.release.responsible import responsible
from deadpan.curate.release.writing import (
    content_file,
    named_file,
    require_replaceable,
    write_folder,
)
from deadpan.reports.plot import plot_png, plot_svg

__all__ = ["Material", "require_own_name", "write_release"]

_OWN_FILES = "the benchmark's own"
_ITEMS = "items"
"""Where rows lie by split; `splits` is a folder that benchmarks have themselves."""
_WORK_FILE = "media_file"
"""The field by which benchmarks find a row's file in the work folder."""
_HELD = {
    datasheet.FILE: "how it came about, what is in it, what it is for",
    croissant.FILE: "the same for machines: Croissant, with its words for responsible AI",
    tables.PROVENANCE: "where each item came from, its licence, checksums and group",
    tables.DROPPED: "every other post, with the stage that dropped it and why",
    tables.ADDRESSES: "where each picture or video is published, and its name beside the items",
    "curation.yaml": "the configuration that it was made with",
    f"{_ITEMS}/": "the items of each split, a line each, whatever the benchmark's own form",
    "plots/": "what became of the posts, and what the items are like",
    "plugin/": "a package that makes it a benchmark of its own",
}


def write_release(material: Material, folder: Path) -> list[Path]:
    """Writes a release into a folder, whole or not at all, and gives the paths of its files. A
    folder that is there is replaced where it is a release that nobody has changed; else it
    raises."""
    require_own_name(material.curation)
    require_replaceable(folder)
    released = material.building.files(material.rows)
    media = _media(material, released)
    texts: dict[str, str | bytes] = {**released.texts}
    data_files = _split_files(material)
    texts |= {path: text for path, text in data_files.values()}
    texts |= {"curation.yaml": material.text}
    texts |= {tables.PROVENANCE: tables.provenance(material)}
    texts |= {tables.DROPPED: tables.dropped(material)}
    if not material.about.has_media:
        texts |= {tables.ADDRESSES: tables.addresses(material, released.media)}
    texts |= _plots(material)
    if material.curation.release.plugin:
        texts |= plugin_texts(material.about, material.benchmark, [*released.texts, *media])
    texts[datasheet.FILE] = _datasheet(material, media)
    texts[card.FILE] = card.card(
        material.about,
        material.items,
        material.languages,
        {name: path for name, (path, _) in data_files.items()},
        _held(material, released),
        material.licences,
        plugin_requirement(material.benchmark) if material.curation.release.plugin else None,
    )
    texts[croissant.FILE] = _croissant(material, released, texts, media)
    return write_folder(folder, texts, media)


def _media(material: Material, released: ReleasedFiles) -> dict[str, Path]:
    """By its name in the release the file of each picture and video; none where only addresses go
    out. One that is not what was opened raises."""
    if not material.about.has_media:
        return {}
    known = {one.file: one.sha256 for post in material.posts for one in post.media if one.file}
    found = {name: material.media / held for name, held in sorted(released.media.items())}
    for name, held in released.media.items():
        if known.get(held) and sha256_of(material.media / held) not in (known[held], None):
            fix = "Run the curation again from its posts."
            raise InputError(found[name], "is not the file that was opened", fix)
    return found


def _split_files(material: Material) -> dict[str, tuple[str, str]]:
    """By split the file of its rows and what it holds; a split without rows has none."""
    found: dict[str, tuple[str, str]] = {}
    for name in material.splits.sizes:
        own = [row for row in material.rows if row["split"] == name]
        if own:
            lines = "".join(json.dumps(_public(row), ensure_ascii=False) + "\n" for row in own)
            found[name] = (f"{_ITEMS}/{card.split_name(name)}.jsonl", lines)
    return found


def _public(row: Row) -> dict[str, JsonValue]:
    """A row without the name that its picture or video has in the work folder only."""
    return {name: value for name, value in row.items() if name != _WORK_FILE}


def _plots(material: Material) -> dict[str, str | bytes]:
    drawn = {plots.FUNNEL: plots.funnel_plot(material.curation.shown, funnel_of(material))}
    if material.rows:
        items = material.items
        drawn[plots.COMPOSITION] = plots.composition_plot(material.curation.shown, items)
    found: dict[str, str | bytes] = {}
    for name, spec in drawn.items():
        found |= {f"plots/{name}.svg": plot_svg(spec), f"plots/{name}.png": plot_png(spec)}
    return found


def _datasheet(material: Material, media: Mapping[str, Path]) -> str:
    about, funnel = material.about, funnel_of(material)
    size = sum(path.stat().st_size for path in media.values() if path.is_file())
    drawn = f"plots/{plots.COMPOSITION}.svg" if material.rows else ""
    return datasheet.datasheet(
        about,
        {
            "Motivation": datasheet.motivation(about),
            "Composition": datasheet.composition(about, material.items, (len(media), size), drawn),
            "Collection": history.collection(material),
            "Preprocessing": history.preprocessing(material, funnel, f"plots/{plots.FUNNEL}.svg"),
            "Labelling": history.labelling(material),
            "Splits": history.parting(material),
            "Uses": datasheet.uses(about),
            "Distribution": datasheet.distribution(about, material.licences),
            "Maintenance": datasheet.maintenance(about, "sha256sum -c SHA256SUMS"),
        },
    )


def _held(material: Material, released: ReleasedFiles) -> dict[str, str]:
    own = {name: _OWN_FILES for name in released.texts}
    missing = [] if material.curation.release.plugin else ["plugin/"]
    missing += [tables.ADDRESSES] if material.about.has_media else []
    return own | {name: what for name, what in _HELD.items() if name not in missing}


def _croissant(
    material: Material,
    released: ReleasedFiles,
    texts: Mapping[str, str | bytes],
    media: Mapping[str, Path],
) -> str:
    described = croissant.croissant(
        material.about,
        [content_file(*one) for one in texts.items() if not one[0].startswith("plugin/")],
        [named_file(*one) for one in media.items()],
        released.texts,
        material.languages,
        responsible(material, funnel_of(material)),
    )
    return croissant.written(described)
