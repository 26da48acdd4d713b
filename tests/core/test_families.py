"""Families of models by their names."""

import pytest

from deadpan.base.errors import DeadpanError
from deadpan.core.families import model_family, read_families


@pytest.mark.parametrize(
    ("model", "family"),
    [
        ("openai/gpt-4o", "openai"),
        ("o3-mini", "openai"),
        ("openrouter/anthropic/claude-3.5-sonnet", "anthropic"),
        ("google/gemini-2.0-flash", "google"),
        ("vllm/Qwen/Qwen2-VL-7B", "qwen"),
        ("hf/OpenGVLab/InternVL3-8B", "internvl"),
        ("meta-llama/Llama-3.2", "llama"),
        ("mistralai/Pixtral-12B", "mistral"),
        ("deepseek-ai/deepseek-vl2", "deepseek"),
        ("zai/glm-4.5v", "glm"),
        ("gpt (fewshot:random:1)", "openai"),
        ("baseline/random", ""),
        ("judge/lexical", ""),
        ("philosopher", ""),
        ("", ""),
    ],
)
def test_a_family_is_known_by_how_a_name_begins(model: str, family: str) -> None:
    assert model_family(model) == family


def test_what_is_given_goes_before_what_is_known() -> None:
    given = read_families(["my-gpt=house", "tune = qwen"])
    assert model_family("local/my-GPT-7b", given) == "house"
    assert model_family("baseline/tune", given) == "qwen"
    assert model_family("gpt-4", given) == "openai"


@pytest.mark.parametrize("text", ["qwen", "=qwen", "qwen=", ""])
def test_a_pattern_without_a_family_is_refused(text: str) -> None:
    with pytest.raises(DeadpanError, match="expected PATTERN=FAMILY"):
        read_families([text])
