"""Batches: padding on the right, loss places, pictures one after the other."""

import pytest

from deadpan.engine.local.talks import IGNORED, Encoded
from deadpan.learning.finetune.examples import COLUMNS, TARGETS, collate

pytestmark = pytest.mark.usefixtures("learning_libraries")


def _example(prompt: list[int], answer: list[int], height: int, kinds: bool = False) -> Encoded:
    import torch

    sequences = {
        "input_ids": torch.tensor([*prompt, *answer]),
        "labels": torch.tensor([IGNORED] * len(prompt) + answer),
    }
    if kinds:
        sequences["token_type_ids"] = torch.ones(len(prompt) + len(answer), dtype=torch.long)
    return Encoded(sequences, {"pixel_values": torch.ones(1, height, 2)})


def test_only_places_before_an_answers_token_are_kept() -> None:
    batch = collate([_example([1, 2, 3], [7, 8], 1), _example([4], [9], 1)], pad=5)
    assert batch["input_ids"].tolist() == [[1, 2, 3, 7, 8], [4, 9, 5, 5, 5]]
    assert batch[COLUMNS].tolist() == [0, 2, 3]
    assert batch[TARGETS].tolist() == [[IGNORED, 7, 8], [9, IGNORED, IGNORED]]
    assert "attention_mask" not in batch and "labels" not in batch


def test_a_model_that_looks_both_ways_gets_a_mask() -> None:
    examples = [_example([1, 2], [7], 1, kinds=True), _example([4], [9], 1, kinds=True)]
    batch = collate(examples, pad=5)
    assert batch["attention_mask"].tolist() == [[1, 1, 1], [1, 1, 0]]
    assert batch["token_type_ids"].tolist() == [[1, 1, 1], [1, 1, 0]]


def test_smaller_pictures_are_filled_up_with_zeros() -> None:
    batch = collate([_example([1], [7], 2), _example([1], [7], 1)], pad=0)
    assert batch["pixel_values"].tolist() == [[[1, 1], [1, 1]], [[1, 1], [0, 0]]]


def test_rows_of_tokens_are_filled_up_to_the_longest_and_widest() -> None:
    import torch

    examples = [_example([1, 2], [7], 1), _example([4], [9], 1)]
    for example, pictures in zip(examples, (1, 2), strict=True):
        length = len(example.sequences["input_ids"])
        example.sequences["cross_attention_mask"] = torch.ones(length, pictures)
    batch = collate(examples, pad=0)
    assert batch["cross_attention_mask"].tolist() == [
        [[1, 0], [1, 0], [1, 0]],
        [[1, 1], [1, 1], [0, 0]],
    ]
