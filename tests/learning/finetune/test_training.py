"""The loop itself: its loss is the model's own, padding and dealing out change nothing."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from deadpan.base.errors import DeadpanError
from deadpan.engine.local.models import picture_model
from deadpan.engine.local.talks import IGNORED, Encoded
from deadpan.learning.finetune.examples import ExampleCorpus, corpus_of, split_examples
from deadpan.learning.finetune.training import Settings, State, StepReport, Training
from deadpan.learning.finetune.tuning import with_adapter
from tests.learning.finetune.taught_toy import SQUARES


@dataclass
class Kept:
    """All that a training gives."""

    steps: list[StepReport] = field(default_factory=list)
    states: list[State] = field(default_factory=list)

    def take(self, training: Training) -> None:
        for news in training.run():
            if isinstance(news, State):
                self.states.append(news)
            else:
                self.steps += news


def _corpus(processor: Any, count: int) -> ExampleCorpus:
    return corpus_of(split_examples(SQUARES, ["colour"], "train", limit=count), processor)


def _training(folder: Path, count: int = 4, **settings: Any) -> Training:
    from accelerate import Accelerator

    model = picture_model(str(folder))
    chosen = Settings(**{"epochs": 1, "learning_rate": 1e-2, **settings})
    corpus = _corpus(model.processor, count)
    pad = model.processor.tokenizer.pad_token_id
    adapted = with_adapter(model, chosen)
    return Training(adapted, corpus, corpus, chosen, Accelerator(cpu=True), pad=pad)


@pytest.mark.parametrize("family", ["qwen", "llava", "mllama"])
def test_a_padded_batch_has_the_models_own_loss_of_its_examples_one_by_one(
    family: str, request: pytest.FixtureRequest
) -> None:
    folder = request.getfixturevalue(family)
    import torch

    training = _training(folder, batch_size=4)
    assert len(set(training.corpus.lengths)) > 1
    total = 0.0
    training.model.eval()
    for index, answered in enumerate(training.corpus.answers):
        one: Encoded = training.corpus[index]
        inputs = {name: values[None] for name, values in one.sequences.items()}
        with torch.no_grad():
            loss = training.model(**inputs, **one.pictures).loss
        assert int((inputs["labels"] != IGNORED).sum()) == answered
        total += float(loss) * answered
    expected = total / sum(training.corpus.answers)
    assert training.validation_loss() == pytest.approx(expected, rel=1e-5)


def test_a_models_logits_are_cut_where_it_cannot_do_so_itself(qwen: Path) -> None:
    training = _training(qwen)
    whole = training.validation_loss()
    training._keeps_columns = False
    assert training.validation_loss() == pytest.approx(whole, rel=1e-6)


def test_batches_that_are_accumulated_are_one_batch(qwen: Path) -> None:
    import torch

    weights = []
    for shape in ({"batch_size": 4}, {"batch_size": 1, "accumulate": 4}):
        training = _training(qwen, **shape)
        training.model.double()  # Adam makes steps of the rounding of a gradient that is all but 0
        kept = Kept()
        kept.take(training)
        assert len(kept.steps) == 1
        weights.append(kept.states[-1].weights)
    for name, one in weights[0].items():
        torch.testing.assert_close(one, weights[1][name], rtol=1e-3, atol=1e-5)


def test_every_step_is_told_with_its_tokens_and_validation_after_an_epoch(qwen: Path) -> None:
    training = _training(qwen, count=6, batch_size=2, epochs=2)
    training.keep_every = 2
    kept = Kept()
    kept.take(training)
    assert [one.step for one in kept.steps] == [1, 2, 3, 4, 5, 6]
    assert [one.validation is not None for one in kept.steps] == [False, False, True] * 2
    assert sum(one.tokens for one in kept.steps) == 2 * sum(training.corpus.lengths)
    assert [state.step for state in kept.states] == [2, 3, 4, 6]


def test_a_loss_that_is_no_number_stops_the_training(qwen: Path) -> None:
    import torch

    training = _training(qwen)
    with torch.no_grad():
        next(one for one in training.model.parameters() if one.requires_grad).fill_(float("nan"))
    with pytest.raises(DeadpanError, match="step 1: the loss is nan; lower --learning-rate"):
        Kept().take(training)


@pytest.mark.parametrize(
    ("checked", "told"),
    [(True, "the validation loss is nan"), (False, "the adapter's weights are no finite numbers")],
)
def test_a_last_step_that_leaves_no_numbers_stops_the_training(
    qwen: Path, checked: bool, told: str
) -> None:
    training = _training(qwen, learning_rate=float("inf"))
    training.validation = training.corpus if checked else None
    kept = Kept()
    with pytest.raises(DeadpanError, match=f"step 1: {told}.*lower --learning-rate"):
        kept.take(training)
    assert kept.states == []
