"""Video and sound files opened with PyAV: quietly, no file reaching beyond itself, errors told."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from deadpan.base.errors import InputError, MissingExtra
from deadpan.media.media_files import FETCH, open_media

if TYPE_CHECKING:
    from av.container import InputContainer
    from av.stream import Stream

# Playlists and the like are left out: they name other files and addresses to be read.
_FORMATS = (
    "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,mpegvideo,flv,asf,ogg,gif,apng,"
    "h264,hevc,obu,ivf,m4v,mjpeg,nut,wav,mp3,aac,flac"
)


def require_reader() -> None:
    """Raises where PyAV is not installed."""
    try:
        import av  # noqa: F401
    except ImportError:
        raise MissingExtra("Reading videos", "video") from None


@contextmanager
def opened(path: Path) -> Iterator[InputContainer]:
    """The file opened for reading; what is missing, empty or no video or sound file raises."""
    require_reader()
    import av

    _check(path)
    try:
        container = av.open(
            f"file:{os.path.abspath(path)}",
            "r",
            options={"format_whitelist": _FORMATS, "protocol_whitelist": "file"},
            metadata_errors="replace",
        )
    except (av.FFmpegError, OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or type(error).__name__
        raise InputError(
            path, f"is not a video or sound file that can be read ({reason})", FETCH
        ) from None
    with container:
        yield container


def check_decoder(path: Path, stream: Stream) -> None:
    """Raises for a track in a format that libav does not know."""
    if stream.codec_context is None:
        raise InputError(
            path,
            f"the {stream.type} track is in a format that cannot be decoded",
            "Convert it to H.264 and AAC.",
        )


def _check(path: Path) -> None:
    with open_media(path, "video") as stream:
        if not stream.read(1):
            raise InputError(path, "the file is empty", FETCH)
