"""The second stage: media opened with care, without metadata, under the name of their content; and
texts without what leads to people."""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Sequence
from pathlib import Path

from PIL import Image

from deadpan.base.errors import InputError, MissingExtra
from deadpan.base.files import is_file, sha256_of, write_bytes
from deadpan.collecting.anonymise.film import clean_film
from deadpan.collecting.anonymise.pictures import clean_picture
from deadpan.collecting.anonymise.screens import face_count
from deadpan.collecting.anonymise.sources import BrokenMedia, media_kind
from deadpan.core.curation import Post, PostMedia, StageName
from deadpan.curate.collect.private import anonymous
from deadpan.curate.collect.raw import Refused, is_address, short
from deadpan.curate.schema import Opening, Verdict
from deadpan.media.images import (
    NotAPicture,
    jpeg_bytes,
    open_image,
    png_bytes,
    read_image,
)
from deadpan.media.media_files import open_container, open_media, read_media, require_reader
from deadpan.media.video import video_info

_OTHER_PICTURES = (b"BM", b"II*\x00", b"MM\x00*")
_USUAL_MODES = frozenset(("1", "L", "LA", "P", "PA", "RGB", "RGBA", "I;16"))
_FACES_LONGEST = 640  # pixels of the longer side in which faces are looked for
# Pixels of all frames of a video: ten minutes in full HD at forty frames a second.
_MOST_DECODED = 50_000_000_000


def open_posts(posts: Sequence[Post], options: Opening, base: Path, media: Path) -> list[Post]:
    """The posts with their media opened, cleaned and written to `media`, named by their content;
    one whose media cannot be used is dropped and says why. Files are looked for from `base` on.
    Dropped posts come back as they are."""
    return [post if post.drop else _opened(post, options, base, media) for post in posts]


def with_verdict(post: Post, verdict: Verdict, stage: StageName, kind: str, what: str = "") -> Post:
    """The post after something was found in it: dropped, flagged or as it was."""
    if verdict == "drop":
        return post.dropped(stage, kind, what)
    return post.flagged(stage, kind, what) if verdict == "flag" else post


def _opened(post: Post, options: Opening, base: Path, media: Path) -> Post:
    opened: list[PostMedia] = []
    faces = 0
    for one in post.media:
        try:
            found, seen, animated = _opened_media(one, options, base, media)
        except Refused as refused:
            return post.dropped("open", refused.reason, refused.what)
        if animated:
            post = post.flagged(
                "open", "animated", f"{short(one.given)}: only its first frame is read"
            )
        faces += seen
        # Files of chats may be called after people.
        opened.append(found.model_copy(update={"given": found.file}) if post.turns else found)
    post = post.changed(media=tuple(opened))
    if options.anonymise:
        post = anonymous(post)
    if faces:
        post = with_verdict(post, options.faces, "open", "face", f"{faces} that may be a face")
    return post


def _opened_media(
    one: PostMedia, options: Opening, base: Path, media: Path
) -> tuple[PostMedia, int, bool]:
    """The medium, cleaned and written; how many faces it may show; whether it moves."""
    if is_address(one.given):
        raise Refused("missing file", f"{short(one.given)}: was not fetched")
    path, name = base / one.given, short(one.given)
    head = _checked_head(path, name, options)
    kind = media_kind(head)
    if kind == "mp4" or (kind is None and one.kind == "video"):
        if kind is None:
            raise Refused("not a video", f"{name}: is no MP4; convert it to H.264 and AAC")
        return _opened_film(one, path, name, options, media), 0, False
    if kind is None and not head.startswith(_OTHER_PICTURES):
        raise Refused("not a picture", f"{name}: expected PNG, JPEG, WebP, GIF, BMP or TIFF")
    try:
        data = read_media(path, "picture", int(options.most_megabytes * 1_000_000))
        ending, clean, animated = _cleaned_picture(data, name, options)
        image = read_image(clean, name)
    except InputError as error:
        raise Refused(_reason(error), f"{name}: {error.what}") from None
    checksum = hashlib.sha256(clean).hexdigest()
    file = f"{checksum[:32]}.{ending}"
    if not is_file(media / file):
        write_bytes(media / file, clean)
    found = {"kind": "picture", "file": file, "sha256": checksum}
    size = {"width": image.width, "height": image.height}
    faces = 0 if options.faces == "keep" else _faces(image)
    return one.model_copy(update={**found, **size}), faces, animated


def _reason(error: InputError) -> str:
    # The one place that opens pictures tells both in one kind of error.
    is_enormous = isinstance(error, NotAPicture) and "enormous" in error.what
    return "too large" if is_enormous else "broken picture"


