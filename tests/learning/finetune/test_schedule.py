"""Every example once an epoch, beside others of its length, in an order that the seed decides."""

import math

import pytest

from deadpan.learning.finetune.training import learning_rate, planned_steps, share

LENGTHS = [7, 100, 8, 90, 9, 95, 50]


def test_each_epoch_sees_each_example_once() -> None:
    steps = planned_steps(LENGTHS, batch=2, accumulate=3, epochs=2, seed=0)
    for epoch in (1, 2):
        own = [step for step in steps if step.epoch == epoch]
        seen = [index for step in own for batch in step.batches for index in batch]
        assert sorted(seen) == list(range(len(LENGTHS)))
        assert [len(step.batches) for step in own] == [3, 1]
        assert [step.ends_epoch for step in own] == [False, True]


def test_batches_hold_examples_of_like_length_and_begin_with_the_longest() -> None:
    steps = planned_steps(LENGTHS, batch=2, accumulate=1, epochs=1, seed=0)
    batches = [batch for step in steps for batch in step.batches]
    assert sorted(map(sorted, batches)) == [[0], [1, 5], [2, 4], [3, 6]]
    assert sorted(batches[0]) == [1, 5]


def test_the_seed_and_the_epoch_decide_the_order() -> None:
    def order(seed: int, epoch: int) -> list[int]:
        steps = planned_steps([1] * 30, batch=3, accumulate=1, epochs=2, seed=seed)
        own = [step for step in steps if step.epoch == epoch]
        return [index for step in own for batch in step.batches for index in batch]

    assert order(0, 1) == order(0, 1)
    assert order(0, 1) != order(0, 2)
    assert order(0, 1) != order(1, 1)


def test_no_examples_raise() -> None:
    with pytest.raises(ValueError, match="no examples"):
        planned_steps([], batch=2, accumulate=1, epochs=1, seed=0)


def test_processes_share_a_batch_and_one_without_a_part_counts_for_nothing() -> None:
    assert [share((4, 5, 6), process, 2) for process in (0, 1)] == [([4, 6], True), ([5], True)]
    assert share((4,), 1, 2) == ([4], False)


def test_the_learning_rate_rises_in_a_line_and_falls_in_half_a_cosine() -> None:
    rates = [learning_rate(step, 10, 2.0, 0.2) for step in range(1, 11)]
    assert rates[:2] == [1.0, 2.0]
    assert rates[2] == pytest.approx(1 + math.cos(math.pi / 9))
    assert rates[-1] == pytest.approx(1 + math.cos(math.pi * 8 / 9))
    assert rates[2:] == sorted(rates[2:], reverse=True)
