"""MP4 copied packet by packet into a new container, whose boxes say nothing else."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from deadpan.base.errors import InputError
from deadpan.collecting.anonymise.sources import PIECES, BrokenMedia, piece_name
from deadpan.media.media_files import open_container, require_reader

if TYPE_CHECKING:
    from av.container import InputContainer
    from av.stream import Stream

# Side messages inside the picture stream, where cameras and encoders leave notes.
_MESSAGES = {"h264": "6", "hevc": "39|40", "av1": "5", "vp9": None}
_SOUND = frozenset({"aac", "mp3", "opus", "ac3", "eac3", "flac", "alac"})
_OPTIONS = {"fflags": "+bitexact", "movflags": "+faststart"}
_TICK = 0.002  # seconds by which containers round

_BOXES = {
    kind: frozenset(names.encode().split()) for kind, names in PIECES["film"]["boxes"].items()
}
_KEPT = _BOXES["parents"] | _BOXES["timed"] | _BOXES["kept"]
_HANDLERS = (b"VideoHandler\x00", b"SoundHandler\x00")
_VISUAL_HEADER, _AUDIO_HEADER, _COMPRESSOR = 86, 36, slice(50, 82)
_MOST_INDEX = 256 << 20

Digests = list[tuple[int, float, bytes]]
"""Track, seconds since its first and digest of every picture and every packet of sound."""


def clean_film(source: Path, target: Path) -> Counter[str]:
    """Writes the film and sound tracks without metadata; what else there was is counted. Pictures
    and sound are not encoded again, timing and rotation stay. Tracks of data and subtitles, where
    cameras store positions, and cover pictures are left behind."""
    require_reader()
    import av

    removed = Counter(film_metadata(source))
    try:
        with open_container(source) as film:
            kept = [stream for stream in film.streams if _is_kept(stream)]
            if not any(stream.type == "video" for stream in kept):
                raise BrokenMedia("it holds no film track")
            removed["track of data, text or cover"] += len(film.streams) - len(kept)
            _copy(film, kept, target, outer_boxes(source))
            tracks = [stream.index for stream in kept]
        blank_metadata(target)
        before, after = _digests(source, tracks), _digests(target, list(range(len(tracks))))
        if len(before) != len(after) or any(
            one[::2] != other[::2] or not abs(one[1] - other[1]) < _TICK
            for one, other in zip(before, after, strict=True)
        ):
            raise BrokenMedia("the copy would not show and sound the same")
    except InputError as error:
        raise BrokenMedia(error.what) from None
    except (av.FFmpegError, ValueError) as error:
        reason = getattr(error, "strerror", None) or type(error).__name__
        raise BrokenMedia(f"the film cannot be copied ({reason})") from None
    if left := film_metadata(target, cleaned=True):
        raise BrokenMedia(f"metadata would be left: {', '.join(sorted(set(left)))}")
    return +removed


def _codec(stream: Stream) -> str:
    name = stream.codec_context.name if stream.codec_context is not None else "unknown"
    return "av1" if name in ("libdav1d", "libaom-av1") else name


def _is_kept(stream: Stream) -> bool:
    if stream.type == "video" and "attached_pic" not in str(stream.disposition):
        if _codec(stream) not in _MESSAGES:
            raise BrokenMedia("its film track is none of H.264, HEVC, AV1 and VP9; convert it")
        return True
    if stream.type == "audio" and _codec(stream).removesuffix("float") not in _SOUND:
        raise BrokenMedia("its sound track is in an unusual format; convert it to AAC")
    return stream.type == "audio"


def _copy(film: InputContainer, kept: list[Stream], target: Path, boxes: list[Box]) -> None:
    import av
    from av.bitstream import BitStreamFilterContext

    spans = [box for box in boxes if box.name == b"mdat"]
    with av.open(str(target), "w", format="mp4", options=_OPTIONS) as copy:
        tracks = {
            stream.index: copy.add_stream_from_template(stream, opaque=True) for stream in kept
        }
        filters: dict[int, BitStreamFilterContext] = {}
        for stream in kept:
            if messages := _MESSAGES.get(_codec(stream)):
                wanted = f"filter_units=remove_types={messages}"
                track = tracks[stream.index]
                filters[stream.index] = BitStreamFilterContext(wanted, stream, track)
        for packet in film.demux(kept):
            if packet.dts is None:
                continue
            # A forged index could pass metadata off as pictures or sound.
            start, size, index = packet.pos, packet.size, packet.stream.index
            if start is None or not any(
                span.body <= start and start + size <= span.end for span in spans
            ):
                raise BrokenMedia("its index points beyond its pictures and sound")
            for passed in filters[index].filter(packet) if index in filters else (packet,):
                passed.stream = tracks[index]
                copy.mux(passed)


def _digests(path: Path, tracks: list[int]) -> Digests:
    from av.video.frame import VideoFrame

    found: Digests = []
    starts: dict[int, float] = {}
    with open_container(path) as film:
        if len(film.streams) <= max(tracks):
            return []
        for packet in film.demux([film.streams[index] for index in tracks]):
            contents: list[tuple[float, bytes]] = []
            if packet.stream.type == "video":
                for frame in packet.decode():
                    if isinstance(frame, VideoFrame):
                        pixels = frame.to_ndarray(format="rgb24").tobytes()
                        contents.append((frame.time or 0.0, pixels + b"%d" % frame.rotation))
            elif packet.pts is not None and packet.time_base is not None:
                contents.append((float(packet.pts * packet.time_base), bytes(packet)))
            track = tracks.index(packet.stream.index)
            for time, data in contents:
                since = time - starts.setdefault(track, time)
                found.append((track, since, hashlib.sha256(data).digest()))
    return sorted(found)


class Box(NamedTuple):
    """A box's name, and where in the data it starts, its body starts and it ends."""

    name: bytes
    start: int
    body: int
    end: int


