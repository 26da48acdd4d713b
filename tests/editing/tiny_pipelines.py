"""The parts of diffusion pipelines of a few thousand random weights."""

import json
from pathlib import Path
from typing import Any

import pytest


def pipeline_parts(folder: Path, channels: int) -> dict[str, Any]:
    """What a Stable Diffusion pipeline is made from; `channels` go into its network."""
    diffusers = pytest.importorskip("diffusers")
    return {
        "vae": diffusers.AutoencoderKL(
            block_out_channels=(8, 8),
            down_block_types=("DownEncoderBlock2D",) * 2,
            up_block_types=("UpDecoderBlock2D",) * 2,
            latent_channels=4,
            norm_num_groups=4,
        ),
        "unet": diffusers.UNet2DConditionModel(
            block_out_channels=(8, 16),
            layers_per_block=1,
            sample_size=16,
            in_channels=channels,
            out_channels=4,
            down_block_types=("DownBlock2D", "CrossAttnDownBlock2D"),
            up_block_types=("CrossAttnUpBlock2D", "UpBlock2D"),
            cross_attention_dim=16,
            norm_num_groups=4,
        ),
        "scheduler": diffusers.DDIMScheduler(),
        "text_encoder": text_encoder(),
        "tokenizer": tokenizer(folder),
        "safety_checker": None,
        "feature_extractor": None,
        "requires_safety_checker": False,
    }


def text_encoder() -> Any:
    transformers = pytest.importorskip("transformers")
    return transformers.CLIPTextModel(
        transformers.CLIPTextConfig(
            hidden_size=16,
            intermediate_size=24,
            num_attention_heads=2,
            num_hidden_layers=2,
            vocab_size=600,
            max_position_embeddings=77,
            bos_token_id=512,
            eos_token_id=513,
        )
    )


def tokenizer(folder: Path) -> Any:
    """A CLIP tokenizer that knows single letters only."""
    transformers = pytest.importorskip("transformers")
    letters = [chr(code) for code in range(33, 127)]
    ends = ["<|startoftext|>", "<|endoftext|>"]
    words = [*letters, *(f"{letter}</w>" for letter in letters)]
    vocabulary = {word: number for number, word in enumerate(words)}
    vocabulary |= {word: 512 + number for number, word in enumerate(ends)}
    (folder / "vocab.json").write_text(json.dumps(vocabulary))
    (folder / "merges.txt").write_text("#version: 0.2\n")
    return transformers.CLIPTokenizer(
        str(folder / "vocab.json"), str(folder / "merges.txt"), model_max_length=77
    )
