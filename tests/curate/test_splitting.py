"""Splits: groups whole, sizes and strata in proportion, the same however the rows are ordered."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deadpan.base.errors import InputError
from deadpan.curate.splitting import Row, largest_remainder, leaks, split_rows

SHARES = {"train": 0.7, "validation": 0.15, "test": 0.15}
FIELDS = ["language", "label"]


@st.composite
def worlds(draw: st.DrawFn) -> tuple[list[Row], dict[str, str], dict[str, float], int]:
    """Rows with two fields, groups of some of them, shares and a seed."""
    many = draw(st.integers(0, 60))
    rows: list[Row] = [
        {
            "id": f"帖{number}",
            "language": draw(st.sampled_from(["en", "zh"])),
            "label": draw(st.sampled_from([True, False, None])),
        }
        for number in range(many)
    ]
    names = st.sampled_from(["", "a", "b", "c", "d", "模板"])
    groups = {str(row["id"]): draw(names) for row in rows if draw(st.booleans())}
    shares = draw(
        st.sampled_from([SHARES, {"test": 1.0}, {"a": 1, "b": 1}, {"dev": 3.0, "test": 7.0}])
    )
    return rows, groups, shares, draw(st.integers(-5, 5))


@given(worlds())
@settings(max_examples=60, deadline=None)
def test_every_item_is_in_one_split_and_every_group_whole(world) -> None:
    rows, groups, shares, seed = world
    splits = split_rows(rows, groups, shares, FIELDS, seed)
    assert set(splits.of) == {row["id"] for row in rows}
    assert set(splits.of.values()) <= set(shares)
    assert leaks(splits.of, groups, shares).pairs == 0
    assert splits.sizes == {name: list(splits.of.values()).count(name) for name in shares}
    assert sum(splits.wanted.values()) == len(rows)
    assert sum(sum(one.values()) for one in splits.by_stratum.values()) == len(rows)


@given(worlds(), st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_the_order_of_rows_and_groups_does_not_matter(world, random: Random) -> None:
    rows, groups, shares, seed = world
    once = split_rows(rows, groups, shares, FIELDS, seed)
    named = list(groups.items())
    random.shuffle(named)
    again = split_rows(random.sample(rows, len(rows)), dict(named), shares, FIELDS, seed)
    assert once == again


@given(worlds())
@settings(max_examples=40, deadline=None)
def test_sizes_are_off_by_no_more_than_the_largest_group(world) -> None:
    rows, groups, shares, seed = world
    splits = split_rows(rows, groups, shares, FIELDS, seed)
    sizes = Counter(name for one in rows if (name := groups.get(str(one["id"]))))
    largest = max([1, *sizes.values()])
    if largest <= min(splits.wanted.values()):
        off = [abs(splits.sizes[name] - splits.wanted[name]) for name in shares]
        assert max(off) <= largest


@given(st.integers(0, 200), st.integers(0, 9))
@settings(max_examples=30, deadline=None)
def test_without_groups_sizes_are_exact_and_strata_off_by_little(many: int, seed: int) -> None:
    random = Random(seed)
    rows: list[Row] = [
        {"id": f"x{one}", "language": random.choice("ez"), "label": random.choice("abc")}
        for one in range(many)
    ]
    splits = split_rows(rows, {}, SHARES, FIELDS, seed)
    assert splits.sizes == splits.wanted == largest_remainder(SHARES, many)
    assert not splits.notes and splits.naive_leaks.pairs == 0
    for counts in splits.by_stratum.values():
        for name, share in SHARES.items():
            assert abs(counts[name] - share * sum(counts.values())) < 1.5


def test_another_seed_parts_otherwise() -> None:
    rows: list[Row] = [{"id": str(number)} for number in range(40)]
    parted = {tuple(split_rows(rows, {}, SHARES, [], seed).of.items()) for seed in range(4)}
    assert len(parted) == 4


def test_templates_leak_in_a_naive_split_and_never_in_ours() -> None:
    rows: list[Row] = [{"id": f"p{one}", "language": "zh"} for one in range(100)]
    groups = {f"p{one}": f"template {one // 5}" for one in range(100)}
    splits = split_rows(rows, groups, SHARES, ["language"], 0)
    ours = leaks(splits.of, groups, SHARES)
    assert ours.pairs == 0 and set(ours.exposed.values()) == {0}
    naive = splits.naive_leaks
    assert naive.learnt == "train" and set(naive.exposed) == {"validation", "test"}
    assert naive.pairs > 50 and naive.share("test") > 0.8
    assert naive.sizes == {"train": 70, "validation": 15, "test": 15}


def test_leaks_counted_by_hand() -> None:
    of = {"a": "train", "b": "test", "c": "test", "d": "test", "e": "validation", "f": "train"}
    groups = {"a": "g", "b": "g", "c": "g", "d": "h", "e": "h"}
    found = leaks(of, groups, SHARES)
    assert found.pairs == 3  # a–b, a–c and d–e
    assert found.exposed == {"validation": 0, "test": 2}
    assert found.share("test") == pytest.approx(2 / 3)
    assert leaks({}, {}, SHARES).share("test") == 0.0
    assert leaks({"a": "x"}, {}, {"x": 1.0, "y": 2.0}).learnt == "y"


def test_a_giant_group_goes_whole_to_the_largest_share_and_is_told_of() -> None:
    rows: list[Row] = [{"id": f"p{one}"} for one in range(100)]
    groups = {f"p{one}": "everywhere" for one in range(85)}
    splits = split_rows(rows, groups, SHARES, [], 0)
    assert {splits.of[one] for one in groups} == {"train"}
    # The 15 that are left are dealt between the others, and none goes to the one that is full.
    assert splits.sizes["train"] == 85 and abs(splits.sizes["test"] - 7.5) < 1
    first, *others = splits.notes
    assert first == (
        "A group of 85 items is larger than train (70), validation (15), test (15); it is in train."
    )
    assert others[0] == "train has 85 items; its share comes to 70."


def test_a_group_named_like_an_item_is_not_that_item() -> None:
    rows: list[Row] = [{"id": one} for one in "abcd"]
    splits = split_rows(rows, {"b": "a", "c": "a"}, {"one": 1.0, "two": 1.0}, [], 0)
    assert splits.of["b"] == splits.of["c"] != splits.of["a"] == splits.of["d"]


def test_strata_that_rows_lack_and_lists_have_names() -> None:
    rows: list[Row] = [{"id": "a", "kind": ["x", "讽刺"]}, {"id": "b"}, {"id": "c", "kind": ""}]
    splits = split_rows(rows, {}, {"test": 1.0}, ["kind"], 0)
    assert splits.by_stratum == {'["x", "讽刺"]': {"test": 1}, "–": {"test": 2}}


def test_ties_of_remainders_go_to_the_first() -> None:
    assert largest_remainder({"a": 1, "b": 1, "c": 1}, 5) == {"a": 2, "b": 2, "c": 1}
    assert largest_remainder({"train": 0.1, "x": 0.1, "y": 0.1}, 1) == {"train": 1, "x": 0, "y": 0}
    assert largest_remainder(SHARES, 0) == {"train": 0, "validation": 0, "test": 0}


@pytest.mark.parametrize("shares", [{}, {"test": 0.0}, {"test": -1.0}, {"test": float("nan")}])
def test_shares_that_cannot_be_dealt_raise(shares: dict[str, float]) -> None:
    with pytest.raises(InputError, match=r"split\.shares"):
        split_rows([{"id": "a"}], {}, shares, [], 0)


def test_an_id_that_is_there_twice_raises() -> None:
    with pytest.raises(InputError, match="is the id of two rows"):
        split_rows([{"id": "a"}, {"id": "a"}], {}, SHARES, [], 0)
