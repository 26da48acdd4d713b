"""Videos on their way to a model: frames, whole, with fewer images, without sound or file."""

import json
import logging
import shutil
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.model import (
    ChatMessage,
    ContentImage,
    ContentVideo,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    modelapi,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from deadpan.base.errors import InputError
from deadpan.benchmarks.vimu import FOLDER
from deadpan.core.questions import MediaOptions
from deadpan.core.signature import parse_signature
from deadpan.core.variants import Variant
from deadpan.engine.calls import CallOptions
from deadpan.engine.endpoints import QUESTION as PROBE
from deadpan.engine.run import run
from deadpan.engine.task_questions import RunSettings
from deadpan.pipeline.table import results_of_runs
from tests.model_server import ModelServer

pytest.importorskip("av", reason="needs the [video] extra")

MODEL = "openai-api/loopback/viewer"
MINI = FOLDER / "data"
SEEN: list[list[Any]] = []


@modelapi(name="cinema")
class CinemaAPI(ModelAPI):
    """A model that takes videos whole and remembers what it was sent."""

    takes_video = True

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        content = input[-1].content
        assert not isinstance(content, str)
        SEEN.append(list(content))
        return ModelOutput.from_content(self.model_name, '{"selected_options": ["A"]}')


@pytest.fixture
def settings(tmp_path: Path) -> RunSettings:
    return RunSettings(store=tmp_path / "logs", limit=2, calls=CallOptions(max_retries=0))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The first three videos of the mini-set, for a test to spoil."""
    folder = tmp_path / "data"
    shutil.copytree(MINI / "metadata", folder / "metadata")
    kept = sorted(path.name for path in (MINI / "videos").glob("*.mp4"))[:3]
    (folder / "videos").mkdir()
    for name in kept:
        shutil.copy(MINI / "videos" / name, folder / "videos" / name)
    for path in (folder / "metadata").iterdir():
        lines = path.read_text("utf-8").splitlines()
        ids = {Path(name).stem for name in kept}
        chosen = [line for line in lines if json.loads(line)["video_id"] in ids]
        path.write_text("\n".join(chosen) + "\n", "utf-8")
    return folder


def pick(picture: str, prompt: str) -> str:
    return '{"selected_options": ["A", "B"]}'


def test_frames_are_shown_and_a_structured_reply_is_asked_for(
    settings: RunSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ModelServer(pick) as server:
        server.offer(monkeypatch)
        table = results_of_runs(run({"vimu": ["eg"]}, MODEL, settings))
    assert set(table["outcome"]) == {"answered"}
    assert [request["images"] for request in server.requests] == [8, 8]
    assert all(request["schema"] for request in server.requests)
    assert parse_signature(table["signature"][0]).settings["shown"] == "8x768"
    assert all(Path(path).is_file() for path in table["picture"]), "a contact sheet for people"
    assert not any("{transcript}" in text for text in table["question"])


def test_the_number_and_size_of_frames_can_be_chosen(
    settings: RunSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = RunSettings(store=settings.store, limit=1, showing=MediaOptions(frames=3, longest=128))
    with ModelServer(pick) as server:
        server.offer(monkeypatch)
        table = results_of_runs(run({"vimu": ["eg"]}, MODEL, chosen))
    assert [request["images"] for request in server.requests] == [3]
    assert parse_signature(table["signature"][0]).settings["shown"] == "3x128"


def test_a_limit_on_images_is_respected_and_remembered(
    settings: RunSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    one_by_one = RunSettings(store=settings.store, limit=3, calls=CallOptions(1, 0))
    with ModelServer(pick) as server:
        server.offer(monkeypatch)
        server.most_images = 5
        table = results_of_runs(run({"vimu": ["eg"]}, MODEL, one_by_one))
    assert set(table["outcome"]) == {"answered"}
    shown = [request["images"] for request in server.requests]
    assert shown.count(5) == 3 and shown[-1] == 5
    assert all("5 of 8 frames were shown" in note for note in table["notes"])


def test_a_provider_without_structured_output_is_asked_without(
    settings: RunSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ModelServer(lambda picture, prompt: "A and B") as server:
        server.offer(monkeypatch)
        server.refuse_schema = True
        table = results_of_runs(run({"vimu": ["rm"]}, MODEL, settings))
    assert set(table["outcome"]) == {"answered"}
    assert [json.loads(cell) for cell in table["parsed"]] == [["A", "B"]] * 2


def test_a_model_that_takes_video_gets_it_whole(settings: RunSettings) -> None:
    SEEN.clear()
    whole = RunSettings(store=settings.store, limit=1, showing=MediaOptions(native=True))
    (log,) = run({"vimu": ["eg"]}, "cinema/seat", whole)
    table = results_of_runs([log])
    tried, content = SEEN
    assert tried[-1].text == PROBE
    (video,) = [part for part in content if isinstance(part, ContentVideo)]
    assert video.video.startswith("data:video/mp4;base64,") and video.format == "mp4"
    assert not any(isinstance(part, ContentImage) for part in content)
    assert parse_signature(table["signature"][0]).settings["shown"] == "video"
    kept = sum(path.stat().st_size for path in whole.store.rglob("*") if path.is_file())
    assert kept < len(video.video) / 2, "the video is not in the store"


def test_any_other_model_is_shown_frames_and_that_is_told(
    settings: RunSettings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    whole = RunSettings(store=settings.store, limit=1, showing=MediaOptions(native=True))
    with ModelServer(pick) as server, caplog.at_level(logging.WARNING, "deadpan"):
        server.offer(monkeypatch)
        table = results_of_runs(run({"vimu": ["eg"]}, MODEL, whole))
    assert "takes no video" in caplog.text
    assert [request["images"] for request in server.requests] == [8]
    assert parse_signature(table["signature"][0]).settings["shown"] == "8x768"


def test_one_bad_video_never_kills_a_run(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, third = sorted((data / "videos").glob("*.mp4"))
    first.write_bytes(first.read_bytes()[:2000])
    second.unlink()
    chosen = RunSettings(store=tmp_path / "logs", data=data, calls=CallOptions(max_retries=0))
    with ModelServer(pick) as server:
        server.offer(monkeypatch)
        table = results_of_runs(run({"vimu": ["eg"]}, MODEL, chosen))
    outcomes = dict(zip(table["item"], table["outcome"], strict=True))
    reasons = dict(zip(table["item"], table["reason"], strict=True))
    assert outcomes == {first.stem: "failed", second.stem: "failed", third.stem: "answered"}
    assert first.name in reasons[first.stem] and second.name in reasons[second.stem]


def test_a_transcriber_that_cannot_be_had_is_told_before_anything_is_asked(
    data: Path, tmp_path: Path
) -> None:
    missing = MediaOptions(transcriber=str(tmp_path / "whisper"))
    chosen = RunSettings(store=tmp_path / "logs", data=data, showing=missing)
    assert run({"vimu": ["eg"]}, "baseline/random", chosen), "the data has every transcript"
    (data / "metadata" / "video_evidence.jsonl").write_text(
        "".join(f'{{"video_id": "{path.stem}"}}\n' for path in (data / "videos").glob("*.mp4"))
    )
    with pytest.raises(InputError, match="no faster-whisper model lies there"):
        run({"vimu": ["eg"]}, "baseline/random", chosen)


def test_without_any_video_nothing_is_asked(data: Path, tmp_path: Path) -> None:
    shutil.rmtree(data / "videos")
    chosen = RunSettings(store=tmp_path / "logs", data=data)
    with pytest.raises(InputError, match="none of the videos"):
        run({"vimu": ["eg"]}, "baseline/random", chosen)


def test_a_missing_transcript_is_told_and_never_made_up(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evidence = data / "metadata" / "video_evidence.jsonl"
    rows = [json.loads(line) for line in evidence.read_text("utf-8").splitlines()]
    spoken = [row["transcript"] for row in rows if row["transcript"]]
    assert spoken, "one of the first films has speech"
    for row in rows:
        del row["transcript"]
    evidence.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    chosen = RunSettings(store=tmp_path / "logs", data=data)
    with ModelServer(pick) as server:
        server.offer(monkeypatch)
        table = results_of_runs(run({"vimu": ["eg"]}, MODEL, chosen))
    assert set(table["outcome"]) == {"answered"}
    assert any("--transcriber" in note for note in table["notes"] if note)
    assert all(words not in text for words in spoken for text in table["question"])


def test_the_text_alone_is_asked_about_with_what_is_said(
    settings: RunSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = RunSettings(
        store=settings.store, limit=2, showing=MediaOptions(variant=Variant.TEXT_ONLY)
    )
    with ModelServer(pick) as server:
        server.offer(monkeypatch)
        films = results_of_runs(run({"vimu": ["eg"]}, MODEL, bare))
        comics = results_of_runs(run({"pixelhumor": ["presence"]}, MODEL, bare))
    assert {request["images"] for request in server.requests} == {0}
    for table in (films, comics):
        assert parse_signature(table["signature"][0]).settings["shown"] == "text"
    assert "I rise at five" in films.sort("item")["question"][0], "what is said is text"
