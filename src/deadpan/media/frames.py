"""Frames decoded at the middles of equal spans of a video: only what must be is decoded."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, groupby, islice
from pathlib import Path
from typing import TYPE_CHECKING

from deadpan.base.errors import InputError
from deadpan.media.images import Picture, check_size, picture
from deadpan.media.media_files import FETCH, check_decoder, open_container
from deadpan.media.timeline import NoTimes, Reader, Wanted, measure_seconds, wanted_frames

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


def decode_frames(path: Path, count: int, longest: int | None = None) -> Decoded:
    """The frames on screen at the middles of `count` equal spans, each once; all where there are
    fewer. Their longer side is `longest` at most."""
    if count < 1:
        raise ValueError(f"at least one frame must be asked for, not {count}")
    with open_container(path) as container:
        stream = picture_stream(path, container)
        with suppress(NoTimes):
            if stream.frames > count or not _has_few(container, stream, count):
                return _seek_frames(path, count, longest, container, stream)
    return _frames_in_order(path, count, longest)


def picture_stream(path: Path, container: InputContainer, careful: bool = False) -> VideoStream:
    """The file's first video track that is not a cover picture; raises where there is none.
    `careful` decodes one frame at a time, so that an error costs no frame but its own."""
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


def _has_few(container: InputContainer, stream: VideoStream, count: int) -> bool:
    reader = Reader(container, stream)
    packets = sum(1 for _ in islice(reader.packets(), count + 1))
    reader.seek(None)
    return packets <= count


def _seek_frames(
    path: Path, count: int, longest: int | None, container: InputContainer, stream: VideoStream
) -> Decoded:
    """The frames, each decoded from the key frame before it."""
    reader = Reader(container, stream)
    seconds = measure_seconds(reader, container)
    wanted = wanted_frames(reader, [reader.ticks(time) for time in middles(seconds, count)])
    sparing = stream.codec_context.name in _SPARING
    found = dict(_decode_wanted(path, longest, reader, wanted, sparing=sparing))
    for patched in (False, True):
        missing = [one for one in wanted if one.pts not in found]
        if missing:
            with open_container(path) as again:
                other = picture_stream(path, again, careful=True)
                if patched:
                    other.codec_context.options = {}
                from_start = Reader(again, other)
                found |= _decode_wanted(
                    path, longest, from_start, missing, earlier=True, doubt=patched
                )
    lost = tuple(reader.seconds(one.pts) for one in wanted if one.pts not in found)
    pictures = {one.seconds: one for one in sorted(found.values(), key=lambda one: one.seconds)}
    info = _info(path, container, stream, seconds, tuple(pictures.values()))
    return Decoded(tuple(pictures.values()), info, lost)


def _decode_wanted(
    path: Path,
    longest: int | None,
    reader: Reader,
    wanted: Sequence[Wanted],
    *,
    sparing: bool = False,
    earlier: bool = False,
    doubt: bool = False,
) -> Iterator[tuple[int, Picture]]:
    """Wanted frames by time stamp; `sparing` leaves out what no other frame is built on. `earlier`
    starts well before the nearest key frame, for streams that take more than one to recover, and
    takes the frame just before where the very one never comes out."""
    stream, rate = reader.stream, reader.stream.average_rate
    slack = reader.ticks(float(1 / rate)) - reader.start if earlier and rate else 1
    for key, group in groupby(wanted, key=lambda one: one.key):
        stamps = {one.pts for one in group}
        packets = reader.from_earlier_key(key) if earlier else reader.from_key(key)
        needed = stamps if sparing else None
        for frame, damaged in _decode(path, stream, _until_sent(packets, stamps), needed):
            for stamp in stamps:
                if frame.pts is not None and 0 <= stamp - frame.pts < slack:
                    seconds = reader.seconds(frame.pts)
                    yield stamp, picture(path, stream, frame, seconds, doubt or damaged, longest)


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


def _decode(
    path: Path,
    stream: VideoStream,
    packets: Iterator[Packet[VideoStream]],
    needed: set[int] | None = None,
) -> Iterator[tuple[VideoFrame, bool]]:
    """What the decoder gives for one unbroken stretch, damaged packets left out, each frame with
    whether damage came before it and no key frame since; the decoder is empty afterwards."""
    import av

    context, decoded, damaged, was_needed = stream.codec_context, 0, False, False
    for packet in chain(packets, [None]):
        if packet is not None:
            is_needed = needed is None or packet.pts in needed
            context.skip_frame = "DEFAULT" if is_needed or was_needed else "NONREF"
            was_needed = is_needed
        try:
            frames = context.decode(packet)
        except (av.FFmpegError, ValueError):  # a known format without a decoder is the latter
            damaged = True
            continue
        for frame in frames:
            decoded += frame.width * frame.height
            if decoded > _MOST_DECODED:
                what = "too much would have to be decoded to find a frame in it"
                raise InputError(path, what, "Encode it anew, with key frames and times.")
            damaged = damaged and not frame.key_frame
            if not frame.is_corrupt:
                yield frame, damaged
    context.flush_buffers()


def _frames_in_order(path: Path, count: int, longest: int | None) -> Decoded:
    """The frames, all decoded in order: for files with few frames or without time stamps."""
    with open_container(path) as container:
        stream = picture_stream(path, container, careful=True)
        times, length, timed = _clock(path, container, stream)
    chosen = set(range(len(times)))
    if len(chosen) > count:
        chosen = {max(0, bisect_right(times, time) - 1) for time in middles(length, count)}
    with open_container(path) as container:
        stream = picture_stream(path, container, careful=True)
        every = _decode(path, stream, Reader(container, stream).packets())
        found = tuple(
            picture(path, stream, frame, times[index], damaged, longest)
            for index, (frame, damaged) in enumerate(every)
            if index in chosen
        )
        return Decoded(found, _info(path, container, stream, length, found), timed=timed)


def _clock(
    path: Path, container: InputContainer, stream: VideoStream
) -> tuple[list[float], float, bool]:
    """When each frame is shown, how long all last, and whether the file says so."""
    packets = Reader(container, stream).packets()
    stamps = [frame.pts for frame, _ in _decode(path, stream, packets)]
    known = [stamp for stamp in stamps if stamp is not None]
    if len(known) == len(stamps) and known == sorted(set(known)):
        with suppress(NoTimes):
            reader = Reader(container, stream)
            seconds = measure_seconds(reader, container)
            return [reader.seconds(stamp) for stamp in known], seconds, True
    rate = float(stream.average_rate or stream.guessed_rate or _USUAL_RATE)
    return [index / rate for index in range(len(stamps))], len(stamps) / rate, False


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
