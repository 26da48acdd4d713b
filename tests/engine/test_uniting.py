"""Runs of a store: which are one, which stay apart, and how they are told apart."""

import pytest

from deadpan.engine.manifests import ANSWERS, JUDGEMENTS, Asked, Manifest
from deadpan.engine.uniting import united_judgements, united_runs


def run(
    keys: dict[str, str], epochs: int = 1, server: str = "", origin: str = "", data: str = ""
) -> Manifest:
    """A run about items, each known by a key."""
    rows = tuple(
        Asked(item, epoch, f"{key}{epoch}", "{}")
        for item, key in keys.items()
        for epoch in range(1, epochs + 1)
    )
    about = (ANSWERS, "proverbs", "meaning", "m", server)
    return Manifest(*about, rows, data=data, origin=origin, settings={})


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


OLD, FEW, ALL, OTHER = "d", "d+media:x(1/2)", "d+media:y", "d+media:z"


@pytest.mark.parametrize("earlier", [OLD, FEW, OTHER])
def test_a_run_whose_answers_all_stand_in_a_later_one_is_part_of_it(earlier: str) -> None:
    """An older store that does not tell of media, pictures fetched since, or changed elsewhere."""
    first = run({"1": "a", "2": "missing"}, data=earlier)
    (one,) = united(first, run(AB, data=ALL), failed=("missing1",))
    assert keys(one) == ["a1", "b1"] and one.data == ALL and one.settings == {}
    (one,) = united(run(AB, data=earlier), run(AB, data=ALL))
    assert one.data == ALL


def test_a_changed_picture_keeps_runs_apart_by_their_data() -> None:
    first, second = united(run(AB, data=ALL), run({"1": "a", "2": "changed"}, data=OTHER))
    assert (first.data, second.data) == (ALL, OTHER) and first.settings == second.settings == {}


def test_an_answer_about_media_that_may_have_changed_is_not_signed_with_the_new_ones() -> None:
    (one,) = united(run(AB, data=ALL), run(A, data=OTHER))  # 2 may be another picture by now
    assert one.data == ALL and keys(one) == ["a1", "b1"]
    first, second = united(run(AB, data=ALL), run({"1": "a", "3": "c"}, data=OTHER))
    assert (first.data, second.data) == (ALL, OTHER)


def test_other_annotations_are_other_data() -> None:
    assert len(united(run(AB, data="d+media:x"), run(AB, data="e+media:x"))) == 2


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
