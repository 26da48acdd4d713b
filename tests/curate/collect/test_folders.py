"""Posts from folders, with whatever lies in them."""

from __future__ import annotations

import os
from pathlib import Path

from deadpan.core.curation import Post
from deadpan.curate.collect import collect_posts
from deadpan.curate.schema import Curation


def collected(base: Path, name: str = "pics") -> list[Post]:
    listed = [{"name": "own", "path": name, "language": "en"}]
    said = {"name": "m", "benchmark": "cfms", "collect": listed}
    return list(collect_posts(Curation.model_validate(said), base, base / "work"))


def test_each_file_is_a_post_with_the_caption_beside_it(tmp_path: Path) -> None:
    folder = tmp_path / "pics"
    (folder / "sub").mkdir(parents=True)
    for name in ("b.png", "a.jpg", "a.png", "sub/猫.webp", "sub/film.mp4", "x.jpg", ".hidden.png"):
        (folder / name).write_bytes(b"x")
    (folder / "b.txt").write_text("me on Monday", "utf-8")
    (folder / "x.jpg.txt").write_text("真是阴阳怪气", "utf-8")
    (folder / "sub" / "猫.txt").write_bytes(b"")
    posts = collected(tmp_path)
    given = [post.media[0].given for post in posts]
    assert given == [
        "pics/a.jpg", "pics/a.png", "pics/b.png", "pics/sub/film.mp4", "pics/sub/猫.webp",
        "pics/x.jpg",
    ]  # fmt: skip
    assert [post.text for post in posts] == ["", "", "me on Monday", "", "", "真是阴阳怪气"]
    assert [post.id for post in posts[2:]] == ["own-b", "own-sub-film", "own-sub-猫", "own-x"]
    assert len({post.id for post in posts}) == 6 and not any(post.drop for post in posts)
    assert posts[3].media[0].kind == "video"


def test_what_is_no_plain_file_in_the_folder_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "pics"
    folder.mkdir()
    os.mkfifo(folder / "pipe.png")
    (folder / "out.png").symlink_to("/etc/passwd")
    (folder / "round.png").symlink_to("round.png")
    (folder / "up").symlink_to(tmp_path)
    (folder / "lone.txt").write_text("no picture")
    (folder / "c.png").write_bytes(b"x")
    (folder / "c.txt").write_bytes("讽刺".encode("gb18030"))
    with open(os.fsencode(folder) + b"/\xff\xfe.png", "wb") as stream:
        stream.write(b"x")
    found = {
        os.path.basename(post.where): post.drop.reason for post in collected(tmp_path) if post.drop
    }
    assert found.pop("⟦U+DCFF⟧⟦U+DCFE⟧.png") == "broken name"
    assert found == {
        "pipe.png": "no plain file", "out.png": "outside folder", "round.png": "outside folder",
        "up": "outside folder", "lone.txt": "no media", "c.png": "broken caption",
    }  # fmt: skip
    assert all(post.model_dump_json() for post in collected(tmp_path))
