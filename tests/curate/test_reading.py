"""Words in pictures, in reading order, and languages told by them."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from deadpan.base.errors import MissingExtra
from deadpan.core.curation import Post, PostMedia
from deadpan.curate.collect.languages import (
    foreign_language,
    named_language,
    script_language,
)
from deadpan.curate.opening import open_posts
from deadpan.curate.reading import keep_languages, read_posts
from deadpan.curate.schema import Opening, Reading
from tests.curate.small_pictures import encoded, scene, worded

LENIENT = Opening(faces="keep", screenshots="keep", personal="keep", anonymise=False)
UNREAD = Reading(ocr=False)


def post(number: int = 1, **more: object) -> Post:
    media = tuple(PostMedia(given=f"{one}.png", file=f"{one}.png") for one in range(number))
    return Post(id="p", source="s", where="w", **{"media": media, **more})


def read(base: Path, image: Image.Image, opening: Opening = LENIENT, **more: object) -> Post:
    (base / "a.png").write_bytes(encoded(image))
    given = Post(id="p", source="s", where="w", media=(PostMedia(given="a.png"),), **more)
    opened = open_posts([given], LENIENT, base, base / "media")
    (found,) = read_posts(opened, Reading(), opening, base / "media")
    return found


def test_two_panels_are_read_one_after_the_other(tmp_path: Path) -> None:
    page = Image.new("RGB", (640, 320), "white")
    pen = ImageDraw.Draw(page)
    pen.rectangle((10, 10, 310, 310), "#bcd", "black", 3)
    pen.rectangle((330, 10, 630, 310), "#dcb", "black", 3)
    lines = {
        (30, 30): "我的计划",
        (30, 220): "周一早起",
        (360, 34): "我的周一",
        (360, 224): "继续摆烂",
    }
    found = read(tmp_path, worded(page, lines))
    assert found.picture_text.split("\n") == ["我的计划", "周一早起", "我的周一", "继续摆烂"]
    assert found.language == "zh" and not found.drop
    first = found.media[0].lines[0]
    assert first.confidence >= 0.5 and abs(first.x1 - 30) < 12 and first.y2 < 90


def test_words_that_lead_to_a_person_are_for_people(tmp_path: Path) -> None:
    image = worded(scene(4), {(20, 20): "call me at", (20, 80): "415-555-0188"})
    strict = LENIENT.model_copy(update={"personal": "flag"})
    found = read(tmp_path, image, strict)
    assert found.language == "en"
    assert [flag.kind for flag in found.flags] == ["text that leads to a person"]
    dropped = read(tmp_path, image, LENIENT.model_copy(update={"personal": "drop"}))
    assert dropped.drop and dropped.drop.what == "phone"


def test_a_post_without_any_words(tmp_path: Path) -> None:
    silent = read(tmp_path, scene(1))
    assert silent.drop and silent.drop.reason == "no words"
    told = read(tmp_path, scene(1), language="zh")
    assert not told.drop and [flag.kind for flag in told.flags] == ["no words"]


def test_a_picture_that_is_gone_is_told(tmp_path: Path) -> None:
    (found,) = read_posts([post(text="hello there")], Reading(), LENIENT, tmp_path)
    assert found.drop and (found.drop.stage, found.drop.reason) == ("read", "broken picture")


def test_without_the_extra_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(data: bytes) -> None:
        raise MissingExtra("OCR", "ocr")

    monkeypatch.setattr("deadpan.curate.reading.read_text", missing)
    (tmp_path / "0.png").write_bytes(encoded(scene(1)))
    with pytest.raises(MissingExtra, match="ocr"):
        read_posts([post()], Reading(), LENIENT, tmp_path)


def test_several_pictures_join_stay_first_or_part(tmp_path: Path) -> None:
    given = post(3, text="some words here")

    def parts(several: str) -> list[tuple[str, int]]:
        options = Reading.model_validate({"ocr": False, "several": several})
        return [(one.id, len(one.media)) for one in read_posts([given], options, LENIENT, tmp_path)]

    assert parts("join") == [("p", 3)]
    assert parts("first") == [("p", 1)]
    assert parts("split") == [("p-1", 1), ("p-2", 1), ("p-3", 1)]
    gone = given.dropped("open", "missing file")
    split = Reading(ocr=False, several="split")
    assert read_posts([gone], split, LENIENT, tmp_path) == [gone]


def test_languages_are_told_by_script_and_kept_by_choice(tmp_path: Path) -> None:
    texts = [
        "打工人 emo 了",
        "when you ship on Friday 哈哈",
        "これはペンです",
        "我",
        "123 😂",
        "так смешно",
    ]
    expected = ["zh", "en", "other", "zh", None, "other"]
    assert [script_language(text) for text in texts] == expected
    posts = read_posts([post(text=text) for text in texts], UNREAD, LENIENT, tmp_path)
    reasons = [one.drop.reason if one.drop else one.language for one in posts]
    unknown = "unknown language"
    assert reasons == ["zh", "en", unknown, "zh", "no words", unknown]
    kept = keep_languages(posts, ("zh",))
    assert [one.drop.reason if one.drop else "" for one in kept] == [
        "", "other language", unknown, "", "no words", unknown,
    ]  # fmt: skip
    assert keep_languages(posts, ()) == posts


def test_another_language_in_latin_letters_is_told_by_all_words(tmp_path: Path) -> None:
    spanish = "cuando tu mamá te dice que ya es hora de levantarse"
    german = "wenn du merkst, dass morgen wieder Montag ist"
    texts = [spanish, german, "me irl", "C'est la vie", "LMAOOO bruh fr fr no cap", spanish.upper()]
    assert [foreign_language(text) for text in texts] == ["es", "de", "", "fr", "", "es"]
    assert foreign_language("see https://beispiel.example/wenn-du-merkst @dass_morgen") == ""
    lines = "when the bank rejects your loan\nand the landlord smiles at you"
    drawn = Reading(ocr=False), LENIENT, tmp_path
    (mixed,) = read_posts([post(text=f"C'est la vie\n{lines}")], *drawn)
    (told,) = read_posts([post(text=spanish, language="en")], *drawn)
    (guessed,) = read_posts([post(text=spanish)], *drawn)
    assert (mixed.language, told.language) == ("en", "en")
    assert guessed.drop and guessed.drop.reason == "unknown language"
    assert "es" in guessed.drop.what and "language: en" in guessed.drop.what


def test_names_of_languages() -> None:
    names = ["zh", "zh-CN", "ZH_tw", "中文", "English", "en-US", "de", ""]
    assert [named_language(name) for name in names] == ["zh"] * 4 + ["en"] * 2 + [None] * 2


def test_a_transcript_tells_a_video_s_language(tmp_path: Path) -> None:
    film = PostMedia(kind="video", given="a.mp4", file="a.mp4")
    (found,) = read_posts(
        [post(media=(film,), transcript="今天又加班")], Reading(), LENIENT, tmp_path
    )
    assert found.language == "zh" and found.media == (film,)
