"""The items that all models have."""

import pytest

from deadpan.core.units import comparable_items


def test_only_items_of_all_models_remain() -> None:
    items = {"one": ["a", "b", "c"], "two": {"b", "c", "d"}, "three": ("c", "b")}
    assert comparable_items(items) == {"b", "c"}


def test_one_model_keeps_its_items() -> None:
    assert comparable_items({"one": ["a", "a", "b"]}) == {"a", "b"}


def test_models_with_nothing_in_common_share_no_item() -> None:
    assert comparable_items({"one": ["a"], "two": ["b"]}) == frozenset()
    assert comparable_items({"one": ["a"], "two": []}) == frozenset()


def test_no_models_raise() -> None:
    with pytest.raises(ValueError, match="no models"):
        comparable_items({})
