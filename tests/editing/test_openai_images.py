"""The OpenAI-compatible editor against a service on loopback that also misbehaves."""

import base64
import json
import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from deadpan.base.errors import InputError
from deadpan.core.editors import Instruction, NotEdited
from deadpan.editing.image_services import OpenAIImages
from deadpan.editing.received import CallFailed, Refused
from deadpan.editing.remote import Unusable
from tests.editing.loopback_images import (
    ImageService,
    Reply,
    error,
    image_service,
    openai_reply,
    picture,
)

KEY = "sk-not-a-real-key-0123456789"


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[ImageService]:
    with image_service() as running:
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        monkeypatch.setenv("OPENAI_BASE_URL", f"{running.base}/v1/")
        yield running


@pytest.fixture
def waits() -> list[float]:
    return []


@pytest.fixture
def editor(service: ImageService, waits: list[float]) -> OpenAIImages:
    made = OpenAIImages.from_environment("gpt-image-9")
    made.pause = waits.append
    return made


@pytest.fixture
def meme(tmp_path: Path) -> Instruction:
    source = tmp_path / "meme.png"
    source.write_bytes(picture(colour="red"))
    return Instruction(source, ("周五了", 'Say "hi"'), emotion="sad", target="happy")


def test_the_meme_and_the_wording_go_out_and_a_picture_comes_back(
    service: ImageService, editor: OpenAIImages, meme: Instruction
) -> None:
    service.replies = [openai_reply(picture(colour="blue"))]
    edited = editor.edit(meme)
    assert edited.image.size == (60, 40) and edited.image.getpixel((5, 5)) == (0, 0, 255)
    assert edited.notes == () and editor.name == "openai-images/gpt-image-9"
    (request,) = service.requests
    assert request.path == "/v1/images/edits"
    assert request.headers["Authorization"] == f"Bearer {KEY}"
    body = request.body
    assert b'name="model"\r\n\r\ngpt-image-9\r\n' in body
    assert "<<<周五了>>>".encode() in body and b'<<<Say "hi">>>' in body
    assert b'filename="meme.png"' in body and b"\x89PNG" in body


def test_a_server_that_takes_no_response_format_is_asked_without(
    service: ImageService, editor: OpenAIImages, meme: Instruction
) -> None:
    refused = error(400, "Unknown parameter: 'response_format'.")
    service.replies = [refused, openai_reply(picture())]
    editor.edit(meme)
    editor.edit(meme)
    sent = [b"response_format" in request.body for request in service.requests]
    assert sent == [True, False, False], "and it is learnt once"


def test_a_busy_service_is_asked_again_when_it_says(
    service: ImageService, editor: OpenAIImages, meme: Instruction, waits: list[float]
) -> None:
    busy = Reply(429, b"{}", {"Retry-After": "7"})
    patient = Reply(503, b"{}", {"Retry-After": "100000"})
    service.replies = [busy, Reply(500, b"oops"), patient, openai_reply(picture())]
    assert editor.edit(meme).image.size == (60, 40)
    assert waits == [7.0, 4.0, 60.0]


def test_a_service_that_stays_broken_is_given_up(
    service: ImageService, editor: OpenAIImages, meme: Instruction, waits: list[float]
) -> None:
    service.replies = [error(500, "the backend is down")]
    with pytest.raises(CallFailed, match=r"no answer in 5 attempts \(HTTP 500 the backend is down"):
        editor.edit(meme)
    assert len(service.requests) == 5 and waits == [2.0, 4.0, 8.0, 16.0]


def test_a_reply_cut_in_the_middle_is_asked_for_again(
    service: ImageService, editor: OpenAIImages, meme: Instruction, waits: list[float]
) -> None:
    whole = openai_reply(picture())
    service.replies = [replace(whole, cut=True), whole]
    assert editor.edit(meme).image.size == (60, 40)
    assert waits == [2.0]


def test_nobody_listening_is_a_failed_call(editor: OpenAIImages, meme: Instruction) -> None:
    editor.address = "http://127.0.0.1:9"
    with pytest.raises(CallFailed, match="ConnectError"):
        editor.edit(meme)


@pytest.mark.parametrize("code", ["moderation_blocked", "content_policy_violation"])
def test_a_safety_answer_is_a_refusal(
    service: ImageService, editor: OpenAIImages, meme: Instruction, code: str
) -> None:
    service.replies = [error(400, "Your request was rejected.", code=code)]
    with pytest.raises(Refused, match=r"refused .*Your request was rejected"):
        editor.edit(meme)


