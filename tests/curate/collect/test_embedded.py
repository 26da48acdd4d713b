"""Tables that hold pictures themselves, as Hugging Face's data sets do."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from deadpan.curate.collect import collect_posts
from deadpan.curate.opening import open_posts
from deadpan.curate.schema import Curation
from tests.curate.small_pictures import encoded, scene


def test_pictures_in_parquet_are_opened(tmp_path: Path) -> None:
    picture = encoded(scene(1))
    pl.DataFrame(
        {
            "id": ["struct", "bytes", "again", "broken"],
            "text": ["one", "两个", "three", "four"],
            "image": [
                {"bytes": picture, "path": "x.png"},
                {"bytes": picture[:-40], "path": None},
                {"bytes": picture, "path": None},
                {"bytes": None, "path": "gone.png"},
            ],
        }
    ).write_parquet(tmp_path / "posts.parquet")
    curation = Curation.model_validate(
        {
            "name": "x",
            "benchmark": "cfms",
            "collect": [{"name": "hub", "path": "posts.parquet"}],
        }
    )
    posts = list(collect_posts(curation, tmp_path, tmp_path / "work"))
    assert [post.drop for post in posts] == [None] * 4
    assert posts[0].media[0].given == posts[2].media[0].given
    opened = open_posts(posts, curation.open, tmp_path, tmp_path / "media")
    assert [one.drop.reason if one.drop else "" for one in opened] == [
        "",
        "broken picture",
        "",
        "missing file",
    ]
