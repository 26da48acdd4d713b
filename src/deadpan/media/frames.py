"""Frames decoded at the middles of equal spans of a video: only what must be is decoded."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from deadpan.base.errors import InputError
from deadpan.media.containers import check_decoder, opened
from deadpan.media.media_files import FETCH
from deadpan.media.pixels import Picture, check_size, picture, shrunk
from deadpan.media.timeline import NoTimes, Reader, Wanted, measured_seconds, wanted_frames

if TYPE_CHECKING:
    from av.container import InputContainer
    from av.packet import Packet
    from av.video.frame import VideoFrame
    from av.video.stream import VideoStream

# Only here does "not a reference" mean that no other frame is ever built on it.
_SPARING = {"h264"}
# Pixels decoded on the way to the frames of one stretch: a quarter of an hour in full HD. Frames
# are sought, so that only files without key frames or times, or forged ones, take more.
_MOST_DECODED = 50_000_000_000
# What players take for a bare stream that names no rate.
_USUAL_RATE = 25


@dataclass(frozen=True)
class VideoInfo:
    """What a video is; size as displayed, frame count and rate as the container has them."""

    width: int
    height: int
    seconds: float
    frames: int | None
    rate: float | None
    rotation: int
    sound: bool


@dataclass(frozen=True)
class Decoded:
    """The frames asked for that could be decoded, and the times of those that could not."""

    pictures: tuple[Picture, ...]
    info: VideoInfo
    lost: tuple[float, ...] = ()
    timed: bool = True


@dataclass(frozen=True)
class Asked:
    """Which video, how many frames of it, and how long their longer side may be at most."""

    path: Path
    count: int
    longest: int | None = None

    def __post_init__(self) -> None:
        if self.count < 1:
            raise ValueError(f"at least one frame must be asked for, not {self.count}")


def decoded_frames(asked: Asked) -> Decoded:
    """The frames on screen at the middles of equal spans, each once; all where there are fewer."""
    with opened(asked.path) as container:
        stream = picture_stream(asked.path, container)
        with suppress(NoTimes):
            if stream.frames > asked.count or not _fewer(container, stream, asked.count):
                return _sought(asked, container, stream)
    return _in_order(asked)


def picture_stream(path: Path, container: InputContainer, careful: bool = False) -> VideoStream:
    """The file's first video track that is not a cover picture; raises where there is none.

    `careful` decodes one frame at a time, so that an error costs no frame but its own.
    """
    from av.stream import Disposition

    for stream in container.streams.video:
        if Disposition.attached_pic not in stream.disposition:
            check_decoder(path, stream)
            check_size(path, stream.width, stream.height)
            stream.codec_context.thread_type = "SLICE" if careful else "AUTO"
            # Without this a damaged frame comes back patched up, as if nothing were wrong.
            stream.codec_context.options = {"err_detect": "explode"}
            return stream
    raise InputError(path, "the file has no pictures, only sound or text", FETCH)


def middles(seconds: float, count: int) -> list[float]:
    """The middles of `count` equal spans of a duration."""
    return [(index + 0.5) * seconds / count for index in range(count)]


def _fewer(container: InputContainer, stream: VideoStream, count: int) -> bool:
    reader = Reader(container, stream)
    few = sum(1 for _ in zip(range(count + 1), reader.packets(), strict=False)) <= count
    reader.seek(None)
    return few


def _sought(asked: Asked, container: InputContainer, stream: VideoStream) -> Decoded:
    """The frames, each decoded from the key frame before it."""
    reader = Reader(container, stream)
    seconds = measured_seconds(reader, container)
    wanted = wanted_frames(reader, [reader.ticks(time) for time in middles(seconds, asked.count)])
    found = dict(_decoded(asked, reader, wanted, sparing=stream.codec_context.name in _SPARING))
    for patched in (False, True):
        missing = [one for one in wanted if one.pts not in found]
        if missing:
            with opened(asked.path) as again:
                other = picture_stream(asked.path, again, careful=True)
                if patched:
                    other.codec_context.options = {}
                found |= _decoded(asked, Reader(again, other), missing, earlier=True, doubt=patched)
    lost = tuple(reader.seconds(one.pts) for one in wanted if one.pts not in found)
    pictures = {one.seconds: one for one in sorted(found.values(), key=lambda one: one.seconds)}
    info = _info(asked.path, container, stream, seconds, tuple(pictures.values()))
    return Decoded(tuple(pictures.values()), info, lost)


def _decoded(
    asked: Asked,
    reader: Reader,
    wanted: Sequence[Wanted],
    sparing: bool = False,
    earlier: bool = False,
    doubt: bool = False,
) -> Iterator[tuple[int, Picture]]:
    """Wanted frames by time stamp; `sparing` leaves out what no other frame is built on.

    `earlier` starts well before the nearest key frame, for streams that take more than one to
    recover, and takes the frame just before where the very one never comes out.
    """
    rate = reader.stream.average_rate
    slack = reader.ticks(float(1 / rate)) - reader.start if earlier and rate else 1
    for key, group in groupby(wanted, key=lambda one: one.key):
        stamps = {one.pts for one in group}
        packets = reader.from_earlier_key(key) if earlier else reader.from_key(key)
        run = _Run(asked.path, reader.stream, stamps if sparing else None)
        for frame in run.frames(_until_sent(packets, stamps)):
            for stamp in stamps:
                if frame.pts is not None and 0 <= stamp - frame.pts < slack:
                    seconds = reader.seconds(frame.pts)
                    doubtful = doubt or run.damaged
                    yield stamp, _picture(asked, reader.stream, frame, seconds, doubtful)


def _picture(
    asked: Asked, stream: VideoStream, frame: VideoFrame, seconds: float, doubtful: bool
) -> Picture:
    shown = picture(asked.path, stream, frame, seconds, doubtful)
    return shown if asked.longest is None else shrunk(shown, asked.longest)


def _until_sent(
    packets: Iterator[Packet[VideoStream]], stamps: set[int]
) -> Iterator[Packet[VideoStream]]:
    """Packets up to the last wanted one, and one more: it may hold that frame's second field."""
    left: set[int | None] = set(stamps)
    for packet in packets:
        yield packet
        if not left:
            return
        left.discard(packet.pts)