def test_a_request_that_is_not_accepted_says_why(
    service: ImageService, editor: OpenAIImages, meme: Instruction
) -> None:
    service.replies = [error(400, "image is too small")]
    with pytest.raises(NotEdited, match=r"did not accept the request .*image is too small"):
        editor.edit(meme)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b'{"data": []}', "gave no picture"),
        (b'{"data": [{"revised_prompt": "x"}]}', "gave no picture"),
        (b"<html>", "not what the endpoint promises"),
        (b'{"data": [{"b64_json": "!!!"}]}', "not base64"),
        (b'{"data": [{"b64_json": "aGVsbG8="}]}', "cannot be read"),
        (b'{"data": [{"url": "http://169.254.169.254/x.png"}]}', "an address that is not its own"),
        (b'{"data": [{"url": "file:///etc/passwd"}]}', "an address that is not its own"),
    ],
)
def test_no_usable_picture_is_not_edited(
    service: ImageService, editor: OpenAIImages, meme: Instruction, body: bytes, why: str
) -> None:
    service.replies = [Reply(body=body)]
    with pytest.raises(NotEdited, match=why):
        editor.edit(meme)
    assert len(service.requests) == 1


def test_a_picture_on_the_same_host_is_fetched(
    service: ImageService, editor: OpenAIImages, meme: Instruction
) -> None:
    service.pages["/files/1.png"] = Reply(body=picture())
    service.replies = [
        Reply(body=json.dumps({"data": [{"url": f"{service.base}{path}"}]}).encode())
        for path in ("/files/1.png", "/files/2.png")
    ]
    assert editor.edit(meme).image.size == (60, 40)
    with pytest.raises(CallFailed, match="HTTP 404"):
        editor.edit(meme)


def test_a_data_address_is_read(
    service: ImageService, editor: OpenAIImages, meme: Instruction
) -> None:
    url = f"data:image/png;base64,{base64.b64encode(picture()).decode()}"
    service.replies = [Reply(body=json.dumps({"data": [{"url": url}]}).encode())]
    assert editor.edit(meme).image.size == (60, 40)


def test_what_is_odd_is_kept_and_noted(
    service: ImageService, editor: OpenAIImages, meme: Instruction
) -> None:
    service.replies = [openai_reply(picture((1024, 1024)), picture())]
    edited = editor.edit(meme)
    assert edited.image.size == (1024, 1024)
    assert edited.notes == (
        "the edited picture is 1024 × 1024, the source 60 × 40",
        "the reply held 2 pictures: the first is taken",
    )


def test_a_source_turned_by_exif_is_sent_upright(
    service: ImageService, editor: OpenAIImages, tmp_path: Path
) -> None:
    source = tmp_path / "turned.jpg"
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.new("RGB", (60, 40), "red").save(source, exif=exif)
    service.replies = [openai_reply(picture((40, 60)))]
    edited = editor.edit(Instruction(source, ("Hi",)))
    assert edited.image.size == (40, 60) and edited.notes == ()


def test_an_animated_source_is_sent_as_its_first_frame(
    service: ImageService, editor: OpenAIImages, tmp_path: Path
) -> None:
    source = tmp_path / "meme.gif"
    frames = [Image.new("RGB", (60, 40), colour) for colour in ("red", "blue")]
    frames[0].save(source, save_all=True, append_images=frames[1:])
    service.replies = [openai_reply(picture())]
    edited = editor.edit(Instruction(source, ("Hi",)))
    assert edited.notes == ("animated: only the first of 2 frames is edited",)


def test_a_source_that_is_no_picture_is_told_and_not_sent(
    service: ImageService, editor: OpenAIImages, tmp_path: Path
) -> None:
    source = tmp_path / "meme.png"
    source.write_text("not a picture")
    with pytest.raises(InputError, match="not a picture"):
        editor.edit(Instruction(source, ("Hi",)))
    assert service.requests == []


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_key_or_model_that_is_not_accepted_ends_it_all(
    service: ImageService, editor: OpenAIImages, meme: Instruction, status: int
) -> None:
    service.replies = [error(status, f"Incorrect API key provided: {KEY}, or {KEY[:14]}***")]
    with pytest.raises(Unusable, match=rf"HTTP {status} .*OPENAI_API_KEY") as caught:
        editor.edit(meme)
    assert KEY[:10] not in str(caught.value) and "[key]" in str(caught.value)


def test_the_key_shows_up_nowhere(
    service: ImageService,
    editor: OpenAIImages,
    meme: Instruction,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    service.replies = [error(500, f"bad {KEY}")]
    with pytest.raises(CallFailed) as caught:
        editor.edit(meme)
    assert KEY not in f"{caught.value!r} {editor!r} {caplog.text}"


def test_without_a_key_it_cannot_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(Unusable, match="openai-images/m needs a key: set OPENAI_API_KEY"):
        OpenAIImages.from_environment("m")
    with pytest.raises(Unusable, match="needs the name of a model"):
        OpenAIImages.from_environment("")
    monkeypatch.setenv("OPENAI_BASE_URL", "ftp://somewhere")
    with pytest.raises(Unusable, match="OPENAI_BASE_URL is no http"):
        OpenAIImages.from_environment("m")


def test_a_server_of_ones_own_may_need_no_key(
    service: ImageService, monkeypatch: pytest.MonkeyPatch, meme: Instruction
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    service.replies = [openai_reply(picture())]
    assert OpenAIImages.from_environment("local").edit(meme).image.size == (60, 40)
    assert service.requests[0].headers["Authorization"] is None
