"""LoRA training in tokens a second: `deadpan finetune`'s loop against plain PEFT training.

The model is a Qwen2-VL with random weights, its language model of 0.5 billion, made from its
configuration; the examples are random pictures and tokens with the lengths of memes and worded
answers. Both sides have the same weights, examples, adapter, batch size, precision and gradient
checkpointing; plain training is the transformers Trainer, as it comes, and once more with examples
of like lengths put together (`train_sampling_strategy`), where it can. Tokens are those of the
examples, without padding; the repeats are interleaved, medians are printed.

    python bench/finetune_speed.py [--examples 256] [--batch-size 8] [--repeats 3] [--small]

Needs torch, transformers, peft and accelerate; the last two can lie, as plain Python, on
PYTHONPATH. Deadpan need not be installed: its loop is taken from the source tree beside this file.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import MagicMock

SOURCE = Path(__file__).resolve().parents[1] / "src" / "deadpan"
TEXT = {
    "vocab_size": 151_936,
    "hidden_size": 896,
    "intermediate_size": 4864,
    "num_hidden_layers": 24,
    "num_attention_heads": 14,
    "num_key_value_heads": 2,
    "rope_parameters": {"rope_type": "default", "mrope_section": [8, 12, 12], "rope_theta": 1e6},
}
VISION = {"depth": 12, "embed_dim": 768, "num_heads": 12, "hidden_size": 896}
SMALL_TEXT = {
    "vocab_size": 20_000,
    "hidden_size": 128,
    "intermediate_size": 512,
    "num_hidden_layers": 4,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "rope_parameters": {"rope_type": "default", "mrope_section": [4, 6, 6], "rope_theta": 1e6},
}
SMALL_VISION = {"depth": 2, "embed_dim": 64, "num_heads": 2, "hidden_size": 128}
IMAGE, START, END = 5, 6, 7
FIRST_WORD = 10
TARGETS = r".*language_model.*\.(q|k|v|o|gate|up|down)_proj"


def main() -> None:
    """Prints tokens a second and peak memory of each side, and the ratios."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--examples", type=int, default=256)
    parser.add_argument("--batch-size", type=int, default=8)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--small", action="store_true", help="a small model, for a CPU")
    options = parser.parse_args()
    stand_in()
    import torch

    if not torch.cuda.is_available():
        torch.set_num_threads(1)
    sides: dict[str, Callable[[Any, Sequence[Any], argparse.Namespace], None]] = {
        "plain PEFT": theirs,
        "plain PEFT, grouped": grouped,
        "deadpan": ours,
    }
    model = made_model(options.small)
    start = {name: one.detach().clone() for name, one in learning(model)}
    examples = made_examples(options.examples, options.small)
    tokens = sum(len(one.sequences["input_ids"]) for one in examples)
    answers = sum(int((one.sequences["labels"] >= 0).sum()) for one in examples)
    print(f"{len(examples)} examples, {tokens:,} tokens, {answers:,} of them in answers")
    speeds: dict[str, list[float]] = {name: [] for name in sides}
    memory: dict[str, float] = {}
    warm = examples[: 2 * options.batch_size]
    for repeat in range(-1, options.repeats):
        for name, side in sides.items():
            restore(model, start)
            seconds, memory[name] = timed(side, model, warm if repeat < 0 else examples, options)
            if repeat >= 0:
                speeds[name].append(tokens / seconds)
                print(f"  {name}: {speeds[name][-1]:,.0f} tokens/s", flush=True)
    medians = {name: statistics.median(found) for name, found in speeds.items()}
    for name, speed in medians.items():
        ratio = medians["deadpan"] / speed
        print(f"{name}: {speed:,.0f} tokens/s, {memory[name]:,.0f} MiB; ratio {ratio:.2f}")


def restore(model: Any, start: dict[str, Any]) -> None:
    """Gives the adapter its first weights, and undoes what accelerate and the sides changed."""
    import torch

    for name in ("forward", "_original_forward"):
        model.__dict__.pop(name, None)
    for module in model.modules():
        if hasattr(module, "cast_input_dtype_enabled"):
            module.cast_input_dtype_enabled = True
    with torch.no_grad():
        for name, one in learning(model):
            one.copy_(start[name])


def stand_in() -> None:
    """Takes Deadpan from the source tree where it is not installed, and does without psutil."""
    if find_spec("psutil") is None:
        sys.modules["psutil"] = MagicMock()
    if find_spec("deadpan") is None:
        package = ModuleType("deadpan")
        package.__path__ = [str(SOURCE)]
        sys.modules["deadpan"] = package


def timed(
    side: Callable[[Any, Sequence[Any], argparse.Namespace], None],
    model: Any,
    examples: Sequence[Any],
    options: argparse.Namespace,
) -> tuple[float, float]:
    """Seconds of one epoch, of CPU time without a GPU, and the peak of its memory in MiB."""
    import torch

    cuda = torch.cuda.is_available()
    if cuda:
        torch.cuda.synchronize()
        torch.cuda.reset_peak_memory_stats()
    # CPUs are shared with other work: there, the time that the process itself took counts.
    clock = time.perf_counter if cuda else time.process_time
    begun = clock()
    side(model, examples, options)
    if cuda:
        torch.cuda.synchronize()
    seconds = clock() - begun
    return seconds, torch.cuda.max_memory_allocated() / 2**20 if cuda else 0.0


