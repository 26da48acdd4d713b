"""Pictures as editors give them back: kept as they came, with a note where something is off."""

from __future__ import annotations

from pathlib import Path

from PIL import ImageOps

from deadpan.base.errors import InputError
from deadpan.core.editor import Edited, NotEdited
from deadpan.media.images import decoding, on_white, open_image


class Refused(NotEdited):
    """The editor would not edit this meme: a safety answer or a refusal."""


class CallFailed(NotEdited):
    """The editor could not be asked, or gave no answer in time; asking again may help."""


def received(data: bytes, whose: str, size: tuple[int, int]) -> Edited:
    """The picture in an editor's reply, at the size it came in; what cannot be read raises.

    An evaluation must see what the editor made, so that another size than the source's is noted
    and never mended.
    """
    made = opened(data, whose)
    return Edited(made.image, (*made.notes, *size_notes(made.image.size, size)))


def opened(data: bytes, whose: str) -> Edited:
    """A picture that somebody gave, as it came; what cannot be read raises."""
    try:
        with open_image(data, whose) as found, decoding(whose):
            frames = getattr(found, "n_frames", 1)
            found.load()
            image = on_white(ImageOps.exif_transpose(found))
    except InputError as error:
        raise NotEdited(f"{whose} gave a picture that cannot be read ({error.what})") from error
    return Edited(image, (f"it moves: the first of {frames} frames is taken",) * (frames > 1))


def source_notes(source: Path) -> tuple[str, ...]:
    """What is to be said of a source that can be read: that it moves, where it does."""
    with open_image(source) as image, decoding(source):
        frames = getattr(image, "n_frames", 1)
    return (f"animated: only the first of {frames} frames is edited",) if frames > 1 else ()


def size_notes(made: tuple[int, int], source: tuple[int, int]) -> tuple[str, ...]:
    """What is to be said of the edited picture's size: nothing where it is the source's."""
    if made == source:
        return ()
    return (f"the edited picture is {times(made)}, the source {times(source)}",)


def times(size: tuple[int, int]) -> str:
    """A size as it is printed, e.g. 640 × 480."""
    return f"{size[0]} × {size[1]}"
