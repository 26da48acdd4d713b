"""Answers a second of a model on one's own GPU: the local engine against one by one, and against
plain `generate` in batches of a fixed size.

The model is a Qwen2-VL of 8.3 billion random weights, made from its configuration (`--small`: a
tiny one, to try the script). Pictures have several sizes, eight questions are asked about each,
questions and answers have several lengths: random weights never end an answer, so each goes to its
own limit. One by one is what `local/…` did at commit aaf4301: a prompt is encoded, generated and
decoded before the next. The plain loop encodes so many prompts with padding, generates until the
longest is done, and goes on with the next; all sides use bfloat16 and torch's own attention.

    python bench/local_engine.py [--pictures 256] [--batch-sizes 32,128,256] [--answers mixed|64]
        [--dtype bfloat16|float32]

Needs torch, transformers and Pillow; Deadpan need not be installed: its engine is taken from the
source tree beside this file.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

os.environ.setdefault("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True")
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

import torch
from PIL import Image

from deadpan.engine.local.batching import open_answerer
from deadpan.engine.local.prompts import Prompt
from deadpan.engine.local.talks import Turn, batch_inputs, prompt_inputs

MARKS = (
    *("<|im_start|>", "<|im_end|>", "<|endoftext|>", "<|vision_start|>", "<|vision_end|>"),
    *("<|image_pad|>", "<|video_pad|>"),
)
TEMPLATE = (
    "{% for turn in messages %}<|im_start|>{{ turn.role }}\n{% for part in turn.content %}"
    "{% if part.type == 'image' %}<|vision_start|><|image_pad|><|vision_end|>"
    "{% else %}{{ part.text }}{% endif %}{% endfor %}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
SYSTEM = "You look at a comic and answer a question about its humour. Answer in the form asked."
QUESTION_TOKENS = (25, 80, 30, 35, 200, 25, 55, 75)
ANSWER_TOKENS = (8, 8, 8, 16, 24, 96, 32, 160)
"""Of eight questions about a comic, a token a byte: short choices, an explanation, all its text."""
SIZES = ((448, 448), (672, 448), (896, 420), (560, 784), (980, 420), (336, 448))


def build(small: bool, device: str, dtype: str) -> tuple[Any, Any]:
    """A network of random weights and its processor."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import (
        PreTrainedTokenizerFast,
        Qwen2VLConfig,
        Qwen2VLForConditionalGeneration,
        Qwen2VLImageProcessorPil,
        Qwen2VLProcessor,
    )

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    made = Tokenizer(models.BPE(vocab={one: n for n, one in enumerate(letters)}, merges=[]))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=made,
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        additional_special_tokens=list(MARKS),
    )
    number = tokenizer.convert_tokens_to_ids
    text = {
        "vocab_size": 152_064,
        "hidden_size": 3584,
        "intermediate_size": 18_944,
        "num_hidden_layers": 28,
        "num_attention_heads": 28,
        "num_key_value_heads": 4,
        "max_position_embeddings": 32_768,
        "rope_parameters": {
            "rope_type": "default",
            "mrope_section": [16, 24, 24],
            "rope_theta": 1e6,
        },
    }
    vision = {"hidden_size": 3584}
    if small:
        text |= {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2}
        text |= {"num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": 512}
        text["rope_parameters"] |= {"mrope_section": [2, 3, 3]}
        vision |= {"hidden_size": 64, "depth": 1, "embed_dim": 32, "num_heads": 2}
    marks = {
        "image_token_id": number("<|image_pad|>"),
        "video_token_id": number("<|video_pad|>"),
        "vision_start_token_id": number("<|vision_start|>"),
        "vision_end_token_id": number("<|vision_end|>"),
    }
    config = Qwen2VLConfig(text_config=text, vision_config=vision, **marks)
    torch.manual_seed(0)
    kind = getattr(torch, dtype)
    with torch.device(device):
        network = Qwen2VLForConditionalGeneration._from_config(config, dtype=kind).eval()
    network.generation_config.eos_token_id = number("<|im_end|>")

    class Processor(Qwen2VLProcessor):
        """Without the part for videos."""

        def __init__(self, image_processor=None, tokenizer=None, chat_template=None, **options):
            parts = {"image_processor": image_processor, "tokenizer": tokenizer}
            super().__init__(**parts, chat_template=chat_template, **options)

        def check_argument_for_proper_class(self, name, argument):  # videos have none
            return argument

    pictures = Qwen2VLImageProcessorPil(min_pixels=56 * 56, max_pixels=1024 * 28 * 28)
    return network, Processor(pictures, tokenizer, chat_template=TEMPLATE)


