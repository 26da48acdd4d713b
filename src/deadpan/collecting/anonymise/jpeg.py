"""JPEG without anything but what its decoding needs; nothing is encoded again."""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterator

from deadpan.collecting.anonymise.found import BrokenMedia, Cleaned

_SOI, _EOI, _SOS, _COMMENT = 0xD8, 0xD9, 0xDA, 0xFE
_APP0, _APP14, _APP15 = 0xE0, 0xEE, 0xEF
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC8}
"""Frame headers with DHT (C4) and DAC (CC) among them."""
_DECODING = _FRAMES | {0xDB, 0xDC, 0xDD, _SOS}
_NAMES = (
    (0xE1, b"Exif\x00", "exif"),
    (0xE1, b"http://ns.adobe.com/", "xmp"),
    (0xE2, b"ICC_PROFILE\x00", "colour profile"),
    (0xE2, b"MPF\x00", "further pictures"),
    (0xED, b"Photoshop 3.0\x00", "iptc"),
    (_COMMENT, b"", "comment"),
)
# Version, density and thumbnail are the camera's; only the fact that it is JFIF says
# how colours are coded.
_JFIF = b"JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00"


def cleaned_jpeg(data: bytes) -> Cleaned:
    """The file with tables, frame and scans only; JFIF and Adobe marks reduced to the coding."""
    removed: Counter[str] = Counter()
    out = [b"\xff\xd8"]
    seen: set[int] = set()
    for marker, body, scan in segments(data):
        kept = _kept(marker, body)
        if kept is None or (marker in (_APP0, _APP14) and marker in seen):
            removed[_name(marker, body)] += 1
            continue
        if kept != body:
            removed["resolution or thumbnail"] += 1
        seen.add(marker)
        out.append(struct.pack(">BBH", 0xFF, marker, len(kept) + 2) + kept + scan)
    if trailing(data):
        removed["trailing data"] += 1
    out.append(b"\xff\xd9")
    return Cleaned(b"".join(out), removed)


def jpeg_leftovers(data: bytes) -> list[str]:
    """Names of what a cleaned file may not hold."""
    left = [
        _name(marker, body) for marker, body, _ in segments(data) if _kept(marker, body) != body
    ]
    return left + (["trailing data"] if trailing(data) else [])


def segments(data: bytes) -> Iterator[tuple[int, bytes, bytes]]:
    """Marker, body and the scan that follows it, up to EOI; a file that ends before raises."""
    place = 2
    while True:
        marker, place = _marker(data, place)
        if marker == _EOI:
            return
        if marker in (_SOI, 0x01) or 0xD0 <= marker <= 0xD7:
            raise BrokenMedia("a marker stands where none can")
        length = int.from_bytes(data[place : place + 2], "big")
        end = place + length
        if length < 2 or end > len(data):
            raise BrokenMedia("the picture is truncated")
        after = _scan_end(data, end) if marker == _SOS else end
        yield marker, data[place + 2 : end], data[end:after]
        place = after


def trailing(data: bytes) -> bool:
    """Whether anything follows the end mark, such as further pictures or a film."""
    place = 2
    while True:
        marker, place = _marker(data, place)
        if marker == _EOI:
            return place < len(data)
        place += int.from_bytes(data[place : place + 2], "big")
        if marker == _SOS:
            place = _scan_end(data, place)


def _marker(data: bytes, place: int) -> tuple[int, int]:
    if place + 2 > len(data):
        raise BrokenMedia("the picture is truncated")
    if data[place] != 0xFF:
        raise BrokenMedia("bytes stand between two segments")
    while place < len(data) and data[place] == 0xFF:
        place += 1
    if place == len(data):
        raise BrokenMedia("the picture is truncated")
    return data[place], place + 1


def _scan_end(data: bytes, place: int) -> int:
    """Where the first marker stands that is neither a stuffed zero nor a restart."""
    while True:
        place = data.find(b"\xff", place)
        if place < 0 or place + 1 >= len(data):
            raise BrokenMedia("the picture is truncated")
        following = data[place + 1]
        if following == 0xFF:
            place += 1
        elif following == 0 or 0xD0 <= following <= 0xD7:
            place += 2
        else:
            return place


def _kept(marker: int, body: bytes) -> bytes | None:
    if marker in _DECODING:
        return body
    if marker == _APP0 and body.startswith(b"JFIF\x00"):
        return _JFIF
    if marker == _APP14 and body.startswith(b"Adobe") and len(body) >= 12:
        return b"Adobe\x00\x64\x00\x00\x00\x00" + body[11:12]
    return None


def _name(marker: int, body: bytes) -> str:
    for known, start, name in _NAMES:
        if marker == known and body.startswith(start):
            return name
    if _APP0 <= marker <= _APP15:
        return "thumbnail" if body.startswith(b"JFXX\x00") else "application data"
    return "unknown segment"
