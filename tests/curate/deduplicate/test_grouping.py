"""Clusters of copies, of which one stays, and groups that no split may part."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise

from deadpan.core.curation import Flag, Post, PostMedia, ReadLine
from deadpan.curate.deduplicate.comparing import Compared, Finding
from deadpan.curate.deduplicate.grouping import group_posts


def post(id: str, side: int = 100, confidence: float = 1.0, **seen: object) -> Post:
    line = ReadLine(text="words", confidence=confidence, x1=0, y1=0, x2=9, y2=9)
    media = PostMedia(given=id, width=side, height=side, lines=(line,), **seen)
    return Post(id=id, source="s", where="w", media=(media,))


def pair(left: str, right: str, verdict: Finding = "duplicate", words: float = 0.9) -> Compared:
    return Compared(
        left=left, right=right, picture=1.0, words=words, verdict=verdict, why="they agree"
    )


def test_the_best_copy_is_kept_and_others_say_of_which_they_are() -> None:
    posts = [post("a"), post("b", side=200), post("c", side=200), post("d")]
    made = group_posts(posts, [pair("a", "b"), pair("b", "c")])
    assert made.clusters == (("b", "a", "c"),)
    drops = {one.id: one.drop for one in made.posts if one.drop}
    assert sorted(drops) == ["a", "c"]
    assert drops["a"] and drops["a"].stage == "deduplicate" and drops["a"].reason == "duplicate"
    assert drops["a"].what == "of b: they agree"
    assert [one.id for one in made.posts] == ["a", "b", "c", "d"]


def test_flags_bad_reading_tones_and_lines_count_before_size_and_ids_come_last() -> None:
    flagged = post("c", side=900).changed(flags=(Flag(stage="purify", kind="small mark"),))
    mark = ReadLine(text="@me", confidence=1, x1=0, y1=90, x2=9, y2=99)
    marked = post("f", 900)
    marked = marked.changed(
        media=(marked.media[0].model_copy(update={"lines": (*marked.media[0].lines, mark)}),)
    )
    posts = [post("a", 900, colours=3), post("b", 900, 0.6), flagged, marked, post("e"), post("d")]
    made = group_posts(posts, [pair(left, "e") for left in "abcdf"])
    assert made.clusters[0][0] == "d"


def test_who_sees_a_face_tells_nothing_of_the_copy() -> None:
    seen = post("b", side=200).changed(flags=(Flag(stage="open", kind="face"),))
    assert group_posts([post("a"), seen], [pair("a", "b")]).clusters == (("b", "a"),)


def test_of_one_size_the_whole_and_the_less_compressed_picture_stays() -> None:
    crop = post("a", 95)
    assert group_posts([crop, post("b")], [pair("a", "b")]).clusters == (("b", "a"),)
    files = [post("a", file="a.jpg", bytes=16_792), post("b", file="b.jpg", bytes=44_072)]
    assert group_posts(files, [pair("a", "b")]).clusters == (("b", "a"),)
    # Files of other formats are as large as the format makes them.
    files = [post("a", file="a.jpg", bytes=16_792), post("b", file="b.png", bytes=44_072)]
    assert group_posts(files, [pair("a", "b")]).clusters == (("a", "b"),)


def test_a_frame_makes_no_copy_better_and_a_sharper_picture_does() -> None:
    framed = post("a", side=120)
    framed = framed.changed(media=(framed.media[0].model_copy(update={"content": 0.69}),))
    made = group_posts([framed, post("b")], [pair("a", "b")])
    assert made.clusters == (("b", "a"),)
    large = framed.media[0].model_copy(update={"width": 240, "height": 240})
    made = group_posts([framed.changed(media=(large,)), post("b")], [pair("a", "b")])
    assert made.clusters == (("a", "b"),)


def test_a_chain_of_copies_is_one_cluster() -> None:
    made = group_posts([post(id) for id in "abc"], [pair("a", "b"), pair("b", "c")])
    assert [one.drop.what if one.drop else "" for one in made.posts] == [
        "", "of a: they agree", "of a: a copy of a copy",
    ]  # fmt: skip


def test_one_wrong_finding_does_not_chain_two_jokes() -> None:
    sure = [pair("a", "b"), pair("c", "d")]
    wrong = pair("b", "c", words=0.76)
    against = [pair("a", "c", "same picture", 0.2), pair("b", "d", "same picture", 0.2)]
    made = group_posts([post(id) for id in "abcd"], [*sure, wrong, *against])
    assert made.clusters == (("a", "b"), ("c", "d"))
    assert len({one.group for one in made.posts}) == 1


def test_groups_hold_pictures_and_words_together_and_others_apart() -> None:
    found = [
        pair("a", "b", "same picture"),
        pair("b", "c", "same words"),
        pair("c", "d", "different"),
    ]
    made = group_posts([post(id) for id in "abcd"], found)
    assert [one.group for one in made.posts] == ["g-a", "g-a", "g-a", "g-d"]
    assert made.clusters == () and not any(one.drop for one in made.posts)


def test_order_does_not_matter() -> None:
    draw = random.Random(5)
    ids = [f"p{number:02}" for number in range(30)]
    verdicts: list[Finding] = ["duplicate", "same picture", "same words", "different"]
    found = [
        pair(*sorted(draw.sample(ids, 2)), draw.choice(verdicts), round(draw.random(), 1))
        for _ in range(60)
    ]
    found = list({(one.left, one.right): one for one in found}.values())
    posts = [post(id) for id in ids]
    made = group_posts(posts, found)
    draw.shuffle(found)
    draw.shuffle(posts)
    again = group_posts(posts, found)
    assert again.clusters == made.clusters
    assert sorted(again.posts, key=lambda one: one.id) == made.posts


def test_dropped_posts_are_left_alone_and_nothing_comes_of_nothing() -> None:
    gone = post("a").dropped("open", "broken")
    made = group_posts([gone, post("b")], [pair("a", "b")])
    assert made.posts[0] == gone and made.posts[1].drop is None and made.posts[1].group == "g-b"
    assert group_posts([], []).posts == []


def test_words_alone_do_not_join_most_of_the_data() -> None:
    posts = [Post(id=f"p{number:03}", source="s", where="w") for number in range(100)]
    chain = [
        Compared(left=one.id, right=other.id, picture=0, words=1, verdict="same words")
        for one, other in pairwise(posts)
    ]
    found = group_posts(posts, chain)
    sizes = Counter(post.group for post in found.posts)
    assert max(sizes.values()) <= 20 and len(sizes) < 100
    assert len(found.loose) == len(sizes) - 1
    assert group_posts(posts[::-1], chain[::-1]).loose == found.loose


def test_one_seeming_likeness_does_not_join_two_templates() -> None:
    names = [f"{side}{number:02}" for side in "ab" for number in range(20)]
    own = [pair(*two, "same picture") for two in pairwise(names) if two != ("a19", "b00")]
    denied = [pair(f"a{number:02}", f"b{number:02}", "different") for number in range(1, 4)]
    made = group_posts([post(name) for name in names], [*own, *denied, seeming("a00", "b00")])
    assert Counter(one.group[:3] for one in made.posts) == {"g-a": 20, "g-b": 20}
    assert made.loose == (("a00", "b00"),)
    # Where nothing denies it, or the group stays small, nothing is parted.
    agreed = group_posts([post(name) for name in names], [*own, seeming("a00", "b00")])
    assert len({one.group for one in agreed.posts}) == 1
    few = group_posts([post("a"), post("b")], [seeming("a", "b")])
    assert len({one.group for one in few.posts}) == 1 and not few.loose


def seeming(left: str, right: str) -> Compared:
    return pair(left, right, "same picture").model_copy(update={"picture": 0.55})