def talks(pictures: int, answers: str) -> list[tuple[tuple[Turn, ...], int]]:
    """Eight questions about each picture, and how long each answer is."""
    draw = random.Random(0)
    made = []
    for place in range(pictures):
        picture = Image.effect_noise(SIZES[place % len(SIZES)], 60).convert("RGB")
        for length, answer in zip(QUESTION_TOKENS, ANSWER_TOKENS, strict=True):
            said = "".join(draw.choice("abcdefgh ") for _ in range(length + draw.randrange(8)))
            turns = (Turn("system", (SYSTEM,)), Turn("user", (picture, said)))
            made.append((turns, answer if answers == "mixed" else int(answers)))
    return made


def one_by_one(network: Any, processor: Any, asked: Sequence[Any]) -> list[list[int]]:
    """As `local/…` answered at commit aaf4301."""
    found = []
    for turns, most in asked:
        inputs = prompt_inputs(processor, turns)
        given = {name: one.to(network.device) for name, one in inputs.items()}
        found += _generate(network, processor, given, most)
    return found


def fixed_batches(size: int) -> Callable[..., list[list[int]]]:
    """A plain loop over batches of a size."""

    def answer(network: Any, processor: Any, asked: Sequence[Any]) -> list[list[int]]:
        found = []
        for start in range(0, len(asked), size):
            batch = asked[start : start + size]
            inputs = batch_inputs(processor, [turns for turns, _ in batch])
            given = {name: one.to(network.device) for name, one in inputs.items()}
            rows = _generate(network, processor, given, max(most for _, most in batch))
            found += [row[:most] for row, (_, most) in zip(rows, batch, strict=True)]
        return found

    return answer


def _generate(network: Any, processor: Any, given: Any, most: int) -> list[list[int]]:
    with torch.inference_mode():
        made = network.generate(
            **given,
            do_sample=False,
            temperature=None,
            top_p=None,
            top_k=None,
            max_new_tokens=most,
            pad_token_id=processor.tokenizer.pad_token_id,
        )
    return made[:, given["input_ids"].shape[1] :].tolist()


def engine(network: Any, processor: Any, asked: Sequence[Any]) -> list[list[int]]:
    """Deadpan's local engine."""
    answerer = open_answerer(network, processor, [network.generation_config.eos_token_id])
    futures = [answerer.submit(Prompt(turns, most)) for turns, most in asked]
    found = [list(future.result().tokens) for future in futures]
    answerer.close()
    network.set_attn_implementation("sdpa")
    return found


def measure(name: str, answer: Any, network: Any, processor: Any, asked: Any) -> dict[str, Any]:
    """Answers and tokens a second of a side, its peak memory, and what it answered."""
    on_gpu = network.device.type == "cuda"
    if on_gpu:
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()
    began = time.perf_counter()
    found = answer(network, processor, asked)
    seconds = time.perf_counter() - began
    peak = torch.cuda.max_memory_allocated() / 2**30 if on_gpu else 0.0
    row = {
        "side": name,
        "answers": len(asked),
        "seconds": round(seconds, 2),
        "answers/s": round(len(asked) / seconds, 2),
        "tokens/s": round(sum(map(len, found)) / seconds),
        "peak GiB": round(peak, 1),
    }
    print(json.dumps(row), flush=True)
    return {**row, "found": found}


def main() -> None:
    """Prints a row a side, then the ratios and how many answers are the same."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pictures", type=int, default=256)
    parser.add_argument("--batch-sizes", default="32,128,256")
    parser.add_argument("--answers", default="mixed")
    parser.add_argument("--alone", type=int, default=16)
    parser.add_argument("--dtype", default="bfloat16")
    parser.add_argument("--small", action="store_true")
    options = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    network, processor = build(options.small, device, options.dtype)
    count = sum(one.numel() for one in network.parameters())
    print(f"{count / 1e9:.2f} billion weights on {device}, torch {torch.__version__}", flush=True)
    asked = talks(options.pictures, options.answers)
    one_by_one(network, processor, asked[:1])
    first = measure("one by one", one_by_one, network, processor, asked[: options.alone])
    engine(network, processor, asked[:16])
    ours = measure("deadpan", engine, network, processor, asked)
    plain = []
    for size in map(int, options.batch_sizes.split(",")):
        some = asked[: max(size, 64)]
        try:
            plain.append(
                measure(f"generate, {size}", fixed_batches(size), network, processor, some)
            )
        except torch.OutOfMemoryError:
            print(f"generate, {size}: out of memory", flush=True)
    best = max(one["answers/s"] for one in plain)
    same = sum(a == b for a, b in zip(ours["found"], first["found"], strict=False))
    print(f"to one by one: {ours['answers/s'] / first['answers/s']:.1f}")
    print(f"to the best fixed size: {ours['answers/s'] / best:.2f}")
    print(f"the same answer as one by one: {same} of {len(first['found'])}")
    for one in plain:
        alike = sum(a == b for a, b in zip(one["found"], first["found"], strict=False))
        print(f"  {one['side']}: {alike} of {len(first['found'])}")


if __name__ == "__main__":
    main()
