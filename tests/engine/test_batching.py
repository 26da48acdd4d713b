"""Many prompts at once: the answers of the one-by-one path, whoever else is in the batch."""

import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from deadpan.base.errors import DeadpanError
from tests.learning.finetune.conftest import learning_libraries, llava, mllama, qwen

__all__ = ["learning_libraries", "llava", "mllama", "qwen"]

WORDS = (
    "Is it red?",
    "What is the joke here, and who is laughed at?",
    "选一个：甲、乙、丙。",
    "Why?" * 20,
)


def _one_by_one(model: Any, turns: Any, most: int) -> list[int]:
    """What `generate` writes for one prompt."""
    import torch

    from deadpan.engine.local.loaded import answer_ends
    from deadpan.engine.local.talks import prompt_inputs

    inputs = prompt_inputs(model.processor, turns)
    with torch.inference_mode():
        made = model.network.generate(
            **inputs,
            do_sample=False,
            temperature=None,
            top_p=None,
            top_k=None,
            max_new_tokens=most,
            eos_token_id=sorted(answer_ends(model)),
            pad_token_id=model.processor.tokenizer.pad_token_id,
        )
    return made[0, inputs["input_ids"].shape[1] :].tolist()


def _talks(seed: int, count: int = 24) -> list[tuple[Any, int]]:
    """Talks about few pictures of several sizes, some about none, of answers of several lengths."""
    from deadpan.engine.local.talks import Turn

    draw = random.Random(seed)
    pictures = [
        Image.new("RGB", (width, 16 + 8 * place), (60 * place, 90, 200))
        for place, width in enumerate((16, 24, 40))
    ]
    made = []
    for place in range(count):
        shown = [pictures[place % 3]] if place % 4 else []
        said = draw.choice(WORDS) + " " * (place % 3) + str(place)
        turns = (Turn("system", ("You are brief.",)), Turn("user", (*shown, said)))
        made.append((turns, draw.choice((3, 9, 17))))
    return made


def _answered(model: Any, talks: Sequence[tuple[Any, int]]) -> tuple[list[list[int]], Any]:
    from deadpan.engine.local.batching import open_answerer
    from deadpan.engine.local.loaded import answer_ends
    from deadpan.engine.local.prompts import Prompt

    answerer = open_answerer(model.network, model.processor, answer_ends(model))
    futures = [answerer.submit(Prompt(turns, most)) for turns, most in talks]
    replies = [future.result(120) for future in futures]
    answerer.close()
    return [list(reply.tokens) for reply in replies], answerer


@pytest.mark.parametrize("kind", ["qwen", "llava", "mllama"])
def test_answers_are_those_of_one_by_one(kind: str, request: pytest.FixtureRequest) -> None:
    from deadpan.engine.local.models import answering_model

    folder: Path = request.getfixturevalue(kind)
    model = answering_model(str(folder))
    talks = _talks(seed=1)
    if kind == "mllama":
        talks = [one for one in talks if len(one[0][1].parts) > 1][:8]
    expected = [_one_by_one(model, *one) for one in talks]
    found, answerer = _answered(model, talks)
    assert type(answerer).__name__ == ("WholeBatcher" if kind == "mllama" else "Batcher")
    assert found == expected


def test_repeated_tokens_are_as_unlikely_as_one_by_one(qwen: Path) -> None:
    from deadpan.engine.local.models import answering_model

    model = answering_model(str(qwen))
    model.network.generation_config.repetition_penalty = 1.4
    talks = _talks(seed=3, count=10)
    expected = [_one_by_one(model, *one) for one in talks]
    assert _answered(model, talks)[0] == expected


def test_settings_that_only_generate_follows_are_left_to_it(qwen: Path) -> None:
    from deadpan.engine.local.models import answering_model

    model = answering_model(str(qwen))
    model.network.generation_config.no_repeat_ngram_size = 2
    talks = _talks(seed=4, count=6)
    expected = [_one_by_one(model, *one) for one in talks]
    found, answerer = _answered(model, talks)
    assert type(answerer).__name__ == "WholeBatcher"
    assert found == expected


def _open(model: Any) -> Any:
    from deadpan.engine.local.batching import open_answerer
    from deadpan.engine.local.loaded import answer_ends

    return open_answerer(model.network, model.processor, answer_ends(model))


@pytest.mark.parametrize("tokens", [1, 300, 900])
def test_little_memory_makes_no_other_answers(qwen: Path, tokens: int) -> None:
    """Rows wait, are put back and are read again with what they wrote; few of them."""
    from deadpan.engine.local.models import answering_model
    from deadpan.engine.local.prompts import Prompt

    model = answering_model(str(qwen))
    talks = [(turns, 80) for turns, _ in _talks(seed=5, count=8)]
    expected = [_one_by_one(model, *one) for one in talks]
    answerer = _open(model)
    answerer.memory.tokens = tokens
    read, begin = [], answerer._read
    answerer._read = lambda rows: read.extend(rows) or begin(rows)
    futures = [answerer.submit(Prompt(turns, most)) for turns, most in talks]
    assert [list(one.result(120).tokens) for one in futures] == expected
    assert len(talks) <= len(read) <= 2 * len(talks)
    answerer.close()


