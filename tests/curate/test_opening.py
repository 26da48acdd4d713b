"""Media opened with care, written once by content, and texts without people."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PIL import Image

from deadpan.core.curation import Post, PostMedia, PostTurn
from deadpan.curate.opening import open_posts
from deadpan.curate.schema import Opening
from tests.curate.small_pictures import animated_gif, encoded, located_jpeg, png_header, scene
from tests.media.drawn_videos import plain_frames, write_video

PLAIN = Opening(faces="keep")


def post(*names: str, **more: object) -> Post:
    media = tuple(PostMedia(given=name) for name in names)
    return Post(id="p", source="s", where="w", media=media, **more)


def opened(base: Path, name: str, data: bytes | None = None, options: Opening = PLAIN) -> Post:
    if data is not None:
        (base / name).write_bytes(data)
    (found,) = open_posts([post(name)], options, base, base / "media")
    return found


def reason(found: Post) -> str:
    return found.drop.reason if found.drop else ""


def test_files_that_are_no_good_pictures_are_told_apart(tmp_path: Path) -> None:
    good = encoded(scene(1))
    os.mkfifo(tmp_path / "pipe.png")
    (tmp_path / "folder.png").mkdir()
    (tmp_path / "nowhere.png").symlink_to("gone.png")
    assert reason(opened(tmp_path, "a.png", b"")) == "empty file"
    assert reason(opened(tmp_path, "b.png", good[: len(good) // 2])) == "broken picture"
    assert reason(opened(tmp_path, "c.png", good[:8] + b"garbage" * 9)) == "broken picture"
    assert reason(opened(tmp_path, "d.png", png_header(60_000, 60_000))) == "too large"
    assert reason(opened(tmp_path, "e.png", png_header(2**31 - 1, 2**31 - 1))) == "too large"
    assert reason(opened(tmp_path, "f.jpg", b"<html>not found</html>")) == "not a picture"
    assert reason(opened(tmp_path, "g.png")) == "missing file"
    assert reason(opened(tmp_path, "x\0y.png")) == "missing file"
    assert reason(opened(tmp_path, "n" * 300 + ".png")) == "missing file"
    assert reason(opened(tmp_path, "pipe.png")) == "unreadable file"
    assert reason(opened(tmp_path, "folder.png")) == "unreadable file"
    assert reason(opened(tmp_path, "nowhere.png")) == "unreadable file"
    assert reason(opened(tmp_path, "https://w.example/a.png")) == "missing file"
    assert not (tmp_path / "media").exists()


def test_limits_are_the_options(tmp_path: Path) -> None:
    data = encoded(scene(1, (500, 500)))
    assert reason(opened(tmp_path, "a.png", data, Opening(most_megapixels=0.2))) == "too large"
    assert reason(opened(tmp_path, "a.png", data, Opening(most_megabytes=0.001))) == "too large"
    assert reason(opened(tmp_path, "a.png", data)) == ""


def test_pictures_lose_metadata_and_stand_upright(tmp_path: Path) -> None:
    found = opened(tmp_path, "a.png", located_jpeg()).media[0]
    assert (found.width, found.height) == (240, 320) and found.file.endswith(".jpg")
    assert found.file == f"{found.sha256[:32]}.jpg"
    data = (tmp_path / "media" / found.file).read_bytes()
    assert b"Zhang Wei" not in data and b"Exif" not in data
    with Image.open(tmp_path / "media" / found.file) as image:
        assert image.size == (240, 320) and not image.getexif()


@pytest.mark.parametrize(
    ("name", "data", "ending"),
    [
        ("wrong.jpg", encoded(scene(1)), "png"),
        ("cmyk.jpg", encoded(scene(1).convert("CMYK"), "JPEG"), "jpg"),
        ("old.bmp", encoded(scene(1), "BMP"), "png"),
        ("deep.tif", encoded(scene(1), "TIFF"), "png"),
        ("clear.webp", encoded(scene(1).convert("RGBA"), "WEBP", lossless=True), "webp"),
    ],
)
def test_kinds_are_told_by_content(tmp_path: Path, name: str, data: bytes, ending: str) -> None:
    found = opened(tmp_path, name, data)
    assert not found.drop and found.media[0].file.endswith(f".{ending}")
    with Image.open(tmp_path / "media" / found.media[0].file) as image:
        assert image.size == (480, 360) and image.mode in ("RGB", "RGBA")


def test_an_animation_is_flagged_and_stays_one(tmp_path: Path) -> None:
    found = opened(tmp_path, "a.gif", animated_gif())
    assert [flag.kind for flag in found.flags] == ["animated"]
    with Image.open(tmp_path / "media" / found.media[0].file) as image:
        assert getattr(image, "n_frames", 1) == 3


def test_the_same_picture_is_written_once_and_again_alike(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(encoded(scene(1)))
    (tmp_path / "b.png").write_bytes(encoded(scene(1)))
    first = open_posts([post("a.png", "b.png")], PLAIN, tmp_path, tmp_path / "media")
    assert first == open_posts([post("a.png", "b.png")], PLAIN, tmp_path, tmp_path / "media")
    assert len(list((tmp_path / "media").iterdir())) == 1
    assert len({one.file for one in first[0].media}) == 1


def test_one_bad_picture_of_several_drops_the_post_and_no_other(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(encoded(scene(1)))
    gone = post("b.png").dropped("collect", "id twice")
    posts = [post("a.png", "gone.png"), gone, post("a.png")]
    found = open_posts(posts, PLAIN, tmp_path, tmp_path / "media")
    assert [reason(one) for one in found] == ["missing file", "id twice", ""]
    assert found[1] is gone


def test_texts_lose_people_and_keep_the_joke(tmp_path: Path) -> None:
    (tmp_path / "张伟.png").write_bytes(encoded(scene(1)))
    given = post(
        "张伟.png",
        text="周一早上八点张伟在麦当劳打我电话13800138000",
        language="zh",
        turns=(PostTurn(speaker="sender", text="张伟说的 a.b@c.com", shares_media=True),),
        attributes={"author": "张伟", "tags": "打工人", "created_at": "2024-01-01"},
    )
    (found,) = open_posts([given], PLAIN, tmp_path, tmp_path / "media")
    assert found.text == "周一早上八点[姓名1]在麦当劳打我电话[电话]"
    assert found.turns[0].text == "[姓名1]说的 [邮箱]"
    assert found.attributes == {"tags": "打工人"}
    assert found.media[0].given == found.media[0].file
    english = post("张伟.png", text="me at 3am when John Smith calls 415-555-0188", language="en")
    options = [PLAIN, PLAIN.model_copy(update={"anonymise": False})]
    texts = [open_posts([english], one, tmp_path, tmp_path / "media")[0].text for one in options]
    assert texts == ["me at 3am when [name 1] calls [phone]", english.text]


def test_videos_are_copied_without_metadata_and_long_ones_not_decoded(tmp_path: Path) -> None:
    write_video(tmp_path / "a.mp4", plain_frames(20), codec="libx264")
    found = opened(tmp_path, "a.mp4").media[0]
    assert found.kind == "video" and found.file.endswith(".mp4") and found.seconds > 0
    assert (found.width, found.height) == (96, 48)
    assert [one.name for one in (tmp_path / "media").iterdir()] == [found.file]
    (tmp_path / "usual").touch()
    usual, written = tmp_path / "usual", tmp_path / "media" / found.file
    assert written.stat().st_mode == usual.stat().st_mode
    again = opened(tmp_path, "a.mp4").media[0]
    assert again == found
    short = Opening(faces="keep", most_seconds=found.seconds / 2)
    assert reason(opened(tmp_path, "a.mp4", None, short)) == "too long"
    hours = [900.0 * number for number in range(20)]
    data = bytearray(write_video(tmp_path / "b.mp4", plain_frames(20), hours).read_bytes())
    assert reason(opened(tmp_path, "b.mp4")) == "too long"
    for box, place in ((b"mvhd", 20), (b"mdhd", 20), (b"tkhd", 24)):  # it claims a second
        at = data.find(box) + place
        data[at : at + 4] = (1000).to_bytes(4, "big")
    assert reason(opened(tmp_path, "forged.mp4", bytes(data))) == "too long"
    data = bytearray((tmp_path / "a.mp4").read_bytes())
    assert reason(opened(tmp_path, "cut.mp4", data[: len(data) // 2])) == "broken video"


def test_faces_are_what_the_option_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deadpan.curate.opening.face_count", lambda image, longest: 2)
    data = encoded(scene(1))
    flagged = opened(tmp_path, "a.png", data, Opening())
    assert [(flag.kind, flag.what) for flag in flagged.flags] == [("face", "2 that may be a face")]
    assert reason(opened(tmp_path, "a.png", data, Opening(faces="drop"))) == "face"


def test_nothing_that_may_be_a_face_is_found_in_soft_colours(tmp_path: Path) -> None:
    assert opened(tmp_path, "a.png", encoded(scene(1)), Opening()).flags == ()
