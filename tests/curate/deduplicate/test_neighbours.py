"""Pairs of hashes within a few bits are those that comparing all with all finds, each once."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deadpan.curate.deduplicate import buckets
from deadpan.curate.deduplicate.neighbours import NearPairs, near_pairs

Hashes = npt.NDArray[np.uint64]
EVERY = tuple(range(9))


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few hundred hashes are enough for tables, parts, and runs that are looked into."""
    monkeypatch.setattr(buckets, "_DIRECT", 20)
    monkeypatch.setattr(buckets, "LONG", 6)
    monkeypatch.setattr(buckets, "CHUNK", 16)
    monkeypatch.setattr(buckets, "_TABLE", 0.0)


def brute(hashes: Hashes, distance: int) -> npt.NDArray[np.int64]:
    left, right = np.triu_indices(len(hashes), 1)
    near = np.bitwise_count(hashes[left] ^ hashes[right]) <= distance
    return np.column_stack([left[near], right[near]])


def flips(rng: np.random.Generator, most: int, bits: int = 64) -> np.uint64:
    chosen = rng.choice(bits, int(rng.integers(0, most + 1)), replace=False)
    return np.uint64(sum(1 << bit for bit in chosen.tolist()))


def planted(count: int, seed: int, free: int = 2**64 - 1) -> Hashes:
    """Random in the free bits; a third are copies or neighbours of others, or both."""
    rng = np.random.default_rng(seed)
    hashes = rng.integers(0, 2**64, count, dtype=np.uint64) & np.uint64(free)
    for place in range(count // 3):
        hashes[place] = hashes[rng.integers(0, count)] ^ flips(rng, 9)
    return rng.permutation(hashes)


def checked(hashes: Hashes, distance: int) -> NearPairs:
    """What is found, after comparing it with what all with all finds."""
    found = near_pairs(hashes, distance)
    expected = brute(hashes, distance)
    assert np.array_equal(found.all_pairs(), expected)
    for rows in (found.pairs, found.equal, found.edges()):
        assert rows.dtype == np.int64 and rows.shape[1] == 2
        assert (rows[:, 0] < rows[:, 1]).all()
        told = [(left, right) for left, right in rows.tolist()]
        assert told == sorted(set(told))
    return found


@pytest.mark.parametrize("distance", EVERY)
def test_all_planted_pairs_are_found_and_no_other(distance: int) -> None:
    found = checked(planted(2000, distance), distance)
    assert len(found.equal)
    assert bool(len(found.pairs)) == bool(distance)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("distance", EVERY)
@pytest.mark.parametrize("free", [2**64 - 1, 2**20 - 1, 0xF0F0F0F0F00000, 0x8000000000000001])
def test_tables_find_what_comparing_all_finds(distance: int, free: int) -> None:
    checked(planted(500, distance, free), distance)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("distance", [1, 4, 8])
def test_crowds_are_parted_by_the_bits_they_do_not_share(distance: int) -> None:
    rng = np.random.default_rng(distance)
    crowds = [rng.integers(0, 2**64, dtype=np.uint64) for _ in range(3)]
    # 44 bits shared, each crowd others.
    free = [np.uint64((2**20 - 1) << shift) for shift in (0, 21, 44)]
    hashes = np.concatenate(
        [
            (crowd & ~mask) | (rng.integers(0, 2**64, 200, dtype=np.uint64) & mask)
            for crowd, mask in zip(crowds, free, strict=True)
        ]
    )
    checked(rng.permutation(hashes), distance)


@pytest.mark.parametrize("thresholds", ["usual", "small"])
@pytest.mark.parametrize("distance", [0, 1, 4, 8])
def test_odd_hashes(thresholds: str, distance: int, request: pytest.FixtureRequest) -> None:
    if thresholds == "small":
        request.getfixturevalue("small")
    rng = np.random.default_rng(0)
    ball = np.array([flips(rng, 2) for _ in range(300)], np.uint64)
    for hashes in (
        np.zeros(300, np.uint64),
        np.arange(400, dtype=np.uint64),
        np.arange(400, dtype=np.uint64) << np.uint64(55),
        np.uint64(1) << np.arange(64, dtype=np.uint64),
        ball,
        ~ball,
        np.array([0, 2**64 - 1] * 20, np.uint64),
    ):
        checked(hashes, distance)


def test_hashes_in_a_ball_are_all_pairs() -> None:
    ball = np.append(np.uint64(0), np.uint64(1) << np.arange(64, dtype=np.uint64))
    assert len(near_pairs(ball, 2).pairs) == 65 * 64 // 2
    assert near_pairs(ball, 1).pairs.tolist() == [[0, one] for one in range(1, 65)]


@pytest.mark.parametrize("distance", EVERY)
def test_none_one_and_two(distance: int) -> None:
    for hashes in (
        [],
        [7],
        [7, 7],
        [0, 2**64 - 1],
        [0, 2**distance - 1],
        [0, 2 ** (distance + 1) - 1],
    ):
        checked(np.array(hashes, np.uint64), distance)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 300), max_size=60),
    st.integers(0, 8),
)
def test_any_hashes(hashes: list[int], distance: int) -> None:
    checked(np.array(hashes, np.uint64), distance)


