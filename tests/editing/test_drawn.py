"""Pictures from words alone: the services on loopback, a tiny pipeline from its configuration."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from deadpan.base.errors import DeadpanError, InputError, MissingExtra
from deadpan.base.resources import Unavailable
from deadpan.core.editors import NotEdited
from deadpan.editing import find_illustrator
from deadpan.editing.diffusion import DiffusionModel
from deadpan.editing.received import Refused
from tests.editing.loopback_images import (
    ImageService,
    Reply,
    error,
    google_reply,
    image_service,
    inline,
    openai_reply,
    picture,
)
from tests.editing.tiny_pipelines import pipeline_parts


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[ImageService]:
    with image_service() as running:
        for variable in ("OPENAI_API_KEY", "GOOGLE_API_KEY"):
            monkeypatch.setenv(variable, "key-not-a-real-one-0123")
        monkeypatch.setenv("OPENAI_BASE_URL", f"{running.base}/v1")
        monkeypatch.setenv("GOOGLE_BASE_URL", f"{running.base}/v1beta")
        yield running


def test_openai_draws_from_the_prompt(service: ImageService) -> None:
    service.replies = [openai_reply(picture((30, 20), "blue"))]
    made = find_illustrator("openai-images/gpt-image-9").draw("一只猫")
    assert made.image.size == (30, 20) and made.image.getpixel((3, 3)) == (0, 0, 255)
    assert made.notes == ()
    (seen,) = service.requests
    assert seen.path == "/v1/images/generations"
    body = json.loads(seen.body)
    assert body == {
        "model": "gpt-image-9",
        "prompt": "一只猫",
        "n": 1,
        "response_format": "b64_json",
    }


def test_openai_is_asked_again_without_the_format_it_does_not_take(service: ImageService) -> None:
    unknown = error(400, "Unknown parameter: 'response_format'.")
    service.replies = [unknown, openai_reply(picture(), picture())]
    made = find_illustrator("openai-images/m").draw("a cat")
    assert made.notes == ("the reply held 2 pictures: the first is taken",)
    assert "response_format" not in json.loads(service.requests[1].body)


def test_openai_refusals_and_empty_replies_are_told_apart(service: ImageService) -> None:
    illustrator = find_illustrator("openai-images/m")
    service.replies = [error(400, "blocked by our safety system", code="moderation_blocked")]
    with pytest.raises(Refused, match="refused"):
        illustrator.draw("a cat")
    service.replies = [Reply(body=b'{"data": []}')]
    with pytest.raises(NotEdited, match="gave no picture"):
        illustrator.draw("a cat")


def test_google_draws_from_the_prompt(service: ImageService) -> None:
    service.replies = [google_reply({"text": "Here"}, inline(picture((12, 10), "red")))]
    made = find_illustrator("google-images/gemini-9").draw("a cat")
    assert made.image.size == (12, 10)
    body = json.loads(service.requests[0].body)
    assert body["contents"] == [{"role": "user", "parts": [{"text": "a cat"}]}]


def test_google_refusals_are_told(service: ImageService) -> None:
    service.replies = [google_reply(finish="IMAGE_SAFETY")]
    with pytest.raises(Refused, match="IMAGE_SAFETY"):
        find_illustrator("google-images/gemini-9").draw("a cat")


@pytest.mark.parametrize("name", ["caption", "openai-images/", "diffusers", "x/y", ""])
def test_an_unknown_illustrator_is_told_which_there_are(name: str) -> None:
    with pytest.raises(DeadpanError, match="expected one of openai-images/MODEL"):
        find_illustrator(name)


def test_without_the_libraries_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr("importlib.import_module", missing)
    with pytest.raises(MissingExtra, match=r"\[diffusion\]"):
        DiffusionModel("x").draw("a cat")


@pytest.fixture(scope="module")
def drawing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a Stable Diffusion of a few thousand random weights."""
    diffusers = pytest.importorskip("diffusers", reason="the pipeline needs diffusers")
    pytest.importorskip("torch", reason="the pipeline needs torch").manual_seed(0)
    folder = tmp_path_factory.mktemp("drawing")
    parts = pipeline_parts(tmp_path_factory.mktemp("tokenizer"), channels=4)
    diffusers.StableDiffusionPipeline(**parts).save_pretrained(folder)
    return folder


def test_a_pipeline_draws_the_same_picture_for_the_same_words(drawing: Path) -> None:
    illustrator = DiffusionModel(str(drawing), steps=2)
    first, again = illustrator.draw("a cat"), illustrator.draw("a cat")
    other = DiffusionModel(str(drawing), steps=2, seed=1).draw("a cat")
    assert first.image.mode == "RGB" and min(first.image.size) > 0
    assert first.image.tobytes() == again.image.tobytes() != other.image.tobytes()
    long = illustrator.draw("a cat " * 60)
    assert long.notes[0].startswith("the pipeline read the first 77 of the prompt's ")


def test_a_pipeline_that_is_not_there_is_told(tmp_path: Path) -> None:
    pytest.importorskip("diffusers", reason="the pipeline needs diffusers")
    with pytest.raises((Unavailable, InputError)):
        DiffusionModel(str(tmp_path)).draw("a cat")