@pytest.mark.parametrize("fails", [(0,), (0, 1), (1, 7, 9)])
def test_a_full_memory_is_tried_again_with_less(
    qwen: Path, fails: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch

    from deadpan.engine.local.models import answering_model
    from deadpan.engine.local.prompts import Prompt

    model = answering_model(str(qwen))
    talks = _talks(seed=6, count=9)
    expected = [_one_by_one(model, *one) for one in talks]
    answerer = _open(model)
    tokens, calls = answerer.memory.tokens, iter(range(10_000))
    forward = model.network.forward

    def full(*given: Any, **named: Any) -> Any:
        if next(calls) in fails:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return forward(*given, **named)

    monkeypatch.setattr(model.network, "forward", full)
    futures = [answerer.submit(Prompt(turns, most)) for turns, most in talks]
    assert [list(one.result(120).tokens) for one in futures] == expected
    assert answerer.memory.most_read < 2048
    assert answerer.memory.tokens <= tokens
    answerer.close()


def test_what_does_not_fit_alone_fails_alone(qwen: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    from deadpan.engine.local.models import answering_model
    from deadpan.engine.local.prompts import Prompt
    from deadpan.engine.local.talks import Turn

    model = answering_model(str(qwen))
    answerer = _open(model)
    forward = model.network.forward

    def full(*given: Any, **named: Any) -> Any:
        if named["input_ids"].shape[1] > 100:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return forward(*given, **named)

    monkeypatch.setattr(model.network, "forward", full)
    long = answerer.submit(Prompt((Turn("user", ("Why? " * 50,)),), 4))
    short = [answerer.submit(Prompt((Turn("user", (word,)),), 4)) for word in ("Why?", "Who?")]
    with pytest.raises(DeadpanError, match=r"its \d+ tokens do not fit into the memory"):
        long.result(60)
    assert all(len(one.result(60).tokens) == 4 or one.result().stop == "stop" for one in short)
    answerer.close()


def test_what_a_row_draws_depends_on_its_seed_alone(qwen: Path) -> None:
    from deadpan.engine.local.models import answering_model
    from deadpan.engine.local.prompts import Prompt

    model = answering_model(str(qwen))
    answerer = _open(model)
    talks = _talks(seed=8, count=6)

    def drawn(seeds: Sequence[int], place: int = 0) -> list[tuple[int, ...]]:
        asked = [Prompt(talks[place][0], 12, 1.0, 0.9, seed=seed) for seed in seeds]
        others = [Prompt(turns, most) for turns, most in talks[: len(seeds)]]
        futures = [answerer.submit(one) for one in (*others, *asked)]
        return [one.result(60).tokens for one in futures][len(others) :]

    alone = [drawn([seed])[0] for seed in (1, 2, 3)]
    assert drawn([3, 2, 1]) == alone[::-1]
    assert len(set(alone)) == 3
    answerer.close()


def test_tokens_are_drawn_as_often_as_they_are_likely() -> None:
    torch = pytest.importorskip("torch", reason="needs the [learn] extra")

    from deadpan.engine.local.prompts import Prompt
    from deadpan.engine.local.sampling import Chooser

    rows = 4000
    shares = torch.tensor([0.5, 0.3, 0.15, 0.05])
    likely = {None: shares, 0.8: torch.tensor([0.625, 0.375, 0.0, 0.0])}
    for top_p, expected in likely.items():
        prompt = Prompt((), 1, 1.0, top_p)
        draws = tuple(random.Random(seed) for seed in range(rows))
        chooser = Chooser((prompt,) * rows, draws)
        found = chooser.choose(shares.log().expand(rows, -1), None)
        share = torch.bincount(found, minlength=4) / rows
        assert (share - expected).abs().max() < 0.03


def test_a_prompt_that_cannot_be_read_fails_alone(qwen: Path) -> None:
    from deadpan.engine.local.models import answering_model
    from deadpan.engine.local.prompts import Prompt
    from deadpan.engine.local.talks import Turn

    model = answering_model(str(qwen))
    answerer = _open(model)
    bad = answerer.submit(Prompt((Turn("user", (Image.new("RGB", (1, 400)), "Tall?")),), 3))
    good = answerer.submit(Prompt((Turn("user", (Image.new("RGB", (16, 16)), "Square?")),), 3))
    assert good.result(60).tokens
    with pytest.raises(Exception, match="aspect ratio"):
        bad.result(60)
    answerer.close()


def test_the_engine_needs_torch_transformers_and_pillow_alone() -> None:
    """It runs on machines where nothing else of ours is installed."""
    pytest.importorskip("torch", reason="needs the [learn] extra")
    pytest.importorskip("transformers", reason="needs the [learn] extra")
    absent = ("pydantic", "polars", "inspect_ai", "openai", "jiwer", "altair", "platformdirs")
    code = f"import sys; sys.modules.update(dict.fromkeys({absent!r}))\n"
    code += "import deadpan.engine.local.batching"
    assert subprocess.run([sys.executable, "-c", code], timeout=120).returncode == 0


def test_replicas_answer_alike_and_take_over_from_one_that_ends(qwen: Path) -> None:
    from deadpan.engine.local.models import LoadOptions, answering_model
    from deadpan.engine.local.prompts import Prompt
    from deadpan.engine.local.replicas import Replicas

    model = answering_model(str(qwen))
    talks = _talks(seed=2, count=12)
    expected = [_one_by_one(model, *one) for one in talks]
    replicas = Replicas(str(qwen), LoadOptions(), ["", ""])
    try:
        futures = [replicas.submit(Prompt(turns, most)) for turns, most in talks]
        assert [list(one.result(120).tokens) for one in futures] == expected
        futures = [replicas.submit(Prompt(turns, 200)) for turns, _ in talks]
        replicas._replicas[0].process.kill()
        assert all(len(one.result(120).tokens) for one in futures)
        replicas._replicas[1].process.kill()
        with pytest.raises(DeadpanError, match="the model's process ended"):
            replicas.submit(Prompt(talks[0][0], 200)).result(120)
    finally:
        replicas.close()
