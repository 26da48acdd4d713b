"""On which items models can be compared."""

from __future__ import annotations

from collections.abc import Collection, Mapping


def comparable_items(items_per_model: Mapping[str, Collection[str]]) -> frozenset[str]:
    """The items that every model has, possibly none; no models raises."""
    if not items_per_model:
        raise ValueError("no models to compare")
    return frozenset.intersection(*map(frozenset, items_per_model.values()))
