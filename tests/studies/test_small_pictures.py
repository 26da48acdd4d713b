"""The small pictures among one's own answers: theirs alone, all of one size, none unasked for."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from deadpan.core.study.items import Output, Part, StudyItem
from deadpan.studies.storage.media import SMALL_SIDE
from tests.studies.study_room import Person, Room, a_sound, a_study, left, rated, served, words

SIZES = {"wide": (640, 120), "tall": (100, 700), "tiny": (9, 7)}


def drawn(folder: Path, name: str) -> str:
    path = folder / f"{name}.png"
    Image.new("RGB", SIZES[name], "#aabbcc").save(path)
    return str(path)


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    items = [
        StudyItem(
            key=name,
            harmful=name == "tall",
            parts=(words(f"About {name}."), Part(name="p", kind="picture", path=path)),
        )
        for name, path in ((name, drawn(tmp_path, name)) for name in ("wide", "tall"))
    ]
    made = Output(
        source="model-seven",
        parts=(
            Part(name="out", kind="sound", path=str(a_sound(tmp_path / "s.wav"))),
            Part(name="seen", kind="picture", path=drawn(tmp_path, "tiny"), alt="by model-seven"),
        ),
    )
    items.append(StudyItem(key="tiny", parts=(words("Rate it."),), outputs=(made,)))
    items.append(StudyItem(key="none", parts=(words("Nothing to see."),)))
    yield from left(served(tmp_path / "study", a_study(rated()), items))


def done(room: Room, name: str) -> tuple[Person, str]:
    """Somebody who has answered everything, and their list."""
    person = room.person(name)
    assert len(person.work(rating="4")) == 4
    return person, person.get("/mine").text


def test_each_is_the_persons_own_and_of_one_size(room: Room) -> None:
    ann, page = done(room, "Ann")
    bo, _ = done(room, "Bo")
    addresses = re.findall(r'<img src="(/media/[\w-]+/\d+/small)"', page)
    assert len(addresses) == 3 and page.count('loading="lazy"') == 3
    assert "seven" not in page
    for address in addresses:
        found = ann.get(address)
        assert found.headers["content-type"] == "image/webp"
        assert "etag" not in found.headers and "last-modified" not in found.headers
        assert found.headers["cache-control"] == "no-store"
        with Image.open(io.BytesIO(found.content)) as image:
            assert image.size == (SMALL_SIDE, SMALL_SIDE) and not image.getexif()
        assert bo.get(address).status_code == 404
        assert room.browser().get(address).headers["location"] == "/login"


def test_what_is_no_picture_has_no_small_one(room: Room) -> None:
    ann, page = done(room, "Ann")
    (token,) = re.findall(r"/media/([\w-]+)/1/small", page)
    assert ann.get(f"/media/{token}/0").status_code == 200
    assert ann.get(f"/media/{token}/0/small").status_code == 404
    assert ann.get(f"/media/{token}/7/small").status_code == 404


def test_a_harmful_one_waits_until_it_is_asked_for(room: Room) -> None:
    _, page = done(room, "Ann")
    (veiled,) = re.findall(r"<details class=\"unveil[^>]*>(.*?)</details>", page, re.DOTALL)
    assert "Show it" in veiled and veiled.count("<img") == 1
    assert page.count("<img") == 3
