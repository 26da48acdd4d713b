"""`local/FOLDER`: models of this machine see pictures, with and without an adapter."""

import asyncio
import base64
import io
import shutil
from pathlib import Path

import httpx
import pytest
from PIL import Image

from deadpan.base.errors import DeadpanError, InputError
from deadpan.engine.local.inspect_provider import LocalAPI
from deadpan.engine.local.provider import resolve_provider, weights_of
from deadpan.engine.requests import Sampling
from deadpan.engine.run import run, simple_asker
from deadpan.engine.task_questions import RunSettings
from deadpan.pipeline.table import results_of_runs
from tests.learning.finetune.conftest import learning_libraries, llava, qwen, squares
from tests.learning.finetune.taught_toy import COLOURS, SQUARES

__all__ = ["learning_libraries", "llava", "qwen", "squares"]


@pytest.fixture(scope="module")
def adapter(qwen: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An adapter that learnt the toy's answers by heart."""
    from deadpan.learning.finetune.training import Settings
    from deadpan.learning.finetune.tuning import Job, finetune

    out = tmp_path_factory.mktemp("adapters") / "squares"
    settings = Settings(epochs=30, learning_rate=0.03)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DEADPAN_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))
        finetune(Job(SQUARES, ("colour",), str(qwen), out, settings))
    return out


def _settings(logs: Path) -> RunSettings:
    """Of few tokens: who learnt nothing never ends."""
    return RunSettings(store=logs, sampling=Sampling(max_tokens=40))


def _answers(model: str, logs: Path) -> dict[str, tuple[str, int, int]]:
    table = results_of_runs(run({"squares": ["colour"]}, model, _settings(logs)))
    assert table["outcome"].to_list() == ["answered"] * len(table)
    columns = table.select("item", "answer", "input_tokens", "output_tokens").iter_rows()
    return {item: (answer, given, made) for item, answer, given, made in columns}


def test_an_adapter_answers_what_it_learnt_and_its_merged_model_too(
    adapter: Path,
    qwen: Path,
    squares: str,
    tmp_path: Path,
) -> None:
    from deadpan.engine.local.models import merge_adapter

    answers = _answers(f"local/{adapter}", tmp_path / "adapter")
    assert {item.partition("-")[0]: one[0] for item, one in answers.items()} == {
        colour: words for colour, (words, _) in COLOURS.items()
    }
    assert answers["red-20"][2] == len("red, of course") + 1
    assert _answers(f"hf/{adapter}", tmp_path / "again") == answers
    merge_adapter(adapter, tmp_path / "merged")
    assert _answers(f"local/{tmp_path / 'merged'}", tmp_path / "whole") == answers
    assert _answers(f"local/{qwen}", tmp_path / "base") != answers


async def _said(folder: Path, content: object, **config: object) -> tuple[str, str, int]:
    from inspect_ai.model import ChatMessageUser, GenerateConfig, get_model

    model = get_model(f"local/{folder}", memoize=False)
    message = ChatMessageUser(content=content)  # type: ignore[arg-type]
    output = await model.generate([message], config=GenerateConfig(**config))  # type: ignore[arg-type]
    assert output.usage is not None
    return output.completion, str(output.stop_reason), output.usage.output_tokens


def _asked(folder: Path, content: object, **config: object) -> tuple[str, str, int]:
    import anyio

    async def ask() -> tuple[str, str, int]:
        return await _said(folder, content, **config)

    return anyio.run(ask)


def test_chance_follows_the_seed_and_answers_end_at_the_most_tokens(llava: Path) -> None:
    from inspect_ai.model import ContentImage, ContentText

    stream = io.BytesIO()
    Image.new("RGB", (9, 9), "red").save(stream, "PNG")
    address = f"data:image/png;base64,{base64.b64encode(stream.getvalue()).decode()}"
    content = [ContentText(text="Which?"), ContentImage(image=address)]
    first = _asked(llava, content, max_tokens=5, temperature=1.0, top_p=0.9, seed=1)
    assert first[1:] == ("max_tokens", 5)
    assert _asked(llava, content, max_tokens=5, temperature=1.0, top_p=0.9, seed=1) == first
    others = {
        _asked(llava, content, max_tokens=5, temperature=1.0, seed=seed)[0] for seed in (2, 3, 4)
    }
    assert len(others) > 1
    greedy = {_asked(llava, content, max_tokens=5, temperature=0.0, seed=seed) for seed in (1, 2)}
    assert len(greedy) == 1


