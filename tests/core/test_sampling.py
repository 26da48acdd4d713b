"""Samples of items: exact in size, nested, seeded, in proportion, the same on every machine."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks import find, names
from deadpan.core.sampling import Sample, Stratum, draw, drawing_order, strata_of

_STRATA = st.dictionaries(
    st.text(max_size=4), st.tuples(st.sampled_from("abc"), st.booleans()), max_size=60
)
_SEEDS = st.integers(0, 5)


@given(_STRATA, _SEEDS, st.integers(1, 70), st.integers(1, 70))
def test_samples_are_exact_and_a_larger_one_holds_the_smaller(
    strata: dict[str, Stratum], seed: int, one: int, other: int
) -> None:
    small, large = (draw(strata, Sample(size, seed)) for size in sorted((one, other)))
    assert small <= large <= strata.keys()
    assert len(large) == min(max(one, other), len(strata))
    assert sorted(drawing_order(strata, seed)) == sorted(strata), "everything is in the order once"


@given(_STRATA, _SEEDS, st.integers(1, 60))
def test_strata_have_their_share(strata: dict[str, Stratum], seed: int, size: int) -> None:
    drawn = draw(strata, Sample(size, seed))
    sizes = Counter(first for first, _ in strata.values())
    found = Counter(strata[item][0] for item in drawn)
    for part, count in sizes.items():
        share = count * len(drawn) / len(strata)
        assert abs(found[part] - share) < 1 + len(sizes) * count / len(strata)


def test_every_item_has_the_same_chance() -> None:
    """Also one that is alone in its stratum, and is never or always there by rounding."""
    sizes = {("a", 1): 9, ("a", 2): 7, ("b", 1): 4, ("b", 2): 2, ("b", 3): 1, ("a", 3): 1}
    strata: dict[str, Stratum] = {
        f"{'/'.join(map(str, stratum))} {number}": stratum
        for stratum, count in sizes.items()
        for number in range(count)
    }
    drawn = Counter(item for seed in range(2000) for item in draw(strata, Sample(8, seed)))
    for item in strata:
        assert drawn[item] / 2000 == pytest.approx(8 / 24, abs=0.06), item


@given(_STRATA, _SEEDS, st.integers(0, 99))
def test_the_order_of_the_data_does_not_matter(
    strata: dict[str, Stratum], seed: int, turn: int
) -> None:
    turned = [*list(strata.items())[turn:], *list(strata.items())[:turn]][::-1]
    assert drawing_order(dict(turned), seed) == drawing_order(strata, seed)


def test_what_is_drawn_is_the_same_everywhere() -> None:
    strata: dict[str, Stratum] = {f"梗图 {n}": ("zh" if n % 4 else "en",) for n in range(12)}
    assert drawing_order(strata, 0)[:4] == ["梗图 4", "梗图 1", "梗图 6", "梗图 9"]
    assert drawing_order(strata, 1)[:4] != drawing_order(strata, 0)[:4]


@pytest.mark.parametrize("name", names())
def test_every_benchmark_can_be_drawn_from(name: str) -> None:
    benchmark = find(name)
    dataset = benchmark.read(None)
    strata = strata_of(benchmark, dataset)
    languages = {stratum[1] for stratum in strata.values()}
    drawn = Sample(12).of(benchmark, dataset)
    assert drawn is not None and len(drawn) == 12 and drawn <= strata.keys()
    assert {strata[item][1] for item in drawn} == languages == set(benchmark.languages)
    assert Sample(len(strata)).of(benchmark, dataset) is None, "all is no sample"


def test_items_are_drawn_by_the_tasks_that_ask_about_them() -> None:
    cfms = find("cfms")
    dataset = cfms.read(None)
    drawn = Sample(16).of(cfms, dataset) or frozenset()
    asked = {
        task: [one.item for one in cfms.questions(dataset, task, cfms.prompts(task))]
        for task in ("joint", "target", "metaphor")
    }
    counts = {task: len(drawn & set(items)) for task, items in asked.items()}
    assert counts == {"joint": 6, "target": 3, "metaphor": 10}, "of 24, 12 and 40"


def test_what_is_excluded_is_not_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    comics = find("pixelhumor")
    monkeypatch.setattr(comics, "harmful", ("panels", 3))  # the mini-set has nothing that is
    dataset = comics.read(None)
    asked = comics.questions(dataset, "presence", comics.prompts("presence"))
    harmful = {one.item for one in asked if comics.is_harmful(one.attributes)}
    mild = len(asked) - len(harmful)
    drawn = Sample(mild - 1).of(comics, dataset, ("harmful",))
    assert harmful and drawn is not None and len(drawn) == mild - 1 and not drawn & harmful
    assert Sample(mild).of(comics, dataset, ("harmful",)) is None


@pytest.mark.parametrize(("size", "seed", "why"), [(0, 0, "sample is 0"), (1, -1, "seed is -1")])
def test_sizes_below_one_are_refused(size: int, seed: int, why: str) -> None:
    with pytest.raises(DeadpanError, match=why):
        Sample(size, seed)
