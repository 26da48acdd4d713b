"""Votes or files of annotations → how far annotators agree, question by question."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from deadpan.core.annotations import read_annotations
from deadpan.core.benchmark import Benchmark
from deadpan.core.capabilities import Votes, require
from deadpan.core.score import Score
from deadpan.metrics.annotation_scores import annotation_scores


def agreement_scores(
    benchmark: Benchmark[Any],
    files: Sequence[Path] = (),
    data: Path | None = None,
    free_text: Sequence[str] = (),
) -> list[Score]:
    """Agreement on what files of annotations hold, or without any on the votes in the data folder;
    `free_text` are questions answered in words that the benchmark does not know."""
    votes = benchmark.votes or Votes()
    if files:
        said = read_annotations(files, votes.questions, free_text)
        return annotation_scores(benchmark.name, said)
    why = f"{benchmark.name} has no raw votes; give files of annotations with --annotations"
    return require(votes.agreement, why)(data)