def test_copies_are_a_star_around_the_first() -> None:
    hashes = np.array([5, 9, 4, 5, 9, 5, 2**40], np.uint64)
    found = near_pairs(hashes, 1)
    assert found.equal.tolist() == [[0, 3], [0, 5], [1, 4]]
    assert [group.tolist() for group in found.groups()] == [[0, 3, 5], [1, 4]]
    assert found.pairs.tolist() == [[0, 2]]
    assert found.edges().tolist() == [[0, 2], [0, 3], [0, 5], [1, 4]]
    assert found.all_pairs().tolist() == [[0, 2], [0, 3], [0, 5], [1, 4], [2, 3], [2, 5], [3, 5]]
    assert near_pairs(hashes[:2], 0).groups() == []


def test_many_copies_cost_no_more_than_there_are() -> None:
    hashes = np.repeat(planted(300, 1), 1000)
    found = near_pairs(hashes)
    different = len(np.unique(hashes))
    assert len(found.equal) == len(hashes) - different
    assert len(found.edges()) == len(found.equal) + len(found.pairs)
    assert (found.pairs % 1000 == 0).all()


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("singly", [False, True])
def test_shares_in_any_order_and_place_give_the_same(singly: bool) -> None:
    hashes = planted(1500, 3)
    seen: list[int] = []

    def elsewhere(
        work: object, values: Hashes, shares: Sequence[buckets.Share], distance: int
    ) -> Iterable[npt.NDArray[np.uint64]]:
        parted = [(one,) for share in shares for one in share] if singly else list(shares)
        seen.append(len(parted))
        for share in reversed(parted):
            there, tables, own = pickle.loads(pickle.dumps((work, share, values)))
            own.flags.writeable = False  # as in Ray's store
            yield there(own, tables, distance)

    whole, spread = near_pairs(hashes), near_pairs(hashes, run=elsewhere)
    assert seen[0] > 1
    assert np.array_equal(whole.pairs, spread.pairs)
    assert np.array_equal(whole.equal, spread.equal)


@pytest.mark.usefixtures("small")
def test_tables_have_no_pair_in_common() -> None:
    values = np.unique(planted(800, 4, 2**30 - 1))
    shares = buckets.planned(values, 4)
    found = np.concatenate([buckets.table_pairs(values, share, 4) for share in shares])
    assert sum(map(len, shares)) > 1
    assert len(found) == len(np.unique(found)) == len(brute(values, 4))


def test_the_order_of_hashes_moves_only_their_places() -> None:
    hashes = planted(1000, 5)
    moved = np.random.default_rng(5).permutation(len(hashes))
    found = moved[near_pairs(hashes[moved]).all_pairs()]
    assert sorted(map(tuple, np.sort(found, axis=1).tolist())) == sorted(
        map(tuple, brute(hashes, 4).tolist())
    )


def test_what_is_no_row_of_hashes_raises() -> None:
    with pytest.raises(ValueError, match="expected 0 to 8"):
        near_pairs(np.zeros(2, np.uint64), 9)
    with pytest.raises(ValueError, match="got int64"):
        near_pairs(np.zeros(2, np.int64))
    with pytest.raises(ValueError, match="in a row"):
        near_pairs(np.zeros((2, 2), np.uint64))
