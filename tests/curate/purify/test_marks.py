"""Marks of publishers, told from templates that many jokes share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw

from deadpan.core.curation import Post, PostMedia, ReadLine
from deadpan.curate.purify import drop_repeated, purify_posts, repeated_marks
from deadpan.curate.purify.fingerprints import corner_codes, looks, same_picture
from deadpan.curate.purify.lettering import lettered_marks
from deadpan.curate.schema import Purifying
from tests.curate.small_pictures import encoded, scene, with_logo, worded

OPTIONS = Purifying()
Drawn = tuple[Image.Image, tuple[ReadLine, ...]]


def line(text: str, x1: int, y1: int, x2: int, y2: int) -> ReadLine:
    return ReadLine(text=text, confidence=0.99, x1=x1, y1=y1, x2=x2, y2=y2)


def posts_of(folder: Path, drawn: list[Drawn]) -> list[Post]:
    posts = []
    for number, (image, lines) in enumerate(drawn):
        name = f"{number}.jpg"
        (folder / name).write_bytes(encoded(image, "JPEG", quality=75 + number % 4 * 6))
        size = {"width": image.width, "height": image.height}
        media = PostMedia(given=name, file=name, lines=lines, **size)
        posts.append(Post(id=str(number), source="s", where=name, media=(media,), language="zh"))
    return posts


def dropped(folder: Path, drawn: list[Drawn]) -> list[str]:
    posts = purify_posts(posts_of(folder, drawn), OPTIONS, folder)
    found = drop_repeated(posts, repeated_marks(posts, OPTIONS), OPTIONS)
    return [post.drop.reason if post.drop else "" for post in found]


def joke(number: int, ground: Image.Image) -> Drawn:
    text = f"第{number}次 {'加班开会改稿摸鱼'[number % 8]}的我"
    place = (30 + number % 5 * 12, 30 + number % 3 * 14)
    image = worded(ground, {place: text})
    return image, (line(text, place[0], place[1], place[0] + 290, place[1] + 44),)


def test_different_pictures_with_one_logo_are_a_publisher_s(tmp_path: Path) -> None:
    drawn = [joke(number, with_logo(scene(number))) for number in range(30)]
    plain = [joke(number, scene(100 + number)) for number in range(10)]
    found = dropped(tmp_path, drawn + plain)
    assert found[:30].count("watermark") >= 27
    assert found[30:] == [""] * 10


@pytest.mark.parametrize("bars", [False, True])
def test_jokes_that_share_a_template_are_not(tmp_path: Path, bars: bool) -> None:
    template = with_logo(scene(1))

    def shown(number: int) -> Drawn:
        if not bars:
            return joke(number, template)
        high = 60 + number % 3 * 40
        page = Image.new("RGB", (template.width, template.height + high), "white")
        page.paste(template, (0, high))
        text = f"第{number}次加班"
        return worded(page, {(20, 8): text}, ink="black"), (line(text, 20, 8, 220, 52),)

    assert dropped(tmp_path, [shown(number) for number in range(30)]) == [""] * 30


def test_fewer_than_make_a_mark_stay(tmp_path: Path) -> None:
    drawn = [joke(number, with_logo(scene(number))) for number in range(OPTIONS.repeated - 1)]
    assert dropped(tmp_path, drawn) == [""] * len(drawn)


def marked(number: int, text: str, size: int = 17) -> Drawn:
    image, lines = joke(number, scene(number))
    shown = worded(image, {(360, 330): text}, size)
    return shown, (*lines, line(text, 360, 331, 476, 354))


@pytest.mark.parametrize("name", ["笑料工厂", "JokeWorks"])
def test_small_words_in_one_corner_of_many_pictures(tmp_path: Path, name: str) -> None:
    drawn = [marked(number, name) for number in range(12)]
    merged = marked(12, name)
    merged = merged[0], (line(f"的我{name}", 200, 331, 476, 356),)
    assert dropped(tmp_path, [*drawn, merged]) == ["watermark"] * 13


def test_how_many_memes_begin_is_no_mark(tmp_path: Path) -> None:
    def opening(number: int) -> Drawn:
        page = Image.new("RGB", (480, 460), "white")
        page.paste(scene(number), (0, 100))
        lines = {(8, 6): "Nobody:", (8, 50): f"Me at {number} o'clock"}
        read = (line("Nobody:", 8, 8, 140, 44), line(f"Me at {number} o'clock", 8, 52, 300, 88))
        return worded(page, lines, ink="black"), read

    assert dropped(tmp_path, [opening(number) for number in range(15)]) == [""] * 15


def test_frames_and_lines_give_no_codes() -> None:
    page = Image.new("RGB", (480, 480), "white")
    ImageDraw.Draw(page).rectangle((12, 12, 467, 467), None, "black", 4)
    assert corner_codes(page, ()) == []
    assert corner_codes(Image.new("RGB", (30, 30)), ()) == []
    assert len(corner_codes(with_logo(page), ())) >= 2


def picture(*lines: ReadLine) -> PostMedia:
    return PostMedia(given="a", width=600, height=600, lines=lines)


@pytest.mark.parametrize(
    ("text", "is_mark"),
    [
        ("@dailymemes", True), ("微博 @笑料工厂", True), ("u/somebody", True),
        ("© 2024 Someone", True),
        ("funnypics.example", True), ("抖音号：12345", True), ("禁止转载", True),
        ("made with mematic", True), ("a cat (c)", False),
        ("what a day", False), ("我太难了", False), ("me @ 3am", False),
    ],
)  # fmt: skip
def test_what_reads_like_a_mark_at_the_lower_edge(text: str, is_mark: bool) -> None:
    caption = line("a caption of its own", 60, 40, 540, 90)
    found = lettered_marks(picture(caption, line(text, 200, 560, 420, 600)))
    assert [mark.line.text for mark in found if mark.plain] == ([text] if is_mark else [])


def test_whose_words_are_quoted_is_no_mark() -> None:
    tweet = (
        line("Somebody", 60, 20, 220, 50), line("@somebody", 60, 54, 220, 84),
        line("I would like to sleep", 20, 120, 500, 152), line("for a year", 20, 160, 250, 192),
    )  # fmt: skip
    assert lettered_marks(picture(*tweet)) == ()


def test_a_large_mark_drops_and_a_small_one_is_flagged(tmp_path: Path) -> None:
    large = posts_of(tmp_path, [(scene(1), (line("@dailymemes", 200, 320, 470, 356),))])
    small = posts_of(tmp_path, [(scene(1), (line("@dailymemes", 380, 340, 470, 356),))])
    (found,) = purify_posts(large, OPTIONS, tmp_path)
    assert found.drop and found.drop.reason == "watermark" and "5.6 %" in found.drop.what
    (found,) = purify_posts(small, OPTIONS, tmp_path)
    assert not found.drop and [flag.kind for flag in found.flags] == ["small mark"]
    (found,) = purify_posts(large, Purifying(marks="keep"), tmp_path)
    assert not found.drop and not found.flags


def test_stock_agencies_and_tiles_are_marks_in_the_midst() -> None:
    tiles = [line("sample", x, y, x + 80, y + 20) for x in (50, 250, 450) for y in (200, 300)]
    caption = line("words", 60, 420, 400, 480)
    assert len([one for one in lettered_marks(picture(caption, *tiles)) if one.plain]) == 6
    agency = line("shutterstock", 150, 280, 450, 330)
    assert [one.plain for one in lettered_marks(picture(agency))] == [True]


def test_looks_tell_pictures_apart() -> None:
    def first(image: Image.Image) -> str:
        return next(looks(image)).split(":")[2]

    one, other = scene(1), scene(2)
    captioned = worded(one, {(40, 40): "一行很长很长的字幕在这里", (40, 300): "下面还有一行"})
    assert same_picture(first(one), first(captioned))
    assert not same_picture(first(one), first(other))
    white, black = Image.new("RGB", (300, 300), "white"), Image.new("RGB", (300, 300))
    assert same_picture(first(white), first(white)) and not same_picture(first(white), first(black))


def _qr(image: Image.Image) -> Image.Image:
    import cv2

    code = Image.fromarray(np.asarray(cv2.QRCodeEncoder.create().encode("https://w.example/join")))
    image.paste(code.resize((150, 150), Image.Resampling.NEAREST), (160, 100))
    return image


@pytest.mark.parametrize(
    ("draw", "reason"),
    [
        (lambda: scene(1, (480, 150)), "too small"),
        (lambda: scene(1, (1400, 210)), "too long"),
        (lambda: Image.new("RGB", (300, 300), "#234"), "blank"),
        (lambda: _qr(scene(1)), "contact details"),
        (lambda: scene(1), ""),
    ],
)
def test_shapes_blanks_and_codes(
    tmp_path: Path, draw: Callable[[], Image.Image], reason: str
) -> None:
    (found,) = purify_posts(posts_of(tmp_path, [(draw(), ())]), OPTIONS, tmp_path)
    assert (found.drop.reason if found.drop else "") == reason


def test_words_are_judged_as_the_options_say(tmp_path: Path) -> None:
    (plain,) = posts_of(tmp_path, [(scene(1), (line("微信 xiaodian_8866", 90, 160, 400, 200),))])
    gone = plain.dropped("read", "no words")
    rude = plain.changed(
        media=(plain.media[0].model_copy(update={"lines": ()}),), text="你这个智障"
    )
    selling = rude.changed(text="扫码领取优惠券 全场包邮")
    found = purify_posts([plain, gone, rude, selling], OPTIONS, tmp_path)
    reasons = [one.drop.reason if one.drop else "" for one in found]
    assert reasons == ["contact details", "no words", "", "advert"]
    assert [(flag.kind, flag.what) for flag in found[2].flags] == [("slur", "智障")]
    (flagged,) = purify_posts([plain], Purifying(contacts="flag"), tmp_path)
    assert not flagged.drop and flagged.flags[-1].kind == "contact details"
    (kept,) = purify_posts([plain], Purifying(contacts="keep"), tmp_path)
    assert not kept.drop and not kept.flags
    missing = plain.changed(media=(plain.media[0].model_copy(update={"file": "gone.png"}),))
    (found_missing,) = purify_posts([missing], OPTIONS, tmp_path)
    assert found_missing.drop and found_missing.drop.reason == "broken picture"


def test_posts_without_marks_repeat_nothing() -> None:
    assert repeated_marks([], OPTIONS) == {}
    assert drop_repeated([], {}, OPTIONS) == []


def test_a_mark_all_over_a_picture_is_known_however_ocr_cuts_it() -> None:
    read = (
        line("My diet starts on Monday", 20, 7, 500, 51),
        line("SHUTTERPIXSHUTTE", 0, 58, 640, 112),
        line("SHUTT2", 0, 185, 120, 242),
        line("PIX SHUTT", 200, 189, 640, 240),
        line("SHUTTERPIX SHUTTER", 0, 322, 640, 367),
        line("It never says which Monday", 20, 464, 600, 514),
    )
    found = lettered_marks(PostMedia(given="a", width=640, height=520, lines=read))
    assert [mark.line for mark in found if mark.plain] == list(read[1:5])


@pytest.mark.parametrize(
    "read",
    [
        ("HAHAHAHAHAHA", "HAHAHA", "HAHAHAHAHA", "HAHAHA"),
        (
            "me panicking over due dates",
            "panicking over lack of time",
            "and panic",
        ),
        ("this is fine", "everything is fine", "still fine"),
    ],
)
def test_words_of_a_joke_that_come_back_are_no_mark(read: tuple[str, ...]) -> None:
    lines = tuple(line(text, 20, 90 * at, 400, 90 * at + 40) for at, text in enumerate(read))
    picture = PostMedia(given="a", width=640, height=520, lines=lines)
    assert not [mark for mark in lettered_marks(picture) if mark.plain]