def outer_boxes(path: Path) -> list[Box]:
    """The boxes of the file itself; one that does not fit in the file raises."""
    if not path.stat().st_size:
        return []
    with path.open("rb") as stream, mmap(stream.fileno(), 0, access=ACCESS_READ) as data:
        return list(_boxes(data, 0, len(data)))


def film_metadata(path: Path, cleaned: bool = False) -> list[str]:
    """The kind of every piece of metadata; of a cleaned film, of all that it may not hold."""
    spared = frozenset() if cleaned else _BOXES["structure"]
    left = [box.name for box in outer_boxes(path) if box.name not in _BOXES["outer"] | spared]
    found = [piece_name("film", name) for name in left]
    _, index = _index(path)
    for box in _walk(index, 0, len(index)):
        body = index[box.body : box.end]
        if box.name in _BOXES["timed"]:
            found += ["time"] if any(index[_times(index, box)]) else []
        elif box.name not in _KEPT | spared | {b"free"}:
            found.append(piece_name("film", box.name))
        elif cleaned and box.name == b"hdlr":
            found += [] if body[24:] in _HANDLERS else ["handler name"]
        elif cleaned and box.name == b"stsd":
            found += [piece_name("film", one.name) for one in _sample_boxes(index, box)]
            entry = _box(index, box.body + 8, box.end)
            named = any(index[entry.start : entry.end][_COMPRESSOR])
            found += ["encoder name"] if named and entry.name in _BOXES["named"] else []
        elif cleaned and box.name == b"free":
            found += ["hidden data"] if any(body) else []
    return found


def blank_metadata(path: Path) -> None:
    """Turns what a film does not need into zeros, in place, so that no offset moves."""
    start, index = _index(path)
    for box in list(_walk(index, 0, len(index))):
        if box.name in _BOXES["timed"]:
            times = _times(index, box)
            index[times] = bytes(times.stop - times.start)
        unneeded = [] if box.name in _KEPT else [box]
        for one in _sample_boxes(index, box) if box.name == b"stsd" else unneeded:
            index[one.start + 4 : one.start + 8] = b"free"
            index[one.body : one.end] = bytes(one.end - one.body)
    with path.open("r+b") as stream:
        stream.seek(start)
        stream.write(index)


def _index(path: Path) -> tuple[int, bytearray]:
    """Where the moov box starts and its bytes; none, several or an enormous one raises."""
    indexes = [box for box in outer_boxes(path) if box.name == b"moov"]
    if len(indexes) != 1:
        raise BrokenMedia("the film is truncated: it has no index")
    (box,) = indexes
    if box.end - box.start > _MOST_INDEX:
        raise BrokenMedia("the film's index is enormous")
    with path.open("rb") as stream:
        stream.seek(box.start)
        return box.start, bytearray(stream.read(box.end - box.start))


def _walk(data: bytearray, place: int, end: int) -> Iterator[Box]:
    for box in _boxes(data, place, end):
        yield box
        if box.name in _BOXES["parents"]:
            yield from _walk(data, box.body, box.end)


def _boxes(data: bytearray | mmap, place: int, end: int) -> Iterator[Box]:
    while place < end:
        yield (box := _box(data, place, end))
        place = box.end


def _box(data: bytearray | mmap, place: int, end: int) -> Box:
    size = int.from_bytes(data[place : place + 4], "big")
    name = bytes(data[place + 4 : place + 8])
    body = place + 8
    if size == 1:
        size, body = int.from_bytes(data[body : body + 8], "big"), place + 16
    elif size == 0:
        size = end - place
    if size < body - place or place + size > end:
        raise BrokenMedia("the film is truncated")
    return Box(name, place, body, place + size)


def _sample_boxes(index: bytearray, box: Box) -> list[Box]:
    """What hangs on the one sample description and does not serve decoding."""
    entry = _box(index, box.body + 8, box.end)
    first = entry.start + (_AUDIO_HEADER if entry.name in _BOXES["sound"] else _VISUAL_HEADER)
    return [
        inner
        for inner in _walk(index, first, entry.end)
        if inner.name not in _BOXES["sample"]
        and not (inner.name == b"colr" and index[inner.body : inner.body + 4] == b"nclx")
        and not (inner.name == b"free" and not any(index[inner.body : inner.end]))
    ]


def _times(index: bytearray, box: Box) -> slice:
    return slice(box.body + 4, box.body + (20 if index[box.body] == 1 else 12))
