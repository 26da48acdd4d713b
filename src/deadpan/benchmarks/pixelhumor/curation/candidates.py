"""Posts and what was drafted of them as comics whose humour nobody has annotated yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import JsonValue, ValidationError

from deadpan.base.errors import InputError
from deadpan.benchmarks.pixelhumor.curation.known import Panels
from deadpan.benchmarks.pixelhumor.records import Comic
from deadpan.core.curation import Post
from deadpan.core.dataset import Dataset
from deadpan.core.drafting import picture_of, unlabelled

UNDRAFTED = "no panels"


def comic_id(post: Post) -> str:
    """What a comic is called: its source, an underscore, and what its post is called there."""
    source = post.source.replace("_", "-")
    return f"{source}_{post.id.removeprefix(f'{post.source}-')}"


def panels_of(draft: Mapping[str, JsonValue]) -> Panels | None:
    """The panels of a draft; None where it has none that can be used."""
    try:
        return Panels.model_validate(draft)
    except ValidationError:
        return None


def panel_text(text: Mapping[int, str]) -> str:
    """What is written in each panel, as the released files have it."""
    words = {number: " ".join(said.split()) for number, said in sorted(text.items())}
    return " \n ".join(f"{number}: {said}" for number, said in words.items())


def candidates(posts: Sequence[Post], media: Path) -> Dataset[Comic]:
    """The posts that are still there and whose panels were drafted, without any answer about their
    humour; the others are told."""

    def candidate(post: Post) -> tuple[Comic, str]:
        picture, panels = picture_of(post), panels_of(post.draft)
        if panels is None:
            raise InputError(post.where, UNDRAFTED, "Draft the post, or leave it out.")
        return _comic(post, panels, media / picture.file), picture.file

    return unlabelled(posts, media, candidate)


def _comic(post: Post, panels: Panels, image: Path) -> Comic:
    """The comic as far as it is known: what annotators are to say is missing."""
    name = comic_id(post)
    return Comic.model_construct(
        comic_id=name,
        source=name.rpartition("_")[0],
        url=address_of(post),
        language=post.written_in,
        presence=None,
        sound_effect=None,
        panel=(),
        modality=None,
        styles=(),
        panel_sequence=tuple(panels.panel_sequence),
        text=panel_text(panels.text),
        number_of_panels=len(panels.metadata),
        harmful=panels.potentially_harmful == "harm",
        boxes=tuple(panels.metadata),
        image=str(image),
    )


def address_of(post: Post) -> str:
    """Where a comic is published: its page, or its picture; empty where nobody says."""
    return post.url or (post.picture.url if post.picture else "")