def test_a_video_is_refused_by_name(llava: Path) -> None:
    from inspect_ai.model import ContentVideo

    content = [ContentVideo(video="data:video/mp4;base64,AAAA", format="mp4")]
    with pytest.raises(DeadpanError, match="takes text and pictures only, not video"):
        _asked(llava, content)


def test_a_folder_that_is_not_there_is_told_before_anything_is_loaded(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such folder"):
        _asked(tmp_path / "nothing", "Which?")
    (tmp_path / "adapter_config.json").write_text("{}")
    with pytest.raises(InputError, match=r"has no adapter_model\.safetensors"):
        _asked(tmp_path, "Which?")
    (tmp_path / "adapter_model.safetensors").write_bytes(b"")
    with pytest.raises(InputError, match="names no base model"):
        _asked(tmp_path, "Which?")


@pytest.mark.parametrize("name", ["nosuchfolder", "some/no/folder", "./nothing", "~/no-model-here"])
def test_a_mistyped_folder_is_told_before_anything_is_asked(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"local/{name}: there is no such folder"):
        run({"pixelhumor": ["presence"]}, f"local/{name}", RunSettings(store=tmp_path))
    assert not list(tmp_path.iterdir())


def test_a_folder_without_a_model_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds neither a model nor an adapter"):
        weights_of(f"local/{tmp_path}")


def test_a_name_on_the_hub_is_asked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("huggingface_hub", reason="the hub's library is in the learn extra")
    asked: list[str] = []

    def unreachable(address: str, **_: object) -> None:
        asked.append(address)
        raise httpx.ConnectError("no network")

    monkeypatch.setattr(httpx, "head", unreachable)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    with pytest.raises(InputError, match="nor kept from the hub, which does not answer"):
        weights_of("local/nobody/nothing")
    assert len(asked) == 1 and asked[0].endswith("/api/models/nobody/nothing")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(InputError, match="which is switched off"):
        weights_of("local/nobody/nothing")
    assert len(asked) == 1


def _adapter(folder: Path, base: Path, weights: bytes) -> str:
    folder.mkdir(exist_ok=True)
    (folder / "adapter_config.json").write_text(f'{{"base_model_name_or_path": "{base}"}}')
    (folder / "adapter_model.safetensors").write_bytes(weights)
    return f"local/{folder}"


def _model(folder: Path) -> Path:
    folder.mkdir()
    (folder / "config.json").write_text("{}")
    (folder / "model.safetensors").write_bytes(b"base")
    return folder


def test_weights_are_named_by_adapter_and_base_and_by_nothing_beside_them(tmp_path: Path) -> None:
    base = _model(tmp_path / "base")
    name = _adapter(tmp_path / "ad", base, b"first")
    first = weights_of(name)
    (tmp_path / "ad" / "README.md").write_text("An adapter.")
    assert weights_of(name) == first and weights_of("openai/gpt-4o") is None
    _adapter(tmp_path / "ad", base, b"again")
    assert weights_of(name) != first
    _adapter(tmp_path / "ad", base, b"first")
    assert weights_of(name) == first
    (base / "model.safetensors").write_bytes(b"another base")
    assert weights_of(name) != first


@pytest.mark.parametrize(
    "file",
    [
        "chat_template.jinja",
        "additional_chat_templates/tool_use.jinja",
        "tokenizer.model",
        "merges.txt",
        "vocab.txt",
    ],
)
def test_another_template_or_vocabulary_is_another_model(tmp_path: Path, file: str) -> None:
    base = _model(tmp_path / "base")
    (base / file).parent.mkdir(exist_ok=True)
    names = {weights_of(f"local/{base}")}
    for text in ("one", "another"):
        (base / file).write_text(text)
        names.add(weights_of(f"local/{base}"))
    assert len(names) == 3
    (base / "README.md").write_text("A model.")
    assert weights_of(f"local/{base}") in names


def test_an_adapter_is_not_put_on_another_base(adapter: Path, qwen: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(adapter, tmp_path / "ad")
    copy = shutil.copytree(qwen, tmp_path / "copy")
    settings = folder / "adapter_config.json"
    settings.write_text(settings.read_text("utf-8").replace(str(qwen), str(copy)))
    assert weights_of(f"local/{folder}")
    (copy / "chat_template.jinja").write_text("another")
    told = rf"was trained on the base model {qwen} \(\w+\), not on {copy} \(\w+\)"
    with pytest.raises(InputError, match=told):
        weights_of(f"local/{folder}")
    shutil.rmtree(copy)
    gone = rf"{folder}: its base model cannot be had \(local/{copy}: there is no such folder"
    with pytest.raises(InputError, match=f"{gone}.*--base.*base_model_name_or_path in {settings}"):
        weights_of(f"local/{folder}")


def test_a_damaged_adapter_is_told_and_not_loaded_again(
    adapter: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import peft
    from inspect_ai.model import ChatMessageUser, GenerateConfig

    folder = shutil.copytree(adapter, tmp_path / "ad")
    place = folder / "adapter_model.safetensors"
    place.write_bytes(place.read_bytes()[:1000])
    loads: list[str] = []
    load = peft.PeftModel.from_pretrained

    def counted(*given: object) -> object:
        loads.append(str(given[1]))
        return load(*given)

    monkeypatch.setattr(peft.PeftModel, "from_pretrained", counted)
    api = LocalAPI(str(folder))
    asked = [ChatMessageUser(content="Which?")]
    for _ in range(2):
        with pytest.raises(DeadpanError, match=r"cannot be loaded .*a file in it is damaged"):
            asyncio.run(api.generate(asked, [], "none", GenerateConfig()))
    assert loads == [str(folder)]


def test_an_adapter_that_was_trained_anew_gets_none_of_the_old_answers(
    adapter: Path, squares: str, tmp_path: Path
) -> None:
    from safetensors.torch import load_file, save_file

    folder = tmp_path / "ad"
    shutil.copytree(adapter, folder)
    model, logs = f"local/{folder}", tmp_path / "logs"
    old = _answers(model, logs)
    settings = _settings(logs)
    before = results_of_runs(run({"squares": ["colour"]}, model, settings))
    place = folder / "adapter_model.safetensors"
    save_file({name: 0 * values for name, values in load_file(place).items()}, place)
    asker = simple_asker(model, logs)
    after = results_of_runs(run({"squares": ["colour"]}, model, settings))
    assert dict(zip(before["item"], before["answer"], strict=True)) == {
        item: one[0] for item, one in old.items()
    }
    assert before["answer"].to_list() != after["answer"].to_list()
    assert asker.engine.identity == f"{model}@{weights_of(model)}"
    assert f"|weights:{weights_of(model)}|" in after["signature"][0]
    assert after["signature"][0] != before["signature"][0]


def test_hugging_face_names_are_ours_where_inspects_provider_would_refuse(tmp_path: Path) -> None:
    seeing, reading, adapter = (tmp_path / name for name in ("seeing", "reading", "adapter"))
    for folder in (seeing, reading, adapter):
        folder.mkdir()
    (seeing / "config.json").write_text('{"vision_config": {}}')
    (reading / "config.json").write_text("{}")
    (adapter / "card.json").write_text("{}")
    assert resolve_provider("hf/org/model") == "local/org/model"
    assert resolve_provider("hf/org/model", shown=False) == "hf/org/model"
    assert resolve_provider(f"hf/{reading}", shown=False) == f"hf/{reading}"
    for folder in (seeing, adapter):
        assert resolve_provider(f"hf/{folder}", shown=False) == f"local/{folder}"
    assert resolve_provider("openai/gpt-4o") == "openai/gpt-4o"


def test_a_model_that_cannot_be_loaded_raises_before_anything_is_asked(
    qwen: Path, squares: str, tmp_path: Path
) -> None:
    folder = shutil.copytree(qwen, tmp_path / "cut")
    place = folder / "model.safetensors"
    place.write_bytes(place.read_bytes()[:3000])
    with pytest.raises(DeadpanError, match="cannot be loaded"):
        run({"squares": ["colour"]}, f"local/{folder}", _settings(tmp_path / "logs"))
    assert not (tmp_path / "logs").exists()
