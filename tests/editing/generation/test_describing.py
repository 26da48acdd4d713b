"""Pictures described by a model on loopback: asked once, in the pair's language."""

import json
from pathlib import Path

import pytest

from deadpan.editing.generation import descriptions
from deadpan.engine.asker import Asker
from deadpan.engine.conversation import Unanswered
from deadpan.engine.run import simple_asker
from tests.benchmarks.cfms.pair_folder import chinese_row, data, row
from tests.model_server import ModelServer

MODEL = "openai-api/loopback/describer"


def describer(tmp_path: Path) -> Asker:
    return simple_asker(MODEL, tmp_path / "answers")


def test_each_picture_is_described_once_in_its_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = data(tmp_path / "data", [row("a"), chinese_row("b")]).of("test")

    def answer(picture: str, prompt: str) -> str:
        said = "深夜的办公室" if "请描述这张图片" in prompt else "A desk at midnight"
        return f"```json\n{json.dumps({'description': said}, ensure_ascii=False)}\n```"

    with ModelServer(answer) as server:
        server.offer(monkeypatch)
        found = descriptions(pairs, describer(tmp_path))
        assert found == {"a": "A desk at midnight", "b": "深夜的办公室"}
        assert descriptions(pairs, describer(tmp_path)) == found and server.total == 2


def test_what_is_not_described_raises(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = data(tmp_path / "data", [row("a")]).of("test")
    with ModelServer(lambda picture, prompt: "A desk.") as server:
        server.offer(monkeypatch)
        with pytest.raises(Unanswered, match="no usable reply in 3 attempts"):
            descriptions(pairs, describer(tmp_path))