def _checked_head(path: Path, name: str, options: Opening) -> bytes:
    """How a file begins; one that is missing, no plain file, empty or too large is refused."""
    try:
        if not os.path.lexists(path):
            raise Refused("missing file", f"{name}: there is no such file")
        with open_media(path, "file") as stream:
            head, size = stream.read(32), os.fstat(stream.fileno()).st_size
    except InputError as error:
        raise Refused("unreadable file", f"{name}: {error.what}") from None
    except (OSError, ValueError):
        raise Refused("missing file", f"{name}: is no name of a file") from None
    if not size:
        raise Refused("empty file", f"{name}: has no bytes")
    if size > options.most_megabytes * 1_000_000:
        what = f"{name}: has {size / 1_000_000:.0f} MB; at most {options.most_megabytes:g}"
        raise Refused("too large", what)
    return head


def _cleaned_picture(data: bytes, name: str, options: Opening) -> tuple[str, bytes, bool]:
    """The ending for a picture, its bytes without metadata, and whether it moves. What cannot be
    taken apart safely, or is in a mode that few programs show alike, is encoded again."""
    with open_image(data, name) as image:
        megapixels, mode = image.width * image.height / 1_000_000, image.mode
        if megapixels > options.most_megapixels:
            what = f"{name}: {image.width} × {image.height}; at most {options.most_megapixels:g} MP"
            raise Refused("too large", what)
        animated = image.format != "MPO" and getattr(image, "is_animated", False)
    kind = media_kind(data[:32])
    if kind in ("png", "jpeg", "webp", "gif") and mode in _USUAL_MODES:
        try:
            return ("jpg" if kind == "jpeg" else kind), clean_picture(kind, data).data, animated
        except BrokenMedia:
            pass  # its pixels may still be good
    image = read_image(data, name)
    if kind == "jpeg":
        return "jpg", jpeg_bytes(image, quality=95), False
    return "png", png_bytes(image), False


def _opened_film(one: PostMedia, path: Path, name: str, options: Opening, media: Path) -> PostMedia:
    require_reader()
    _check_length(path, name, options)
    media.mkdir(parents=True, exist_ok=True)
    written = media / f".film.{secrets.token_hex(8)}.mp4"
    try:
        clean_film(path, written)
        info = video_info(written)
        checksum = sha256_of(written) or ""
        file = f"{checksum[:32]}.mp4"
        os.replace(written, media / file)
    except BrokenMedia as error:
        raise Refused("broken video", f"{name}: {error}") from None
    except InputError as error:
        raise Refused("broken video", f"{name}: {error.what}") from None
    finally:
        written.unlink(missing_ok=True)
    found = {"kind": "video", "file": file, "sha256": checksum, "seconds": round(info.seconds, 3)}
    return one.model_copy(update={**found, "width": info.width, "height": info.height})


def _check_length(path: Path, name: str, options: Opening) -> None:
    """Refuses a video that is too long or too large, before anything of it is decoded: by what it
    says of itself, and by its packets, as it may say less than it holds."""
    import av

    try:
        with open_container(path) as film:
            streams = film.streams.video
            if not streams:
                raise Refused("not a video", f"{name}: has no pictures")
            claimed = (film.duration or 0) / 1_000_000
            if claimed > options.most_seconds:
                raise Refused(
                    "too long", f"{name}: {claimed:.0f} s; at most {options.most_seconds:g}"
                )
            first, last, packets = float("inf"), 0.0, 0
            for packet in film.demux(streams[0]):
                if packet.pts is not None and packet.time_base is not None:
                    packets += 1
                    shown = float(packet.pts * packet.time_base)
                    first, last = min(first, shown), max(last, shown)
            pixels = streams[0].width * streams[0].height
    except InputError as error:
        raise Refused("broken video", f"{name}: {error.what}") from None
    except av.FFmpegError as error:
        raise Refused("broken video", f"{name}: {error.strerror}") from None
    if packets and last - first > options.most_seconds:
        raise Refused("too long", f"{name}: {last - first:.0f} s; at most {options.most_seconds:g}")
    if pixels > options.most_megapixels * 1_000_000 or packets * pixels > _MOST_DECODED:
        raise Refused("too large", f"{name}: {packets} frames of {pixels / 1_000_000:.1f} MP")


def _faces(image: Image.Image) -> int:
    found = face_count(image, _FACES_LONGEST)
    if found is None:
        raise MissingExtra("Looking for faces", "curate")
    return found
