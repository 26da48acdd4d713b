"""MP4 copied packet by packet into a new container that says nothing else."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from deadpan.base.errors import InputError
from deadpan.collecting.anonymise.boxes import (
    blank_metadata,
    film_leftovers,
    media_spans,
    metadata_pieces,
)
from deadpan.collecting.anonymise.found import BrokenMedia
from deadpan.media.media_files import opened, require_reader

if TYPE_CHECKING:
    from av.bitstream import BitStreamFilterContext
    from av.container import InputContainer
    from av.packet import Packet
    from av.stream import Stream

# Side messages inside the picture stream, where cameras and encoders leave notes.
_MESSAGES = {"h264": "6", "hevc": "39|40", "av1": "5", "vp9": None}
_SOUND = frozenset({"aac", "mp3", "opus", "ac3", "eac3", "flac", "alac"})
_OPTIONS = {"fflags": "+bitexact", "movflags": "+faststart"}
_COVER = "attached_pic"
_TICK = 0.002
"""Seconds by which containers round."""


def clean_film(source: Path, target: Path) -> Counter[str]:
    """Writes the film and sound tracks without metadata; what else there was is counted.

    Pictures and sound are not encoded again, timing and rotation stay. Tracks of data and
    subtitles, where cameras store positions, and cover pictures are left behind.
    """
    require_reader()
    import av

    removed = metadata_pieces(source)
    try:
        with opened(source) as film:
            kept = [stream for stream in film.streams if _kept(stream)]
            if not any(stream.type == "video" for stream in kept):
                raise BrokenMedia("it holds no film track")
            removed["track of data, text or cover"] += len(film.streams) - len(kept)
            _copy(film, kept, target, media_spans(source))
            tracks = [stream.index for stream in kept]
        blank_metadata(target)
        if not _same(_shown(source, tracks), _shown(target, list(range(len(tracks))))):
            raise BrokenMedia("the copy would not show and sound the same")
    except InputError as error:
        raise BrokenMedia(error.what) from None
    except (av.FFmpegError, ValueError) as error:
        reason = getattr(error, "strerror", None) or type(error).__name__
        raise BrokenMedia(f"the film cannot be copied ({reason})") from None
    left = film_leftovers(target)
    if left:
        raise BrokenMedia(f"metadata would be left: {', '.join(sorted(set(left)))}")
    return +removed


def _kept(stream: Stream) -> bool:
    codec = stream.codec_context.name if stream.codec_context is not None else "unknown"
    if stream.type == "video" and _COVER not in str(stream.disposition):
        name = "av1" if codec in ("libdav1d", "libaom-av1") else codec
        if name not in _MESSAGES:
            raise BrokenMedia("its film track is none of H.264, HEVC, AV1 and VP9; convert it")
        return True
    if stream.type == "audio" and codec.removesuffix("float") not in _SOUND:
        raise BrokenMedia("its sound track is in an unusual format; convert it to AAC")
    return stream.type == "audio"


def _copy(film: InputContainer, kept: list[Stream], target: Path, spans: list[range]) -> None:
    import av

    with av.open(str(target), "w", format="mp4", options=_OPTIONS) as copy:
        tracks = {
            stream.index: copy.add_stream_from_template(stream, opaque=True) for stream in kept
        }
        filters = {
            stream.index: _message_filter(stream, tracks[stream.index])
            for stream in kept
            if _messages(stream)
        }
        for index, packet in _packets(film, kept, filters, spans):
            packet.stream = tracks[index]
            copy.mux(packet)


def _packets(
    film: InputContainer,
    kept: list[Stream],
    filters: dict[int, BitStreamFilterContext],
    spans: list[range],
) -> Iterator[tuple[int, Packet[Stream]]]:
    for packet in film.demux(kept):
        if packet.dts is None:
            continue
        # A forged index could pass metadata off as pictures or sound.
        if packet.pos is None or not _within(spans, packet.pos, packet.size):
            raise BrokenMedia("its index points beyond its pictures and sound")
        index = packet.stream.index
        through = filters.get(index)
        for passed in through.filter(packet) if through else (packet,):
            yield index, passed


def _within(spans: list[range], start: int, size: int) -> bool:
    return any(span.start <= start and start + size <= span.stop for span in spans)


def _messages(stream: Stream) -> str | None:
    name = stream.codec_context.name
    return _MESSAGES.get("av1" if name in ("libdav1d", "libaom-av1") else name)


def _message_filter(stream: Stream, track: Stream) -> BitStreamFilterContext:
    from av.bitstream import BitStreamFilterContext

    wanted = f"filter_units=remove_types={_messages(stream)}"
    return BitStreamFilterContext(wanted, in_stream=stream, out_stream=track)


def _shown(path: Path, tracks: list[int]) -> list[tuple[int, float, bytes]]:
    """Track, seconds since its first and digest of every picture and every packet of sound."""
    found: list[tuple[int, float, bytes]] = []
    starts: dict[int, float] = {}
    with opened(path) as film:
        if len(film.streams) <= max(tracks):
            return []
        for packet in film.demux([film.streams[index] for index in tracks]):
            track = tracks.index(packet.stream.index)
            for time, data in _pictures(packet) if _is_film(packet) else _sounds(packet):
                since = time - starts.setdefault(track, time)
                found.append((track, since, hashlib.sha256(data).digest()))
    return sorted(found)


def _is_film(packet: Packet[Stream]) -> bool:
    return packet.stream.type == "video"


def _pictures(packet: Packet[Stream]) -> Iterator[tuple[float, bytes]]:
    from av.video.frame import VideoFrame

    for frame in packet.decode():
        if isinstance(frame, VideoFrame):
            pixels = frame.to_ndarray(format="rgb24").tobytes()
            yield frame.time or 0.0, pixels + str(frame.rotation).encode()


def _sounds(packet: Packet[Stream]) -> Iterator[tuple[float, bytes]]:
    if packet.pts is not None and packet.time_base is not None:
        yield float(packet.pts * packet.time_base), bytes(packet)


def _same(first: list[tuple[int, float, bytes]], second: list[tuple[int, float, bytes]]) -> bool:
    return len(first) == len(second) and all(
        one[0] == other[0] and abs(one[1] - other[1]) < _TICK and one[2] == other[2]
        for one, other in zip(first, second, strict=True)
    )
