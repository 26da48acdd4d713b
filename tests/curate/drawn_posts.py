"""Small sets of drawn posts for tests: pictures on disk, as the stages before would leave them."""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path

from PIL import Image

from bench.posts import PlantedPost, make_posts, planned_posts, rendered
from bench.posts.copies import Drawn
from bench.posts.defects import BROKEN
from deadpan.core.curation import Post, PostMedia, ReadLine

__all__ = ["PlantedPost", "make_posts", "opened_post", "opened_posts", "planned_posts"]


def opened_post(
    id: str, pictures: Iterable[Drawn | Image.Image], media: Path, text: str = "", read: bool = True
) -> Post:
    """A post whose pictures lie in `media`, with their planted lines as what was read; letters that
    are the wrong way round are not. `read` false: nothing was read."""
    kept = []
    for number, given in enumerate(pictures):
        drawn = given if isinstance(given, Drawn) else Drawn(given, ())
        stream = io.BytesIO()
        drawn.image.save(stream, "PNG", compress_level=1)
        name = f"{id}-{number}.png"
        (media / name).write_bytes(stream.getvalue())
        lines = tuple(
            ReadLine(text=one.text, confidence=0.95, x1=round(one.x1), y1=round(one.y1),
                     x2=round(one.x2), y2=round(one.y2))
            for one in drawn.lines
        )  # fmt: skip
        lines = lines if read and not drawn.mirrored else ()
        width, height = drawn.image.size
        kept.append(PostMedia(given=name, file=name, width=width, height=height, lines=lines))
    return Post(id=id, source="drawn", where=f"drawn:{id}", text=text, media=tuple(kept))


def opened_posts(planted: Iterable[PlantedPost], media: Path, read: bool = True) -> list[Post]:
    """Planted posts, drawn into `media`; those whose files cannot be read are left out."""
    return [
        opened_post(one.id, rendered(one), media, one.text, read)
        for one in planted
        if one.defect not in BROKEN
    ]
