"""What may leave the machine: names that others know, and neither folders nor addresses."""

import pytest

from deadpan.benchmarks import find
from deadpan.core.signature import Signature, parse_signature
from deadpan.reports.exchange.public import (
    data_source,
    public_model,
    public_signature,
    without_folders,
)


@pytest.mark.parametrize(
    ("name", "known", "engine", "platform", "deployment"),
    [
        ("openai/gpt-4o", "openai/gpt-4o", "", "openai", "externally_managed"),
        ("together/Qwen/Qwen2-VL", "Qwen/Qwen2-VL", "", "together", "externally_managed"),
        ("vllm/Qwen/Qwen2-VL", "Qwen/Qwen2-VL", "vLLM", "", "self_deployed"),
        ("openai-api/lab/mine", "mine", "", "lab", "unknown"),
        ("mine", "mine", "", "", "unknown"),
        ("local//home/ann/secret/adapter", "adapter", "transformers", "", "self_deployed"),
        ("local/C:\\Users\\ann\\adapter", "adapter", "transformers", "", "self_deployed"),
    ],
)
def test_models_by_the_names_that_others_know(
    name: str, known: str, engine: str, platform: str, deployment: str
) -> None:
    found = public_model(name)
    assert (found.id, found.engine, found.platform, found.deployment) == (
        known,
        engine,
        platform,
        deployment,
    )
    assert "ann" not in found.name
    assert public_model(name, "org/id").id == "org/id"


def test_signatures_without_folders_and_addresses() -> None:
    settings = {
        "bertscore": "en=/home/ann/models/bert#8,zh=C:\\models\\bert",
        "server": "http://10.0.0.3:8000/v1",
        "temperature": "0",
    }
    text = str(Signature("toy", "t", "1", 2, "0a", "1b", "local//srv/judge@x.1.aa", settings))
    found = public_signature(text)
    for secret in ("ann", "10.0.0.3", "srv", "C:"):
        assert secret not in found
    assert "…/bert#8" in found and parse_signature(found).settings["temperature"] == "0"
    assert without_folders("a 1/2 b and/or c") == "a 1/2 b and/or c"
    assert without_folders("gpt/4o at ~/x/y") == "gpt/4o at …/y"


def test_data_are_the_released_ones_the_mini_set_or_others() -> None:
    pixelhumor, merbench = find("pixelhumor"), find("merbench")
    released = data_source(pixelhumor, f"{pixelhumor.released}+media:00000000")
    assert released.kind == "released" and released.url.startswith("https://github.com/Social-AI")
    assert data_source(merbench, merbench.released).hub == "LeoReverse/17nie"
    mini = data_source(pixelhumor, pixelhumor.read(None).checksum)
    assert (mini.kind, mini.name, mini.licence) == ("mini-set", "PixelHumor mini-set", "CC0-1.0")
    other = data_source(pixelhumor, "ffffffff")
    assert (other.kind, other.licence) == ("other", "not stated")
