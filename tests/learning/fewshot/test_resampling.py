"""Scores that are no means over items: told apart, and compared on resamples of the items."""

from collections.abc import Sequence

import polars as pl
import pytest

from deadpan.core.score import Score
from deadpan.learning.fewshot.comparison import means_by_item, resampled_differences

GOLD = [True, True, True, False, False, True, False, False] * 5


def table(said: Sequence[bool | None]) -> pl.DataFrame:
    """One row per item; None is a failed call."""
    return pl.DataFrame(
        {
            "item": [f"i{place}" for place in range(len(said))],
            "said": list(said),
            "gold": GOLD[: len(said)],
            "outcome": ["failed" if one is None else "answered" for one in said],
        }
    )


def measured(rows: pl.DataFrame) -> dict[str, Score]:
    """Accuracy, precision and F1 over the scored rows; None where there is nothing to divide by."""
    known = rows.filter(pl.col("outcome") == "answered")
    assert known["item"].is_unique().all(), "an item drawn twice is two items"
    pairs = list(zip(known["said"], known["gold"], strict=True))
    tp = sum(said and gold for said, gold in pairs)
    named = sum(said for said, _ in pairs)
    positive = sum(gold for _, gold in pairs)
    values = {
        "accuracy": (sum(said == gold for said, gold in pairs), len(pairs)),
        "precision": (tp, named),
        "f1": (2 * tp, named + positive),
    }
    return {
        name: Score(
            model="m", task="t", metric=name, value=part / whole if whole else None, n=len(pairs)
        )
        for name, (part, whole) in values.items()
    }


def test_only_what_is_a_mean_over_all_items_is_taken_item_by_item() -> None:
    said = [True, False] * 20
    found = means_by_item(table(said), measured)
    assert set(found) == {"accuracy"}
    assert found["accuracy"] == {f"i{n}": float(said[n] == GOLD[n]) for n in range(40)}


def test_an_item_without_an_answer_has_no_value_of_its_own() -> None:
    found = means_by_item(table([None, *GOLD[1:]]), measured)
    assert len(found["accuracy"]) == 39 and "i0" not in found["accuracy"]


def test_equal_arms_differ_by_nothing_and_a_better_one_by_its_lead() -> None:
    tables = {"old": table([True, False] * 20), "same": table([True, False] * 20)}
    tables["gold"] = table(GOLD)
    steps: list[tuple[int, int]] = []
    told = lambda done, total: steps.append((done, total))  # noqa: E731
    found = resampled_differences(tables, measured, ["f1"], resamples=50, progress=told)
    same = found["same", "old"]["f1"]
    assert (same.mean, same.low, same.high, same.n) == (0, 0, 0, 40)
    lead = found["gold", "old"]["f1"]
    assert lead.mean == pytest.approx(1 - measured(tables["old"])["f1"].value)
    assert 0 < lead.low < lead.mean < lead.high < 1
    assert steps[-1] == (50, 50)
    again = resampled_differences(tables, measured, ["f1"], resamples=50)
    assert again == found, "the seed decides"


def test_arms_are_compared_on_the_items_that_all_of_them_answered() -> None:
    """The first five items of one arm failed, and would have made the difference."""
    wrong = [not gold for gold in GOLD[:5]]
    tables = {"one": table([*wrong, *GOLD[5:]]), "other": table([None] * 5 + GOLD[5:])}
    found = resampled_differences(tables, measured, ["f1"], resamples=20)["other", "one"]["f1"]
    assert (found.mean, found.low, found.high, found.n) == (0, 0, 0, 35)


def test_a_score_that_some_resample_leaves_undefined_has_no_interval() -> None:
    """One answer alone says yes: resamples without it have no precision."""
    tables = {"one": table([True, *[False] * 39]), "other": table(GOLD)}
    found = resampled_differences(tables, measured, ["precision", "f1"], resamples=50)
    assert set(found["other", "one"]) == {"f1"}
    failed = {"one": table([None] * 8), "other": table(GOLD[:8])}
    assert resampled_differences(failed, measured, ["f1"]) == {}
