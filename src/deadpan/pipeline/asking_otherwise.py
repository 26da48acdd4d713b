"""A model asked in full and otherwise: every variant, paraphrase and order that applies, through
the same asker and store."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import polars as pl

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks import find
from deadpan.core.variants import Variant
from deadpan.pipeline.evaluating import Evaluation
from deadpan.pipeline.reporter import SILENT, Reporter
from deadpan.pipeline.results import Results

ORDERS = 2
"""How many other orders of options robustness is told by."""


@dataclass(frozen=True)
class Way:
    """How a question is asked: the variant, its seed, and the paraphrase."""

    variant: Variant = Variant.FULL
    seed: int = 0
    paraphrase: int = 0

    @property
    def title(self) -> str:
        """The way in words."""
        if self.paraphrase:
            return f"paraphrase {self.paraphrase}"
        seed = f", seed {self.seed}" if self.seed else ""
        return f"{self.variant.mark or 'in full'}{seed}"


def variants_named(text: str) -> tuple[Variant, ...]:
    """The variants of a list such as `blank,swapped`; one that there is not raises."""
    able = [one for one in Variant if one is not Variant.FULL]
    named = [one.strip() for one in text.split(",") if one.strip()]
    for one in named:
        if one not in able:
            raise DeadpanError(f"--variants {one}: expected one of {', '.join(able)}")
    return tuple(one for one in able if one in named)


def asked_ways(
    chosen: Mapping[str, Sequence[str]], variants: Sequence[Variant], paraphrases: bool
) -> dict[Way, dict[str, list[str]]]:
    """The tasks that are asked in each way, in full first: in the variants that are named, or in
    all that apply; with `paraphrases` also in other words and in more orders of the options. A
    variant that applies to none of the tasks raises."""
    found: dict[Way, dict[str, list[str]]] = {}
    for name, tasks in chosen.items():
        for task in tasks:
            for way in _ways(name, task, variants, paraphrases):
                found.setdefault(way, {}).setdefault(name, []).append(task)
    for variant in variants:
        if not any(way.variant is variant for way in found):
            listed = ", ".join(f"{name}/{task}" for name in chosen for task in chosen[name])
            raise DeadpanError(f"--variants {variant}: does not apply to {listed}")
    if len(found) < 2:
        listed = ", ".join(chosen)
        raise DeadpanError(f"{listed}: no variant applies: there is no way but the full one")
    return found


def _ways(name: str, task: str, variants: Sequence[Variant], paraphrases: bool) -> Iterator[Way]:
    benchmark = find(name)
    able = benchmark.variants.of(task)
    yield Way()
    yield from (Way(one) for one in able if not variants or one in variants)
    if paraphrases:
        if Variant.SHUFFLED_OPTIONS in able:
            orders = (Way(Variant.SHUFFLED_OPTIONS, seed) for seed in range(ORDERS))
            named = not variants or Variant.SHUFFLED_OPTIONS in variants
            yield from (one for one in orders if one.seed or not named)
        for number in range(1, len(benchmark.paraphrases(task)) + 1):
            yield Way(paraphrase=number)


def ask_ways(
    evaluation: Evaluation,
    ways: Mapping[Way, Mapping[str, Sequence[str]]],
    reporter: Reporter = SILENT,
) -> Results:
    """The results of every way together; what the store has an answer to is not asked again."""
    tables = []
    for way, chosen in ways.items():
        reporter.note(f"asking {way.title}: {', '.join(_named(chosen))}")
        settings = evaluation.settings
        showing = settings.showing.model_copy(
            update={"variant": way.variant, "variant_seed": way.seed}
        )
        own = replace(settings, showing=showing, paraphrase=way.paraphrase)
        judging = evaluation.judging and replace(evaluation.judging, settings=own)
        asked = replace(
            evaluation, chosen={**chosen}, settings=own, judging=judging, reading=evaluation.reading
        )
        tables.append(asked.run(reporter).table)
    return Results(pl.concat(tables, how="diagonal_relaxed"), evaluation.options)


def _named(chosen: Mapping[str, Sequence[str]]) -> list[str]:
    return [f"{name}/{','.join(tasks)}" for name, tasks in chosen.items()]
