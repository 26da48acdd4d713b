"""Picture and words have to agree: copies of every kind, and jokes that only look like copies."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from PIL import Image

from bench.posts.copies import COPIES, Drawn, copied
from bench.posts.jokes import Joke, one_word_changed
from bench.posts.pages import Template, page
from deadpan.core.curation import Post, PostMedia, ReadLine
from deadpan.curate.deduplicate.comparing import Compared, compare_pairs
from deadpan.curate.deduplicate.hashing import hash_posts
from deadpan.curate.schema import Deduplicating
from tests.curate.drawn_posts import opened_post

OVER = Template("over", 480, 420, "over")
STRIP = Template("strip", 400, 300, "strip")
JOKES = {
    "en": Joke("en", 0, (("who", "my boss"), ("asks", "wants"), ("thing", "the report"),
                         ("whom", "the intern"), ("did", "burned"), ("other", "the budget"))),
    "zh": Joke("zh", 0, (("who", "老板"), ("asks", "要"), ("thing", "周报"),
                         ("whom", "实习生"), ("did", "烧掉"), ("other", "预算"))),
}  # fmt: skip


def drawn(joke: Joke, template: Template = OVER, other_panel: int = 0) -> Drawn:
    image, lines = page(7, template, joke.parts, other_panel)
    return Drawn(image, tuple(lines))


def compared(one: Post, other: Post, media: Path, **options: object) -> Compared:
    pair = tuple(hash_posts([one, other], media))
    return compare_pairs([(pair[0], pair[1])], media, Deduplicating.model_validate(options))[0]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("kind", sorted(COPIES))
def test_a_copy_of_every_kind_is_a_duplicate(tmp_path: Path, kind: str, language: str) -> None:
    first = opened_post("a", [drawn(JOKES[language])], tmp_path)
    copy = opened_post("b", [copied("copy", [kind], drawn(JOKES[language]))], tmp_path)
    found = compared(first, copy, tmp_path)
    assert found.verdict == "duplicate", found
    assert found.mirrored == (kind == "mirrored")


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("read", [True, False])
def test_one_changed_word_is_another_joke(tmp_path: Path, language: str, read: bool) -> None:
    joke = JOKES[language]
    first = opened_post("a", [drawn(joke)], tmp_path, read=read)
    for seed in range(3):
        other = drawn(one_word_changed(random.Random(seed), joke))
        found = compared(first, opened_post("b", [other], tmp_path, read=read), tmp_path)
        assert (found.verdict, found.words < 0.75) == ("same picture", True), found
    again = copied("copy", ["recompressed"], drawn(joke))
    found = compared(first, opened_post("c", [again], tmp_path, read=read), tmp_path)
    assert found.verdict == "duplicate", found


def test_a_mirrored_copy_with_another_word_is_no_duplicate(tmp_path: Path) -> None:
    joke = JOKES["en"]
    other = copied("copy", ["mirrored"], drawn(one_word_changed(random.Random(1), joke)))
    posts = opened_post("a", [drawn(joke)], tmp_path), opened_post("b", [other], tmp_path)
    assert compared(*posts, tmp_path).verdict == "same picture"


def test_the_same_words_on_another_picture(tmp_path: Path) -> None:
    posts = [
        opened_post(id, [drawn(JOKES["en"], Template(id, 480, 420, "over"))], tmp_path)
        for id in ("over", "under")
    ]
    found = compared(*posts, tmp_path)
    assert (found.verdict, found.left, found.right) == ("same words", "over", "under")
    assert found.picture < 0.5 < found.words


def test_another_last_panel_is_no_duplicate(tmp_path: Path) -> None:
    first = opened_post("a", [drawn(JOKES["zh"], STRIP)], tmp_path)
    other = opened_post("b", [drawn(JOKES["zh"], STRIP, other_panel=1)], tmp_path)
    assert compared(first, other, tmp_path).verdict in ("same picture", "same words")


def test_captions_count_where_both_have_one_and_the_options_say_so(tmp_path: Path) -> None:
    def post(id: str, text: str) -> Post:
        return opened_post(id, [drawn(JOKES["zh"])], tmp_path, text)

    first, other = post("a", "周一的老板和周报"), post("b", "以后别提团建了")
    assert compared(first, other, tmp_path).verdict == "same picture"
    assert "captions do not" in compared(first, other, tmp_path).why
    assert compared(first, other, tmp_path, captions="ignore").verdict == "duplicate"
    assert compared(first, post("b", ""), tmp_path).verdict == "duplicate"
    assert compared(first, post("b", "周一的老板和周报！！😂"), tmp_path).verdict == "duplicate"


def test_posts_of_several_pictures_are_compared_as_sets(tmp_path: Path) -> None:
    one, two = drawn(JOKES["en"]), drawn(JOKES["zh"], STRIP)
    both = opened_post("a", [one, two], tmp_path)
    turned = opened_post("b", [two, copied("copy", ["bordered"], one)], tmp_path)
    assert compared(both, turned, tmp_path).verdict == "duplicate"
    assert compared(both, opened_post("c", [one], tmp_path), tmp_path).verdict == "same picture"


def test_what_cannot_be_looked_at_agrees_with_nothing(tmp_path: Path) -> None:
    good = opened_post("a", [drawn(JOKES["en"])], tmp_path)
    (tmp_path / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\nbroken")
    media = {
        "broken": PostMedia(given="x", file="broken.png", width=9, height=9),
        "missing": PostMedia(given="x", file="missing.png", width=9, height=9),
        "unopened": PostMedia(given="x"),
        "video": PostMedia(given="x", kind="video", file="a-0.png"),
    }
    for id, one in media.items():
        other = Post(id=id, source="s", where="w", media=(one,))
        assert compared(good, other, tmp_path).verdict == "different"
    empty = Post(id="empty", source="s", where="w", text="<script>")
    assert compared(good, empty, tmp_path).verdict == "different"
    assert compare_pairs([], tmp_path, Deduplicating()) == []


def test_plain_and_tiny_pictures_raise_nothing(tmp_path: Path) -> None:
    sizes = [(1, 1), (3, 500), (500, 3), (40, 40)]
    posts = [
        opened_post(f"p{number}", [Image.new("RGB", size, "white")], tmp_path)
        for number, size in enumerate(sizes)
    ]
    posts.append(opened_post("q", [drawn(JOKES["en"])], tmp_path))
    for post in posts[:-1]:
        assert compared(post, posts[-1], tmp_path).verdict == "different"


def test_the_order_of_a_pair_does_not_matter(tmp_path: Path) -> None:
    first = opened_post("a", [drawn(JOKES["en"])], tmp_path)
    copy = opened_post("b", [copied("copy", ["screenshotted"], drawn(JOKES["en"]))], tmp_path)
    assert compared(first, copy, tmp_path) == compared(copy, first, tmp_path)


def test_the_words_of_an_app_do_not_hide_the_joke(tmp_path: Path) -> None:
    first = opened_post("a", [drawn(JOKES["zh"])], tmp_path)
    copy = opened_post("b", [drawn(JOKES["zh"])], tmp_path)
    around = tuple(
        ReadLine(text=text, confidence=0.99, x1=5, y1=5, x2=60, y2=14)
        for text in ("21:48", "Funny pictures of the day", "Reply Share Like Follow")
    )
    media = copy.media[0].model_copy(update={"lines": (*around, *copy.media[0].lines)})
    assert compared(first, copy.changed(media=(media,)), tmp_path).verdict == "duplicate"


def test_one_file_is_one_picture_whatever_it_shows(tmp_path: Path) -> None:
    def plain(id: str, sha256: str) -> Post:
        post = opened_post(id, [Image.new("RGB", (300, 300), "white")], tmp_path)
        return post.changed(media=(post.media[0].model_copy(update={"sha256": sha256}),))

    assert compared(plain("a", "5e"), plain("b", "5e"), tmp_path).verdict == "duplicate"
    assert compared(plain("a", "5e"), plain("b", "6f"), tmp_path).verdict == "different"
    assert compared(plain("a", ""), plain("b", ""), tmp_path).verdict == "different"
