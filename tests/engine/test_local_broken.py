"""Folders of models that are not whole, or not of a kind that answers: told, and never guessed."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from deadpan.base.errors import DeadpanError, InputError
from deadpan.engine.task_questions import RunSettings
from deadpan.pipeline.evaluating import Evaluation
from deadpan.pipeline.judging import Judging
from deadpan.pipeline.replies import ReplyReading
from tests.engine.text_models import WITH_SYSTEM, text_model
from tests.learning.finetune.conftest import learning_libraries, llava, qwen

__all__ = ["learning_libraries", "llava", "qwen"]

WEIGHTS = "model.safetensors"


@pytest.fixture(scope="module")
def llama(learning_libraries: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tiny Llama whose last weights are tied to its first."""
    folder = tmp_path_factory.mktemp("models") / "llama"
    return text_model(folder, "Llama", WITH_SYSTEM, tie_word_embeddings=True)


def _with_weights(folder: Path, change: Any) -> Path:
    from safetensors.torch import load_file, save_file

    held = load_file(folder / WEIGHTS)
    save_file(change(held), folder / WEIGHTS, metadata={"format": "pt"})
    return folder


def _lose(folder: Path, *words: str) -> Path:
    return _with_weights(
        folder,
        lambda held: {
            name: one for name, one in held.items() if not any(word in name for word in words)
        },
    )


@pytest.mark.parametrize("family", ["llama", "llava", "qwen"])
def test_a_missing_weight_is_named(
    family: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    from deadpan.engine.local.models import answering_model

    whole: Path = request.getfixturevalue(family)
    assert answering_model(str(whole)).network is not None
    folder = _lose(shutil.copytree(whole, tmp_path / "one"), "layers.0.self_attn.q_proj.weight")
    with pytest.raises(InputError, match=r"one: lacks weights: .*layers\.0\.\S*q_proj\.weight\. "):
        answering_model(str(folder))
    folder = _lose(shutil.copytree(whole, tmp_path / "many"), "mlp")
    with pytest.raises(InputError, match=r"many: lacks weights: \S+, \S+, \S+ and \d+ more\."):
        answering_model(str(folder))


def test_a_weight_of_another_shape_is_named(llama: Path, tmp_path: Path) -> None:
    from deadpan.engine.local.models import answering_model

    folder = shutil.copytree(llama, tmp_path / "other")
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "intermediate_size": 48}))
    with pytest.raises(InputError, match=r"of other shapes than its config\.json says: \S+mlp"):
        answering_model(str(folder))


@pytest.mark.parametrize("family", ["llama", "qwen"])
def test_weights_that_give_no_numbers_are_told(
    family: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    from deadpan.engine.local.loaded import load_answerer
    from deadpan.engine.local.models import LoadOptions

    folder = shutil.copytree(request.getfixturevalue(family), tmp_path / "nan")
    name = "layers.1.mlp.up_proj.weight"
    _with_weights(
        folder,
        lambda held: {
            key: one * (float("nan") if key.endswith(name) else 1) for key, one in held.items()
        },
    )
    told = r"nan: the model's weights give no numbers \(NaN\) in float32; they are damaged"
    with pytest.raises(DeadpanError, match=told):
        load_answerer(str(folder), LoadOptions())
    with pytest.raises(DeadpanError, match=r"in bfloat16; try -M dtype=float32"):
        load_answerer(str(folder), LoadOptions(dtype="bfloat16"))


def test_a_prompt_that_comes_to_no_numbers_fails_alone(llama: Path) -> None:
    import torch

    from deadpan.engine.local.loaded import load_answerer
    from deadpan.engine.local.models import LoadOptions
    from deadpan.engine.local.prompts import Prompt
    from deadpan.engine.local.talks import Turn

    loaded = load_answerer(str(llama), LoadOptions())
    assert loaded.model is not None
    letter = loaded.tokenizer("~", add_special_tokens=False).input_ids[0]
    with torch.no_grad():
        loaded.model.network.get_input_embeddings().weight[letter] = float("nan")
        loaded.model.network.lm_head.weight = torch.nn.Parameter(
            loaded.model.network.lm_head.weight.nan_to_num()
        )
    texts = ("Why?", "Wh~?")
    good, bad = (loaded.answerer.submit(Prompt((Turn("user", (one,)),), 3)) for one in texts)
    with pytest.raises(DeadpanError, match=r"give no numbers \(NaN\)"):
        bad.result(60)
    assert good.result(60).tokens
    loaded.answerer.close()


def _stated(folder: Path, **config: Any) -> None:
    path = folder / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **config}))


def _cut(folder: Path) -> None:
    path = folder / WEIGHTS
    path.write_bytes(path.read_bytes()[:-100])


BROKEN: dict[str, tuple[Any, str]] = {
    "unknown": (
        lambda one: _stated(one, model_type="frobnicator"),
        r"does not know models of the kind frobnicator\. Update it",
    ),
    "t5": (
        lambda one: _stated(one, model_type="t5"),
        r"encoder–decoder models \(t5\) are not supported",
    ),
    "encoder": (
        lambda one: _stated(one, model_type="bert", architectures=["BertForMaskedLM"]),
        r"of the kind bert \(BertForMaskedLM\) writes no answers",
    ),
    "no tokenizer": (
        lambda one: [path.unlink() for path in one.glob("tokenizer*")],
        r"has no tokenizer",
    ),
    "bad settings": (
        lambda one: (one / "config.json").write_text("{"),
        r"is not a valid JSON file.*a file in it is damaged",
    ),
    "no weights": (lambda one: (one / WEIGHTS).unlink(), r"has no weights"),
    "cut weights": (_cut, r"model\.safetensors: is damaged: it is not as long as it says"),
    "lost part": (
        lambda one: (
            (one / WEIGHTS).unlink(),
            (one / f"{WEIGHTS}.index.json").write_text('{"weight_map": {"a": "model-1.st"}}'),
        ),
        r"lacks model-1\.st",
    ),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_judges_and_readers_are_looked_at_before_anything_is_asked(
    fault: str, llama: Path, tmp_path: Path
) -> None:
    breaks, told = BROKEN[fault]
    folder = shutil.copytree(llama, tmp_path / "broken")
    breaks(folder)
    settings = RunSettings(store=tmp_path / "logs")
    chosen = {"pixelhumor": ["presence"]}
    name, tested = f"local/{folder}", "baseline/random"
    for option, who in (
        ("--judge", {"judging": Judging(name, settings)}),
        ("--reader", {"reading": ReplyReading(name, settings)}),
    ):
        evaluation = Evaluation(chosen, tested, settings, **who)  # type: ignore[arg-type]
        with pytest.raises(DeadpanError, match=f"{option} {name}: .*{told}"):
            evaluation.run()
    assert not (tmp_path / "logs").exists()


def test_whole_judges_and_readers_pass(llama: Path, qwen: Path, tmp_path: Path) -> None:
    settings = RunSettings(store=tmp_path)
    for folder in (llama, qwen):
        judging = Judging(f"local/{folder}", settings)
        reading = ReplyReading(f"local/{folder}", settings)
        chosen = {"pixelhumor": ["presence"]}
        Evaluation(chosen, "baseline/random", settings, judging, reading=reading).check()
