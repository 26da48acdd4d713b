"""Models of some thousand random weights, with tokenizers of bytes, in folders as on the hub."""

import json
from pathlib import Path
from typing import Any

QWEN_MARKS = (
    "<|im_start|>",
    "<|vision_start|>",
    "<|vision_end|>",
    "<|image_pad|>",
    "<|video_pad|>",
)
QWEN_TEMPLATE = (
    "{% for turn in messages %}<|im_start|>{{ turn.role }}\n{% for part in turn.content %}"
    "{% if part.type == 'image' %}<|vision_start|><|image_pad|><|vision_end|>"
    "{% else %}{{ part.text }}{% endif %}{% endfor %}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
TEXT = {
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 2048,
    "initializer_range": 0.2,
}


def byte_tokenizer(end: str, pad: str, marks: tuple[str, ...]) -> Any:
    """A tokenizer of one token a byte, and one for each mark."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    made = Tokenizer(models.BPE(vocab={one: n for n, one in enumerate(letters)}, merges=[]))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    return PreTrainedTokenizerFast(
        tokenizer_object=made,
        eos_token=end,
        pad_token=pad,
        additional_special_tokens=list(marks),
    )


def tiny_qwen(folder: Path, seed: int = 0) -> Path:
    """A Qwen2-VL. Its processor is written by hand: transformers wants torchvision for that."""
    import torch
    from transformers import (
        Qwen2VLConfig,
        Qwen2VLForConditionalGeneration,
        Qwen2VLImageProcessorPil,
    )

    tokenizer = byte_tokenizer("<|im_end|>", "<|endoftext|>", QWEN_MARKS)
    number = tokenizer.convert_tokens_to_ids
    rope = {"rope_type": "default", "mrope_section": [1, 1, 2], "rope_theta": 10000.0}
    config = Qwen2VLConfig(
        text_config={**TEXT, "vocab_size": len(tokenizer), "rope_parameters": rope},
        vision_config={
            "depth": 1,
            "embed_dim": 16,
            "hidden_size": 32,
            "num_heads": 2,
            "patch_size": 4,
            "mlp_ratio": 2,
            "initializer_range": 0.2,
        },
        image_token_id=number("<|image_pad|>"),
        video_token_id=number("<|video_pad|>"),
        vision_start_token_id=number("<|vision_start|>"),
        vision_end_token_id=number("<|vision_end|>"),
    )
    torch.manual_seed(seed)
    Qwen2VLForConditionalGeneration(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    pictures = Qwen2VLImageProcessorPil(
        patch_size=4, temporal_patch_size=2, merge_size=2, min_pixels=64, max_pixels=1024
    )
    pictures.save_pretrained(folder)
    (folder / "chat_template.jinja").write_text(QWEN_TEMPLATE)
    held = {"processor_class": "Qwen2VLProcessor", "image_processor": pictures.to_dict()}
    (folder / "processor_config.json").write_text(json.dumps(held))
    return folder


def tiny_llava(folder: Path, template: str | None = None) -> Path:
    """A LLaVA of CLIP and Llama, without a chat template unless one is given."""
    import torch
    from transformers import (
        CLIPImageProcessorPil,
        LlavaConfig,
        LlavaForConditionalGeneration,
        LlavaProcessor,
    )

    tokenizer = byte_tokenizer("</s>", "<pad>", ("<image>",))
    config = LlavaConfig(
        text_config={**TEXT, "model_type": "llama", "vocab_size": len(tokenizer)},
        vision_config={
            "model_type": "clip_vision_model",
            "hidden_size": 16,
            "intermediate_size": 32,
            "num_hidden_layers": 2,
            "num_attention_heads": 2,
            "image_size": 16,
            "patch_size": 8,
        },
        image_token_id=tokenizer.convert_tokens_to_ids("<image>"),
        vision_feature_select_strategy="default",
    )
    torch.manual_seed(0)
    LlavaForConditionalGeneration(config).save_pretrained(folder)
    LlavaProcessor(
        CLIPImageProcessorPil(size={"shortest_edge": 16}, crop_size={"height": 16, "width": 16}),
        tokenizer,
        patch_size=8,
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,
        chat_template=template,
    ).save_pretrained(folder)
    return folder


MLLAMA_MARKS = ("<|image|>", "<|begin_of_text|>", "<|start_header_id|>", "<|end_header_id|>")
MLLAMA_TEMPLATE = (
    "<|begin_of_text|>{% for turn in messages %}<|start_header_id|>{{ turn.role }}"
    "<|end_header_id|>\n\n{% for part in turn.content %}{% if part.type == 'image' %}<|image|>"
    "{% else %}{{ part.text }}{% endif %}{% endfor %}<|eot_id|>{% endfor %}"
    "{% if add_generation_prompt %}<|start_header_id|>assistant<|end_header_id|>\n\n{% endif %}"
)


def tiny_mllama(folder: Path) -> Path:
    """A Llama 3.2 Vision, which says for each token which pictures it sees."""
    import torch
    from transformers import (
        MllamaConfig,
        MllamaForConditionalGeneration,
        MllamaImageProcessorPil,
        MllamaProcessor,
    )

    tokenizer = byte_tokenizer("<|eot_id|>", "<|pad|>", MLLAMA_MARKS)
    tokenizer.bos_token = "<|begin_of_text|>"
    shapes = [[1, 1], [1, 2], [1, 3], [1, 4], [2, 1], [2, 2], [3, 1], [4, 1]]
    config = MllamaConfig(
        text_config={
            **TEXT,
            "vocab_size": len(tokenizer),
            "cross_attention_layers": [1],
            "pad_token_id": tokenizer.pad_token_id,
            "bos_token_id": tokenizer.bos_token_id,
            "eos_token_id": tokenizer.eos_token_id,
            "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0},
        },
        vision_config={
            "hidden_size": 16,
            "intermediate_size": 32,
            "num_hidden_layers": 2,
            "num_global_layers": 1,
            "attention_heads": 2,
            "image_size": 28,
            "patch_size": 14,
            "max_num_tiles": 4,
            "vision_output_dim": 32,
            "intermediate_layers_indices": [0],
            "supported_aspect_ratios": shapes,
        },
        image_token_index=tokenizer.convert_tokens_to_ids("<|image|>"),
    )
    torch.manual_seed(0)
    model = MllamaForConditionalGeneration(config)
    with torch.no_grad():
        for name, one in model.named_parameters():
            # The gates are closed at first: pictures would change nothing.
            if name.endswith(("attn_gate", "mlp_gate")):
                one.fill_(1.0)
    model.save_pretrained(folder)
    pictures = MllamaImageProcessorPil(size={"height": 28, "width": 28}, max_image_tiles=4)
    MllamaProcessor(pictures, tokenizer, chat_template=MLLAMA_TEMPLATE).save_pretrained(folder)
    return folder


SPACED_MARKS = ("<unk>", "<s>", "</s>")


def spaced_tokenizer() -> Any:
    """A tokenizer in the way of SentencePiece, as Llama 2 and LLaVA 1.5 have it: every text begins
    with a space, and spaces belong to the words that follow them."""
    from tokenizers import Tokenizer, decoders, models, normalizers
    from transformers import PreTrainedTokenizerFast

    letters = sorted(set("▁abcdefghijklmnopqrstuvwxyzAEINRSTU:?.是否\n"))
    words = [*SPACED_MARKS, *letters, "ye", "yes", "▁yes"]
    made = Tokenizer(
        models.BPE(
            vocab={one: number for number, one in enumerate(words)},
            merges=[("y", "e"), ("ye", "s"), ("▁", "yes")],
            unk_token="<unk>",
        )
    )
    made.normalizer = normalizers.Sequence(
        [normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]
    )
    made.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.Fuse()])
    return PreTrainedTokenizerFast(
        tokenizer_object=made, unk_token="<unk>", bos_token="<s>", eos_token="</s>"
    )
