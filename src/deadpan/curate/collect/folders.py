"""Posts from a folder of pictures and videos, each with the caption that lies beside it."""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from deadpan.base.errors import InputError
from deadpan.base.files import is_within, list_folder, read_text
from deadpan.base.printable import without_controls
from deadpan.curate.collect.raw import MediaKind, RawMedia, RawPost, Refused, is_safe_id, short

PICTURES = frozenset((".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".jfif"))
VIDEOS = frozenset((".mp4", ".m4v", ".mov", ".webm", ".mkv", ".avi", ".flv", ".3gp"))
_CAPTION = ".txt"
_LARGEST_CAPTION = 1 << 20


def folder_posts(folder: Path, shown: Path) -> Iterator[RawPost]:
    """A raw post for each file of a folder and those below it, by name; hidden files and captions
    are none. A folder that cannot be read raises at once."""
    list_folder(folder)
    files = sorted(_files(folder))
    pictured = {part for one in files if _kind(one) for part in (one, _stem(one))}
    captions = {one for one in files if one.endswith(_CAPTION) and _stem(one) in pictured}
    names = Counter(_own_id(one).casefold() for one in files if one not in captions)
    return (
        _raw_post(folder, shown, name, captions, names) for name in files if name not in captions
    )


def _files(folder: Path) -> Iterator[str]:
    """The paths of what lies in a folder, as that folder has them; links to folders are told, not
    followed."""
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(one for one in folders if not one.startswith("."))
        links = [one for one in folders if os.path.islink(os.path.join(place, one))]
        for name in (*files, *links):
            if not name.startswith("."):
                yield os.path.relpath(os.path.join(place, name), folder).replace(os.sep, "/")


def _stem(name: str) -> str:
    return name.rpartition(".")[0] or name


def _own_id(name: str) -> str:
    return _stem(name).replace("/", "-")


def _kind(name: str) -> MediaKind | None:
    ending = os.path.splitext(name)[1].casefold()
    return "picture" if ending in PICTURES else "video" if ending in VIDEOS else None


def _raw_post(
    folder: Path, shown: Path, name: str, captions: set[str], names: Counter[str]
) -> RawPost:
    where = short(f"{shown.as_posix()}/{name}")
    own_id = _own_id(name)
    if not is_safe_id(own_id) or names[own_id.casefold()] > 1:
        own_id = ""
    beside = [one for one in (_stem(name) + _CAPTION, name + _CAPTION) if one in captions]
    try:
        kind = _checked(folder, name)
        text = _caption(folder, beside)
    except Refused as refused:
        return RawPost(where, name, refused=refused)
    media = RawMedia(kind, (shown / name).as_posix())
    return RawPost(where, name, own_id=own_id, text=text, media=(media,))


def _checked(folder: Path, name: str) -> MediaKind:
    """What a file is by its name, a picture where that does not tell; what is no plain file inside
    of the folder is refused."""
    path = folder / name
    try:
        name.encode()
    except UnicodeEncodeError:
        raise Refused("broken name", "the file's name is not UTF-8") from None
    if not is_within(path, folder):
        raise Refused("outside folder", "is a link out of the folder")
    try:
        mode = path.stat().st_mode
    except OSError as error:
        raise Refused("missing file", f"cannot be read ({error.strerror})") from None
    if not stat.S_ISREG(mode):
        what = "is a link to a folder" if stat.S_ISDIR(mode) else "is no plain file"
        raise Refused("no plain file", what)
    kind = _kind(name)
    if kind is None and name.endswith(_CAPTION):
        raise Refused("no media", "a text without picture or video of its name")
    return kind or "picture"


def _caption(folder: Path, beside: Sequence[str]) -> str:
    texts = []
    for name in beside:
        path = folder / name
        try:
            if not is_within(path, folder):
                raise Refused("outside folder", f"{short(name)} is a link out of the folder")
            state = path.stat()
            if stat.S_ISREG(state.st_mode) and not state.st_size:
                continue
            if state.st_size > _LARGEST_CAPTION:
                raise Refused("too much text", f"{short(name)} has {state.st_size:,} bytes")
            texts.append(without_controls(read_text(path)).strip())
        except OSError as error:
            raise Refused("broken caption", f"{short(name)}: {error.strerror}") from None
        except InputError as error:
            raise Refused("broken caption", f"{short(name)}: {error.what}") from None
    return "\n".join(texts)
