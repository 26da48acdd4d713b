"""Google's editor against a service on loopback that also misbehaves."""

import base64
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from deadpan.core.editors import Instruction, NotEdited
from deadpan.editing.image_services import GoogleImages
from deadpan.editing.received import CallFailed, Refused
from deadpan.editing.remote import Unusable
from tests.editing.loopback_images import (
    ImageService,
    Reply,
    error,
    google_reply,
    image_service,
    inline,
    picture,
)

KEY = "AIza-not-a-real-key-0123456789"


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[ImageService]:
    with image_service() as running:
        monkeypatch.delenv("GOOGLE_API_KEY", raising=False)
        monkeypatch.setenv("GEMINI_API_KEY", KEY)
        monkeypatch.setenv("GOOGLE_BASE_URL", f"{running.base}/v1beta")
        yield running


@pytest.fixture
def editor(service: ImageService) -> GoogleImages:
    made = GoogleImages.from_environment("gemini-9-image")
    return replace(made, pause=lambda seconds: None)


@pytest.fixture
def meme(tmp_path: Path) -> Instruction:
    source = tmp_path / "meme.png"
    source.write_bytes(picture(colour="red"))
    return Instruction(source, ("周五了",), emotion="sad", target="happy", language="zh")


def test_the_meme_and_the_wording_go_out_and_a_picture_comes_back(
    service: ImageService, editor: GoogleImages, meme: Instruction
) -> None:
    thought = inline(picture((5, 5)), thought=True)
    service.replies = [google_reply({"text": "Here."}, thought, inline(picture(colour="blue")))]
    edited = editor.edit(meme)
    assert edited.image.getpixel((5, 5)) == (0, 0, 255) and edited.notes == ()
    (request,) = service.requests
    assert request.path == "/v1beta/models/gemini-9-image:generateContent"
    assert request.headers["x-goog-api-key"] == KEY and KEY not in request.path
    words, sent = json.loads(request.body)["contents"][0]["parts"]
    assert "文字1：<<<周五了>>>" in words["text"]
    assert base64.b64decode(sent["inlineData"]["data"]).startswith(b"\x89PNG")
    assert sent["inlineData"]["mimeType"] == "image/png"


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (Reply(body=b'{"promptFeedback": {"blockReason": "OTHER"}}'), "OTHER"),
        (google_reply(finish="IMAGE_SAFETY"), "IMAGE_SAFETY"),
        (google_reply(finish="PROHIBITED_CONTENT"), "PROHIBITED_CONTENT"),
        (google_reply({"text": "I'm sorry, but I can't help with that."}), "I'm sorry"),
        (google_reply({"text": "抱歉，我无法编辑这张图片。"}), "抱歉"),
    ],
)
def test_a_safety_answer_is_a_refusal(
    service: ImageService, editor: GoogleImages, meme: Instruction, reply: Reply, why: str
) -> None:
    service.replies = [reply]
    with pytest.raises(Refused, match=rf"refused \({why}"):
        editor.edit(meme)


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (google_reply({"text": "What a nice meme!"}), r"gave no picture \(What a nice meme!"),
        (google_reply(finish="NO_IMAGE"), r"gave no picture \(NO_IMAGE"),
        (Reply(body=b"{}"), r"gave no picture \(an empty reply"),
        (Reply(body=b"[1]"), "not what the endpoint promises"),
        (google_reply(inline(b"GIF89a")), "cannot be read"),
        (error(400, "image too large"), "did not accept the request .*image too large"),
    ],
)
def test_no_usable_picture_is_not_edited(
    service: ImageService, editor: GoogleImages, meme: Instruction, reply: Reply, why: str
) -> None:
    service.replies = [reply]
    with pytest.raises(NotEdited, match=why) as caught:
        editor.edit(meme)
    assert not isinstance(caught.value, Refused | CallFailed)


def test_another_size_and_more_pictures_are_noted(
    service: ImageService, editor: GoogleImages, meme: Instruction
) -> None:
    service.replies = [google_reply(inline(picture((61, 40))), inline(picture()))]
    edited = editor.edit(meme)
    assert edited.image.size == (61, 40)
    assert edited.notes == (
        "the edited picture is 61 × 40, the source 60 × 40",
        "the reply held 2 pictures: the first is taken",
    )


@pytest.mark.parametrize(
    "reply",
    [
        error(403, f"no permission for {KEY}"),
        error(400, "API key not valid.", details=[{"reason": "API_KEY_INVALID"}]),
    ],
)
def test_a_wrong_key_ends_it_all(
    service: ImageService, editor: GoogleImages, meme: Instruction, reply: Reply
) -> None:
    service.replies = [reply]
    with pytest.raises(Unusable, match="GOOGLE_API_KEY or GEMINI_API_KEY") as caught:
        editor.edit(meme)
    assert KEY not in str(caught.value)


def test_a_broken_service_is_given_up(
    service: ImageService, editor: GoogleImages, meme: Instruction
) -> None:
    service.replies = [Reply(502, b"bad gateway")]
    with pytest.raises(CallFailed, match="HTTP 502 bad gateway"):
        editor.edit(meme)
    assert len(service.requests) == 5


def test_a_model_name_cannot_leave_its_place(
    service: ImageService, editor: GoogleImages, meme: Instruction
) -> None:
    service.replies = [google_reply(inline(picture()))]
    replace(editor, model="../../x?key=").edit(meme)
    assert service.requests[0].path == "/v1beta/models/..%2F..%2Fx%3Fkey%3D:generateContent"


def test_without_a_key_it_cannot_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("GOOGLE_API_KEY", "GEMINI_API_KEY", "GOOGLE_BASE_URL"):
        monkeypatch.delenv(variable, raising=False)
    with pytest.raises(Unusable, match="google-images/m needs a key"):
        GoogleImages.from_environment("m")
