"""The boxes of an MP4 file: which a film needs, and the others blanked in place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from deadpan.collecting.anonymise.found import BrokenMedia

_PARENTS = frozenset({b"moov", b"trak", b"edts", b"mdia", b"minf", b"dinf", b"stbl"})
_TIMED = frozenset({b"mvhd", b"tkhd", b"mdhd"})
_KEPT = (
    _PARENTS
    | _TIMED
    | frozenset(b"elst hdlr vmhd smhd dref stsd stts stss ctts stsc stsz stz2 stco co64".split())
    | frozenset(b"sgpd sbgp sdtp cslg".split())
)
_OUTER = frozenset({b"ftyp", b"moov", b"mdat", b"free"})
_STRUCTURE = frozenset(b"moof mfra sidx styp mvex wide skip tref gmhd nmhd iods".split())
"""Layout that a new file does not need and that says nothing about anybody."""
_SAMPLE_BOXES = frozenset(b"avcC hvcC av1C vpcC esds dOps dac3 dec3 dfLa alac".split()) | frozenset(
    b"pasp btrt fiel clap mdcv clli SmDm CoLL chan".split()
)
_HANDLERS = (b"VideoHandler\x00", b"SoundHandler\x00")
_VISUAL_HEADER, _AUDIO_HEADER, _COMPRESSOR = 86, 36, slice(50, 82)
_MOST_INDEX = 256 << 20


@dataclass(frozen=True)
class Box:
    """A box's name, and where in the data it starts, its body starts and it ends."""

    name: bytes
    start: int
    body: int
    end: int


def outer_boxes(path: Path) -> list[Box]:
    """The boxes of the file itself; one that does not fit in the file raises."""
    size = path.stat().st_size
    found: list[Box] = []
    place = 0
    with path.open("rb") as stream:
        while place < size:
            stream.seek(place)
            box = _box(stream.read(16), 0, size - place)
            found.append(Box(box.name, place, place + box.body, place + box.end))
            place += box.end
    return found


def index_of(path: Path) -> tuple[int, bytearray]:
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


def media_spans(path: Path) -> list[range]:
    """Where in the file pictures and sound lie."""
    return [range(box.body, box.end) for box in outer_boxes(path) if box.name == b"mdat"]


def metadata_pieces(path: Path) -> Counter[str]:
    """How many pieces of metadata of which kind a film holds."""
    found: Counter[str] = Counter()
    for box in outer_boxes(path):
        if box.name not in _OUTER | _STRUCTURE:
            found[_shown(box.name)] += 1
    _, index = index_of(path)
    for box in _walk(index, 0, len(index)):
        if box.name in _TIMED and any(_times(index, box)):
            found["time"] += 1
        elif box.name not in _KEPT | _STRUCTURE | {b"free"}:
            found[_shown(box.name)] += 1
    return found


def blank_metadata(path: Path) -> None:
    """Turns what a film does not need into zeros, in place, so that no offset moves."""
    start, index = index_of(path)
    for box in list(_walk(index, 0, len(index))):
        if box.name in _TIMED:
            times = _time_span(index, box)
            index[times] = bytes(times.stop - times.start)
        elif box.name == b"stsd":
            for inner in _sample_boxes(index, box):
                _blank(index, inner)
        elif box.name not in _KEPT:
            _blank(index, box)
    with path.open("r+b") as stream:
        stream.seek(start)
        stream.write(index)


def film_leftovers(path: Path) -> list[str]:
    """Names of what a cleaned film may not hold."""
    left = [_shown(box.name) for box in outer_boxes(path) if box.name not in _OUTER]
    _, index = index_of(path)
    for box in _walk(index, 0, len(index)):
        body = index[box.body : box.end]
        if box.name in _TIMED:
            left += ["time"] if any(_times(index, box)) else []
        elif box.name == b"hdlr":
            left += [] if body[24:] in _HANDLERS else ["handler name"]
        elif box.name == b"stsd":
            left += [_shown(inner.name) for inner in _sample_boxes(index, box)]
            left += ["encoder name"] if _compressor(index, box) else []
        elif box.name == b"free":
            left += ["hidden data"] if any(body) else []
        elif box.name not in _KEPT:
            left.append(_shown(box.name))
    return left


def _walk(data: bytes | bytearray, place: int, end: int) -> Iterator[Box]:
    while place < end:
        box = _box(data, place, end)
        yield box
        if box.name in _PARENTS:
            yield from _walk(data, box.body, box.end)
        place = box.end


def _box(data: bytes | bytearray, place: int, end: int) -> Box:
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
    visual = entry.name not in (b"mp4a", b"Opus", b"fLaC", b"alac", b"ac-3", b"ec-3", b".mp3")
    first = entry.start + (_VISUAL_HEADER if visual else _AUDIO_HEADER)
    return [
        inner
        for inner in _walk(index, first, entry.end)
        if inner.name not in _SAMPLE_BOXES
        and not (inner.name == b"colr" and index[inner.body : inner.body + 4] == b"nclx")
        and not (inner.name == b"free" and not any(index[inner.body : inner.end]))
    ]


def _compressor(index: bytearray, box: Box) -> bool:
    entry = _box(index, box.body + 8, box.end)
    visual = entry.name in (b"avc1", b"hev1", b"hvc1", b"av01", b"vp09")
    return visual and any(index[entry.start : entry.end][_COMPRESSOR])


def _blank(index: bytearray, box: Box) -> None:
    index[box.start + 4 : box.start + 8] = b"free"
    index[box.body : box.end] = bytes(box.end - box.body)


def _time_span(index: bytearray, box: Box) -> slice:
    return slice(box.body + 4, box.body + (20 if index[box.body] == 1 else 12))


def _times(index: bytearray, box: Box) -> bytearray:
    return index[_time_span(index, box)]


def _shown(name: bytes) -> str:
    known = {b"udta": "user data", b"meta": "metadata box", b"uuid": "private box"}
    return known.get(name, "unknown box")
