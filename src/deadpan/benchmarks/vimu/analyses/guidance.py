"""What guidance in the prompt does to wrongly chosen options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from deadpan.benchmarks.vimu.analyses.selections import Selection, check_items, check_options


def false_positive_rates(
    selections: Sequence[Selection], options: Sequence[str]
) -> dict[str, float | None]:
    """How often each option is chosen where it is not gold; None where it is gold everywhere."""
    check_items(selections)
    check_options((item.predicted | item.gold for item in selections), options)
    rates: dict[str, float | None] = {}
    for option in options:
        chosen = [option in item.predicted for item in selections if option not in item.gold]
        rates[option] = sum(chosen) / len(chosen) if chosen else None
    return rates


def guidance_effect(
    unguided: Mapping[str, Selection], guided: Mapping[str, Selection], options: Sequence[str]
) -> dict[str, float | None]:
    """Guided minus unguided false-positive rate on the items both have (ViMU, score 10).

    None for an option that is gold in all of them; no shared item, or unequal gold, raises.
    """
    shared = sorted(unguided.keys() & guided.keys())
    if not shared:
        raise ValueError("no item was answered both with and without guidance")
    for item in shared:
        if unguided[item].gold != guided[item].gold:
            raise ValueError(f"item {item!r} has one gold set with guidance and another without")
    before = false_positive_rates([unguided[item] for item in shared], options)
    after = false_positive_rates([guided[item] for item in shared], options)
    return {option: _change(before[option], after[option]) for option in options}


def _change(before: float | None, after: float | None) -> float | None:
    return None if before is None or after is None else after - before
