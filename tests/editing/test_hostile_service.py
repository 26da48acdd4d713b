"""An image service that is not what it seems: redirects, bombs, addresses, no pictures."""

from __future__ import annotations

import gzip
import json
import tracemalloc
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
import zstandard

from deadpan.core.editors import Instruction, NotEdited
from deadpan.editing import remote
from deadpan.editing.image_services import OpenAIImages
from deadpan.editing.received import CallFailed
from deadpan.editing.remote import Unusable
from tests.editing.loopback_images import (
    ImageService,
    Reply,
    image_service,
    openai_reply,
    picture,
)


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[ImageService]:
    with image_service() as running:
        monkeypatch.setenv("OPENAI_API_KEY", "sk-not-a-real-key-0123456789")
        monkeypatch.setenv("OPENAI_BASE_URL", f"{running.base}/v1")
        yield running


@pytest.fixture
def editor(service: ImageService) -> OpenAIImages:
    made = OpenAIImages.from_environment("m")
    made.pause = lambda seconds: None
    return made


@pytest.fixture
def meme(tmp_path: Path) -> Instruction:
    source = tmp_path / "meme.png"
    source.write_bytes(picture())
    return Instruction(source, ("Friday",))


@pytest.mark.parametrize(
    "location",
    ["javascript:alert(1)", "mailto:a@b.c", "file:///etc/passwd", "http://h:99999/", "http://[::1"],
)
def test_a_redirect_is_not_followed_and_ends_the_edit(
    service: ImageService, editor: OpenAIImages, meme: Instruction, location: str
) -> None:
    service.replies = [Reply(302, b"", headers={"Location": location})]
    with pytest.raises(NotEdited, match="not what the endpoint promises"):
        editor.edit(meme)
    assert len(service.requests) == 1


@pytest.mark.parametrize(
    "url",
    [
        "http://169.254.169.254/latest/meta-data/x.png",
        "http://127.0.0.1:1/x.png",
        "http://[::ffff:127.0.0.1]/x.png",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "http://[::1",
        "http://h:99999/",
        "//x",
        "\0",
        "http://\ud800/",
    ],
)
def test_an_address_that_is_not_the_services_own_is_not_asked(
    service: ImageService, editor: OpenAIImages, meme: Instruction, url: str
) -> None:
    service.replies = [Reply(body=json.dumps({"data": [{"url": url}]}).encode())]
    with pytest.raises(NotEdited):
        editor.edit(meme)
    assert [seen.method for seen in service.requests] == ["POST"]


def test_a_compressed_reply_is_read(
    service: ImageService, editor: OpenAIImages, meme: Instruction
) -> None:
    body = openai_reply(picture(colour="blue")).body
    for encoding, coded in (("gzip", gzip.compress(body)), ("deflate", zlib.compress(body))):
        service.replies = [Reply(body=coded, headers={"Content-Encoding": encoding})]
        assert editor.edit(meme).image.getpixel((5, 5)) == (0, 0, 255)
    assert service.requests[0].headers["Accept-Encoding"] == "gzip, deflate"


def test_a_compressed_bomb_ends_the_edit_at_the_limit(
    service: ImageService,
    editor: OpenAIImages,
    meme: Instruction,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(remote, "_MOST_BYTES", 5_000_000)
    zeros = bytes(300_000_000)
    bombs = {
        "gzip": gzip.compress(zeros),
        "deflate": zlib.compress(zeros),
        "zstd": zstandard.ZstdCompressor().compress(zeros),
        "br": b"\xcf\xff\xff\x7f" * 100,
    }
    del zeros
    tracemalloc.start()
    try:
        for encoding, body in bombs.items():
            service.replies = [Reply(body=body, headers={"Content-Encoding": encoding})]
            with pytest.raises(CallFailed, match=r"longer than 5000000 bytes|encoded as"):
                editor.edit(meme)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 40_000_000 and len(service.requests) == len(bombs)


def test_a_postscript_file_in_place_of_a_picture_runs_nothing(
    service: ImageService, editor: OpenAIImages, meme: Instruction
) -> None:
    service.replies = [openai_reply(b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\nshowpage\n")]
    with pytest.raises(NotEdited, match="is not a picture that can be read"):
        editor.edit(meme)


@pytest.mark.parametrize("base", ["http://h:99999/v1", "http://h:0", "http://[::1", "//h", "x"])
def test_an_impossible_base_address_is_told(monkeypatch: pytest.MonkeyPatch, base: str) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-a-real-key-0123456789")
    monkeypatch.setenv("OPENAI_BASE_URL", base)
    with pytest.raises(Unusable, match="OPENAI_BASE_URL is no http"):
        OpenAIImages.from_environment("m")
