"""`deadpan agreement`: how far annotators agree, and gold from their votes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from deadpan.benchmarks import find
from deadpan.cli.flags import DataOption
from deadpan.cli.output import JsonOption, say
from deadpan.cli.printing import print_scores, write_json
from deadpan.core.capabilities import required


def agreement(
    benchmark: Annotated[str, typer.Argument(help="Whose votes.")],
    data: DataOption = None,
    gold: Annotated[
        Path | None, typer.Option(help="Write the gold that the votes give to this file.")
    ] = None,
    json: JsonOption = None,
) -> None:
    """Agreement per question (exact, overlap, Krippendorff's alpha), and gold from the votes."""
    found = find(benchmark)
    votes = required(found.votes, f"{benchmark} has no raw votes")
    scores = votes.agreement(data)
    print_scores(scores, groups=True, about=found.metric)
    if gold is not None:
        compared = votes.write_gold(data, gold)
        say(f"wrote {gold}")
        if compared.cells:
            say(f"{compared.equal} of {compared.cells} cells equal the released gold")
        for place in compared.differing[:20]:
            say(f"differs: {place}", "yellow")
    write_json(json, {benchmark: scores})
