"""Tiny language models without pictures, in folders as on the hub."""

from pathlib import Path
from typing import Any

from tests.learning.finetune.tiny_models import TEXT, byte_tokenizer

MARKS = ("<|start|>", "<|first|>")
WITH_SYSTEM = (
    "{% for turn in messages %}<|start|>{{ turn['role'] }}\n{{ turn['content'] }}<|end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|start|>assistant\n{% endif %}"
)
WITHOUT_SYSTEM = (
    "<|first|>{% if messages[0]['role'] == 'system' %}{{ raise_exception('no system') }}{% endif %}"
    "{% for turn in messages %}<|start|>{{ turn['role'] }}\n{{ turn['content'] }}<|end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|start|>assistant\n{% endif %}"
)


def text_model(folder: Path, family: str, template: str | None, **more: Any) -> Path:
    """A model of a family of transformers, such as Llama, in float32."""
    import torch
    import transformers

    tokenizer = byte_tokenizer("<|end|>", "<|pad|>", MARKS)
    tokenizer.bos_token = "<|first|>"
    tokenizer.chat_template = template
    ends = {"eos_token_id": tokenizer.eos_token_id, "pad_token_id": tokenizer.pad_token_id}
    size = {**TEXT, "vocab_size": len(tokenizer), "bos_token_id": tokenizer.bos_token_id}
    config = getattr(transformers, f"{family}Config")(**{**size, **ends, **more})
    torch.manual_seed(0)
    getattr(transformers, f"{family}ForCausalLM")(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
