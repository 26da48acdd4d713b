"""Videos and sound made anew in one form: nothing of the file tells where it comes from."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from deadpan.base.errors import InputError
from deadpan.media.images import Pixels, picture
from deadpan.media.media_files import FETCH, check_decoder, open_container

if TYPE_CHECKING:
    from av.container import OutputContainer

SIDE, RATE, SOUND_RATE = 640, 25, 48_000
LONGEST_SECONDS = 600
_GROUND = 128
_OPUS_FRAME = 960
_QUALITY = {"deadline": "good", "cpu-used": "5", "crf": "12", "b": "2M", "threads": "1"}


def remade(path: Path, with_pictures: bool) -> bytes:
    """A video, or only its sound, as WebM: pictures in a square of one size and at one rate, sound
    in stereo, no metadata. What cannot be decoded, or lasts more than ten minutes, raises."""
    with open_container(path) as source:
        import av

        has_sound = bool(source.streams.audio)
        if not (source.streams.video if with_pictures else has_sound):
            noun = "pictures" if with_pictures else "sound"
            raise InputError(path, f"the file has no {noun}", FETCH)
        stream = io.BytesIO()
        try:
            with av.open(stream, "w", format="webm", options={"fflags": "+bitexact"}) as made:
                _encode(path, made, with_pictures, has_sound)
        except (av.FFmpegError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise InputError(path, f"cannot be made anew ({reason})", FETCH) from None
    return stream.getvalue()


def _encode(path: Path, made: OutputContainer, with_pictures: bool, has_sound: bool) -> None:
    from av import AudioResampler, VideoFrame

    video = made.add_stream("libvpx", rate=RATE, options=_QUALITY) if with_pictures else None
    sound = made.add_stream("libopus", rate=SOUND_RATE, layout="stereo") if has_sound else None
    if video is not None:
        video.width = video.height = SIDE
        video.pix_fmt = "yuv420p"
        for number, pixels in enumerate(_pictures(path)):
            frame = VideoFrame.from_ndarray(pixels, format="rgb24")
            frame.pts = number
            made.mux(video.encode(frame))
        made.mux(video.encode(None))
    if sound is not None:
        resampler = AudioResampler("s16", "stereo", SOUND_RATE, _OPUS_FRAME)
        with open_container(path) as source:
            track = source.streams.audio[0]
            check_decoder(path, track)
            samples = 0
            for heard in source.decode(track):
                heard.pts = None
                for part in resampler.resample(heard):
                    samples += part.samples
                    _require_short(path, samples / SOUND_RATE)
                    made.mux(sound.encode(part))
            for part in resampler.resample(None):
                made.mux(sound.encode(part))
        made.mux(sound.encode(None))


def _pictures(path: Path) -> Iterator[Pixels]:
    """What is on screen at every tick of the rate, upright, in a square."""
    shown: Pixels | None = None
    tick = 0
    with open_container(path) as source:
        stream = source.streams.video[0]
        check_decoder(path, stream)
        first: float | None = None
        for frame in source.decode(stream):
            time = frame.time if frame.time is not None else tick / RATE
            first = time if first is None else first
            while shown is not None and tick / RATE < time - first:
                _require_short(path, tick / RATE)
                yield shown
                tick += 1
            shown = _in_square(picture(path, stream, frame, time, False, SIDE).pixels)
    if shown is not None:
        yield shown


def _in_square(pixels: Pixels) -> Pixels:
    ground = np.full((SIDE, SIDE, 3), _GROUND, dtype=np.uint8)
    high, wide = pixels.shape[:2]
    top, left = (SIDE - high) // 2, (SIDE - wide) // 2
    ground[top : top + high, left : left + wide] = pixels
    return ground


def _require_short(path: Path, seconds: float) -> None:
    if seconds > LONGEST_SECONDS:
        what = f"lasts more than {LONGEST_SECONDS // 60} minutes"
        raise InputError(path, what, "Cut it to what is rated.")
