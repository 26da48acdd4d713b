"""`deadpan data`: get media, verify, describe and anonymise data."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer

from deadpan.base.errors import DeadpanError, InputError
from deadpan.base.files import write_bytes
from deadpan.benchmarks import find
from deadpan.cli.anonymise import anonymise
from deadpan.cli.flags import DataOption
from deadpan.cli.output import JsonOption, console, say
from deadpan.cli.printing import counted_progress, print_scores, write_json
from deadpan.core.benchmark import Benchmark
from deadpan.core.capabilities import required
from deadpan.core.dataset import Dataset
from deadpan.core.score import Score
from deadpan.core.signature import Signature
from deadpan.pipeline.reporter import counted

_PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".svg", ".pdf")
app = typer.Typer(
    help="Media and annotations: get, verify, describe, anonymise.", no_args_is_help=True
)
app.command("anonymise")(anonymise)

Name = Annotated[str, typer.Argument(help="The benchmark.")]


@app.command()
def verify(
    benchmark: Name,
    data: DataOption = None,
    json: JsonOption = None,
) -> None:
    """Report everything odd in the data; nothing of it is fatal."""
    found = find(benchmark)
    with console.status("reading files and pictures"):
        anomalies = found.verify(data)
    for anomaly in anomalies:
        say(f"{anomaly.where}: {anomaly.kind}: {anomaly.what}")
    dataset = found.read(data)
    counts = Counter(anomaly.kind for anomaly in anomalies)
    signature = str(
        Signature(
            benchmark=benchmark,
            task="verify",
            version="1",
            n=len(dataset.records),
            data=dataset.checksum,
            prompts="none",
        )
    )
    scores = [
        Score(
            model="gold",
            task="data",
            metric="anomalies",
            group=group,
            value=float(count),
            n=len(dataset.records),
            signature=signature,
        )
        for group, count in [
            ("all", len(anomalies)),
            *((f"kind={kind}", count) for kind, count in counts.items()),
        ]
    ]
    noun = "anomaly" if len(anomalies) == 1 else "anomalies"
    say(f"{counted(len(dataset.records), 'record')}, {len(anomalies):,} {noun}")
    write_json(json, {benchmark: scores})


@app.command()
def stats(
    benchmark: Name,
    data: DataOption = None,
    json: JsonOption = None,
    word_cloud: Annotated[
        Path | None,
        typer.Option(
            "--word-cloud",
            metavar="DIR",
            help="Draw the words of targets there, a picture for each language.",
        ),
    ] = None,
) -> None:
    """Describe the data: sizes, labels, shares."""
    if word_cloud is not None and word_cloud.suffix.lower() in _PICTURES:
        what = "is named like a picture, and a picture for each language is drawn"
        raise InputError(f"--word-cloud {word_cloud}", what, "Name a folder for them.")
    found = find(benchmark)
    dataset = found.read(data)
    stats = required(found.analyses.stats, f"{found.name} has no data statistics")
    scores = stats(dataset)
    print_scores(scores, groups=True, about=found.metric)
    write_json(json, {benchmark: scores})
    if word_cloud is not None:
        _draw_words(found, dataset, word_cloud)


def _draw_words(benchmark: Benchmark[Any], dataset: Dataset[Any], folder: Path) -> None:
    import io

    from deadpan.reports.word_cloud import word_cloud

    lack = f"{benchmark.name} has no targets to draw the words of"
    words = required(benchmark.analyses.target_words, lack)
    for language, weights in words(dataset).items():
        if not weights:
            continue
        cloud = word_cloud(weights)
        stream = io.BytesIO()
        cloud.image.save(stream, "PNG")
        path = folder / f"{benchmark.name}_targets_{language}.png"
        write_bytes(path, stream.getvalue())
        say(f"wrote {path}")
        if cloud.left_out:
            say(f"not drawn, for want of room or of a glyph: {', '.join(cloud.left_out)}", "yellow")


@app.command("get")
def get(
    benchmark: Name,
    data: Annotated[Path, typer.Option("--data", help="Folder with the released address list.")],
    out: Annotated[
        Path | None, typer.Option(help="Where media go; the data folder when left out.")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Fetch the first N only.")] = None,
    interval: Annotated[
        float, typer.Option(min=0, help="Seconds between two requests to one host.")
    ] = 1.0,
    contact: Annotated[
        str | None, typer.Option(help="Address that hosts may write to, sent with requests.")
    ] = None,
    allow_private: Annotated[
        bool,
        typer.Option("--allow-private", help="Fetch from private and local addresses as well."),
    ] = False,
) -> None:
    """Fetch media politely; the same command again continues, and asks retryable ones again."""
    from deadpan.collecting.fetch import FetchItem, FetchSettings, load_rules
    from deadpan.collecting.fetch import fetch as fetch_items

    media = required(find(benchmark).media, f"{benchmark} has no media to fetch")
    source = media.source(data)
    items = [FetchItem(id=name, url=url) for name, url in source.items[:limit]]
    with counted_progress() as progress:
        bar = progress.add_task("fetching", total=len(items))
        summary = fetch_items(
            items,
            out or data,
            load_rules(source.rules),
            FetchSettings(interval=interval, contact=contact, allow_private=allow_private),
            lambda record: progress.advance(bar),
        )
    for record in summary.records:
        if record.error:
            say(f"{record.id}: {record.status}: {record.error}")
    for note in summary.notes:
        say(note)
    say(", ".join(f"{count} {status}" for status, count in summary.counts.items()))
    say(f"{counted(summary.resumed, 'item')} settled by an earlier run")
    if summary.retryable:
        say(f"{summary.retryable} can be tried again: run the same command", "yellow")


@app.command("fetch", hidden=True, context_settings={"ignore_unknown_options": True})
def fetch(arguments: Annotated[list[str] | None, typer.Argument(hidden=True)] = None) -> None:
    """What `data get` was called."""
    raise DeadpanError("`deadpan data fetch` is `deadpan data get` now")