class _Run:
    """One unbroken stretch of decoding; `damaged` after an error, until the next key frame."""

    def __init__(self, path: Path, stream: VideoStream, needed: set[int] | None = None) -> None:
        self._context, self._needed, self.damaged = stream.codec_context, needed, False
        self._path, self._decoded = path, 0

    def frames(self, packets: Iterator[Packet[VideoStream]]) -> Iterator[VideoFrame]:
        """What the decoder gives, damaged packets left out; it is empty afterwards."""
        was_needed = False
        for packet in packets:
            needed = self._needed is None or packet.pts in self._needed
            self._context.skip_frame = "DEFAULT" if needed or was_needed else "NONREF"
            was_needed = needed
            yield from self._given(packet)
        yield from self._given(None)
        self._context.flush_buffers()

    def _given(self, packet: Packet[VideoStream] | None) -> Iterator[VideoFrame]:
        import av

        try:
            frames = self._context.decode(packet)
        except av.FFmpegError:
            self.damaged = True
            return
        for frame in frames:
            self._decoded += frame.width * frame.height
            if self._decoded > _MOST_DECODED:
                what = "too much would have to be decoded to find a frame in it"
                raise InputError(self._path, what, "Encode it anew, with key frames and times.")
            self.damaged = self.damaged and not frame.key_frame
            if not frame.is_corrupt:
                yield frame


def _in_order(asked: Asked) -> Decoded:
    """The frames, all decoded in order: for files with few frames or without time stamps."""
    with opened(asked.path) as container:
        stream = picture_stream(asked.path, container, careful=True)
        clock = _clock(asked.path, container, stream)
    chosen = set(range(len(clock.times)))
    if len(chosen) > asked.count:
        wanted = middles(clock.seconds, asked.count)
        chosen = {max(0, bisect_right(clock.times, time) - 1) for time in wanted}
    with opened(asked.path) as container:
        stream = picture_stream(asked.path, container, careful=True)
        found = [
            _picture(asked, stream, frame, clock.times[index], damaged)
            for index, (frame, damaged) in enumerate(_every_frame(asked.path, container, stream))
            if index in chosen
        ]
        info = _info(asked.path, container, stream, clock.seconds, found)
    return Decoded(tuple(found), info, timed=clock.timed)


@dataclass(frozen=True)
class _Clock:
    """When each frame is shown, how long all last, and whether the file says so."""

    times: list[float]
    seconds: float
    timed: bool


def _clock(path: Path, container: InputContainer, stream: VideoStream) -> _Clock:
    stamps = [frame.pts for frame, _ in _every_frame(path, container, stream)]
    known = [stamp for stamp in stamps if stamp is not None]
    if len(known) == len(stamps) and known == sorted(set(known)):
        with suppress(NoTimes):
            reader = Reader(container, stream)
            seconds = measured_seconds(reader, container)
            return _Clock([reader.seconds(stamp) for stamp in known], seconds, True)
    rate = float(stream.average_rate or stream.guessed_rate or _USUAL_RATE)
    return _Clock([index / rate for index in range(len(stamps))], len(stamps) / rate, False)


def _every_frame(
    path: Path, container: InputContainer, stream: VideoStream
) -> Iterator[tuple[VideoFrame, bool]]:
    """All frames that can be decoded, in order, each with whether damage came before it."""
    run = _Run(path, stream)
    for frame in run.frames(Reader(container, stream).packets()):
        yield frame, run.damaged


def _info(
    path: Path,
    container: InputContainer,
    stream: VideoStream,
    seconds: float,
    found: Sequence[Picture],
) -> VideoInfo:
    if not found:
        raise InputError(path, "no frame of the video can be decoded", FETCH)
    return VideoInfo(
        *found[0].size,
        seconds=seconds,
        frames=stream.frames or None,
        rate=float(stream.average_rate) if stream.average_rate else None,
        rotation=found[0].rotation,
        sound=bool(container.streams.audio),
    )