def made_model(small: bool) -> Any:
    """The model with an adapter of rank 8 on the language model, ready to be trained."""
    import peft
    import torch
    import transformers

    cuda = torch.cuda.is_available()
    config = transformers.Qwen2VLConfig(
        text_config=SMALL_TEXT if small else TEXT,
        vision_config=SMALL_VISION if small else VISION,
        image_token_id=IMAGE,
        video_token_id=IMAGE + 3,
        vision_start_token_id=START,
        vision_end_token_id=END,
    )
    torch.manual_seed(0)
    network = transformers.Qwen2VLForConditionalGeneration(config)
    network = network.to("cuda", torch.bfloat16) if cuda else network
    adapter = peft.LoraConfig(r=8, lora_alpha=16, target_modules=TARGETS, task_type="CAUSAL_LM")
    model = peft.get_peft_model(network, adapter)
    if cuda:
        network.gradient_checkpointing_enable({"use_reentrant": False})
    total = sum(one.numel() for one in network.parameters())
    print(f"{total / 1e6:,.0f} M weights, {sum(p.numel() for _, p in learning(model)):,} learn")
    return model


def learning(model: Any) -> list[tuple[str, Any]]:
    """The parameters that are trained."""
    return [(name, one) for name, one in model.named_parameters() if one.requires_grad]


def made_examples(count: int, small: bool) -> list[Any]:
    """One picture each, a question of 50 to 300 tokens, an answer of 10 to 150."""
    import torch

    from deadpan.engine.local.talks import IGNORED, Encoded

    chance = random.Random(0)
    torch.manual_seed(0)
    words = (SMALL_TEXT if small else TEXT)["vocab_size"]
    sides = (4, 10) if small else (16, 40)
    examples = []
    for _ in range(count):
        height, width = (2 * (chance.randint(*sides) // 2) for _ in range(2))
        seen = [START, *[IMAGE] * (height * width // 4), END]
        asked = chance.randint(50, 300)
        said = min(150, max(10, round(chance.lognormvariate(3.7, 0.6))))
        text = [chance.randrange(FIRST_WORD, words) for _ in range(asked + said)]
        ids = [*seen, *text]
        kinds = [0, *[1] * (len(seen) - 2), *[0] * (len(text) + 1)]
        labels = [IGNORED] * (len(ids) - said) + ids[-said:]
        rows = {"input_ids": ids, "mm_token_type_ids": kinds, "labels": labels}
        sequences = {name: torch.tensor(values) for name, values in rows.items()}
        pixels = torch.randn(height * width, 3 * 2 * 14 * 14)
        grid = torch.tensor([[1, height, width]])
        examples.append(Encoded(sequences, {"pixel_values": pixels, "image_grid_thw": grid}))
    return examples


def ours(model: Any, examples: Sequence[Any], options: argparse.Namespace) -> None:
    """One epoch of Deadpan's loop."""
    import accelerate
    import torch

    from deadpan.learning.finetune.training import Settings, Training

    cuda = torch.cuda.is_available()
    accelerator = accelerate.Accelerator(mixed_precision="bf16" if cuda else "no", cpu=not cuda)
    settings = Settings(epochs=1, batch_size=options.batch_size)
    training = Training(
        model, Made(examples), None, settings, accelerator, pad=0, workers=workers(cuda)
    )
    for _ in training.run():
        pass


def theirs(
    model: Any, examples: Sequence[Any], options: argparse.Namespace, group: bool = False
) -> None:
    """One epoch of the transformers Trainer with the same settings."""
    import torch
    import transformers

    cuda = torch.cuda.is_available()
    given: dict[str, Any] = {
        "output_dir": tempfile.mkdtemp(),
        "num_train_epochs": 1,
        "per_device_train_batch_size": options.batch_size,
        "learning_rate": 1e-4,
        "lr_scheduler_type": "cosine",
        "optim": "adamw_torch_fused" if cuda else "adamw_torch",
        "bf16": cuda,
        "use_cpu": not cuda,
        "gradient_checkpointing": cuda,
        "gradient_checkpointing_kwargs": {"use_reentrant": False},
        "dataloader_num_workers": workers(cuda),
        "remove_unused_columns": False,
        "label_names": ["labels"],
        "logging_steps": 10,
        "save_strategy": "no",
        "report_to": "none",
        "disable_tqdm": True,
    }
    if group:
        known = transformers.TrainingArguments.__dataclass_fields__
        if "train_sampling_strategy" in known:
            given["train_sampling_strategy"] = "group_by_length"
        else:
            given["group_by_length"] = True
    trainer = transformers.Trainer(
        model=model,
        args=transformers.TrainingArguments(**given),
        train_dataset=[{**one.sequences, **one.pictures} for one in examples],
        data_collator=padded,
    )
    trainer.train()


def grouped(model: Any, examples: Sequence[Any], options: argparse.Namespace) -> None:
    """One epoch of the Trainer that puts examples of like lengths together."""
    theirs(model, examples, options, group=True)


def workers(cuda: bool) -> int:
    """Processes that make batches ahead of time."""
    return 4 if cuda else 0


def padded(examples: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """A batch as people collate it: padded, with its mask and labels."""
    import torch

    pad = torch.nn.utils.rnn.pad_sequence
    fill = {"input_ids": 0, "mm_token_type_ids": 0, "labels": -100}
    batch = {name: pad([one[name] for one in examples], True, fill[name]) for name in fill}
    ones = [torch.ones_like(one["input_ids"]) for one in examples]
    pictures = {
        name: torch.cat([one[name] for one in examples])
        for name in ("pixel_values", "image_grid_thw")
    }
    return {**batch, "attention_mask": pad(ones, True, 0), **pictures}


class Made:
    """Examples that are encoded already."""

    def __init__(self, examples: Sequence[Any]) -> None:
        self._examples = examples
        self.lengths = [len(one.sequences["input_ids"]) for one in examples]
        self.answers = [int((one.sequences["labels"] >= 0).sum()) for one in examples]

    def __getitem__(self, index: int) -> Any:
        return self._examples[index]


if __name__ == "__main__":
    main()
