"""The mini-sets' own datasheets and Croissant files, written by the code that releases what is
curated. They lie beside each benchmark's README, and are written anew where data has changed:

python -m minisets.release
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deadpan.base.files import write_text
from deadpan.benchmarks import find
from deadpan.core.benchmark import Benchmark
from deadpan.curate.release import croissant, datasheet, plots
from deadpan.curate.release.material import About, Items, shown, trial_of
from deadpan.curate.release.responsible import stated
from deadpan.curate.release.writing import named_file
from deadpan.curate.schema import Creator
from deadpan.reports.plot import plot_svg

LICENCE = "CC0-1.0"
PLOT = "composition.svg"
RECORDS = (".jsonl", ".json", ".csv")
LIMITATION = "Small, and made to be run: scores on it say nothing about the benchmark's own data."
BIAS = "Jokes and judgements are those of the few who wrote it."
PEOPLE = "None: nobody real is shown, named or quoted."


@dataclass(frozen=True)
class MiniSheet:
    """What is counted of a mini-set, and what it shows."""

    benchmark: str
    shows: str
    labels: Sequence[str]
    record: Callable[[Any], Any] = lambda record: record
    """Where the labels of a record are."""
    everything: Callable[[Any], Sequence[Any]] = lambda dataset: dataset.records
    gold: str = (
        "The gold was written with each item, by those who wrote the item; nobody else was asked."
    )


SHEETS = (
    MiniSheet(
        "cfms",
        "posts of a picture and its words",
        ("sarcastic", "target_type", "metaphor"),
        record=lambda pair: pair.row,
        everything=lambda pairs: pairs.everything,
    ),
    MiniSheet(
        "janusmm",
        "memes with the dialogue that each was shared in",
        ("self_deprecating", "source"),
        record=lambda meme: meme.row,
    ),
    MiniSheet(
        "merbench",
        "memes of a negative emotion, and edits of them with known flaws",
        ("det_emo", "visual_type", "layout_type", "sentiment_polarity"),
    ),
    MiniSheet(
        "pixelhumor",
        "comics of several panels",
        ("presence", "modality", "number_of_panels", "harmful"),
        gold="The gold and the explanations were written with each comic; the votes of annotators "
        "are no one's: code made them so that they come to that gold.",
    ),
    MiniSheet(
        "vimu",
        "short films with speech",
        ("difficulty",),
    ),
)


def sheet_of(name: str) -> MiniSheet:
    """The one of a benchmark."""
    return next(sheet for sheet in SHEETS if sheet.benchmark == name)


def texts_of(sheet: MiniSheet) -> dict[str, str]:
    """The datasheet of a mini-set and its description in Croissant, by the names of their files."""
    benchmark = find(sheet.benchmark)
    about, items = about_of(sheet, benchmark), items_of(sheet, benchmark)
    found = [path for path in sorted((benchmark.folder / "data").rglob("*")) if path.is_file()]
    files = [named_file(path.relative_to(benchmark.folder).as_posix(), path) for path in found]
    records = [one for one in files if one.name.endswith(RECORDS)]
    media = [one for one in files if not one.name.endswith(RECORDS)]
    texts = {one.name: (benchmark.folder / one.name).read_text("utf-8") for one in records}
    languages = sorted(set(items.of("language")))
    said = {**stated(about), **_responsible(sheet)}
    told = {key: value for key, value in said.items() if value}
    described = croissant.croissant(about, records, media, texts, languages, told)
    size = sum(one.size for one in media)
    sheet_parts = {
        "Motivation": datasheet.motivation(about),
        "Composition": datasheet.composition(about, items, (len(media), size), PLOT),
        "Collection": [f"- {_drawn(sheet)}"],
        "Preprocessing": ["- None: every item is as it was drawn"],
        "Labelling": [f"- {sheet.gold}"],
        "Uses": datasheet.uses(about, data=""),
        "Distribution": datasheet.distribution(about, {}),
        "Maintenance": [
            *datasheet.maintenance(about),
            f"- Checksum of what is asked, in signatures: `{benchmark.read(None).checksum}`",
        ],
    }
    return {
        croissant.FILE: croissant.written(described),
        datasheet.FILE: datasheet.datasheet(about, sheet_parts),
    }


def plot_of(sheet: MiniSheet) -> str:
    """The items of a mini-set, drawn."""
    benchmark = find(sheet.benchmark)
    items = items_of(sheet, benchmark)
    return plot_svg(plots.composition_plot(about_of(sheet, benchmark).title, items))


def about_of(sheet: MiniSheet, benchmark: Benchmark[Any]) -> About:
    """What is to be said of a mini-set."""
    what = f"{sheet.shows[0].upper()}{sheet.shows[1:]}, in English and Chinese"
    return About(
        name=f"{sheet.benchmark}-mini",
        title=f"{benchmark.title.partition(':')[0]}: the mini-set",
        benchmark=sheet.benchmark,
        benchmark_title=benchmark.title,
        shows="video" if sheet.benchmark == "vimu" else "picture",
        licence=LICENCE,
        licensed="pictures, films and texts alike",
        description=f"{what}: a small set in the format of {benchmark.title}.",
        creators=(Creator(name="The Deadpan authors"),),
        use_cases=("Trying Deadpan out, and testing it, without anybody's pictures.",),
        limitations=(LIMITATION,),
        biases=(BIAS,),
        personal_information=PEOPLE,
        trial=trial_of(benchmark),
        deadpan="",  # it stays as it is from version to version
    )


def items_of(sheet: MiniSheet, benchmark: Benchmark[Any]) -> Items:
    """The items as they are counted; what has no splits is all tested."""
    records = [sheet.record(one) for one in sheet.everything(benchmark.read(None))]
    splits = [str(getattr(one, "split", "test")) for one in records]
    values = {"split": splits, "language": [one.language for one in records]}
    labelled = {name: [shown(getattr(one, name)) for one in records] for name in sheet.labels}
    return Items({**values, **labelled}, tuple(dict.fromkeys(splits)))


def _drawn(sheet: MiniSheet) -> str:
    return (
        f"Drawn by this project's own code (`minisets/{sheet.benchmark}`); nothing was collected."
    )


def _responsible(sheet: MiniSheet) -> dict[str, str | Sequence[str]]:
    return {
        "dataCollection": _drawn(sheet),
        "dataCollectionType": ["Others: drawn by code"],
        "dataAnnotationProtocol": [sheet.gold],
    }


def main() -> None:
    """Writes the files of every mini-set."""
    for sheet in SHEETS:
        folder: Path = find(sheet.benchmark).folder
        for name, text in {**texts_of(sheet), PLOT: plot_of(sheet)}.items():
            write_text(folder / name, text)
        croissant.require_valid(folder / croissant.FILE)


if __name__ == "__main__":
    main()
