"""Runs of a store: which are one, which stay apart, and how they are told apart."""

import pytest

from deadpan.engine.manifests import (
    ANSWERS,
    JUDGEMENTS,
    Asked,
    Manifest,
    united_judgements,
    united_runs,
)


def run(keys: dict[str, str], epochs: int = 1, server: str = "", origin: str = "") -> Manifest:
    """A run about items, each known by a key."""
    rows = tuple(
        Asked(item, epoch, f"{key}{epoch}", "{}")
        for item, key in keys.items()
        for epoch in range(1, epochs + 1)
    )
    return Manifest(ANSWERS, "proverbs", "meaning", "m", server, rows, origin=origin, settings={})


def united(*manifests: Manifest, failed: tuple[str, ...] = ()) -> list[Manifest]:
    return united_runs(manifests, lambda key, server: key not in failed)


def keys(manifest: Manifest) -> list[str]:
    return [row.key for row in manifest.rows]


A, AB = {"1": "a"}, {"1": "a", "2": "b"}


@pytest.mark.parametrize("pair", [(run(A), run(AB)), (run(AB), run(A)), (run(A), run({"2": "b"}))])
def test_runs_over_more_and_fewer_items_are_one(pair: tuple[Manifest, Manifest]) -> None:
    (one,) = united(*pair)
    assert sorted(keys(one)) == ["a1", "b1"] and one.settings == {}


def test_where_the_data_lay_makes_no_difference() -> None:
    assert len(united(run(A, origin="here"), run(A, origin="there"))) == 1


def test_more_epochs_of_everything_take_the_place_of_fewer() -> None:
    for pair in ((run(AB), run(AB, epochs=3)), (run(AB, epochs=3), run(AB))):
        (one,) = united(*pair)
        assert len(one.rows) == 6


def test_more_epochs_of_a_part_stay_apart() -> None:
    few, many = united(run(AB), run(A, epochs=3))
    assert (len(few.rows), len(many.rows)) == (2, 3)


def test_other_pictures_under_the_same_names_stay_apart_and_are_named() -> None:
    first, second = united(run(AB), run({"1": "a", "2": "changed"}), run(A))
    assert keys(first) == ["a1", "b1"] and keys(second) == ["a1", "changed1"]
    assert first.settings and second.settings
    assert first.settings["media"] != second.settings["media"]


def test_a_question_that_failed_gives_way_to_the_one_that_was_mended() -> None:
    (one,) = united(run({"1": "a", "2": "missing"}), run(AB), failed=("missing1",))
    assert keys(one) == ["a1", "b1"]


def test_servers_are_named_where_there_are_several() -> None:
    here, there = united(run(A, server="http://here"), run(A, server=""))
    assert here.settings == {"server": "http://here"} and there.settings == {"server": "default"}


def test_judgements_are_one_and_no_runs() -> None:
    judged = [
        Manifest(JUDGEMENTS, "proverbs", "meaning", "m", "", (Asked(item, 1, item, None, "x", 1),))
        for item in ("1", "2")
    ]
    assert united(*judged) == []
    (one,) = united_judgements([*judged, run(A)])
    assert keys(one) == ["1", "2"]
